package importer

import (
	"cmp"
	"crypto/sha256"
	"fmt"
	"hash"

	"github.com/cupel-dev/cupel/attest"
	"github.com/cupel-dev/cupel/attest/internal/wording"
	"github.com/cupel-dev/cupel/internal/strictjson"
)

// conversation collects the messages between model, user and tools, for all formats. Each request of a run repeats
// the earlier messages; these are not added again.
type conversation struct {
	m      *maker
	lost   []loss
	root   strictjson.Node
	steps  []turn
	most   int             // steps that the trace may have
	over   strictjson.Node // what would be one more
	open   map[string]int  // calls without a result, by id: indexes of steps
	closed map[string]bool
	news   []strictjson.Node // items since the model's last answer

	system  text
	user    text
	id      strictjson.Node // of the first reply
	created strictjson.Node

	latest    int         // the step that is the model's last answer, if it has any
	answering bool        // that answer goes on
	ends      bool        // last item, except for tool results
	known     map[key]int // items said so far, and how often at most in one exchange
	now       map[key]int // those of this exchange
	all       hash.Hash   // of all items
	next      *replyInfo  // of the next answer alone
	reply     *replyInfo  // set while reading the model's reply; nil while reading its input
}

type key [sha256.Size]byte

// turn is a step: a model answer or a tool call.
type turn struct {
	node strictjson.Node
	typ  attest.StepType
	name string
	of   strictjson.Node // position of the name

	news []strictjson.Node // of an answer: items before it
	message
	calls []strictjson.Node
	reply *replyInfo

	args, result strictjson.Node // of a call
	done         bool            // it has a result
	id           strictjson.Node
	failed       strictjson.Node
}

// replyInfo is the data of a reply other than its message.
type replyInfo struct {
	request strictjson.Node
	model   strictjson.Node
	finish  strictjson.Node
	usage   usage
	choices strictjson.Node // all of them, when there are several
}

type text []strictjson.Node

func (t text) bytes() (joined []byte) {
	for _, piece := range t {
		joined = append(joined, piece.TextBytes(nil)...)
	}
	return joined
}

// fault explains why a value cannot be converted.
type fault struct {
	node    strictjson.Node
	message string
	detail  string
}

func (f *fault) Error() string { return f.message }

func refuse(n strictjson.Node, detail, format string, args ...any) error {
	return &fault{n, fmt.Sprintf(format, args...), detail}
}

// joins explains call ids in error messages.
const joins = "The id joins a call with its result."

// noMessages returns the error for a request without a message list.
func noMessages(request strictjson.Node, api string) error {
	return refuse(request, "A request of the "+api+" has a list of messages.", `the request has no list "messages"`)
}

func noTime(n strictjson.Node, form string) error {
	return refuse(n, form, "%s is not a time", wording.ShowValue(n))
}

func newConversation(m *maker, root strictjson.Node, most int) *conversation {
	return &conversation{
		m: m, root: root, most: most, open: map[string]int{}, closed: map[string]bool{},
		known: map[key]int{}, now: map[key]int{}, all: sha256.New(),
	}
}

// exchange starts the next request and its reply. All messages so far count as known.
func (c *conversation) exchange() {
	for k, n := range c.now {
		c.known[k] = max(c.known[k], n)
	}
	clear(c.now)
	c.reply, c.answering = nil, false
}

// fresh reports whether a message is new, and remembers it. A model's reply is always new.
func (c *conversation) fresh(kind string, says ...[]byte) bool {
	sum := sha256.New()
	for _, part := range append([][]byte{[]byte(kind)}, says...) {
		fmt.Fprintf(sum, "%d:%s", len(part), part)
	}
	k := key(sum.Sum(nil))
	if c.reply != nil {
		c.now[k] = max(c.now[k], c.known[k])
	}
	c.now[k]++
	if c.now[k] <= c.known[k] {
		return false
	}
	_, _ = c.all.Write(k[:]) // never fails
	return true
}

// instructed adds a system or developer message.
func (c *conversation) instructed(n strictjson.Node, says text) {
	c.addInput("system", &c.system, n, says)
}

func (c *conversation) asked(n strictjson.Node, says text) { c.addInput("user", &c.user, n, says) }

// addInput adds a message to the model. The first one of its kind is the trace's input.
func (c *conversation) addInput(kind string, input *text, n strictjson.Node, says text) {
	c.answering = false
	if !c.fresh(kind, says.bytes()) {
		return
	}
	c.news, c.ends = append(c.news, n), false
	if len(*input) == 0 {
		*input = says
	}
}

// answer returns the current model step, or a new one.
func (c *conversation) answer(n strictjson.Node) *turn {
	if !c.answering {
		reply := cmp.Or(c.next, c.reply)
		c.next = nil
		c.latest = c.add(turn{node: n, typ: attest.StepLLMCall, name: "chat", of: n, news: c.news, reply: reply})
		c.news, c.answering, c.ends = nil, true, true
	}
	return &c.steps[c.latest]
}

// add appends a step and returns its index. Beyond the limit it overwrites the last one, and write fails later.
func (c *conversation) add(t turn) int {
	if len(c.steps) == c.most {
		c.over = t.node
		c.steps = c.steps[:c.most-1]
	}
	c.steps = append(c.steps, t)
	return len(c.steps) - 1
}

type message struct{ said, thought, refusal text }

// answered adds a model message, which can lack a text.
func (c *conversation) answered(n strictjson.Node, says message) {
	if c.fresh("assistant", says.said.bytes(), says.refusal.bytes()) {
		step := c.answer(n)
		step.said = append(step.said, says.said...)
		step.thought = append(step.thought, says.thought...)
		step.refusal = append(step.refusal, says.refusal...)
	}
}

// call is a tool call requested by the model.
type call struct {
	node     strictjson.Node // all of it
	typ      attest.StepType
	id       strictjson.Node
	name     strictjson.Node // a string, or missing: then fallback is used
	fallback string
	args     strictjson.Node
	key      string // joins it with its result where it has no id
}

func (c *conversation) called(n strictjson.Node, one call) error {
	name, ok := one.name.Text()
	if !ok || name == "" {
		if name, one.name = one.fallback, one.node; name == "" {
			return refuse(one.node, "Every tool call must name its tool.", "a tool call has no name")
		}
	}
	id, ok := one.id.Text()
	if !ok || id == "" {
		if id = one.key; id == "" {
			return refuse(one.node, joins, "the call of '%s' has no id", wording.Preview(name))
		}
	}
	if !c.fresh("call", []byte(id), []byte(name)) {
		return nil
	}
	if _, twice := c.open[id]; twice {
		return refuse(one.id, "Give every call a unique id: results are joined with calls by it.", "two tool calls have the id '%s'", wording.Preview(id))
	}
	step := c.answer(n)
	step.calls = append(step.calls, one.node)
	c.open[id] = c.add(turn{node: one.node, typ: one.typ, name: name, of: one.name, args: one.args, id: one.id})
	return nil
}

type callResult struct {
	node   strictjson.Node // all of it
	id     strictjson.Node // of the call
	result strictjson.Node
	failed strictjson.Node // says whether the tool failed
	key    string          // of the call, where it has no id
	inside bool            // part of the model's message: the provider runs the tool
}

func (c *conversation) returned(r callResult) error {
	id := r.id
	name, ok := id.Text()
	if !ok || name == "" {
		name = r.key
	}
	if name == "" {
		return refuse(r.node, joins, "the tool result has no call id")
	}
	if !c.fresh("result", []byte(name)) {
		return nil
	}
	i, known := c.open[name]
	switch {
	case !known && c.closed[name]:
		return refuse(id, "Record one result per call.", "the tool call '%s' has a second result", wording.Preview(name))
	case !known:
		return refuse(id, "Put the model's message with the tool call before the message with its result.", "no earlier tool call has the id '%s'", wording.Preview(name))
	}
	delete(c.open, name)
	c.closed[name] = true
	c.steps[i].result, c.steps[i].done, c.steps[i].failed = r.result, true, r.failed
	if !r.inside {
		c.news, c.answering = append(c.news, r.node), false
	}
	return nil
}
