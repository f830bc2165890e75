package attest

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/cupel-dev/cupel/internal/strictjson"
)

// ProtocolVersion is the version of the protocol that this engine speaks; the
// version before it is accepted too (§6).
const ProtocolVersion = 1

// The methods of §2.
const (
	methodInitialize = "initialize"
	methodEvaluate   = "evaluate_batch"
	methodShutdown   = "shutdown"
	methodPlugin     = "submit_plugin_result"
)

// Capabilities are the identifiers of §2.1 that this engine supports.
func Capabilities() []string { return []string{"layers_1_4", "soft_failures", "plugins"} }

// negotiation is what a client says in initialize.
type negotiation struct {
	sdkName, sdkVersion string
	version             int64
	required            []string
	encoding            string
}

// readNegotiation reads the params of initialize (§2.1). All fields are required.
func readNegotiation(params strictjson.Node) (n negotiation, err *Error) {
	f := fields{node: params, method: methodInitialize}
	n.sdkName = f.text("sdk_name")
	n.sdkVersion = f.text("sdk_version")
	n.version = f.integer("protocol_version")
	n.required = f.texts("required_capabilities")
	n.encoding = f.text("preferred_encoding")
	if f.problem != "" {
		return n, NewError(CodeInvalidParams, f.problem,
			"initialize needs sdk_name, sdk_version and preferred_encoding (strings), protocol_version (integer) and required_capabilities (array of strings).")
	}
	return n, nil
}

// unsupportedVersion is the error for a client outside the compatibility window.
func unsupportedVersion(version int64) *Error {
	return NewError(CodeSession,
		fmt.Sprintf("protocol version %d not supported; engine supports versions %d and %d", version, ProtocolVersion-1, ProtocolVersion),
		"Upgrade the engine binary or downgrade the SDK protocol_version")
}

// appendNegotiated appends the result of initialize (§2.1).
func (n negotiation) appendNegotiated(dst []byte, engineVersion string, concurrent int, limits Limits) []byte {
	missing := slices.DeleteFunc(slices.Clone(n.required), func(c string) bool {
		return slices.Contains(Capabilities(), c)
	})
	dst = appendQuoted(append(dst, `{"engine_version":`...), engineVersion)
	dst = fmt.Appendf(dst, `,"protocol_version":%d,"capabilities":`, n.version)
	dst = appendTexts(dst, Capabilities())
	dst = appendTexts(append(dst, `,"missing":`...), missing)
	return fmt.Appendf(dst, `,"compatible":%t,"encoding":"json","max_concurrent_requests":%d,"max_trace_size_bytes":%d,"max_steps_per_trace":%d}`,
		len(missing) == 0, concurrent, limits.TraceBytes, limits.Steps)
}

func appendTexts(dst []byte, list []string) []byte {
	dst = append(dst, '[')
	for i, s := range list {
		if i > 0 {
			dst = append(dst, ',')
		}
		dst = appendQuoted(dst, s)
	}
	return append(dst, ']')
}

// pluginSubmission is what a client says in submit_plugin_result.
type pluginSubmission struct {
	traceID, plugin, assertionID string
	status, explanation          string
	score                        float64
}

// readPluginSubmission reads the params of submit_plugin_result (§2.4).
func readPluginSubmission(params strictjson.Node) (p pluginSubmission, err *Error) {
	f := fields{node: params, method: methodPlugin}
	p.traceID = f.name("trace_id")
	p.plugin = f.name("plugin_name")
	p.assertionID = f.name("assertion_id")
	result := f.object("result")
	result.path = "result."
	p.status = result.text("status")
	p.score = result.score("score")
	p.explanation = result.text("explanation")
	if metadata := result.node.Last("metadata"); !metadata.Missing() && !metadata.Is(strictjson.Object) {
		result.wrong("metadata", "an object", metadata)
	}
	if !slices.Contains([]string{Pass, SoftFail, HardFail}, p.status) {
		result.fail("field \"result.status\" must be pass, soft_fail or hard_fail, got " + strconv.Quote(preview(p.status)))
	}
	if result.problem != "" {
		return p, NewError(CodeAssertion, result.problem,
			"submit_plugin_result needs trace_id, plugin_name and assertion_id (non-empty strings) and result with status (pass, soft_fail or hard_fail), score (0.0 to 1.0) and explanation (string).")
	}
	return p, nil
}

// fields reads required members of one object. The first problem sticks.
type fields struct {
	node    strictjson.Node
	method  string
	path    string // of the object within params, "result."
	problem string
}

func (f *fields) fail(problem string) {
	if f.problem == "" {
		f.problem = f.method + ": " + problem
	}
}

func (f *fields) wrong(name, want string, got strictjson.Node) {
	if !got.Exists() {
		f.fail(fmt.Sprintf("missing field %q", f.path+name))
		return
	}
	f.fail(fmt.Sprintf("field %q must be %s, got %s", f.path+name, want, got.Kind()))
}

func (f *fields) text(name string) string {
	member := f.node.Last(name)
	text, ok := member.Text()
	if !ok {
		f.wrong(name, "a string", member)
	}
	return text
}

// name reads a string that must hold more than white space.
func (f *fields) name(name string) string {
	text := f.text(name)
	if strings.TrimSpace(text) == "" {
		f.fail(fmt.Sprintf("field %q must not be empty", f.path+name))
	}
	return text
}

func (f *fields) integer(name string) int64 {
	member := f.node.Last(name)
	i, ok := member.Int()
	if !ok {
		f.wrong(name, "an integer", member)
	}
	return i
}

// score reads a number from 0 to 1.
func (f *fields) score(name string) float64 {
	member := f.node.Last(name)
	score, ok := member.Float()
	switch {
	case !ok:
		f.wrong(name, "a number", member)
	case score < 0 || score > 1:
		f.fail(fmt.Sprintf("field %q must be between 0.0 and 1.0, got %s", f.path+name, preview(string(member.Raw()))))
	}
	return score
}

func (f *fields) texts(name string) []string {
	member := f.node.Last(name)
	if !member.Is(strictjson.Array) {
		f.wrong(name, "an array of strings", member)
		return nil
	}
	var list []string
	for element := range member.Children() {
		text, ok := element.Text()
		if !ok {
			f.wrong(fmt.Sprintf("%s[%d]", name, len(list)), "a string", element)
			return nil
		}
		list = append(list, text)
	}
	return list
}

// object reads a member that is an object itself; a problem found before goes on.
func (f *fields) object(name string) fields {
	member := f.node.Last(name)
	if !member.Is(strictjson.Object) {
		f.wrong(name, "an object", member)
	}
	return fields{node: member, method: f.method, problem: f.problem}
}
