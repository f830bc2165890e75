package importer

import (
	"bytes"
	"cmp"
	"encoding/base64"
	"encoding/hex"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/cupel-dev/cupel/attest"
	"github.com/cupel-dev/cupel/attest/internal/wording"
	"github.com/cupel-dev/cupel/internal/strictjson"
)

// span is a piece of work that somebody recorded: what of it is needed to put the spans of a
// trace in order. The rest is read when the trace is written.
type span struct {
	in         *value
	begin, end int32  // in the value
	under      string // the pointer of the list that it is in, …
	index      int32  // … and where in it; -1: it is the value

	trace, id, parent string
	kind              kind
	from, to          instant
	children          []*span // in order, once the spans are linked
}

// What a span and a value take of memory beside their text, by estimate.
const (
	spanBytes  = 224
	valueBytes = 96
)

// kind is what a span is in a trace of the protocol.
type kind uint8

const (
	other     kind = iota // nothing that the protocol knows: what is below it stands in its place
	answering             // an answer of a model
	embedding             // vectors that a model makes
	calling               // a call of a tool
	fetching              // a retrieval
	agent                 // an agent, with what it does
)

// stepTypes are the types of the steps that spans become.
var stepTypes = [...]attest.StepType{answering: attest.StepLLMCall, embedding: attest.StepLLMCall, calling: attest.StepToolCall, fetching: attest.StepRetrieval, agent: attest.StepAgentCall}

// instant is a time in nanoseconds since 1970; 0 is unknown.
type instant int64

// ms is the time in milliseconds, exactly.
func (t instant) ms() string {
	const perMS = 1_000_000
	digits := strconv.FormatInt(int64(t)/perMS, 10)
	if rest := int64(t) % perMS; rest != 0 {
		digits += "." + strings.TrimRight(fmt.Sprintf("%06d", rest), "0")
	}
	return digits
}

// compare puts spans in the order of their beginnings, whatever their order in the input.
func (s *span) compare(t *span) int {
	return cmp.Or(cmp.Compare(s.from, t.from), cmp.Compare(s.to, t.to), cmp.Compare(s.id, t.id))
}

// place is the pointer that leads to the span from its value.
func (s *span) place() string {
	if s.index < 0 {
		return s.under
	}
	return s.under + "/" + strconv.Itoa(int(s.index))
}

func (s *span) bytes() []byte { return s.in.text[s.begin:s.end] }

// spanFault says why no trace can be made of spans, and which one is to blame.
type spanFault struct {
	*span
	message, detail string
}

func (f *spanFault) Error() string { return f.message }

// gathering holds the spans of an input until its end.
type gathering struct {
	spans  []*span
	traces map[string]string // one text for each id
	held   int
	most   int // bytes
}

// tooMuchError says that more of an input would have to be held than is allowed.
type tooMuchError struct{ limit int }

func (e *tooMuchError) Error() string {
	return fmt.Sprintf("its spans take more than %d bytes, and those of one trace may stand anywhere in it: split it by trace, or raise --max-memory-bytes", e.limit)
}

// hold keeps a value, to which its spans refer; index is its place among those of the input.
func (g *gathering) hold(text attest.TraceText, index int) (*value, error) {
	if g.held += len(text.Raw) + valueBytes; g.held > g.most {
		return nil, &tooMuchError{g.most}
	}
	return &value{text: bytes.Clone(text.Raw), line: text.Line, index: index}, nil
}

// drop forgets a value, with the spans that came after so many others.
func (g *gathering) drop(v *value, spans int) {
	g.held -= len(v.text) + valueBytes + (len(g.spans)-spans)*spanBytes
	g.spans = g.spans[:spans]
}

// add notes a span.
func (g *gathering) add(s span) error {
	if g.held += spanBytes; g.held > g.most {
		return &tooMuchError{g.most}
	}
	if g.traces == nil {
		g.traces = map[string]string{}
	}
	if known, ok := g.traces[s.trace]; ok {
		s.trace = known
	} else {
		g.traces[s.trace] = s.trace
	}
	g.spans = append(g.spans, &s)
	return nil
}

// groups are the spans of each trace in their order, the traces in the order in which they
// begin.
func (g *gathering) groups() (list [][]*span) {
	byID := map[string]int{}
	for _, s := range g.spans {
		i, known := byID[s.trace]
		if !known {
			i = len(list)
			byID[s.trace] = i
			list = append(list, nil)
		}
		list[i] = append(list[i], s)
	}
	for _, spans := range list {
		slices.SortFunc(spans, (*span).compare)
	}
	slices.SortFunc(list, func(a, b []*span) int {
		return cmp.Or(cmp.Compare(a[0].from, b[0].from), cmp.Compare(a[0].trace, b[0].trace))
	})
	return list
}

// link makes a tree of the spans of a trace, which are in order, and returns those at its
// top: without a parent, or with one that was not recorded.
func link(spans []*span) (top []*span, err error) {
	byID := make(map[string]*span, len(spans))
	for _, s := range spans {
		if byID[s.id] != nil {
			return nil, &spanFault{
				s, fmt.Sprintf("the trace has two spans with the id '%s'", wording.Preview(s.id)),
				"An id occurs once in a trace: files that overlap hold a span twice when they are joined.",
			}
		}
		byID[s.id] = s
	}
	for _, s := range spans {
		if parent := byID[s.parent]; parent != nil {
			parent.children = append(parent.children, s)
		} else {
			top = append(top, s)
		}
	}
	return top, reach(spans, top)
}

// reach is the fault of spans that are below themselves, and so not below the top.
func reach(spans, top []*span) error {
	reached := make(map[*span]bool, len(spans))
	for todo := slices.Clone(top); len(todo) > 0; {
		s := todo[len(todo)-1]
		todo = append(todo[:len(todo)-1], s.children...)
		reached[s] = true
	}
	for _, s := range spans {
		if !reached[s] {
			return &spanFault{s, fmt.Sprintf("the span '%s' is below itself", wording.Preview(s.id)), "The parents of a span lead to one without a parent: follow those of this span."}
		}
	}
	return nil
}

// steps are the spans below some that become steps, in order. What is no step is replaced by
// what is below it; what is below a step that is no agent stands beside it.
func steps(below []*span) (list []*span) {
	for todo := slices.Clone(below); len(todo) > 0; {
		s := todo[len(todo)-1]
		todo = todo[:len(todo)-1]
		if s.kind != other {
			list = append(list, s)
		}
		if s.kind != agent {
			todo = append(todo, s.children...)
		}
	}
	slices.SortFunc(list, (*span).compare)
	return list
}

// hexID is an identifier of so many bytes in lower-case hex, however it was written: in hex
// as OTLP has it, or in base64 as JSON of Protocol Buffers has it.
func hexID(n strictjson.Node, size int) (id string, ok bool) {
	written, _ := n.Text()
	var raw []byte
	switch len(written) {
	case hex.EncodedLen(size):
		raw, _ = hex.DecodeString(written)
	case base64.StdEncoding.EncodedLen(size):
		raw, _ = base64.StdEncoding.DecodeString(written)
	}
	if len(raw) != size || len(bytes.Trim(raw, "\x00")) == 0 {
		return "", false
	}
	return hex.EncodeToString(raw), true
}
