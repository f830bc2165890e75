package trace

import (
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/cupel-dev/cupel/attest/internal/wording"
	"github.com/cupel-dev/cupel/internal/say"
	"github.com/cupel-dev/cupel/internal/strictjson"
)

// Reader reads traces: it validates them in the order of §7 and indexes them. All limits must be set.
type Reader struct {
	Lax           bool // tolerate unknown step types
	AnyOutput     bool // accept an output that is not an object
	TraceBytes    int  // of the trace as received
	Steps         int
	OutputChars   int // code points of output.message
	ResultBytes   int // of one step's result as received
	SubTraceDepth int // levels of sub-traces below the root

	Deprecated func(traceID string) // called for traces of the previous version
}

// Invalid explains why a trace is not valid, with guidance and position.
type Invalid struct {
	Message string
	Detail  string
	Node    strictjson.Node // can be absent

	inSubTrace bool // the message names the sub-trace already
}

func refuse(n strictjson.Node, detail, format string, args ...any) *Invalid {
	return &Invalid{Message: fmt.Sprintf(format, args...), Detail: detail, Node: n}
}

// Read reads root into a new or reset t, after the first of the seven steps (JSON syntax). It returns nil for a
// valid trace.
func (r *Reader) Read(t *Trace, root strictjson.Node) *Invalid {
	const detail = "Send the trace as one JSON object with at least schema_version, trace_id and output."
	switch {
	case !root.Exists():
		return refuse(root, detail, "request missing required field: trace")
	case !root.Is(strictjson.Object):
		return refuse(root, detail, "trace must be object, got %s", root.Kind())
	}
	if err := r.readLevel(t, root, false); err != nil {
		return err
	}
	if limit := r.SubTraceDepth; t.depth > limit {
		return refuse(root, fmt.Sprintf("Flatten the delegation: an agent_call may nest sub-traces %d levels deep at most.", limit),
			"%s", TooDeep(t.depth, limit))
	}
	return nil
}

// readLevel runs steps 2 to 6 on a trace and its sub-traces. Each recursion is three levels of JSON, which the
// scanner limits.
func (r *Reader) readLevel(t *Trace, root strictjson.Node, nested bool) *Invalid {
	t.start(root)
	for _, check := range []func(*Trace) *Invalid{
		r.checkVersion, r.checkRequired, r.checkSizes, r.checkFields, r.checkSteps,
	} {
		if err := check(t); err != nil {
			if nested && !err.inSubTrace {
				id, _ := t.Members[TraceID].Text()
				err.Message = fmt.Sprintf("sub_trace '%s': ", wording.Preview(id)) + err.Message
				err.inSubTrace = true
			}
			return err
		}
	}
	return nil
}

// checkVersion is step 2: the schema version policy.
func (r *Reader) checkVersion(t *Trace) *Invalid {
	n := t.Members[SchemaVersion]
	if n.Missing() {
		return refuse(t.Root, "Every trace must include the integer schema_version; the current version is 1.",
			"trace missing required field: schema_version")
	}
	version, ok := n.Int()
	switch {
	case !ok && n.Is(strictjson.Number):
		return refuse(n, "Send schema_version as the integer 1.",
			"trace field 'schema_version' must be integer, got %s", wording.Preview(string(n.Raw())))
	case !ok:
		return wrongType(n, "schema_version", "integer")
	case version < 0 || version > 1:
		detail := "The trace comes from a newer SDK. Upgrade the engine, or write the trace with schema_version 1."
		if version < 0 {
			detail = "Versions before 0 are no longer read. Migrate the trace to schema_version 1: trace_id and output are required, steps carry type and name."
		}
		return refuse(n, detail, "unsupported schema_version %d; engine supports 0 and 1", version)
	case version == 0:
		id, _ := t.Members[TraceID].Text()
		r.Deprecated(id)
	}
	return nil
}

// checkRequired is step 3: trace_id and output.
func (r *Reader) checkRequired(t *Trace) *Invalid {
	n := t.Members[TraceID]
	if !n.Missing() && !n.Is(strictjson.String) {
		return wrongType(n, "trace_id", "string")
	}
	if t.ID, _ = n.Text(); strings.TrimSpace(t.ID) == "" {
		return refuse(orRoot(n, t), "Every trace must include a non-empty trace_id string.",
			"trace missing required field: trace_id")
	}
	output := t.Members[Output]
	const detail = "Every trace must include an output object with at least one field, e.g. {\"message\": \"…\"}."
	switch {
	case output.Missing():
		return refuse(orRoot(output, t), detail, "trace missing required field: output")
	case !output.Is(strictjson.Object) && r.AnyOutput:
		return nil
	case !output.Is(strictjson.Object):
		return wrongType(output, "output", "object")
	case output.Len() == 0:
		return refuse(output, detail, "trace field 'output' must contain at least one field")
	}
	return nil
}

// checkSizes is step 4, the limits on the whole trace.
func (r *Reader) checkSizes(t *Trace) *Invalid {
	if size := len(t.Root.Raw()); size > r.TraceBytes {
		return TooLarge(t.Root, size, r.TraceBytes)
	}
	if steps := t.Members[Steps]; steps.Is(strictjson.Array) && steps.Len() > r.Steps {
		return refuse(steps, fmt.Sprintf("Split the trace or drop steps that no assertion needs. Max allowed: %d steps.", r.Steps),
			"%s", TooManySteps(steps.Len(), r.Steps))
	}
	message := t.Members[Output].Last("message")
	if len(message.Raw()) > r.OutputChars && message.Is(strictjson.String) {
		if n := utf8.RuneCount(message.TextBytes(nil)); n > r.OutputChars {
			return refuse(message, fmt.Sprintf("Truncate output.message before submitting. Max allowed: %d characters.", r.OutputChars),
				"output.message length %d exceeds %d characters", n, r.OutputChars)
		}
	}
	return nil
}

// TooLarge returns the error for a trace of too many bytes; the detail counts in the specification's megabytes.
func TooLarge(n strictjson.Node, size, limit int) *Invalid {
	detail := fmt.Sprintf("Reduce trace size by filtering steps or truncating tool results. Max allowed: %d bytes", limit)
	if limit%(1<<20) == 0 {
		detail += fmt.Sprintf(" (%d MB)", limit>>20)
	}
	return refuse(n, detail+".", "trace exceeds max size: %d > %d bytes", size, limit)
}

// optionalFields are the optional members with the type that step 5 requires; null counts as absent.
var optionalFields = []struct {
	path string
	kind strictjson.Kind
	of   func(*Trace) strictjson.Node
}{
	{"agent_id", strictjson.String, func(t *Trace) strictjson.Node { return t.Members[AgentID] }},
	{"input", strictjson.Object, func(t *Trace) strictjson.Node { return t.Members[Input] }},
	{"steps", strictjson.Array, func(t *Trace) strictjson.Node { return t.Members[Steps] }},
	{"metadata", strictjson.Object, func(t *Trace) strictjson.Node { return t.Members[Metadata] }},
	{"metadata.total_tokens", strictjson.Number, metadata("total_tokens")},
	{"metadata.cost_usd", strictjson.Number, metadata("cost_usd")},
	{"metadata.latency_ms", strictjson.Number, metadata("latency_ms")},
	{"metadata.model", strictjson.String, metadata("model")},
	{"metadata.timestamp", strictjson.String, metadata("timestamp")},
}

func metadata(name string) func(*Trace) strictjson.Node {
	return func(t *Trace) strictjson.Node { return t.Members[Metadata].Last(name) }
}

// checkFields is step 5: types and formats.
func (r *Reader) checkFields(t *Trace) *Invalid {
	for _, field := range optionalFields {
		if n := field.of(t); !n.Missing() && !n.Is(field.kind) {
			return wrongType(n, field.path, field.kind.String())
		}
	}
	timestamp := t.Members[Metadata].Last("timestamp")
	if v, ok := timestamp.Text(); ok && !isRFC3339(v) {
		return refuse(timestamp, "Write the timestamp as RFC 3339, e.g. 2026-02-18T10:30:00Z.",
			"metadata.timestamp '%s' is not RFC 3339", wording.Preview(v))
	}
	parent := t.Members[ParentTraceID]
	if v, ok := parent.Text(); !parent.Missing() && (!ok || v == "") {
		return refuse(parent, "Name the parent's trace_id, or send null when the trace has no parent.",
			"parent_trace_id must be a non-empty string or null")
	}
	return nil
}

func (r *Reader) checkSteps(t *Trace) *Invalid {
	list := t.Members[Steps]
	t.Steps = slices.Grow(t.Steps, list.Len())
	i := 0
	for n := range list.Children() {
		if err := r.checkStep(t, n, i); err != nil {
			return err
		}
		i++
	}
	t.groupSteps()
	return nil
}

// stepFields are a step's members in the order of type checks.
var stepFields = [...]string{"args", "result", "metadata", "sub_trace"}

// stepMembers returns the members of a step. For repeated members the last one counts.
func stepMembers(n strictjson.Node) (typ, name strictjson.Node, fields [len(stepFields)]strictjson.Node) {
	for member := range n.Children() {
		switch {
		case member.KeyIs("type"):
			typ = member
		case member.KeyIs("name"):
			name = member
		default:
			if f := slices.IndexFunc(stepFields[:], member.KeyIs); f >= 0 {
				fields[f] = member
			}
		}
	}
	return typ, name, fields
}

func (r *Reader) checkStep(t *Trace, n strictjson.Node, i int) *Invalid {
	if !n.Is(strictjson.Object) {
		return wrongType(n, fmt.Sprintf("steps[%d]", i), "object")
	}
	typ, name, fields := stepMembers(n)
	kind, err := r.stepType(n, typ, i)
	if err != nil {
		return err
	}
	if !name.Missing() && !name.Is(strictjson.String) {
		return wrongType(name, fmt.Sprintf("steps[%d].name", i), "string")
	}
	if name.Missing() || name.TextIs("") {
		return refuse(n, "Give every step a non-empty name: trace assertions find steps by it.",
			"step %d missing required field: name", i)
	}
	for f, field := range fields {
		// A sub_trace on a step of another type is ignored.
		if ignored := stepFields[f] == "sub_trace" && kind != AgentCall; !ignored && !field.Missing() && !field.Is(strictjson.Object) {
			return wrongType(field, fmt.Sprintf("steps[%d].%s", i, stepFields[f]), "object")
		}
	}
	s := Step{Node: n, Type: kind, Args: fields[0], result: fields[1], metadata: fields[2]}
	if size, limit := len(s.result.Raw()), r.ResultBytes; size > limit {
		label, _ := name.Text()
		return refuse(s.result,
			fmt.Sprintf("Truncate the 'result' field for step '%s' before submitting. Consider filtering large arrays or binary data from tool results.", wording.Preview(label)),
			"trace step '%s' result exceeds %d bytes (actual: %d bytes)", wording.Preview(label), limit, size)
	}
	if kind == AgentCall && !fields[3].Missing() {
		s.Sub = new(Trace)
		if err := r.readLevel(s.Sub, fields[3], true); err != nil {
			return err
		}
		t.depth = max(t.depth, s.Sub.depth+1)
	}
	t.addStep(s, name)
	return nil
}

func (r *Reader) stepType(n, typ strictjson.Node, i int) (string, *Invalid) {
	const detail = "Use one of llm_call, tool_call, retrieval, agent_call."
	for _, known := range stepTypes {
		if typ.TextIs(known) {
			return known, nil
		}
	}
	written, _ := typ.Text()
	switch {
	case typ.Missing() || typ.TextIs(""):
		return "", refuse(n, detail, "step %d missing required field: type", i)
	case !typ.Is(strictjson.String):
		return "", wrongType(typ, fmt.Sprintf("steps[%d].type", i), "string")
	case !r.Lax:
		return "", refuse(typ, detail+" To tolerate other types, run the engine with --lax.",
			"step %d has unknown type '%s'", i, wording.Preview(written))
	}
	return written, nil
}

func wrongType(n strictjson.Node, path, want string) *Invalid {
	return refuse(n, fmt.Sprintf("Send %q as %s; see section 3 of the protocol for the trace format.", path, say.Article(want)),
		"trace field '%s' must be %s, got %s", path, want, n.Kind())
}

func orRoot(n strictjson.Node, t *Trace) strictjson.Node {
	if n.Exists() {
		return n
	}
	return t.Root
}

// TooDeep returns the message for a trace that is nested too deeply.
func TooDeep(depth, most int) string {
	return fmt.Sprintf("trace nesting depth %d exceeds maximum %d", depth, most)
}

// TooManySteps returns the message for a trace with too many steps.
func TooManySteps(steps, most int) string {
	return fmt.Sprintf("trace exceeds max steps: %d > %d", steps, most)
}
