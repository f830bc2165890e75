package cite

import (
	"crypto/sha256"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"slices"
	"strings"

	"github.com/cupel-dev/cupel/internal/digest"
	"github.com/cupel-dev/cupel/internal/say"
	"github.com/cupel-dev/cupel/internal/strictjson"
)

// Sources opens the files that a log was made of. It is safe for concurrent use.
type Sources interface {
	// Source returns the bytes of the file with a path or, failing that, with a digest. The error wraps
	// fs.ErrNotExist if the file does not exist.
	Source(path string, sum digest.Sum) (Source, error)
}

// Source is the content of a file.
type Source struct {
	Text io.ReaderAt
	Size int64
	Sum  digest.Sum
}

// Counts counts the events of a log by their citations.
type Counts struct {
	Events  int64 `json:"cited"`   // events that cite a source
	Uncited int64 `json:"uncited"` // … that should, but do not
	Values  int64 `json:"values"`  // values that were compared with their bytes
}

// Difference is a fault of an event.
type Difference struct {
	Fault
	At      strictjson.Node
	Path    string // below the payload; "": the payload
	Message string

	// Of a whole file, which is the same for all events that cite it:
	File                  *Citation
	Expected, Found, Help string
}

// Comparer compares events with the bytes that they cite. Report receives the differences, which are valid during the
// call. It is not safe for concurrent use.
type Comparer struct {
	Sources Sources
	Report  func(*Difference)
	Counts

	scanner *strictjson.Scanner // of cited values
	buf     []byte
}

// maxHeld limits the bytes of a citation that are held. Longer ones are hashed in pieces.
const maxHeld = 1 << 20

// maxPreview limits names in messages.
const maxPreview = 72

func clip(s string) string { return say.Preview(s, maxPreview) }

// Cites reports whether an event cites a source.
func Cites(payload strictjson.Node) bool { return payload.Get(Name).Get("content_path").Exists() }

// NotCompared says that the citations of events were not compared.
func NotCompared(events int64) []string {
	if events == 0 {
		return nil
	}
	return []string{"the sources of " + say.Counted(events, "event") + ": --sources PATH compares them"}
}

// Event compares an event. The error says that a source cannot be read.
func (c *Comparer) Event(eventType string, payload strictjson.Node) error {
	if c.scanner == nil {
		c.scanner = strictjson.NewScanner(strictjson.Limits{DuplicateKeys: true, LoneSurrogates: true, WideNumbers: true, TextBytes: maxHeld + 1})
	}
	required, copied := Required(eventType)
	if !copied { // these events describe the log
		return c.listed(payload.Get(List))
	}
	node := payload.Get(Name)
	if node.Missing() {
		c.Uncited++
		c.fault(Uncited, payload, "", "the event cites no source")
		return nil
	}
	cited, why := Read(node)
	if why != "" {
		c.Uncited++
		c.fault(Uncited, node, Name, why)
		return nil
	}
	c.Events++
	for _, name := range required {
		value := payload.Get(name)
		exempt := value.Missing() || value.TextIs(Unknown) && !strings.HasSuffix(name, Hash)
		if _, ok := cited.Of(name); !ok && !exempt {
			c.fault(Uncited, value, name, fmt.Sprintf("the citation does not give the bytes of %s", name))
		}
	}
	return c.compare(&cited, payload, node)
}

// listed checks the files that SESSION_START lists, because events need not cite all of them.
func (c *Comparer) listed(list strictjson.Node) error {
	if !list.Is(strictjson.Array) {
		return nil
	}
	for node := range list.Children() {
		cited, why := ReadFile(node)
		if why != "" {
			c.fault(Uncited, node, List, why)
			continue
		}
		if _, _, err := c.source(&cited, node, List); err != nil {
			return err
		}
	}
	return nil
}

// source opens a cited file. ok is false if it is not there.
func (c *Comparer) source(cited *Citation, node strictjson.Node, path string) (source Source, ok bool, err error) {
	source, err = c.Sources.Source(cited.Path, cited.Sum)
	at := node.Get("content_path")
	switch {
	case errors.Is(err, fs.ErrNotExist):
		c.Report(&Difference{
			Fault: Missing, At: at, Path: path, Message: fmt.Sprintf("the source %q is missing", clip(cited.Path)), File: cited,
			Help: "give the folder that content_path is relative to with --sources",
		})
		return source, false, nil
	case err != nil:
		return source, false, unreadable(cited, err)
	case source.Sum != cited.Sum:
		c.Report(&Difference{
			Fault: Digest, At: at, Path: path, Message: fmt.Sprintf("the source %q is not the file that was recorded", clip(cited.Path)), File: cited,
			Expected: cited.Sum.Hex(), Found: source.Sum.Hex(),
			Help: "compare with a copy of the file from the time of the recording; findings below say which events still match",
		})
	}
	return source, true, nil
}

// compare checks a citation and the values of the payload against the file.
func (c *Comparer) compare(cited *Citation, payload, node strictjson.Node) error {
	source, ok, err := c.source(cited, node, Name)
	if !ok {
		return err
	}
	if cited.Span[1] > source.Size {
		c.beyond("the span", cited.Span, source, node.Get("span"), Name+".span")
		return nil
	}
	text, sum, err := c.read(source, cited.Span)
	switch {
	case err != nil:
		return unreadable(cited, err)
	case sum != cited.Snippet:
		c.fault(Bytes, node, Name, bytesOf(cited, cited.Span)+" are not those that were recorded")
		return nil
	}
	text = slices.Clone(text)
	for _, m := range cited.Members {
		if err := c.value(source, cited, text, m, payload.Get(m.Name), node); err != nil {
			return err
		}
	}
	return nil
}

// value compares a payload member with its bytes. text is the record if it was held.
func (c *Comparer) value(source Source, cited *Citation, text []byte, m Member, value, node strictjson.Node) error {
	c.Values++
	switch {
	case !value.Exists():
		c.fault(Value, node, Name+".members", fmt.Sprintf("the citation gives bytes for %q, which the payload does not have", clip(m.Name)))
		return nil
	case m.Span[1] > source.Size:
		c.beyond("the span of "+clip(m.Name), m.Span, source, value, m.Name)
		return nil
	}
	holds := false
	if from, to := m.Span[0]-cited.Span[0], m.Span[1]-cited.Span[0]; from >= 0 && to <= int64(len(text)) {
		holds = Holds(c.scanner, m.Name, value, text[from:to])
	} else {
		held, sum, err := c.read(source, m.Span)
		if err != nil {
			return unreadable(cited, err)
		}
		if holds = strings.HasSuffix(m.Name, Hash) && value.TextIs(sum.Hex()); held != nil {
			holds = Holds(c.scanner, m.Name, value, held)
		}
	}
	if !holds {
		c.fault(Value, value, m.Name, clip(m.Name)+" differs from "+bytesOf(cited, m.Span))
	}
	return nil
}

func bytesOf(c *Citation, s Span) string {
	return fmt.Sprintf("bytes %d to %d of %q", s[0], s[1], clip(c.Path))
}

func (c *Comparer) beyond(what string, s Span, source Source, at strictjson.Node, path string) {
	c.fault(Range, at, path, fmt.Sprintf("%s ends at byte %d, but the source has %d", what, s[1], source.Size))
}

// read returns bytes of a file, until the next call, and their digest. Long ranges are not held: text is nil.
func (c *Comparer) read(source Source, s Span) (text []byte, sum digest.Sum, err error) {
	n := s[1] - s[0]
	if n > maxHeld {
		h := sha256.New()
		_, err = io.Copy(h, io.NewSectionReader(source.Text, s[0], n))
		h.Sum(sum[:0])
		return nil, sum, err
	}
	c.buf = slices.Grow(c.buf[:0], int(n))[:n]
	if k, err := source.Text.ReadAt(c.buf, s[0]); k < len(c.buf) {
		return nil, sum, err
	}
	return c.buf, digest.Of(c.buf), nil
}

func unreadable(c *Citation, err error) error {
	return fmt.Errorf("cannot read the source %q: %w", c.Path, err)
}

func (c *Comparer) fault(id Fault, at strictjson.Node, path, message string) {
	c.Report(&Difference{Fault: id, At: at, Path: path, Message: message})
}
