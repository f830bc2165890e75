package attest

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/cupel-dev/cupel/internal/strictjson"
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
	text string
	root int // index into memberNames
	path []segment
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
	return target{text: text, root: p.root, path: p.path}, nil
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

// missing says why a target that is well-formed finds nothing in a trace.
type missing struct {
	target string
	reason string
}

func (m *missing) sentence() string { return preview(m.target) + " not found: " + m.reason + "." }

// found is what a target stands for in one trace.
type found struct {
	nodes []strictjson.Node // one, or with [*] at least one
	note  string            // " (1 of 3 matching steps)", or ""
}

// resolve finds the values that the target stands for; each of them must be there.
func (tg *target) resolve(t *trace) (found, *missing) { return tg.find(t, false) }

// resolveSome finds those values that are there, at least one.
func (tg *target) resolveSome(t *trace) (found, *missing) { return tg.find(t, true) }

func (tg *target) find(t *trace, some bool) (found, *missing) {
	root := t.members[tg.root]
	if !root.Exists() {
		return found{}, &missing{tg.text, "the trace has no '" + memberNames[tg.root] + "'"}
	}
	f := found{}
	path := tg.path
	if tg.root == mSteps && len(path) > 0 {
		var m *missing
		if f, path, m = tg.resolveSteps(t); m != nil {
			return found{}, m
		}
	} else {
		f.nodes = []strictjson.Node{root}
	}
	for i, s := range path {
		next := make([]strictjson.Node, 0, len(f.nodes))
		var without strictjson.Node
		for _, n := range f.nodes {
			before := len(next)
			if next = s.apply(next, n); len(next) == before && !without.Exists() {
				without = n
			}
		}
		if without.Exists() && !(some && len(next) > 0) {
			return found{}, &missing{tg.text, tg.where(len(tg.path)-len(path)+i) + " " + s.whyNot(without)}
		}
		f.nodes = next
	}
	return f, nil
}

// resolveSteps applies the part of the path that selects steps through the trace's
// index and returns the rest of the path.
func (tg *target) resolveSteps(t *trace) (found, []segment, *missing) {
	path := tg.path
	var matches []int32
	filtered := path[0].kind == stepByName || path[0].kind == stepByType
	switch path[0].kind {
	case stepByName:
		matches = t.stepsNamed(path[0].name)
	case stepByType:
		matches = t.stepsOfType(path[0].name)
	}
	if filtered && len(matches) == 0 {
		return found{}, nil, &missing{tg.text, t.noSuchStep(path[0])}
	}
	size := len(t.steps)
	at := func(i int) strictjson.Node { return t.steps[i].node }
	if filtered {
		path = path[1:]
		size = len(matches)
		at = func(i int) strictjson.Node { return t.steps[matches[i]].node }
	}
	var f found
	switch {
	case len(path) > 0 && path[0].kind == element:
		i, ok := within(path[0].index, size)
		if !ok {
			return found{}, nil, &missing{tg.text, fmt.Sprintf("only %s", countOf(size, filtered))}
		}
		f.nodes = []strictjson.Node{at(i)}
		path = path[1:]
	case len(path) > 0 && path[0].kind == every:
		if size == 0 {
			return found{}, nil, &missing{tg.text, "the trace has no steps"}
		}
		for i := range size {
			f.nodes = append(f.nodes, at(i))
		}
		path = path[1:]
	case filtered:
		f.nodes = []strictjson.Node{at(0)}
		if size > 1 {
			f.note = fmt.Sprintf(" (1 of %d matching steps)", size)
		}
	default:
		f.nodes = []strictjson.Node{t.members[mSteps]}
	}
	return f, path, nil
}

// countOf is "2 steps match", "1 step is there".
func countOf(n int, filtered bool) string {
	switch {
	case filtered && n == 1:
		return "1 step matches"
	case filtered:
		return strconv.Itoa(n) + " steps match"
	case n == 1:
		return "1 step is there"
	}
	return strconv.Itoa(n) + " steps are there"
}

// noSuchStep says that no step matches a filter, with the nearest name.
func (t *trace) noSuchStep(s segment) string {
	if s.kind == stepByType {
		return "no step has type " + quote(s.name)
	}
	return "no step is named " + quote(s.name) + didYouMean(s.name, t.names)
}

// within turns an index from either end into one from the start.
func within(i, size int) (int, bool) {
	if i < 0 {
		i += size
	}
	return i, i >= 0 && i < size
}

// apply appends to below what one segment of the path finds in n.
func (s segment) apply(below []strictjson.Node, n strictjson.Node) []strictjson.Node {
	isArray := n.Is(strictjson.Array)
	switch {
	case isArray && s.kind == every:
		return slices.AppendSeq(below, n.Children())
	case isArray:
		if i, ok := s.position(n); ok {
			below = append(below, n.At(i))
		}
	case s.kind == key:
		if member := n.Last(s.name); member.Exists() {
			below = append(below, member)
		}
	}
	return below
}

// position is the index that a segment means in an array.
func (s segment) position(n strictjson.Node) (int, bool) {
	index := s.index
	if s.kind == key {
		var err error
		if index, err = strconv.Atoi(s.name); err != nil {
			return 0, false
		}
	}
	return within(index, n.Len())
}

// whyNot says why apply finds nothing in n.
func (s segment) whyNot(n strictjson.Node) string {
	kind := withArticle(n.Kind().String())
	switch {
	case n.Is(strictjson.Array) && n.Len() == 0:
		return "is empty"
	case n.Is(strictjson.Array):
		return fmt.Sprintf("has %d elements and no %s", n.Len(), quote(strings.TrimPrefix(s.String(), ".")))
	case s.kind != key:
		return "is " + kind + ", not an array"
	case n.Is(strictjson.Object):
		return "has no field " + quote(s.name) + nearestField(n, s.name)
	}
	return "is " + kind + " and has no field " + quote(s.name)
}

// where is the expression up to segment i of the path.
func (tg *target) where(i int) string {
	var b strings.Builder
	b.WriteString(memberNames[tg.root])
	for _, s := range tg.path[:i] {
		b.WriteString(s.String())
	}
	return preview(b.String())
}

func (s segment) String() string {
	switch s.kind {
	case element:
		return "[" + strconv.Itoa(s.index) + "]"
	case every:
		return "[*]"
	case stepByName:
		return "[?name=='" + s.name + "']"
	case stepByType:
		return "[?type=='" + s.name + "']"
	}
	if strings.ContainsAny(s.name, ".[]") {
		return "['" + s.name + "']"
	}
	return "." + s.name
}

// maxFields bounds how many member names a suggestion looks at and shows.
const maxFields = 8

// nearestField suggests a member of n, or lists them when none is near.
func nearestField(n strictjson.Node, name string) string {
	var names []string
	for member := range n.Children() {
		if names = append(names, member.Key()); len(names) == 1000 {
			break
		}
	}
	if near := didYouMean(name, names); near != "" || len(names) == 0 {
		return near
	}
	if len(names) > maxFields {
		names = append(names[:maxFields], "…")
	}
	return "; it has " + strings.Join(names, ", ")
}

// didYouMean is the suggestion as a parenthesis, "" when nothing is near.
func didYouMean(name string, candidates []string) string {
	if near := suggest.Nearest(name, candidates); near != "" {
		return " (did you mean " + quote(near) + "?)"
	}
	return ""
}
