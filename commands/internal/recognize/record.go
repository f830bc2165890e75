package recognize

import (
	"bytes"
	"slices"
	"strings"

	"github.com/cupel-dev/cupel/attest/importer"
	"github.com/cupel-dev/cupel/internal/strictjson"
	"github.com/cupel-dev/cupel/trace"
)

// record identifies a JSON object by its members.
func record(r strictjson.Node) Answer {
	if !r.Is(strictjson.Object) {
		return foreign("", "")
	}
	has := func(name string) bool { return r.Get(name).Exists() }
	switch {
	case isAssayEvent(r):
		return ours(Evidence, "evidence events")
	case isTraceRecord(r):
		if trace.FamilyOf(r.Raw()) == trace.Reasoning {
			return ours(Trace, "a reasoning trace")
		}
		return ours(Trace, "a session log")
	case has(DocumentKey):
		return ours(OATF, OATF.Noun())
	case isAttack(r.Get("attack")):
		return damaged(OATF, OATF.Noun(), keyMissing)
	case has("trace_id") && (has("output") || has("steps")), has("schema_version") && has("output") && has("steps"):
		return ours(AgentTrace, AgentTrace.Noun())
	case has("assertions") && r.Get("assertions").Is(strictjson.Array):
		return ours(Suite, Suite.Noun())
	}
	if a, is := wrapper(r); is {
		return a
	}
	if renamed(r) {
		return damaged(Trace, "a session log", "the members have other spellings")
	}
	if name := foreignJSON(r); name.Format != "" {
		return name
	}
	if format := importer.Looks(r.Raw()); format != "" {
		return imported(format)
	}
	if has("specversion") {
		a := foreign("CloudEvents of another producer", "evidence lint FILE")
		a.Family = Evidence
		return a
	}
	return foreign("", "")
}

// imported returns the answer for a format that is converted to traces.
func imported(format importer.Format) Answer {
	a := foreign("the format "+string(format), EvaluateFormat(string(format)))
	a.Family = AgentTrace
	return a
}

// isAttack reports whether an object is the attack of an OATF document, like [attackEvidence] for YAML.
func isAttack(n strictjson.Node) bool {
	known, own := 0, false
	for member := range n.Children() {
		if slices.Contains(attackKeys, member.Key()) {
			known++
			own = own || slices.Contains(ownAttackKeys, member.Key())
		}
	}
	return known > 1 && own && n.Is(strictjson.Object)
}

// wrapper identifies an object with a list of records, such as {"events": […]}.
func wrapper(r strictjson.Node) (a Answer, is bool) {
	list := r.Get("events")
	if !list.Is(strictjson.Array) {
		return a, false
	}
	for element := range list.Children() {
		if a = record(element); a.State == Ours && a.Family == Trace {
			return a, true
		}
	}
	return a, false
}

// isTraceRecord reports whether an object is a record of a reasoning trace or session log. A kind or payload alone
// is not enough.
func isTraceRecord(r strictjson.Node) bool {
	has := func(name string) bool { return r.Get(name).Exists() }
	part, _ := r.Get("record").Text()
	event, _ := r.Get("event_type").Text()
	kind, _ := r.Get("kind").Text()
	switch {
	case slices.ContainsFunc(hashMembers, has), slices.ContainsFunc(headerMembers, has):
		return true
	case strings.HasPrefix(part, "trace_"):
		return true
	case kind != "" && has("idx") && r.Get("idx").Is(strictjson.Number):
		return has("step_id") || strings.Contains(kind, "_")
	}
	return has("payload") && slices.Contains(trace.SchemaNames(), event)
}

// hashMembers are members that only session logs have.
var hashMembers = []string{"payload_hash", "prev_event_hash", "prev_hash", "event_hash"}

// headerMembers are members that only the records of reasoning traces have.
var headerMembers = []string{"trace_schema_version", "fingerprint_algo", "canonicalization_version"}

// isAssayEvent reports whether an object is an event of the evidence contract: a CloudEvents
// envelope with the contract's type or extension attribute.
func isAssayEvent(r strictjson.Node) bool {
	if !r.Get("specversion").Exists() {
		return r.Get("assaycontenthash").Exists() || r.Get("assayrunid").Exists()
	}
	if name, _ := r.Get("type").Text(); strings.HasPrefix(name, "assay.") {
		return true
	}
	for member := range r.Children() {
		if strings.HasPrefix(member.Key(), "assay") {
			return true
		}
	}
	return false
}

// marks are names and values unique to a format. Two of them in an unreadable text indicate a damaged or wrapped
// record.
var marks = []struct {
	family Family
	format string
	words  []string
}{
	{Evidence, "evidence events", []string{"assaycontenthash", "assayrunid", "assayseq", "assayproducer", "specversion"}},
	{Trace, "a session log", []string{"event_hash", "prev_hash", "payload_hash", "prev_event_hash", "sequence_number", "event_type", "SESSION_START", "timestamp_wall", "schema_ver"}},
	{AgentTrace, AgentTrace.Noun(), []string{"trace_id", "agent_id", "steps", "llm_call", "tool_call", "user_message"}},
	{Trace, "a reasoning trace", []string{"trace_header", "trace_event", "fingerprint_algo", "canonicalization_version", "trace_schema_version", "runtime_protocol_version", "step_started", "step_finished"}},
}

// unreadable searches lines that are not JSON for the marks of a format. It returns the zero Answer without any.
func unreadable(text []byte) Answer {
	return marked(bytes.ReplaceAll(text, []byte{0}, nil), []byte(`"`), "no line is a valid record, but the lines have the members of one")
}

// wrapped searches JSON strings in records for the marks of a format, because a shipper or second encoding wraps
// whole lines. It returns the zero Answer without any.
func wrapped(text []byte) Answer {
	return marked(text, []byte(`\"`), "the records are strings inside other records")
}

func marked(text, before []byte, why string) (best Answer) {
	most := 1 // two marks are enough; a trace of the attest protocol has common words
	for _, m := range marks {
		n := 0
		for _, word := range m.words {
			if bytes.Contains(text, slices.Concat(before, []byte(word), before)) {
				n++
			}
		}
		if m.family == AgentTrace && n < 4 {
			continue
		}
		if n > most {
			best, most = damaged(m.family, m.format, why), n
		}
	}
	return best
}

// renamed reports whether an object has members of a session log in other spellings, such as eventHash.
func renamed(r strictjson.Node) bool {
	hashes, others := 0, 0
	for member := range r.Children() {
		switch strings.ToLower(strings.NewReplacer("_", "", "-", "").Replace(member.Key())) {
		case "eventhash", "prevhash", "preveventhash", "payloadhash":
			hashes++
		case "sequencenumber", "seq", "eventtype", "sessionid", "eventid":
			others++
		}
	}
	return hashes > 1 && others > 1
}
