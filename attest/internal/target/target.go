// Package target is the expressions that name values in a trace: output.message, steps[?name=='search'].args.
package target

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/cupel-dev/cupel/attest/internal/trace"
	"github.com/cupel-dev/cupel/attest/internal/wording"
	"github.com/cupel-dev/cupel/internal/suggest"
)

// Target is a parsed expression for values in a trace (§4, "target"):
//
//	output.structured.refund_id
//	steps[?name=='lookup_order'].result
//	steps[?type=='tool_call'][-1].args['order.id']
//	$.steps[0].metadata.duration_ms
//
// A filter without an index selects its first match; [*] selects all.
type Target struct {
	text  string
	Shown string // text as explanations show it
	Root  int    // index into trace.MemberNames
	Path  []Segment
}

// String returns the expression as it was written.
func (tg Target) String() string { return tg.text }

type Segment struct {
	Kind  SegmentKind
	Name  string // key: member name; filters: the wanted value
	index int    // from the end when negative
}

type SegmentKind uint8

const (
	Key        SegmentKind = iota // .name, ['name']; on an array .0 is an index
	element                       // [0], [-1]
	Every                         // [*]
	StepByName                    // [?name=='…']
	StepByType                    // [?type=='…']
)

// roots are the members of a trace that a target can start with.
var roots = []string{"output", "steps", "input", "metadata", "agent_id", "trace_id", "parent_trace_id"}

// Error is a syntax error with its position.
type Error struct {
	text   string
	offset int // byte offset of the offence
	want   string
	Meant  string // the whole target as it was probably meant; "" when nothing comes to mind
}

func (e *Error) Error() string {
	return fmt.Sprintf("unsupported target %s at column %d: expected %s", wording.Quote(e.text), wording.Column(e.text, e.offset), e.want)
}

// Caret returns lines that point at the error.
func (e *Error) Caret() string {
	return e.text + "\n" + strings.Repeat(" ", wording.Column(e.text, e.offset)-1) + "^ expected " + e.want
}

const maxLength = 4096

// Parse reads an expression.
func Parse(text string) (Target, error) {
	p := parser{text: text}
	if len(text) > maxLength {
		return Target{}, &Error{text: text[:60], want: fmt.Sprintf("at most %d bytes", maxLength)}
	}
	if err := p.parse(); err != nil {
		return Target{}, err
	}
	return Target{text: text, Shown: wording.Preview(text), Root: p.root, Path: p.path}, nil
}

type parser struct {
	text string
	pos  int
	root int
	path []Segment
}

func (p *parser) fail(offset int, want string) error {
	return &Error{text: p.text, offset: offset, want: want}
}

func (p *parser) parse() error {
	p.skipSpace()
	if strings.HasPrefix(p.text[p.pos:], "$.") {
		p.pos += len("$.")
	}
	start := p.pos
	name := p.name()
	if !slices.Contains(roots, name) {
		want := strings.Join(roots[:4], ", ") + " or another member of the trace"
		near := suggest.Nearest(name, roots)
		if near == "" {
			return p.fail(start, want)
		}
		return &Error{text: p.text, offset: start, want: "'" + near + "'", Meant: p.text[:start] + near + p.text[start+len(name):]}
	}
	p.root = slices.Index(trace.MemberNames[:], name)
	for {
		p.skipSpace()
		if p.pos == len(p.text) {
			return nil
		}
		var err error
		switch p.text[p.pos] {
		case '.':
			err = p.member()
		case '[':
			err = p.bracket()
		default:
			err = p.fail(p.pos, "'.' or '['")
		}
		if err != nil {
			return err
		}
	}
}

// name reads an unquoted name, up to the next dot or bracket.
func (p *parser) name() string {
	start := p.pos
	if end := strings.IndexAny(p.text[start:], ".[]"); end >= 0 {
		p.pos += end
	} else {
		p.pos = len(p.text)
	}
	return strings.TrimRight(p.text[start:p.pos], " ")
}

func (p *parser) member() error {
	p.pos++
	start := p.pos
	name := p.name()
	if name == "" {
		return p.fail(start, "a field name after '.'")
	}
	p.path = append(p.path, Segment{Kind: Key, Name: name})
	return nil
}

func (p *parser) bracket() error {
	p.pos++
	p.skipSpace()
	if p.pos == len(p.text) {
		return p.fail(p.pos, inBrackets)
	}
	var s Segment
	var err error
	switch c := p.text[p.pos]; {
	case c == '?':
		s, err = p.filter()
	case c == '*':
		p.pos++
		s.Kind = Every
	case c == '\'' || c == '"':
		s.Name, err = p.quoted()
	case c == '-' || isDigit(c):
		s, err = p.number()
	default:
		err = p.fail(p.pos, inBrackets)
	}
	if err != nil {
		return err
	}
	p.skipSpace()
	if p.pos == len(p.text) || p.text[p.pos] != ']' {
		return p.fail(p.pos, "']'")
	}
	p.pos++
	p.path = append(p.path, s)
	return nil
}

// filter reads ?name=='…' or ?type=='…', which only steps have.
func (p *parser) filter() (Segment, error) {
	if trace.MemberNames[p.root] != "steps" || len(p.path) > 0 {
		return Segment{}, p.fail(p.pos, "an index or a name: only steps can be filtered")
	}
	p.pos++
	p.skipSpace()
	var s Segment
	switch rest := p.text[p.pos:]; {
	case strings.HasPrefix(rest, "name"):
		s.Kind = StepByName
	case strings.HasPrefix(rest, "type"):
		s.Kind = StepByType
	default:
		return s, p.fail(p.pos, "'name' or 'type'")
	}
	p.pos += len("name")
	p.skipSpace()
	if !strings.HasPrefix(p.text[p.pos:], "==") {
		return s, p.fail(p.pos, "'=='")
	}
	p.pos += len("==")
	p.skipSpace()
	if p.pos == len(p.text) || p.text[p.pos] != '\'' && p.text[p.pos] != '"' {
		return s, p.fail(p.pos, "a name in quotes")
	}
	var err error
	s.Name, err = p.quoted()
	return s, err
}

// quoted reads a string in single or double quotes, with backslash escapes.
func (p *parser) quoted() (string, error) {
	open := p.pos
	end := p.text[open]
	var b strings.Builder
	for p.pos++; p.pos < len(p.text); p.pos++ {
		switch c := p.text[p.pos]; {
		case c == end:
			p.pos++
			return b.String(), nil
		case c == '\\' && p.pos+1 < len(p.text):
			p.pos++
			b.WriteByte(p.text[p.pos])
		default:
			b.WriteByte(c)
		}
	}
	return "", p.fail(p.pos, fmt.Sprintf("a closing %c for the quote of column %d", end, wording.Column(p.text, open)))
}

func (p *parser) number() (Segment, error) {
	start := p.pos
	for p.pos++; p.pos < len(p.text) && isDigit(p.text[p.pos]); {
		p.pos++
	}
	i, err := strconv.Atoi(p.text[start:p.pos])
	if err != nil {
		return Segment{}, p.fail(start, "an index")
	}
	return Segment{Kind: element, index: i}, nil
}

func (p *parser) skipSpace() {
	for p.pos < len(p.text) && p.text[p.pos] == ' ' {
		p.pos++
	}
}

func isDigit(c byte) bool { return c >= '0' && c <= '9' }

const inBrackets = "an index, a quoted name, '*' or a filter '?name=='"
