package attest

import (
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/cupel-dev/cupel/internal/strictjson"
)

// readTrace reads root into t: it validates the trace in the order of §7 and indexes
// it on the way; the JSON itself, the first of the seven steps, has been read.
func (e *Engine) readTrace(t *trace, root strictjson.Node) *Error {
	const detail = "Send the trace as one JSON object with at least schema_version, trace_id and output."
	switch {
	case !root.Exists():
		return invalidTrace(detail, "request missing required field: trace")
	case !root.Is(strictjson.Object):
		return at(root, invalidTrace(detail, "trace must be object, got %s", root.Kind()))
	}
	if err := e.readLevel(t, root, false); err != nil {
		return err
	}
	if limit := e.opt.Limits.SubTraceDepth; t.depth > limit {
		return at(root, invalidTrace(fmt.Sprintf("Flatten the delegation: an agent_call may nest sub-traces %d levels deep at most.", limit),
			"trace nesting depth %d exceeds maximum %d", t.depth, limit))
	}
	return nil
}

// readLevel takes one trace through the steps 2 to 6, and its sub-traces with it.
// Each level of recursion is three levels of JSON nesting, which the scanner limits.
func (e *Engine) readLevel(t *trace, root strictjson.Node, nested bool) *Error {
	t.start(root)
	for _, check := range []func(*trace) *Error{
		e.checkVersion, e.checkRequired, e.checkSizes, e.checkFields, e.checkSteps,
	} {
		if err := check(t); err != nil {
			if nested && !err.inSubTrace {
				id, _ := t.members[mTraceID].Text()
				err.Message = fmt.Sprintf("sub_trace '%s': ", preview(id)) + err.Message
				err.inSubTrace = true
			}
			return err
		}
	}
	return nil
}

// at notes the node that an error is about.
func at(n strictjson.Node, err *Error) *Error {
	if n.Exists() {
		err.Offset, _ = n.Span()
	}
	return err
}

// checkVersion is step 2: the schema version policy.
func (e *Engine) checkVersion(t *trace) *Error {
	n := t.members[mSchemaVersion]
	if n.Missing() {
		return at(t.root, invalidTrace("Every trace must include the integer schema_version; the current version is 1.",
			"trace missing required field: schema_version"))
	}
	version, ok := n.Int()
	switch {
	case !ok && n.Is(strictjson.Number):
		return at(n, invalidTrace("Send schema_version as the integer 1.",
			"trace field 'schema_version' must be integer, got %s", preview(string(n.Raw()))))
	case !ok:
		return wrongType(n, "schema_version", "integer")
	case version < 0:
		return at(n, invalidTrace("Versions before 0 are no longer read. Migrate the trace to schema_version 1: trace_id and output are required, steps carry type and name.",
			"unsupported schema_version %d; engine supports 0 and 1", version))
	case version > 1:
		return at(n, invalidTrace("The trace comes from a newer SDK. Upgrade the engine, or write the trace with schema_version 1.",
			"unsupported schema_version %d; engine supports 0 and 1", version))
	case version == 0:
		id, _ := t.members[mTraceID].Text()
		e.opt.Logger.Warn("schema_version 0 is deprecated; write schema_version 1", "trace_id", preview(id))
	}
	return nil
}

// checkRequired is step 3: trace_id and output.
func (e *Engine) checkRequired(t *trace) *Error {
	n := t.members[mTraceID]
	if !n.Missing() && !n.Is(strictjson.String) {
		return wrongType(n, "trace_id", "string")
	}
	if t.id, _ = n.Text(); strings.TrimSpace(t.id) == "" {
		return at(orRoot(n, t), invalidTrace("Every trace must include a non-empty trace_id string.",
			"trace missing required field: trace_id"))
	}
	output := t.members[mOutput]
	const detail = "Every trace must include an output object with at least one field, e.g. {\"message\": \"…\"}."
	switch {
	case output.Missing():
		return at(orRoot(output, t), invalidTrace(detail, "trace missing required field: output"))
	case !output.Is(strictjson.Object):
		return wrongType(output, "output", "object")
	case output.Len() == 0:
		return at(output, invalidTrace(detail, "trace field 'output' must contain at least one field"))
	}
	return nil
}

// checkSizes is step 4: the limits that concern the trace as a whole.
func (e *Engine) checkSizes(t *trace) *Error {
	limits := e.opt.Limits
	if size := len(t.root.Raw()); size > limits.TraceBytes {
		return at(t.root, tooLarge(size, limits.TraceBytes))
	}
	if steps := t.members[mSteps]; steps.Is(strictjson.Array) && steps.Len() > limits.Steps {
		return at(steps, invalidTrace(fmt.Sprintf("Split the trace or drop steps that no assertion needs. Max allowed: %d steps.", limits.Steps),
			"trace exceeds max steps: %d > %d", steps.Len(), limits.Steps))
	}
	message := t.members[mOutput].Last("message")
	if len(message.Raw()) > limits.OutputChars && message.Is(strictjson.String) {
		if n := utf8.RuneCount(message.TextBytes(nil)); n > limits.OutputChars {
			return at(message, invalidTrace(fmt.Sprintf("Truncate output.message before submitting. Max allowed: %d characters.", limits.OutputChars),
				"output.message length %d exceeds %d characters", n, limits.OutputChars))
		}
	}
	return nil
}

// tooLarge is the error for a trace of too many bytes; the detail counts in the
// specification's megabytes.
func tooLarge(size, limit int) *Error {
	detail := fmt.Sprintf("Reduce trace size by filtering steps or truncating tool results. Max allowed: %d bytes", limit)
	if limit%(1<<20) == 0 {
		detail += fmt.Sprintf(" (%d MB)", limit>>20)
	}
	return invalidTrace(detail+".", "trace exceeds max size: %d > %d bytes", size, limit)
}

// optionalFields are the optional members with the type that step 5 asks of them;
// null counts as absent.
var optionalFields = []struct {
	path string
	kind strictjson.Kind
	of   func(*trace) strictjson.Node
}{
	{"agent_id", strictjson.String, func(t *trace) strictjson.Node { return t.members[mAgentID] }},
	{"input", strictjson.Object, func(t *trace) strictjson.Node { return t.members[mInput] }},
	{"steps", strictjson.Array, func(t *trace) strictjson.Node { return t.members[mSteps] }},
	{"metadata", strictjson.Object, func(t *trace) strictjson.Node { return t.members[mMetadata] }},
	{"metadata.total_tokens", strictjson.Number, metadata("total_tokens")},
	{"metadata.cost_usd", strictjson.Number, metadata("cost_usd")},
	{"metadata.latency_ms", strictjson.Number, metadata("latency_ms")},
	{"metadata.model", strictjson.String, metadata("model")},
	{"metadata.timestamp", strictjson.String, metadata("timestamp")},
}

func metadata(name string) func(*trace) strictjson.Node {
	return func(t *trace) strictjson.Node { return t.members[mMetadata].Last(name) }
}

// checkFields is step 5: types and formats.
func (e *Engine) checkFields(t *trace) *Error {
	for _, field := range optionalFields {
		if n := field.of(t); !n.Missing() && !n.Is(field.kind) {
			return wrongType(n, field.path, field.kind.String())
		}
	}
	timestamp := t.members[mMetadata].Last("timestamp")
	if v, ok := timestamp.Text(); ok && !isRFC3339(v) {
		return at(timestamp, invalidTrace("Write the timestamp as RFC 3339, e.g. 2026-02-18T10:30:00Z.",
			"metadata.timestamp '%s' is not RFC 3339", preview(v)))
	}
	parent := t.members[mParentTraceID]
	if v, ok := parent.Text(); !parent.Missing() && (!ok || v == "") {
		return at(parent, invalidTrace("Name the parent's trace_id, or send null when the trace has no parent.",
			"parent_trace_id must be a non-empty string or null"))
	}
	return nil
}

// checkSteps is step 6.
func (e *Engine) checkSteps(t *trace) *Error {
	list := t.members[mSteps]
	t.steps = slices.Grow(t.steps, list.Len())
	i := 0
	for n := range list.Children() {
		if err := e.checkStep(t, n, i); err != nil {
			return err
		}
		i++
	}
	t.groupSteps()
	return nil
}

// stepFields are the members of a step in the order in which their types are checked.
var stepFields = [...]string{"args", "result", "metadata", "sub_trace"}

// stepMembers finds the members of a step; of a repeated one the last counts.
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

// checkStep validates step i and adds it to the trace.
func (e *Engine) checkStep(t *trace, n strictjson.Node, i int) *Error {
	if !n.Is(strictjson.Object) {
		return wrongType(n, fmt.Sprintf("steps[%d]", i), "object")
	}
	typ, name, fields := stepMembers(n)
	kind, err := e.stepType(n, typ, i)
	if err != nil {
		return err
	}
	if !name.Missing() && !name.Is(strictjson.String) {
		return wrongType(name, fmt.Sprintf("steps[%d].name", i), "string")
	}
	if name.Missing() || name.TextIs("") {
		return at(n, invalidTrace("Give every step a non-empty name: trace assertions find steps by it.",
			"step %d missing required field: name", i))
	}
	for f, field := range fields {
		// A sub_trace on a step of another type is ignored, whatever it is.
		if ignored := stepFields[f] == "sub_trace" && kind != typeAgent; !ignored && !field.Missing() && !field.Is(strictjson.Object) {
			return wrongType(field, fmt.Sprintf("steps[%d].%s", i, stepFields[f]), "object")
		}
	}
	s := step{node: n, typ: kind, args: fields[0], result: fields[1], metadata: fields[2]}
	if size, limit := len(s.result.Raw()), e.opt.Limits.ResultBytes; size > limit {
		label, _ := name.Text()
		return at(s.result, invalidTrace(
			fmt.Sprintf("Truncate the 'result' field for step '%s' before submitting. Consider filtering large arrays or binary data from tool results.", preview(label)),
			"trace step '%s' result exceeds %d bytes (actual: %d bytes)", preview(label), limit, size))
	}
	if kind == typeAgent && !fields[3].Missing() {
		s.sub = new(trace)
		if err := e.readLevel(s.sub, fields[3], true); err != nil {
			return err
		}
		t.depth = max(t.depth, s.sub.depth+1)
	}
	t.addStep(s, name)
	return nil
}

// stepType returns the type of step i.
func (e *Engine) stepType(n, typ strictjson.Node, i int) (string, *Error) {
	const detail = "Use one of llm_call, tool_call, retrieval, agent_call."
	for _, known := range stepTypes {
		if typ.TextIs(known) {
			return known, nil
		}
	}
	written, _ := typ.Text()
	switch {
	case typ.Missing() || typ.TextIs(""):
		return "", at(n, invalidTrace(detail, "step %d missing required field: type", i))
	case !typ.Is(strictjson.String):
		return "", wrongType(typ, fmt.Sprintf("steps[%d].type", i), "string")
	case !e.opt.Lax:
		return "", at(typ, invalidTrace(detail+" To tolerate other types, run the engine with --lax.",
			"step %d has unknown type '%s'", i, preview(written)))
	}
	return written, nil
}

// wrongType is the error for a member of another type.
func wrongType(n strictjson.Node, path, want string) *Error {
	return at(n, invalidTrace(fmt.Sprintf("Send '%s' as %s; see section 3 of the protocol for the trace format.", path, want),
		"trace field '%s' must be %s, got %s", path, want, n.Kind()))
}

func orRoot(n strictjson.Node, t *trace) strictjson.Node {
	if n.Exists() {
		return n
	}
	return t.root
}
