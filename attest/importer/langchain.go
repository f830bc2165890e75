package importer

import (
	"slices"
	"strings"
	"time"

	"github.com/cupel-dev/cupel/attest"
	"github.com/cupel-dev/cupel/attest/internal/scan"
	"github.com/cupel-dev/cupel/attest/internal/wording"
	"github.com/cupel-dev/cupel/internal/strictjson"
)

// runsOf returns the runs in a value (the value itself, its elements or its member "runs") and the pointer of the
// list.
func runsOf(root strictjson.Node) (list strictjson.Node, under string) {
	if data := root.Last("data"); data.Is(strictjson.Array) && isRun(data.At(0)) {
		return data, "/data"
	}
	if runs := root.Last("runs"); runs.Is(strictjson.Array) && !isRun(root) {
		return runs, "/runs"
	}
	return root, ""
}

func isRun(n strictjson.Node) bool { return n.Last("run_type").Is(strictjson.String) }

// isBatch reports whether a value is a batch of the LangSmith SDK, with new runs and updates.
func isBatch(root strictjson.Node) bool {
	for _, name := range []string{"post", "patch"} {
		if list := root.Last(name); list.Is(strictjson.Array) && list.At(0).Last("id").Exists() && (isRun(list.At(0)) || list.At(0).Last("trace_id").Exists()) {
			return true
		}
	}
	return false
}

func fitsLangChain(root strictjson.Node) bool {
	if isBatch(root) {
		return true
	}
	list, _ := runsOf(root)
	for n := range list.Children() {
		if list.Is(strictjson.Array) && !isRun(n) {
			return false
		}
	}
	return isRun(root) || list.Is(strictjson.Array) && list.Len() > 0
}

type run struct {
	node          strictjson.Node
	under         string
	index         int32
	trace, parent string // of the enclosing run
}

func gatherLangChain(g *spanBuffer, v *value, root strictjson.Node) error {
	list, under := runsOf(root)
	if next := root.Last("cursors").Last("next"); !next.Missing() && !isRun(root) {
		g.paged()
	}
	var pending []run
	switch {
	case isRun(root):
		pending = append(pending, run{node: root, index: -1})
	case isBatch(root):
		pending = appendRuns(appendRuns(nil, root.Last("patch"), run{}, "/patch"), root.Last("post"), run{}, "/post")
	default:
		pending = appendRuns(nil, list, run{}, under)
	}
	for len(pending) > 0 {
		r := pending[len(pending)-1]
		pending = pending[:len(pending)-1]
		s, err := readRun(r)
		if err != nil {
			return err
		}
		s.in, s.under, s.index, s.form = v, r.under, r.index, tellRun
		if known := g.runs[s.trace+"/"+s.id]; known != nil && (s.kind == known.kind || !isRun(r.node) || known.kind == unread) {
			if err := g.patch(known, s, r); err != nil {
				return err
			}
		} else if err := g.add(s); err != nil {
			return err
		} else {
			if g.runs == nil {
				g.runs = map[string]*span{}
			}
			g.runs[s.trace+"/"+s.id] = g.spans[len(g.spans)-1]
		}
		pending = appendRuns(pending, r.node.Last("child_runs"), run{trace: s.trace, parent: s.id}, s.place()+"/child_runs")
	}
	return nil
}

// patch updates a run with a later record: its members replace earlier ones unless null.
func (g *spanBuffer) patch(known *span, s span, r run) error {
	first, err := scan.New(attest.MaxJSONDepth, attest.MaxValues).Scan(known.bytes())
	if err != nil {
		return nil // it has been scanned before
	}
	merged := []byte{'{'}
	member := func(n strictjson.Node) {
		merged = append(append(append(separated(merged), n.KeyRaw()...), ':'), n.Raw()...)
		merged = append(merged, ' ')
	}
	for n := range first.Root().Children() {
		if later := r.node.Last(n.Key()); later.Missing() {
			member(n)
		}
	}
	for n := range r.node.Children() {
		if !n.Missing() {
			member(n)
		}
	}
	merged = append(merged, '}')
	if g.held += len(merged) + valueBytes; g.held > g.most {
		return &tooMuchError{g.limit}
	}
	known.in, known.begin, known.end = &value{text: merged, line: known.in.line, index: known.in.index}, 0, int32(len(merged))
	if s.from > 0 {
		known.from = s.from
	}
	if s.to > 0 {
		known.to = s.to
	}
	if s.parent != "" {
		known.parent = s.parent
	}
	if s.kind > known.kind {
		known.kind = s.kind
	}
	return nil
}

func appendRuns(pending []run, list strictjson.Node, in run, under string) []run {
	i := int32(0)
	for n := range list.Children() {
		pending = append(pending, run{n, under, i, in.trace, in.parent})
		i++
	}
	return pending
}

// readRun reads the members that determine a run's position in its trace.
func readRun(r run) (s span, err error) {
	n := r.node
	begin, end := n.Span()
	s.begin, s.end = int32(begin), int32(end)
	var ok bool
	if s.id, ok = n.Last("id").Text(); !ok || s.id == "" {
		return s, refuse(n, "Every run has an id (a string).", "the run has no id")
	}
	s.parent, s.trace = r.parent, r.trace
	if parent := n.Last("parent_run_id"); !parent.Missing() {
		if s.parent, ok = parent.Text(); !ok || r.parent != "" && s.parent != r.parent {
			return s, refuse(parent, "The parent of a run is the run that contains it.", "%s is not the parent of the run", wording.ShowValue(parent))
		}
	}
	if trace := n.Last("trace_id"); !trace.Missing() {
		if s.trace, ok = trace.Text(); !ok || s.trace == "" || r.trace != "" && s.trace != r.trace {
			return s, refuse(trace, "Give nested runs the trace_id of their parent.", "%s is not the trace of the run", wording.ShowValue(trace))
		}
	}
	if s.parent == "" || s.trace == "" {
		s.placeByOrder(n)
	}
	switch {
	case s.trace != "":
	case s.parent != "":
		return s, refuse(n, "Give runs of one trace the same trace_id, or nest them.", "the run has a parent and no trace_id")
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

// placeByOrder reads the parent and trace from a run's dotted order: times with ids, from the root to the run.
func (s *span) placeByOrder(n strictjson.Node) {
	order, _ := n.Last("dotted_order").Text()
	segments := strings.Split(order, ".")
	idOf := func(segment string) string {
		_, id, _ := strings.Cut(segment, "Z")
		return id
	}
	if len(segments) > 1 && s.parent == "" {
		s.parent = idOf(segments[len(segments)-2])
	}
	if order != "" && s.trace == "" {
		s.trace = idOf(segments[0])
	}
}

// readTime parses a time as LangChain writes it: ISO 8601, in UTC unless a zone is given, or milliseconds since
// 1970.
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

const maxInstantMS = 9_223_372_036_854

// agentRuns are the names of chains that run an agent.
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
	case "prompt", "parser":
		return wrapper
	case "chain":
		name, _ := n.Last("name").Text()
		own, _ := metadataOf(n).Last("lc_agent_name").Text()
		if root || slices.Contains(agentRuns, name) || name != "" && name == own {
			return agent
		}
		return wrapper
	}
	return unread
}

func metadataOf(n strictjson.Node) strictjson.Node { return n.Last("extra").Last("metadata") }

func tellRun(m *maker, s *span, n strictjson.Node) spanContent {
	in, out := n.Last("inputs"), n.Last("outputs")
	t := spanContent{node: n, scope: "langchain", name: n.Last("name"), as: strings.ReplaceAll(string(n.Last("run_type").TextBytes(nil)), "\n", " "), status: "ok", cost: n.Last("total_cost")}
	if !t.cost.Is(strictjson.Number) {
		t.cost = strictjson.Node{}
	}
	if failed := n.Last("error"); failed.Is(strictjson.String) {
		t.failed, t.status = failed, "error"
	}
	t.usage = usageOf(n.Last("prompt_tokens"), n.Last("completion_tokens"), n.Last("total_tokens"))
	switch s.kind {
	case answering, embedding:
		t.answerOfRun(m, n)
	case calling:
		t.args, t.result = in, out
		if inner := in.Last("input"); in.Len() == 1 && inner.Exists() {
			t.args = m.parsed(inner)
		}
		result, id, failed := toolResultOf(out)
		if output := out.Last("output"); out.Len() == 1 && output.Exists() && result == out {
			result, id, failed = toolResultOf(output)
			if message := constructed(output); message.Last("content").Exists() && message.Last("tool_call_id").Exists() {
				result, id, failed = flat(message.Last("content")), message.Last("tool_call_id"), failedOf(message)
			}
		}
		if t.result, t.callID = result, id; t.failed.Missing() {
			t.failed = failed
		}
		if !t.failed.Missing() && t.result.Len() == 0 && t.result.Is(strictjson.Object) {
			t.result = strictjson.Node{} // the error is returned in a message
		}
	case fetching:
		t.args, t.result = in, out
	default:
		t.agent = n.Last("name")
		t.ends(m, in, out)
	}
	return t
}

// ends reads the input and output of a chain.
func (t *spanContent) ends(m *maker, in, out strictjson.Node) {
	t.in, t.out = m.hear(in.Last("messages"), "user"), m.hear(out.Last("messages"), "assistant")
	t.system, t.user = t.in.system(), readText(firstOf(in, "input", "question", "query", "user_message"), nil)
	first(&t.user, t.in.user())
	t.said = readText(firstOf(out, "output", "answer", "result", "text"), nil)
	first(&t.said, t.out.answers().text)
	t.inputs, t.outputs = in, out
}

func (t *spanContent) answerOfRun(m *maker, n strictjson.Node) {
	in, out := n.Last("inputs"), n.Last("outputs")
	params := n.Last("extra").Last("invocation_params")
	for _, name := range []string{"model", "model_name", "temperature", "max_tokens", "top_p"} {
		if value := params.Last(name); !value.Missing() {
			t.settings = append(t.settings, namedNode{name, value})
		}
	}
	t.messages = firstOf(in, "messages", "prompts", "prompt", "input")
	t.in, t.out = m.hear(t.messages, "user"), m.hear(firstNode(out.Last("message"), answerIn(out), out), "assistant")
	t.user, t.system = t.in.user(), t.in.system()
	answer := t.out.answers()
	t.said, t.finish, t.thought = answer.text, answer.finish, answer.thought
	t.asks(answer.calls)
	if t.model = answer.model; t.model.Missing() {
		t.model = firstOf(params, "model", "model_name")
	}
	for _, u := range []usage{answer.usage, usageOfNode(out.Last("usage_metadata")), usageOfNode(out.Last("llm_output").Last("token_usage")), usageOfNode(out.Last("llm_output").Last("usage"))} {
		if !t.usage.known {
			t.usage = u
		}
	}
	t.lost = append(append(t.lost, t.in.lost...), t.out.lost...)
}

// answerIn returns the message in a wrapped model's output.
func answerIn(out strictjson.Node) strictjson.Node {
	if output := out.Last("output"); output.Is(strictjson.Object) && (output.Last("content").Exists() || constructed(output).Last("content").Exists()) {
		return output
	}
	return strictjson.Node{}
}

// constructed returns the content of a serialized object.
func constructed(n strictjson.Node) strictjson.Node {
	for _, holder := range []string{"kwargs", "data"} {
		if inner := n.Last(holder); inner.Is(strictjson.Object) {
			return inner
		}
	}
	return n
}

// roleOf returns the role of a message: its role or type, or the class that it was serialized from.
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
