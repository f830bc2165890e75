package payload_test

import (
	"encoding/json"
	"fmt"
	"math"
	"regexp"
	"slices"
	"strings"
	"unicode"
)

// naiveEvent says what breaks the rules of one event, from the rules' texts alone and with
// the standard library: severity, rule and member, sorted. The text is an object in strict
// JSON without numbers beyond a double.
func naiveEvent(text string, strict bool) []string {
	n := &naive{strict: strict, source: text}
	if err := json.Unmarshal([]byte(text), &n.event); err != nil {
		panic(err)
	}
	n.attributes()
	n.names()
	if data, there := n.event["data"]; there {
		n.data(data)
	}
	slices.Sort(n.said)
	return n.said
}

type naive struct {
	strict bool
	source string
	event  map[string]any
	said   []string
}

func (n *naive) say(severity, rule, pointer string) {
	n.said = append(n.said, severity+" "+rule+" "+pointer)
}

func (n *naive) text(name string) (s string, ok bool) { s, ok = n.event[name].(string); return s, ok }

var (
	naiveURI        = regexp.MustCompile(`^[A-Za-z][A-Za-z0-9+.-]*:([A-Za-z0-9._~:/?\[\]@!$&'()*+,;=-]|%[0-9A-Fa-f]{2})+$`)
	naiveKnownURI   = regexp.MustCompile(`(?i)^(urn|https):`)
	naiveParent     = regexp.MustCompile(`^([0-9a-f]{2})-([0-9a-f]{32})-([0-9a-f]{16})-[0-9a-f]{2}(-.*)?$`)
	naiveState      = regexp.MustCompile(`^([a-z][a-z0-9_*/-]{0,255}|[a-z0-9][a-z0-9_*/-]{0,240}@[a-z][a-z0-9_*/-]{0,13})=[ -+\--<>-~]{0,255}[!-+\--<>-~]$`)
	naiveTime       = regexp.MustCompile(`^\d{4}-\d\d-\d\dT(\d\d:\d\d:[0-5]\d|(23:59:60))(\.\d{1,9})?(Z|\+00:00)$`)
	naiveExtension  = regexp.MustCompile(`^[a-z0-9]+$`)
	naiveDigestText = regexp.MustCompile(`^sha256:[0-9a-f]{64}$`)
)

// attributes checks the values of attributes.
func (n *naive) attributes() {
	for name, kind := range map[string]string{
		"specversion": "s", "type": "s", "source": "s", "id": "s", "time": "s", "assayrunid": "s", "assayseq": "n", "assayproducer": "s",
		"assayproducerversion": "s", "assaycontenthash": "s", "datacontenttype": "s?", "subject": "s?", "traceparent": "s?", "tracestate": "s?",
		"assaygit": "s?", "assaypolicyid": "s?", "assaypii": "b?", "assaysecrets": "b?", "assaysemanticdigest": "s?", "assaydigestprofile": "s?",
	} {
		value := n.event[name]
		of := map[string]bool{"s": isA[string](value), "n": isA[float64](value), "b": isA[bool](value)}
		switch {
		case value == nil && !strings.HasSuffix(kind, "?"):
			n.say("error", "EV-101", "/"+name)
		case value != nil && !of[kind[:1]]:
			n.say("error", "EV-102", "/"+name)
		}
	}
	if _, there := n.event["data"]; !there {
		n.say("error", "EV-101", "/data")
	}
	for _, name := range []string{"datacontenttype", "assaygit", "assaypii", "assaysecrets"} {
		if n.event[name] == nil && !slices.Contains(n.said, "info EV-103 ") {
			n.say("info", "EV-103", "")
		}
	}
	if v, ok := n.text("specversion"); ok && v != "1.0" {
		n.say("error", "EV-105", "/specversion")
	}
	if v, ok := n.text("source"); ok && strings.Index(v, ":") <= 0 {
		n.say("error", "EV-111", "/source")
	} else if ok && (!naiveURI.MatchString(v) || !naiveKnownURI.MatchString(v)) {
		n.say("warning", "EV-112", "/source")
	}
	if v, ok := n.text("time"); ok && !naiveTime.MatchString(v) {
		n.say("error", "EV-131", "/time")
	} else if ok && strings.Contains(v, ":60") {
		n.say("info", "EV-132", "/time")
	}
	if n.event["traceparent"] == nil {
		n.say("info", "EV-151", "")
	} else if v, ok := n.text("traceparent"); ok && !naiveTraceParent(v) {
		n.say("error", "EV-152", "/traceparent")
	}
	if v, ok := n.text("tracestate"); ok && !naiveTraceState(v) {
		n.say("warning", "EV-153", "/tracestate")
	}
	if v, ok := n.text("subject"); ok && strings.TrimSpace(v) == "" {
		n.say("warning", "EV-161", "/subject")
	}
	if v, ok := n.text("type"); ok {
		if v == "" || strings.ContainsFunc(v, func(r rune) bool { return unicode.IsSpace(r) || unicode.IsControl(r) }) {
			n.say("error", "EV-163", "/type")
		} else if i := strings.Index(v, "."); i <= 0 || i == len(v)-1 {
			n.say("info", "EV-165", "/type")
		}
		if strings.ContainsFunc(v, func(r rune) bool { return r > unicode.MaxASCII }) {
			n.say("warning", "EV-164", "/type")
		}
	}
	if v, ok := n.text("datacontenttype"); ok {
		kind := strings.ToLower(strings.TrimSpace(strings.Split(v, ";")[0]))
		data := n.event["data"]
		if !regexp.MustCompile(`^[a-z0-9!#$%&'*+.^_|~` + "`" + `-]+/[a-z0-9!#$%&'*+.^_|~` + "`" + `-]+$`).MatchString(kind) {
			n.say("warning", "EV-123", "/datacontenttype")
		} else if !regexp.MustCompile(`(/|.\+)json$`).MatchString(kind) && data != nil && !isA[string](data) {
			n.say("warning", "EV-123", "/datacontenttype")
		}
	}
	if digest, profile := n.event["assaysemanticdigest"] != nil, n.event["assaydigestprofile"] != nil; digest && !profile {
		n.say("warning", "EV-181", "/assaysemanticdigest")
	} else if profile && !digest {
		n.say("warning", "EV-181", "/assaydigestprofile")
	}
}

func isA[T any](value any) bool { _, ok := value.(T); return ok }

func naiveTraceParent(text string) bool {
	m := naiveParent.FindStringSubmatch(text)
	return m != nil && m[1] != "ff" && (m[1] != "00" || m[4] == "") && strings.Trim(m[2], "0") != "" && strings.Trim(m[3], "0") != ""
}

func naiveTraceState(text string) bool {
	keys := map[string]bool{}
	members := 0
	for _, member := range strings.Split(text, ",") {
		if member = strings.Trim(member, " \t"); member == "" {
			continue
		}
		key, _, _ := strings.Cut(member, "=")
		if members++; !naiveState.MatchString(member) || keys[key] || members > 32 {
			return false
		}
		keys[key] = true
	}
	return true
}

// names checks the names of attributes, and what id, run and number say of each other; of
// names, how many rules are broken is what counts.
func (n *naive) names() {
	known := " data datacontenttype specversion subject type id source time assayrunid assayseq assaycontenthash traceparent tracestate assayproducer assayproducerversion assaygit assaypolicyid assaypii assaysecrets assaysemanticdigest assaydigestprofile "
	broken := map[string]bool{}
	for name, value := range n.event {
		s, isText := value.(string)
		if isText && name != "data" && name != "type" && name != "data_base64" && naiveExcluded.MatchString(s) {
			broken["EV-106"] = true
		}
		if !strings.Contains(known, " "+name+" ") || name == "" {
			f, isNumber := value.(float64)
			switch {
			case name == "data_base64":
				if _, there := n.event["data"]; there {
					n.say("warning", "EV-122", "/data_base64")
				}
				continue
			case name == "dataschema":
				if value != nil && !(isText && naiveURI.MatchString(s)) {
					n.say("warning", "EV-121", "/dataschema")
				}
			case isText, isA[bool](value), value == nil:
			case !isNumber || f != math.Trunc(f) || math.Abs(f) > 1<<31 || f == 1<<31 || !n.plain(name):
				broken["EV-173"] = true
			}
		}
		switch {
		case name != "" && strings.Contains(known, " "+name+" "):
		case !naiveExtension.MatchString(name):
			broken["EV-171"] = true
		case len(name) > 20:
			broken["EV-172"] = true
		}
	}
	for rule := range broken {
		n.say("warning", rule, "")
	}
}

// naiveExcluded are the characters that no attribute has.
var naiveExcluded = regexp.MustCompile(`[\x00-\x1f\x7f-\x{9f}\x{fdd0}-\x{fdef}\x{fffe}\x{ffff}\x{1fffe}\x{1ffff}]`)

// plain says whether a number is written in digits alone.
func (n *naive) plain(name string) bool {
	var all map[string]json.RawMessage
	_ = json.Unmarshal([]byte(n.source), &all) // was read before
	return regexp.MustCompile(`^-?\d+$`).Match(all[name])
}

// naiveShapes are the members by type: "?" may be missing, and the rest is what it is.
var naiveShapes = map[string]struct{ decade, members string }{
	"assay.profile.started":  {"EV-21", "profile_name:text profile_version:text total_runs_aggregated:count"},
	"assay.profile.finished": {"EV-22", "files_count:count network_count:count processes_count:count sandbox_degradation_count:count integrity_scope:text?"},
	"assay.tool.decision": {"EV-23", "tool:text decision:text reason_code:text? args_schema_hash:text? policy_digest:text? policy_snapshot_digest:text? policy_snapshot_digest_alg:text? " +
		"policy_snapshot_canonicalization:text? policy_snapshot_schema:text? tool_definition_digest:text? tool_definition_digest_alg:text? tool_definition_canonicalization:text? " +
		"tool_definition_schema:text? tool_definition_source:text? delegated_from:text? delegation_depth:number?"},
	"assay.sandbox.degraded": {"EV-24", "reason_code:text degradation_mode:text component:text detail:text?"},
	"assay.fs.access":        {"EV-25", "hits:count file:text? first_seen:moment? last_seen:moment? runs_seen:count?"},
	"assay.env.filtered":     {"EV-26", "mode:text passed_keys:texts dropped_keys:texts counters:counts"},
}

func naiveCount(v any) bool {
	f, ok := v.(float64)
	return ok && f >= 0 && f == math.Floor(f)
}

func naiveFits(kind string, v any) bool {
	switch kind {
	case "text":
		return isA[string](v)
	case "number":
		return isA[float64](v)
	case "count":
		return naiveCount(v)
	case "moment":
		return isA[string](v) || naiveCount(v)
	case "texts":
		list, ok := v.([]any)
		return ok && !slices.ContainsFunc(list, func(v any) bool { return !isA[string](v) })
	}
	object, ok := v.(map[string]any)
	for _, v := range object {
		ok = ok && naiveCount(v)
	}
	return ok
}

func (n *naive) data(data any) {
	eventType, _ := n.text("type")
	s, ruled := naiveShapes[eventType]
	if !ruled {
		return
	}
	object, ok := data.(map[string]any)
	if !ok {
		n.say("error", "EV-204", "/data")
		return
	}
	named := 0
	for row := range strings.FieldsSeq(s.members) {
		name, kind, _ := strings.Cut(row, ":")
		kind, optional := strings.CutSuffix(kind, "?")
		value, there := object[name]
		if there {
			named++
		}
		if value == nil && !optional {
			n.say("error", s.decade+"1", "/data/"+name)
		} else if value != nil && !naiveFits(kind, value) {
			n.say("error", s.decade+"2", "/data/"+name)
		}
	}
	if n.strict && named < len(object) {
		n.say("info", "EV-206", "/data")
	}
	switch eventType {
	case "assay.tool.decision":
		n.decision(object)
	case "assay.sandbox.degraded":
		n.oneOf(object, "EV-243", "reason_code", "backend_unavailable", "policy_conflict")
		n.oneOf(object, "EV-243", "degradation_mode", "audit_fallback")
		n.oneOf(object, "EV-243", "component", "landlock")
	case "assay.env.filtered":
		counters, _ := object["counters"].(map[string]any)
		for _, name := range []string{"passed", "dropped"} {
			list, there := object[name+"_keys"].([]any)
			if count, ok := counters[name].(float64); ok && there && count == math.Floor(count) && count != float64(len(list)) {
				n.say("warning", "EV-531", "/data/counters")
			}
		}
	}
}

func (n *naive) oneOf(object map[string]any, rule, name string, words ...string) {
	if v, ok := object[name].(string); ok && !slices.Contains(words, v) {
		n.say("error", rule, "/data/"+name)
	}
}

func (n *naive) decision(object map[string]any) {
	n.oneOf(object, "EV-233", "decision", "allow", "deny", "requires_approval", "error")
	n.oneOf(object, "EV-312", "policy_snapshot_digest_alg", "sha256")
	n.oneOf(object, "EV-312", "policy_snapshot_canonicalization", "jcs:mcp_policy")
	n.oneOf(object, "EV-312", "policy_snapshot_schema", "assay.mcp.policy.snapshot.v1")
	n.oneOf(object, "EV-322", "tool_definition_digest_alg", "sha256")
	n.oneOf(object, "EV-322", "tool_definition_canonicalization", "jcs:mcp_tool_definition.v1")
	n.oneOf(object, "EV-322", "tool_definition_schema", "assay.mcp.tool-definition.snapshot.v1")
	n.oneOf(object, "EV-322", "tool_definition_source", "mcp.tools/list")
	for _, name := range []string{"args_schema_hash", "policy_digest", "policy_snapshot_digest", "tool_definition_digest"} {
		if v, ok := object[name].(string); ok && !naiveDigestText.MatchString(v) {
			n.say("error", "EV-301", "/data/"+name)
		}
	}
	if object["decision"] == "error" {
		n.say("info", "EV-235", "/data/decision")
	}
	of := func(prefix string) (there int) {
		for name, v := range object {
			if v != nil && strings.HasPrefix(name, prefix) && name != prefix+"digest" &&
				slices.Contains([]string{"digest_alg", "canonicalization", "schema", "source"}, strings.TrimPrefix(name, prefix)) && name != "policy_snapshot_source" {
				there++
			}
		}
		return there
	}
	policy, tool := object["policy_snapshot_digest"], object["tool_definition_digest"]
	if policy != nil && of("policy_snapshot_") < 3 {
		n.say("error", "EV-311", "/data/policy_snapshot_digest")
	}
	if policy == nil && of("policy_snapshot_") > 0 {
		n.say("warning", "EV-313", "/data")
	}
	if isA[string](policy) && object["policy_digest"] == nil {
		n.say("warning", "EV-315", "/data/policy_snapshot_digest")
	}
	if isA[string](policy) && isA[string](object["policy_digest"]) && policy != object["policy_digest"] {
		n.say("error", "EV-314", "/data/policy_snapshot_digest")
	}
	if tool != nil && of("tool_definition_") < 4 {
		n.say("error", "EV-321", "/data/tool_definition_digest")
	}
	if tool == nil && of("tool_definition_") > 0 {
		n.say("error", "EV-323", "/data")
	}
	if object["delegation_depth"] != nil && object["delegated_from"] == nil {
		n.say("error", "EV-331", "/data/delegation_depth")
	}
	if v, ok := object["delegation_depth"].(float64); ok && (v != math.Floor(v) || v < 1 || v > math.MaxUint32) {
		n.say("error", "EV-332", "/data/delegation_depth")
	}
	if v, ok := object["delegated_from"].(string); ok && strings.TrimFunc(v, unicode.IsSpace) == "" {
		n.say("error", "EV-333", "/data/delegated_from")
	}
}

// leveled is what was said, as the naive check says it: at the members of the data, and
// without the member where it is any of several.
func leveled(said []string) []string {
	out := []string{}
	for _, s := range said {
		words := strings.SplitN(s, " ", 3)
		pointer := words[2]
		switch parts := strings.Split(pointer, "/"); {
		case slices.Contains([]string{"EV-106", "EV-171", "EV-172", "EV-173"}, words[1]):
			pointer = ""
		case slices.Contains([]string{"EV-206", "EV-313", "EV-323"}, words[1]):
			pointer = "/data"
		case len(parts) > 3:
			pointer = strings.Join(parts[:3], "/")
		}
		out = append(out, fmt.Sprintf("%s %s %s", words[0], words[1], pointer))
	}
	slices.Sort(out)
	return out
}
