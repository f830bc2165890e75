package report

import (
	"io"
	"strconv"
	"strings"

	"github.com/cupel-dev/cupel/finding"
	"github.com/cupel-dev/cupel/internal/say"
)

// github writes GitHub Actions workflow commands: ::error file=…,line=…,col=…,title=RULE::message
type github struct{ *sink }

func newGitHub(w io.Writer, _ Run, _ Options) Writer { return &github{&sink{w: w}} }

var (
	escapeData     = strings.NewReplacer("%", "%25", "\r", "%0D", "\n", "%0A")
	escapeProperty = strings.NewReplacer("%", "%25", "\r", "%0D", "\n", "%0A", ":", "%3A", ",", "%2C")
	githubLevel    = [...]string{finding.Info: "notice", finding.Warning: "warning", finding.Error: "error"}
)

func property(value string) string { return escapeProperty.Replace(say.Visible(value)) }

func (g *github) Finding(f finding.Finding) error {
	g.text("::", githubLevel[f.Severity], " ")
	if f.File != "" {
		g.text("file=", property(f.File), ",")
	}
	g.number("line", f.Line)
	g.number("endLine", f.EndLine)
	g.number("col", f.Column)
	g.number("endColumn", f.EndColumn)
	g.text("title=", property(f.Rule), "::", escapeData.Replace(comparison(inPart(f), say.Visible)), "\n")
	return g.err
}

func (g *github) number(name string, n int) {
	if n > 0 {
		g.text(name, "=", strconv.Itoa(n), ",")
	}
}

func (g *github) Answer(a Answer) error {
	if a.Annotation != nil {
		return g.Finding(*a.Annotation)
	}
	return g.err
}

func (g *github) Fail(message string) error {
	g.text("::error title=cupel::", escapeData.Replace(say.Visible(message)), "\n")
	return g.err
}

func (g *github) Close(s Summary) error {
	if left := s.leavesOut(); left != "" {
		g.text("::notice title=cupel::", escapeData.Replace(say.Visible(left)), "\n")
	}
	return g.err
}
