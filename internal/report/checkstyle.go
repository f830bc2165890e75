package report

import (
	"cmp"
	"encoding/xml"
	"io"

	"github.com/cupel-dev/cupel/finding"
	"github.com/cupel-dev/cupel/internal/say"
)

// checkstyle writes Checkstyle's XML: findings by file. A file occurs twice if its findings are not adjacent.
type checkstyle struct {
	*sink
	file string // whose element is open
	open bool
}

type checkstyleError struct {
	XMLName  xml.Name `xml:"error"`
	Line     int      `xml:"line,attr,omitempty"`
	Column   int      `xml:"column,attr,omitempty"`
	Severity string   `xml:"severity,attr"` // info, warning or error
	Message  string   `xml:"message,attr"`
	Source   string   `xml:"source,attr"` // the rule
}

func newCheckstyle(w io.Writer, _ Run, _ Options) Writer {
	c := &checkstyle{sink: &sink{w: w}}
	c.text(xml.Header, "<checkstyle version=\"10.0\">\n")
	return c
}

func (c *checkstyle) Finding(f finding.Finding) error {
	return c.error(f.File, checkstyleError{
		Line: f.Line, Column: f.Column, Severity: f.Severity.String(), Message: comparison(inPart(f), say.Visible), Source: f.Rule,
	})
}

func (c *checkstyle) error(file string, e checkstyleError) error {
	if file = cmp.Or(file, "cupel"); !c.open || file != c.file {
		c.end()
		c.text("<file name=\"")
		c.escape(say.Visible(file))
		c.text("\">\n")
		c.file, c.open = file, true
	}
	if text, err := xml.Marshal(e); c.err == nil {
		c.err = err
		c.text(string(text), "\n")
	}
	return c.err
}

func (c *checkstyle) escape(text string) {
	if c.err == nil {
		c.err = xml.EscapeText(c.w, []byte(text))
	}
}

func (c *checkstyle) end() {
	if c.open {
		c.text("</file>\n")
	}
	c.open = false
}

func (c *checkstyle) Answer(a Answer) error {
	if a.Annotation != nil {
		return c.Finding(*a.Annotation)
	}
	return c.err
}

// Fail writes an error without a file, because an empty document looks passed.
func (c *checkstyle) Fail(message string) error {
	return c.error("", checkstyleError{Severity: "error", Message: "could not answer: " + say.Visible(message), Source: "cupel"})
}

func (c *checkstyle) Close(s Summary) error {
	if left := s.leavesOut(); left != "" {
		_ = c.error("", checkstyleError{Severity: "info", Message: "left out: " + say.Visible(left), Source: "cupel"})
	}
	c.end()
	c.text("</checkstyle>\n")
	return c.err
}
