package naive

import (
	"encoding/json"
	"maps"
	"slices"
	"strconv"
	"strings"
)

// tables lists the members of each object as name and type; "!" marks mandatory members.
var tables = map[string]string{
	"wrapper":  "record:string! event:object!",
	"header":   "record:string schema_version:integer trace_schema_version:integer fingerprint_algo:string canonicalization_version:integer runtime_protocol_version:integer id:string spec_id:string plan_id:string metadata:object",
	"event":    "idx:integer! kind:string!",
	"call":     "id:string! step_id:string tool_name:string arguments:object call_idx:integer",
	"result":   "call_id:string! success:boolean result:any error:string",
	"evidence": "id:string! uri:string! span:span! sha256:string! content_path:string! chunk_id:string!",
	"claim":    "supports:array! id:string statement:string claim_type:string status:string confidence:number structured:object",
	"support":  "span:span! snippet_sha256:string! kind:string ref_id:string evidence_id:string hash_algo:string",
}

// outputs lists the members of step outputs by kind.
var outputs = map[string]string{
	"understand":   "normalized_question:string assumptions:strings task_type:string",
	"gather":       "evidence_ids:strings retrieval_queries:strings retrieval_provenance:object",
	"derive":       "claim_ids:strings",
	"verify":       "validated_claim_ids:strings rejected_claim_ids:strings missing_support_claim_ids:strings",
	"finalize":     "final_claim_ids:strings final_answer:string uncertainty:string",
	"insufficient": "reason:string retrieved:integer required:integer",
}

// aliases are the names that old writers used, by the object or the kind of event or output.
var aliases = map[string]map[string]string{
	"tool_called":   {"tool_call": "call"},
	"tool_returned": {"tool_result": "result"},
	"result":        {"ok": "success"},
	"claim":         {"support_refs": "supports"},
	"gather":        {"evidence_refs": "evidence_ids"},
	"derive":        {"emitted_claim_ids": "claim_ids"},
	"verify":        {"insufficient_support": "missing_support_claim_ids"},
}

// renamed returns an object with old member names replaced, if they are accepted. A member with the current name
// wins.
func (c *reasoningCheck) renamed(o map[string]any, what string) map[string]any {
	if !c.run.Aliases {
		return o
	}
	out := maps.Clone(o)
	for alias, name := range aliases[what] {
		if v, old := o[alias]; old && !hasAny(o, name) {
			out[name] = v
		}
	}
	return out
}

// unknown reports each unknown member of an object once. what selects the accepted old names.
func (c *reasoningCheck) unknown(line int, o map[string]any, place, what, table string) {
	known := map[string]bool{}
	for row := range strings.FieldsSeq(table) {
		name, _, _ := strings.Cut(row, ":")
		known[name] = true
	}
	for name := range o {
		key := [2]string{place, name}
		if known[name] || c.noted[key] || c.run.Aliases && aliases[what][name] != "" {
			continue
		}
		c.noted[key] = true
		c.note("field.unknown", line)
	}
}

// details are the objects that events of each kind carry.
var details = map[string]string{
	"step_started": "", "tool_called": "call", "tool_returned": "result", "evidence_registered": "evidence", "claim_emitted": "claim", "step_finished": "output",
}

// headings are members that identify a flat header.
var headings = []string{"trace_schema_version", "schema_version", "fingerprint_algo", "canonicalization_version"}

func hasAny(members map[string]any, names ...string) bool {
	return slices.ContainsFunc(names, func(name string) bool { _, ok := members[name]; return ok })
}

func (c *reasoningCheck) read(r record) {
	switch {
	case r.members == nil:
		c.reject(Unreadable, r.line)
		c.any = true
	case c.wrapped:
		c.readWrapped(r)
	case hasAny(r.members, "record"):
		c.reject("record.unknown", r.line)
		c.any = true
	case !hasAny(r.members, "kind", "idx") && hasAny(r.members, headings...):
		c.readHeader(r)
	default:
		c.readEvent(r.line, r.members)
	}
}

func (c *reasoningCheck) readWrapped(r record) {
	switch r.members["record"] {
	case "trace_header":
		c.readHeader(r)
	case "trace_event":
		c.object(r.line, r.members, tables["wrapper"])
		c.unknown(r.line, r.members, "", "", tables["wrapper"])
		event, _ := r.members["event"].(map[string]any)
		c.readEvent(r.line, event)
	default:
		if v := r.members["record"]; v == nil || typeOf(v) == "string" {
			c.reject("record.unknown", r.line)
		} else {
			c.reject("field.type", r.line)
		}
		c.any = true
	}
}

func (c *reasoningCheck) object(line int, o map[string]any, table string) {
	for row := range strings.FieldsSeq(table) {
		name, want, _ := strings.Cut(row, ":")
		want, must := strings.CutSuffix(want, "!")
		v := o[name]
		switch {
		case v == nil && must:
			c.reject("field.missing", line)
		case v == nil:
		case !isA(v, want):
			c.reject("field.type", line)
		case must && v == "":
			c.reject("field.empty", line)
		}
	}
}

func isA(v any, want string) bool {
	if want == "any" {
		return true
	}
	switch v := v.(type) {
	case string:
		return want == "string"
	case bool:
		return want == "boolean"
	case json.Number:
		return want == "number" || want == "integer" && whole(v)
	case map[string]any:
		return want == "object"
	case []any:
		all := func(want string) bool {
			return !slices.ContainsFunc(v, func(e any) bool { return !isA(e, want) })
		}
		return want == "array" || want == "strings" && all("string") || want == "span" && len(v) == 2 && all("integer")
	}
	return false
}

// whole reports whether a number is written as a 64-bit integer.
func whole(n json.Number) bool {
	_, err := strconv.ParseInt(string(n), 10, 64)
	return err == nil
}

func integer(v any) *int64 {
	n, ok := v.(json.Number)
	if !ok || !whole(n) {
		return nil
	}
	i, _ := n.Int64()
	return &i
}

func (c *reasoningCheck) readHeader(r record) {
	c.object(r.line, r.members, tables["header"])
	c.unknown(r.line, r.members, "", "", tables["header"])
	a, b := integer(r.members["schema_version"]), integer(r.members["trace_schema_version"])
	version := a
	if a == nil {
		version = b
	}
	switch {
	case a != nil && b != nil && *a != *b:
		c.reject("header.version_conflict", r.line)
		version = nil
	case version != nil && !slices.Contains(c.run.Versions, *version):
		c.reject("header.version_unsupported", r.line)
	case c.wrapped && r.members["schema_version"] == nil && r.members["trace_schema_version"] == nil:
		c.reject("field.missing", r.line)
	}
	if algo, ok := text(r.members, "fingerprint_algo"); ok && algo != "sha256" {
		c.reject("header.algo_unsupported", r.line)
	}
	if v := integer(r.members["canonicalization_version"]); v != nil && *v != 1 {
		c.reject("header.canon_unsupported", r.line)
	}
	if c.header != nil {
		c.reject("header.duplicate", r.line)
		return
	}
	if c.any && !c.wrapped {
		c.reject("header.missing", r.line)
	}
	c.any, c.header = true, &header{r.line, r.members}
	c.state(version, r.line)
}

// state checks that all lines state the same version.
func (c *reasoningCheck) state(version *int64, line int) {
	switch {
	case version == nil || *version == 0:
	case c.version == nil:
		c.version = version
	case *c.version != *version:
		c.reject("header.version_conflict", line)
	}
}

// readEvent parses an event. Other values were reported before.
func (c *reasoningCheck) readEvent(line int, o map[string]any) {
	if !c.any && c.wrapped {
		c.reject("header.missing", line)
	}
	c.any = true
	if o == nil {
		return
	}
	c.texts = append(c.texts, o)
	c.object(line, o, tables["event"])
	kind, _ := text(o, "kind")
	detail, known := details[kind]
	if c.wrapped {
		c.unknown(line, o, "event", kind, tables["event"]+" step_id "+detail)
	} else {
		c.unknown(line, o, "", kind, tables["event"]+" step_id schema_version trace_schema_version "+detail)
	}
	if kind != "" && !known {
		c.reject("event.kind_unknown", line)
	}
	switch step := o["step_id"]; {
	case step == nil && known:
		c.reject("field.missing", line)
	case step != nil && typeOf(step) != "string":
		c.reject("field.type", line)
	case step == "" && known:
		c.reject("field.empty", line)
	}
	h := readEvent{line: line, kind: kind}
	if detail != "" {
		h.detail = c.readDetail(line, detail, c.renamed(o, kind)[detail])
	}
	if !c.wrapped {
		c.versionOf(line, o)
	}
	if idx := integer(o["idx"]); idx != nil {
		h.idx = *idx
	}
	h.step, _ = text(o, "step_id")
	c.events = append(c.events, h)
}

// versionOf parses the optional version of a flat event, under either name.
func (c *reasoningCheck) versionOf(line int, o map[string]any) {
	var stated *int64
	for _, name := range []string{"schema_version", "trace_schema_version"} {
		if o[name] == nil {
			continue
		}
		stated = integer(o[name])
		if stated == nil {
			c.reject("field.type", line)
		} else if !slices.Contains(c.run.Versions, *stated) {
			c.reject("header.version_unsupported", line)
		}
	}
	c.state(stated, line)
}

func (c *reasoningCheck) readDetail(line int, name string, v any) map[string]any {
	o, ok := v.(map[string]any)
	o = c.renamed(o, name)
	switch {
	case v == nil:
		c.reject("field.missing", line)
	case !ok:
		c.reject("field.type", line)
	case name == "output":
		c.output(line, o)
	default:
		c.object(line, o, tables[name])
		c.unknown(line, o, name, name, tables[name])
	}
	if list, ok := o["supports"].([]any); ok && name == "claim" {
		for _, support := range list {
			if s, ok := support.(map[string]any); ok {
				c.object(line, s, tables["support"])
				c.unknown(line, s, "support", "", tables["support"])
			} else {
				c.reject("field.type", line)
			}
		}
	}
	return o
}

// output reads a step's output by "type" or "kind".
func (c *reasoningCheck) output(line int, o map[string]any) {
	name, other := o["type"], o["kind"]
	if name == nil {
		name, other = other, nil
	}
	fold := func(v any) any {
		if v == "insufficient_evidence" {
			return "insufficient"
		}
		return v
	}
	switch s, ok := name.(string); {
	case name == nil:
		c.reject("field.missing", line)
	case !ok:
		c.reject("field.type", line)
	case other != nil && fold(other) != fold(name):
		c.reject("output.kind_conflict", line)
	case s == "":
		c.reject("field.empty", line)
	default:
		kind, _ := fold(s).(string)
		table, known := outputs[kind]
		if !known {
			c.reject("output.kind_unknown", line)
			return
		}
		c.object(line, c.renamed(o, kind), table)
		c.unknown(line, o, "output", kind, table+" type kind")
	}
}
