package attest

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/cupel-dev/cupel/internal/suggest"
)

// target is a parsed expression that finds values in a trace (§4, "target"):
//
//	output.structured.refund_id
//	steps[?name=='lookup_order'].result
//	steps[?type=='tool_call'][-1].args['order.id']
//	$.steps[0].metadata.duration_ms
//
// A filter without an index stands for its first match; [*] stands for all.
type target struct {
	text  string
	shown string // text as explanations show it
	root  int    // index into memberNames
	path  []segment
}

// segment is one step of a target's path.
type segment struct {
	kind  segmentKind
	name  string // key: member name; filters: the wanted value
	index int    // from the end when negative
}

type segmentKind uint8

const (
	key        segmentKind = iota // .name, ['name']; on an array .0 is an index
	element                       // [0], [-1]
	every                         // [*]
	stepByName                    // [?name=='…']
	stepByType                    // [?type=='…']
)

// targetRoots are the members of a trace that a target may start with.
var targetRoots = []string{"output", "steps", "input", "metadata", "agent_id", "trace_id", "parent_trace_id"}

// targetError says where a target leaves the grammar.
type targetError struct {
	text   string
	offset int // byte offset of the offence
	want   string
}

func (e *targetError) Error() string {
	return fmt.Sprintf("unsupported target %s at column %d: expected %s", quote(e.text), column(e.text, e.offset), e.want)
}

// caret shows the place below the expression.
func (e *targetError) caret() string {
	return e.text + "\n" + strings.Repeat(" ", column(e.text, e.offset)-1) + "^ expected " + e.want
}

// maxTarget bounds the length of an expression.
const maxTarget = 4096

// parseTarget reads an expression.
func parseTarget(text string) (target, error) {
	p := targetParser{text: text}
	if len(text) > maxTarget {
		return target{}, &targetError{text[:60], 0, fmt.Sprintf("at most %d bytes", maxTarget)}
	}
	if err := p.parse(); err != nil {
		return target{}, err
	}
	return target{text: text, shown: preview(text), root: p.root, path: p.path}, nil
}

type targetParser struct {
	text string
	pos  int
	root int
	path []segment
}

func (p *targetParser) fail(offset int, want string) error {
	return &targetError{p.text, offset, want}
}

func (p *targetParser) parse() error {
	p.skipSpace()
	if strings.HasPrefix(p.text[p.pos:], "$.") {
		p.pos += len("$.")
	}
	start := p.pos
	name := p.name()
	if !slices.Contains(targetRoots, name) {
		want := strings.Join(targetRoots[:4], ", ") + " or another member of the trace"
		if near := suggest.Nearest(name, targetRoots); near != "" {
			want = "'" + near + "'"
		}
		return p.fail(start, want)
	}
	p.root = slices.Index(memberNames[:], name)
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

// name reads a bare name: everything up to the next dot or bracket.
func (p *targetParser) name() string {
	start := p.pos
	if end := strings.IndexAny(p.text[start:], ".[]"); end >= 0 {
		p.pos += end
	} else {
		p.pos = len(p.text)
	}
	return strings.TrimRight(p.text[start:p.pos], " ")
}

func (p *targetParser) member() error {
	p.pos++
	start := p.pos
	name := p.name()
	if name == "" {
		return p.fail(start, "a field name after '.'")
	}
	p.path = append(p.path, segment{kind: key, name: name})
	return nil
}

func (p *targetParser) bracket() error {
	p.pos++
	p.skipSpace()
	if p.pos == len(p.text) {
		return p.fail(p.pos, "an index, a quoted name, '*' or a filter '?name=='")
	}
	var s segment
	var err error
	switch c := p.text[p.pos]; {
	case c == '?':
		s, err = p.filter()
	case c == '*':
		p.pos++
		s.kind = every
	case c == '\'' || c == '"':
		s.name, err = p.quoted()
	case c == '-' || isDigit(c):
		s, err = p.number()
	default:
		err = p.fail(p.pos, "an index, a quoted name, '*' or a filter '?name=='")
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
func (p *targetParser) filter() (segment, error) {
	if memberNames[p.root] != "steps" || len(p.path) > 0 {
		return segment{}, p.fail(p.pos, "an index or a name: only steps can be filtered")
	}
	p.pos++
	p.skipSpace()
	var s segment
	switch rest := p.text[p.pos:]; {
	case strings.HasPrefix(rest, "name"):
		s.kind = stepByName
	case strings.HasPrefix(rest, "type"):
		s.kind = stepByType
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
	s.name, err = p.quoted()
	return s, err
}

// quoted reads a string in single or double quotes; a backslash takes the next
// character literally.
func (p *targetParser) quoted() (string, error) {
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
	return "", p.fail(p.pos, fmt.Sprintf("a closing %c for the quote of column %d", end, column(p.text, open)))
}

func (p *targetParser) number() (segment, error) {
	start := p.pos
	for p.pos++; p.pos < len(p.text) && isDigit(p.text[p.pos]); {
		p.pos++
	}
	i, err := strconv.Atoi(p.text[start:p.pos])
	if err != nil {
		return segment{}, p.fail(start, "an index")
	}
	return segment{kind: element, index: i}, nil
}

func (p *targetParser) skipSpace() {
	for p.pos < len(p.text) && p.text[p.pos] == ' ' {
		p.pos++
	}
}
