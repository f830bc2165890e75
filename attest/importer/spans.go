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
	"github.com/cupel-dev/cupel/internal/strictjson"
)

// span is a recorded span, reduced to the data needed to order spans. The rest is parsed when the trace is written.
type span struct {
	in         *value
	begin, end int32  // in the value
	under      string // the pointer of the list that it is in, …
	index      int32  // … and where in it; -1: it is the value
	form       form   // reads the rest

	trace, id, parent string
	scope             string // who wrote it
	kind              kind
	from, to          instant

	// Set once the spans of the trace are linked and parsed.
	children []*span // in order
	up       *span   // nil: at the top
	logs     []strictjson.Node
	says     *spanContent
	merged   *span // span of the same operation
	by       *askedCall
}

type logRecord struct {
	trace, span string
	in          *value
	begin, end  int32
	pointer     string // in the value
}

// Estimated memory of a span and a value, in addition to their text.
const (
	spanBytes  = 320
	valueBytes = 96
)

type kind uint8

const (
	other     kind = iota // not about agents: replaced by its children
	unread                // attributes of a dialect, but not which kind of work
	unknown               // an operation that no dialect knows, without a sign of a model or a tool
	wrapper               // chain, workflow or turn: replaced by its children
	setup                 // creation of an agent, not a run
	aside                 // evaluation or guardrail: its children are not the agent's
	embedding             // vectors that a model makes
	fetching              // a retrieval
	answering             // an answer of a model
	agent                 // agent with its actions
	calling               // a call of a tool
)

func (k kind) isStep() bool { return k >= embedding }

// stepTypes maps the kinds of spans to step types.
var stepTypes = [...]attest.StepType{answering: attest.StepLLMCall, embedding: attest.StepLLMCall, calling: attest.StepToolCall, fetching: attest.StepRetrieval, agent: attest.StepAgentCall}

// instant is a time in nanoseconds since 1970; 0 is unknown.
type instant int64

// ms returns the time in milliseconds, exactly.
func (t instant) ms() string {
	const perMS = 1_000_000
	digits := strconv.FormatInt(int64(t)/perMS, 10)
	if rest := int64(t) % perMS; rest != 0 {
		digits += "." + strings.TrimRight(fmt.Sprintf("%06d", rest), "0")
	}
	return digits
}

// compare orders spans by start time.
func (s *span) compare(t *span) int {
	return cmp.Or(cmp.Compare(s.from, t.from), cmp.Compare(s.to, t.to), cmp.Compare(s.id, t.id))
}

func (s *span) place() string {
	if s.index < 0 {
		return s.under
	}
	return s.under + "/" + strconv.Itoa(int(s.index))
}

func (s *span) bytes() []byte { return s.in.text[s.begin:s.end] }

// spanFault explains why spans cannot be converted, with the span that causes it.
type spanFault struct {
	*span
	message, detail string
}

func (f *spanFault) Error() string { return f.message }

// spanBuffer holds the spans of an input until its end.
type spanBuffer struct {
	spans  []*span
	logs   []logRecord
	runs   map[string]*span  // of LangChain, by trace and id
	more   *loss             // there is more than the input holds
	texts  map[string]string // one for each scope
	traces map[string]string // one text for each id
	held   int
	limit
}

// limit is the limit on what is held of an input.
type limit struct {
	most   int  // bytes
	raised bool // a flag of the command sets it
}

// advice is the end of a message.
func (l limit) advice(first string) string {
	if !l.raised {
		return first
	}
	return first + ", or raise --max-memory-bytes"
}

// tooMuchError reports that the input exceeds the buffer limit.
type tooMuchError struct{ limit }

func (e *tooMuchError) Error() string {
	return fmt.Sprintf("the spans need more than %d bytes of memory: %s", e.most, e.advice("split the file by trace"))
}

// hold keeps a value for its spans. index is its position in the input.
func (g *spanBuffer) hold(text attest.TraceText, index int) (*value, error) {
	if g.held += len(text.Raw) + valueBytes; g.held > g.most {
		return nil, &tooMuchError{g.limit}
	}
	return &value{text: bytes.Clone(text.Raw), line: text.Line, index: index}, nil
}

// intern returns a shared copy of text, to save memory.
func (g *spanBuffer) intern(text string) string {
	if known, ok := g.texts[text]; ok {
		return known
	}
	if g.texts == nil {
		g.texts = map[string]string{}
	}
	g.texts[text] = text
	return text
}

// drop removes a value and all spans from index spans on.
func (g *spanBuffer) drop(v *value, spans int) {
	g.held -= len(v.text) + valueBytes + (len(g.spans)-spans)*spanBytes
	g.spans = g.spans[:spans]
}

func (g *spanBuffer) add(s span) error {
	if g.held += spanBytes; g.held > g.most {
		return &tooMuchError{g.limit}
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

// groups returns the ordered spans of each trace, traces in order of their start.
func (g *spanBuffer) groups() (list [][]*span) {
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

// hexID returns an identifier of size bytes in lower-case hex. The input can be hex (OTLP), 0x-hex (console
// exporter) or base64 (Protocol Buffers JSON).
func hexID(n strictjson.Node, size int) (id string, ok bool) {
	written, _ := n.Text()
	written = strings.TrimPrefix(written, "0x")
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

// shortID is hexID for writers that omit leading zeros.
func shortID(n strictjson.Node, size int) (id string, ok bool) {
	written, _ := n.Text()
	if digits := hex.EncodedLen(size); len(written) > 0 && len(written) < digits && strings.Trim(strings.ToLower(written), "0123456789abcdef") == "" {
		written = strings.Repeat("0", digits-len(written)) + strings.ToLower(written)
		return written, strings.Trim(written, "0") != ""
	}
	return hexID(n, size)
}
