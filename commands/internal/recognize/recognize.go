// Package recognize decides what a file is, for every command: a record of a format that cupel
// knows, a damaged one, or somebody else's file. It looks at the file's first bytes; a name alone
// decides nothing.
package recognize

import (
	"bytes"
	"io"

	"github.com/cupel-dev/cupel/internal/strictjson"
)

// State says whether cupel knows the format of a file.
type State int

// The states.
const (
	Foreign State = iota // not a format that cupel knows, or nothing in it shows the format
	Ours                 // at least one record shows the format
	Damaged              // no record can be read as it is, but its text shows the format
)

// String returns the state in lower case.
func (s State) String() string { return [...]string{"foreign", "ours", "damaged"}[s] }

// Family groups the formats that one command checks.
type Family int

// The families, each with the command that checks it.
const (
	None       Family = iota
	Trace             // cupel trace verify
	Evidence          // cupel evidence verify
	Document          // cupel oatf lint
	AgentTrace        // cupel attest eval, as the trace
	Suite             // cupel attest eval, as the suite
)

// Answer is what a file is.
type Answer struct {
	State  State
	Family Family // of Ours and Damaged; of Foreign the family whose command still reads the file when it is named

	// Format names the format, with its article: "a session log", "a JSON Schema". It is empty for
	// a foreign file that looks like nothing in particular.
	Format string

	// Command reads the file, which stands as FILE in it, without the program's name; "" if no command does.
	Command string

	// Why says what shows the damage, or why the file is foreign; "" for Ours.
	Why string

	Layout Layout
	Others int  // readable records in the looked-at bytes that show another format
	Bad    int  // lines in the looked-at bytes that are not JSON
	Empty  bool // the file has no bytes but blanks
	Hollow bool // it is an array or a wrapper without elements
}

// Known says whether the file is a record of the family, damaged or not.
func (a Answer) Known(f Family) bool { return a.State != Foreign && a.Family == f }

// Near says whether a command for the family should read a file that the user named: it is one of
// the family, close to it, or too damaged or empty to show any format.
func (a Answer) Near(f Family) bool {
	return a.Family == f || a.Empty || a.State == Foreign && a.Format == ""
}

// Limits of a look at a file.
const (
	HeadBytes = 64 << 10 // looked at first
	MostBytes = 1 << 20  // looked at if the first bytes hold no whole record
	mostLines = 200      // records that are compared
)

// Head is the start of a file.
type Head struct {
	Text []byte
	Cut  bool // the file goes on
}

// ReadHead reads the start of a text that is not compressed. Read errors end the text: the command
// that reads the file reports them.
func ReadHead(r io.Reader) Head {
	text, _ := io.ReadAll(io.LimitReader(r, HeadBytes+1))
	h := Head{Text: text}
	if len(text) <= HeadBytes {
		return h
	}
	if bytes.IndexByte(text, '\n') < 0 { // the first line is longer
		more, _ := io.ReadAll(io.LimitReader(r, MostBytes-HeadBytes))
		h.Text = append(h.Text, more...)
	}
	h.Cut = len(h.Text) == HeadBytes+1 || len(h.Text) > MostBytes
	h.Text = h.Text[:min(len(h.Text), MostBytes)]
	return h
}

// Reader decides what a text is. The text must not be compressed, except for an archive, whose
// bytes are those of the tar file.
func Reader(r io.Reader) Answer { return Text(ReadHead(r)) }

// Text decides what a file is that starts with the head.
func Text(h Head) Answer {
	text := trimStart(h.Text)
	switch {
	case len(bytes.Trim(text, "\x00 \t\r\n")) == 0:
		return blank(h)
	case isTar(h.Text):
		return archive(h)
	case binaryName(h.Text) != "":
		return foreign(binaryName(h.Text), "")
	}
	if wide, is := decodeWide(h.Text); is {
		return reencoded(Head{wide, h.Cut})
	}
	return utf8Text(h)
}

func utf8Text(h Head) Answer {
	text := trimStart(h.Text)
	if len(text) == 0 {
		return blank(h)
	}
	if text[0] == '{' || text[0] == '[' {
		return jsonText(h)
	}
	if a := lines(h); a.State != Foreign || a.Format != "" {
		return a
	}
	return yamlText(h)
}

func blank(h Head) Answer {
	a := foreign("", "it has no content")
	a.Empty = !h.Cut
	if bytes.IndexByte(h.Text, 0) >= 0 {
		a.Why = "it starts with NUL bytes"
		a.Empty = false
	}
	return a
}

func foreign(format, command string) Answer {
	return Answer{State: Foreign, Format: format, Command: command}
}

func ours(f Family, format string) Answer {
	return Answer{State: Ours, Family: f, Format: format, Command: f.Command()}
}

func damaged(f Family, format, why string) Answer {
	return Answer{State: Damaged, Family: f, Format: format, Why: why, Command: f.Command()}
}

// Command returns the command that checks records of the family, with FILE for the file's name.
func (f Family) Command() string {
	return [...]string{
		None: "", Trace: "trace verify FILE", Evidence: "evidence verify FILE", Document: "oatf lint FILE",
		AgentTrace: "attest validate FILE", Suite: "attest eval --assertions FILE TRACE",
	}[f]
}

// Noun names a record of the family, with its article.
func (f Family) Noun() string {
	return [...]string{
		None: "a file", Trace: "a trace or a session log", Evidence: "evidence", Document: "an OATF document",
		AgentTrace: "a trace of the attest protocol", Suite: "a suite of assertions",
	}[f]
}

// trimStart removes a byte order mark and blanks.
func trimStart(text []byte) []byte {
	return bytes.TrimLeft(bytes.TrimPrefix(text, []byte("\ufeff")), " \t\r\n")
}

// jsonText decides about a text that starts with an object or an array.
func jsonText(h Head) Answer {
	first, rest, whole := h.first()
	if !whole {
		a := lines(h)
		a.Layout = OnLines
		return a
	}
	layout := h.layout(first, rest)
	if layout == OnLines && len(trimStart(rest)) > 0 { // several values, one per line
		a := lines(h)
		a.Layout = layout
		return a
	}
	doc, err := strictjson.NewScanner(strictjson.Limits{}).Scan(first)
	if err != nil {
		return lines(h)
	}
	a := record(doc.Root())
	if a.State == Foreign && layout == SeveralValues {
		for next := rest; a.State == Foreign && len(next) > 0; { // look past a foreign first record
			if first, next, whole = firstValue(trimStart(next)); !whole {
				break
			}
			if doc, err = strictjson.NewScanner(strictjson.Limits{}).Scan(first); err == nil {
				if other := record(doc.Root()); other.State != Foreign {
					a, a.Others = other, 1
				}
			}
		}
	}
	if a.State == Foreign && layout == InArray {
		a = lines(h) // its elements, one after the other
	}
	if a.State == Foreign && !ownKind(a.Format) {
		if inside := wrapped(h.Text); inside.State == Damaged {
			a = inside
		}
	}
	a.Layout = layout
	return a
}
