package importer

import (
	"slices"
	"strings"
	"time"

	"github.com/cupel-dev/cupel/attest/internal/wording"
	"github.com/cupel-dev/cupel/internal/strictjson"
)

// runsOf are the runs of a value: itself, its elements, or those of its member "runs"; and
// the pointer that leads to their list.
func runsOf(root strictjson.Node) (list strictjson.Node, under string) {
	if runs := root.Last("runs"); runs.Is(strictjson.Array) && !isRun(root) {
		return runs, "/runs"
	}
	return root, ""
}

func isRun(n strictjson.Node) bool { return n.Last("run_type").Is(strictjson.String) }

func fitsLangChain(root strictjson.Node) bool {
	list, _ := runsOf(root)
	for n := range list.Children() {
		if list.Is(strictjson.Array) && !isRun(n) {
			return false
		}
	}
	return isRun(root) || list.Is(strictjson.Array) && list.Len() > 0
}

// run is a run on the way through nested runs.
type run struct {
	node          strictjson.Node
	under         string
	index         int32
	trace, parent string // of the run that it stands in
}

// gatherLangChain notes runs, those inside of others, too.
func gatherLangChain(g *gathering, v *value, root strictjson.Node) error {
	list, under := runsOf(root)
	var todo []run
	if isRun(root) {
		todo = append(todo, run{node: root, index: -1})
	} else {
		todo = appendRuns(nil, list, run{}, under)
	}
	for len(todo) > 0 {
		r := todo[len(todo)-1]
		todo = todo[:len(todo)-1]
		s, err := readRun(r)
		if err != nil {
			return err
		}
		s.in, s.under, s.index = v, r.under, r.index
		if err := g.add(s); err != nil {
			return err
		}
		todo = appendRuns(todo, r.node.Last("child_runs"), run{trace: s.trace, parent: s.id}, s.place()+"/child_runs")
	}
	return nil
}

// appendRuns appends the runs of a list.
func appendRuns(todo []run, list strictjson.Node, in run, under string) []run {
	i := int32(0)
	for n := range list.Children() {
		todo = append(todo, run{n, under, i, in.trace, in.parent})
		i++
	}
	return todo
}

// readRun reads what of a run its place in its trace depends on.
func readRun(r run) (s span, err error) {
	n := r.node
	begin, end := n.Span()
	s.begin, s.end = int32(begin), int32(end)
	var ok bool
	if s.id, ok = n.Last("id").Text(); !ok || s.id == "" {
		return s, refuse(n, "Every run has an id: a text.", "the run has no id")
	}
	s.parent, s.trace = r.parent, r.trace
	if parent := n.Last("parent_run_id"); !parent.Missing() {
		if s.parent, ok = parent.Text(); !ok || r.parent != "" && s.parent != r.parent {
			return s, refuse(parent, "The parent of a run is the run that it stands in.", "%s is not the parent of the run", wording.ShowValue(parent))
		}
	}
	if trace := n.Last("trace_id"); !trace.Missing() {
		if s.trace, ok = trace.Text(); !ok || s.trace == "" || r.trace != "" && s.trace != r.trace {
			return s, refuse(trace, "Runs that stand in each other are of one trace.", "%s is not the trace of the run", wording.ShowValue(trace))
		}
	}
	switch {
	case s.trace != "":
	case s.parent != "":
		return s, refuse(n, "Runs are joined by the trace_id that they share, unless they stand in each other.", "the run has a parent and no trace_id")
	default:
		s.trace = s.id
	}
	if s.from, err = readTime(n.Last("start_time")); err != nil {
		return s, err
	}
	s.to, err = readTime(n.Last("end_time"))
	s.kind = kindOfRun(n, s.parent == "")
	return s, err
}

// readTime reads a time as LangChain writes it: ISO 8601, in UTC when no zone is named, or
// milliseconds since 1970.
func readTime(n strictjson.Node) (instant, error) {
	if n.Missing() {
		return 0, nil
	}
	if ms, ok := n.Int(); ok && ms >= 0 && ms < maxSeconds*1000 {
		return instant(min(ms, maxInstantMS) * int64(time.Millisecond)), nil
	}
	written, _ := n.Text()
	for _, layout := range []string{time.RFC3339, "2006-01-02T15:04:05", "2006-01-02 15:04:05Z07:00", "2006-01-02 15:04:05"} {
		if t, err := time.Parse(layout, written); err == nil && t.Year() >= 1970 && t.Year() < 2262 {
			return instant(t.UnixNano()), nil
		}
	}
	return 0, noTime(n, "Times are ISO 8601, or milliseconds since 1970.")
}

// maxInstantMS is the last millisecond of an instant.
const maxInstantMS = 9_223_372_036_854

// agentRuns are the names of the chains that run an agent.
var agentRuns = []string{"AgentExecutor", "LangGraph"}

func kindOfRun(n strictjson.Node, root bool) kind {
	typ, _ := n.Last("run_type").Text()
	switch typ {
	case "llm", "chat_model":
		return answering
	case "embedding":
		return embedding
	case "tool":
		return calling
	case "retriever":
		return fetching
	case "chain":
		name, _ := n.Last("name").Text()
		own, _ := metadataOf(n).Last("lc_agent_name").Text()
		if root || slices.Contains(agentRuns, name) || name != "" && name == own {
			return agent
		}
	}
	return other
}

func metadataOf(n strictjson.Node) strictjson.Node { return n.Last("extra").Last("metadata") }

// speakLangChain reads what a run says.
func speakLangChain(m *maker, s *span, n strictjson.Node) told {
	in, out := n.Last("inputs"), n.Last("outputs")
	t := told{node: n, name: n.Last("name"), as: strings.ReplaceAll(string(n.Last("run_type").TextBytes(nil)), "\n", " "), status: "ok", cost: n.Last("total_cost")}
	if !t.cost.Is(strictjson.Number) {
		t.cost = strictjson.Node{}
	}
	if failed := n.Last("error"); failed.Is(strictjson.String) {
		t.failed, t.status = failed, "error"
	}
	t.usage = usageOf(n.Last("prompt_tokens"), n.Last("completion_tokens"), n.Last("total_tokens"))
	switch s.kind {
	case answering, embedding:
		t.answerOfRun(n)
	case calling:
		t.args, t.result = in, out
		if inner := in.Last("input"); in.Len() == 1 && inner.Exists() {
			t.args = inner
		}
		if output := out.Last("output"); out.Len() == 1 && output.Exists() {
			t.result = output
		}
		if message := constructed(t.result); message.Last("content").Exists() {
			t.result, t.callID = flat(message.Last("content")), message.Last("tool_call_id")
		}
	case fetching:
		t.args, t.result = in, out
	case agent, other:
		t.agent = n.Last("name")
		t.ends(in, out)
	}
	return t
}

// ends reads the input and the output of a chain.
func (t *told) ends(in, out strictjson.Node) {
	heard := hearRuns(in.Last("messages"))
	t.system, t.user = heard.system, readText(firstOf(in, "input", "question", "query", "user_message"), nil)
	first(&t.user, heard.user)
	t.said = readText(firstOf(out, "output", "answer", "result", "text"), nil)
	first(&t.said, hearRuns(out.Last("messages")).said)
	t.inputs, t.outputs = in, out
}

// answerOfRun reads the run of a model.
func (t *told) answerOfRun(n strictjson.Node) {
	in, out := n.Last("inputs"), n.Last("outputs")
	params := n.Last("extra").Last("invocation_params")
	for _, name := range []string{"model", "model_name", "temperature", "max_tokens", "top_p"} {
		if value := params.Last(name); !value.Missing() {
			t.settings = append(t.settings, named{name, value})
		}
	}
	t.messages = firstOf(in, "messages", "prompts", "prompt", "input")
	heard := hearRuns(t.messages)
	t.user, t.system, t.results = heard.user, heard.system, heard.results
	if prompts := in.Last("prompts"); len(t.user) == 0 && prompts.Is(strictjson.Array) {
		t.user = readText(prompts.At(0), nil)
	}
	generation := out.Last("generations").At(0)
	if generation.Is(strictjson.Array) {
		generation = generation.At(0)
	}
	message := constructed(firstOf(generation, "message"))
	if !message.Exists() {
		message = constructed(firstOf(out, "message", "output"))
	}
	said := hearRun(message)
	t.said, t.calls, t.finish = said.said, said.calls, said.finish
	if len(t.said) == 0 {
		t.said = readText(generation.Last("text"), nil)
	}
	info := firstOf(message, "response_metadata")
	t.model = firstOf(info, "model_name", "model")
	if t.model.Missing() {
		t.model = firstOf(params, "model", "model_name")
	}
	if t.finish.Missing() {
		t.finish = firstOf(generation.Last("generation_info"), "finish_reason")
	}
	t.usageOfRun(message, out)
}

// usageOfRun takes the tokens from where they stand: the run, the message, or the output.
func (t *told) usageOfRun(message, out strictjson.Node) {
	for _, n := range []strictjson.Node{message.Last("usage_metadata"), out.Last("usage_metadata"), out.Last("llm_output").Last("token_usage"), out.Last("llm_output").Last("usage")} {
		if !t.usage.known {
			t.usage = usageOf(firstOf(n, "input_tokens", "prompt_tokens"), firstOf(n, "output_tokens", "completion_tokens"), n.Last("total_tokens"))
		}
	}
}

// constructed is what a serialized object holds.
func constructed(n strictjson.Node) strictjson.Node {
	for _, holder := range []string{"kwargs", "data"} {
		if inner := n.Last(holder); inner.Is(strictjson.Object) {
			return inner
		}
	}
	return n
}

// hearRuns reads the messages of a run: a list of them, or a list of such lists of which the
// first counts.
func hearRuns(list strictjson.Node) (s speech) {
	if list.At(0).Is(strictjson.Array) {
		list = list.At(0)
	}
	if !list.Is(strictjson.Array) {
		return s
	}
	for n := range list.Children() {
		one := hearRun(n)
		first(&s.user, one.user)
		first(&s.system, one.system)
		if one.isSaid {
			s.said = one.said
		}
		s.calls, s.results = append(s.calls, one.calls...), append(s.results, one.results...)
	}
	return s
}

// hearRun reads a message of LangChain, serialized or plain.
func hearRun(n strictjson.Node) (s speech) {
	inner := constructed(n)
	says := readText(inner.Last("content"), chatText)
	switch roleOf(n, inner) {
	case "system", "developer":
		s.system = says
	case "human", "user":
		s.user = says
	case "ai", "assistant", "AIMessageChunk", "aimessagechunk", "":
		s.said, s.isSaid = says, true
	case "tool":
		s.results = []toldResult{{n, inner.Last("tool_call_id"), flat(inner.Last("content"))}}
	}
	for one := range inner.Last("tool_calls").Children() {
		c := toldCall{one, one.Last("id"), one.Last("name"), one.Last("args")}
		if function := one.Last("function"); function.Is(strictjson.Object) {
			c.name, c.args = function.Last("name"), function.Last("arguments")
		}
		s.calls = append(s.calls, c)
	}
	s.finish = firstOf(inner.Last("response_metadata"), "finish_reason", "stop_reason")
	return s
}

// roleOf is who says a message: its role or type, or the class that it was serialized from.
func roleOf(n, inner strictjson.Node) string {
	for _, member := range []strictjson.Node{inner.Last("role"), inner.Last("type"), n.Last("role"), n.Last("type")} {
		if role, _ := member.Text(); role != "" && role != "constructor" {
			return role
		}
	}
	class := ""
	for part := range n.Last("id").Children() {
		class, _ = part.Text()
	}
	return strings.ToLower(strings.TrimSuffix(class, "Message"))
}
