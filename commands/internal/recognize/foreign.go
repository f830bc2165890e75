package recognize

import (
	"slices"

	"github.com/cupel-dev/cupel/internal/strictjson"
)

// foreignFormat is a format of another program, by members of an object. The first match counts.
type foreignFormat struct {
	name    string
	command string // that reads it; "" if none does
	fits    func(has func(string) bool, r strictjson.Node) bool
}

// Members in which log shippers and container runtimes wrap lines.
const (
	dockerLines   = "the output of docker logs (json-file)"
	filebeatLines = "the output of a log shipper"
	journaldLines = "the output of journalctl -o json"
)

// shippers wrap other programs' records, so that a log in a known format can be inside.
var shippers = []string{dockerLines, filebeatLines, journaldLines, applicationLog}

const applicationLog = "the log of an application"

var foreignFormats = []foreignFormat{
	{dockerLines, "", members("log", "stream", "time")},
	{journaldLines, "", members("__REALTIME_TIMESTAMP", "MESSAGE")},
	{filebeatLines, "", members("@timestamp", "message")},
	{"JSON-RPC messages", EvaluateTrace, members("jsonrpc")},
	{"a report of cupel", "report merge FILE", func(has func(string) bool, r strictjson.Node) bool {
		name, _ := r.Get("schema").Text()
		return len(name) > 6 && name[:6] == "cupel."
	}},
	{"a signed envelope (DSSE)", verifySigned, members("payloadType", "payload", "signatures")},
	{"a Sigstore bundle", verifySigned, members("mediaType", "verificationMaterial")},
	{"a HAR file", EvaluateTrace, func(has func(string) bool, r strictjson.Node) bool {
		return r.Get("log").Get("entries").Exists()
	}},
	{"a SARIF report", "", func(has func(string) bool, r strictjson.Node) bool { return has("runs") && has("version") }},
	{"a JSON Schema", "", func(has func(string) bool, r strictjson.Node) bool {
		schema, _ := r.Get("$schema").Text()
		return schema != "" && (has("properties") || has("type") || has("$defs") || has("definitions") || has("oneOf") || has("allOf")) ||
			has("properties") && has("type") || has("$defs")
	}},
	{"an OpenAPI description", "", oneOf("openapi", "swagger", "asyncapi")},
	{"a Jupyter notebook", "", members("cells", "nbformat")},
	{"a Kubernetes object", "", members("apiVersion", "kind")},
	{"a software bill of materials", "", oneOf("bomFormat", "spdxVersion")},
	{"package-lock.json", "", members("lockfileVersion")},
	{"package.json", "", func(has func(string) bool, r strictjson.Node) bool {
		return has("name") && (has("dependencies") || has("devDependencies") || has("scripts") || has("main") || has("exports") || has("private"))
	}},
	{"the manifest of a browser extension", "", members("manifest_version")},
	{"a TypeScript configuration", "", members("compilerOptions")},
	{"a source map", "", members("mappings", "sources")},
	{"GeoJSON", "", func(has func(string) bool, r strictjson.Node) bool {
		kind, _ := r.Get("type").Text()
		return slices.Contains([]string{"FeatureCollection", "Feature"}, kind)
	}},
	{"JSON-LD", "", members("@context")},
	{"a Terraform state", "", members("terraform_version")},
	{"an Elasticsearch bulk request", "", func(has func(string) bool, r strictjson.Node) bool {
		return r.Get("index").Get("_index").Exists() || r.Get("create").Get("_index").Exists()
	}},
	{applicationLog, "", func(has func(string) bool, r strictjson.Node) bool {
		level := has("level") || has("severity") || has("levelname") || has("lvl")
		return level && (has("msg") || has("message") || has("event"))
	}},
}

// foreignJSON returns the format of an object by another program; its Format is "" if unknown.
func foreignJSON(r strictjson.Node) Answer {
	has := func(name string) bool { return r.Get(name).Exists() }
	for _, f := range foreignFormats {
		if f.fits(has, r) {
			return foreign(f.name, f.command)
		}
	}
	return foreign("", "")
}

func members(names ...string) func(func(string) bool, strictjson.Node) bool {
	return func(has func(string) bool, _ strictjson.Node) bool {
		return !slices.ContainsFunc(names, func(name string) bool { return !has(name) })
	}
}

func oneOf(names ...string) func(func(string) bool, strictjson.Node) bool {
	return func(has func(string) bool, _ strictjson.Node) bool { return slices.ContainsFunc(names, has) }
}
