package projection_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"
	"unicode"

	"github.com/gowebpki/jcs"
	"pgregory.net/rapid"

	"github.com/cupel-dev/cupel/evidence/projection"
	"github.com/cupel-dev/cupel/finding"
)

// naive returns the projection of a tool's definition as its description reads, on a map of members; ok is false
// without one.
func naive(text []byte, server string) (canonical string, ok bool) {
	var tool map[string]json.RawMessage
	if json.Unmarshal(text, &tool) != nil {
		return "", false
	}
	trim := func(s string) string {
		return strings.TrimFunc(s, func(r rune) bool { return unicode.Is(unicode.White_Space, r) })
	}
	str := func(member string) (s string, ok bool) {
		ok = bytes.HasPrefix(tool[member], []byte(`"`)) && json.Unmarshal(tool[member], &s) == nil
		return s, ok
	}
	out := map[string]any{}
	name, ok := str("name")
	if !ok || trim(name) == "" {
		return "", false
	}
	out["name"] = name
	if description, ok := str("description"); ok && trim(description) != "" {
		out["description"] = trim(description)
	}
	schema, there := tool["inputSchema"]
	if !there {
		schema, there = tool["input_schema"]
	}
	if there {
		if !bytes.HasPrefix(schema, []byte("{")) {
			return "", false
		}
		out["input_schema"] = schema
	}
	if trim(server) != "" {
		out["server_id"] = trim(server)
	}
	var text2 bytes.Buffer
	encoder := json.NewEncoder(&text2)
	if encoder.Encode(out) != nil {
		return "", false
	}
	transformed, err := jcs.Transform(text2.Bytes())
	return string(transformed), err == nil
}

// jsonValue draws a JSON value as text, with several spellings of what means the same.
func jsonValue(depth int) *rapid.Generator[string] {
	scalar := rapid.OneOf(
		rapid.SampledFrom([]string{"null", "true", "false", "0", "-0", "1.0", "1e3", "0.1", "12345678901234567890", "-1.5E-7"}),
		rapid.Map(drawnText(), quote),
	)
	if depth == 0 {
		return scalar
	}
	return rapid.OneOf(scalar,
		rapid.Map(rapid.SliceOfN(jsonValue(depth-1), 0, 3), func(list []string) string { return "[" + strings.Join(list, ", ") + "]" }),
		rapid.Map(rapid.MapOfN(drawnText(), jsonValue(depth-1), 0, 3), func(m map[string]string) string { return object(sorted(m)) }))
}

func drawnText() *rapid.Generator[string] {
	return rapid.OneOf(
		rapid.SampledFrom([]string{"", " ", "a", "type", "required", "\u00a0x\u2003", "\t\n", "\u001c", "\ufeff", "é", "😀", "\ufb33", `"\`, "<&>", "\u2028"}),
		rapid.StringOfN(rapid.RuneFrom(nil, unicode.Letter, unicode.White_Space), 0, 5, -1))
}

func quote(s string) string {
	var b bytes.Buffer
	encoder := json.NewEncoder(&b)
	encoder.SetEscapeHTML(false)
	if err := encoder.Encode(s); err != nil {
		panic(err)
	}
	return strings.TrimSuffix(b.String(), "\n")
}

// member is a member of an object, its value as text.
type member struct{ name, value string }

func sorted(m map[string]string) (list []member) {
	for name, value := range m {
		list = append(list, member{name, value})
	}
	slices.SortFunc(list, func(a, b member) int { return strings.Compare(a.name, b.name) })
	return list
}

func object(list []member) string {
	parts := make([]string, len(list))
	for i, m := range list {
		parts[i] = quote(m.name) + ": " + m.value
	}
	return "{" + strings.Join(parts, ",") + "}"
}

// known are the members that a definition has a use for, and some that it has none for.
var known = []string{"name", "description", "inputSchema", "input_schema", "server_id", "title", "annotations", "outputSchema", "_meta", "Name"}

// drawTool draws a tool, usually with a name.
func drawTool(t *rapid.T) []member {
	members := rapid.MapOfN(rapid.SampledFrom(known), jsonValue(2), 0, 6).Draw(t, "members")
	if rapid.IntRange(0, 5).Draw(t, "named") > 0 {
		members["name"] = quote("n" + drawnText().Draw(t, "name"))
	}
	if _, there := members["inputSchema"]; there && rapid.Bool().Draw(t, "object") {
		members["inputSchema"] = object(sorted(rapid.MapOfN(drawnText(), jsonValue(2), 0, 3).Draw(t, "schema")))
	}
	return sorted(members)
}

// digest is the one digest of a tool, "" when it has none.
func digest(t *rapid.T, text, server string) string {
	list := projection.ReadTools([]byte(text), projection.ToolOptions{ServerID: server, Canonical: true})
	wrong := slices.ContainsFunc(list.Findings, func(f finding.Finding) bool { return f.Severity == finding.Error })
	if wrong != (len(list.Tools) == 0) || len(list.Tools) > 1 {
		t.Fatalf("%s: %d tools, %v", text, len(list.Tools), list.Findings)
	}
	if len(list.Tools) == 0 {
		return ""
	}
	return string(list.Tools[0].Canonical)
}

// TestDefinitionLaws compares definitions with the naive ones, and holds what must never
// matter: the order of members, their spelling, white space, members that are left out.
func TestDefinitionLaws(t *testing.T) {
	digested := 0
	rapid.Check(t, func(t *rapid.T) {
		tool := drawTool(t)
		server := drawnText().Draw(t, "server")
		got := digest(t, object(tool), server)
		want, _ := naive([]byte(object(tool)), server)
		if got != want {
			t.Fatalf("%s, server %q:\n%s\nnaive\n%s", object(tool), server, got, want)
		}
		if got != "" {
			digested++
		}
		changed, serverToo := respelled(t, tool), "\u2003"+server+"\n"
		if again := digest(t, changed, serverToo); again != got {
			t.Fatalf("%s\n%s\n%s, server %q:\n%s", object(tool), got, changed, serverToo, again)
		}
	})
	if digested == 0 {
		t.Error("no tool had a digest")
	}
}

// respelled is a tool that is the same for its digest.
func respelled(t *rapid.T, tool []member) string {
	has := func(name string) bool {
		return slices.ContainsFunc(tool, func(m member) bool { return m.name == name })
	}
	list := slices.Clone(tool)
	for i, m := range list {
		var text string
		switch {
		case m.name == "description" && json.Unmarshal([]byte(m.value), &text) == nil && m.value != "null":
			list[i].value = quote("\u00a0\r" + text + " ")
		case m.name == "inputSchema" && !has("input_schema"):
			list[i].name = "input_schema"
		case m.name == "input_schema" && !has("inputSchema"):
			list[i].name = "inputSchema"
		}
	}
	for _, extra := range []string{"x-vendor", "icons", "tools", "result"} {
		if rapid.Bool().Draw(t, extra) {
			list = append(list, member{extra, `{"name": [1, null]}`})
		}
	}
	if !has("name") { // a list, then, or a response
		list = slices.DeleteFunc(list, func(m member) bool { return m.name == "tools" || m.name == "result" })
	}
	list = rapid.Permutation(list).Draw(t, "order")
	text := object(list)
	if rapid.Bool().Draw(t, "in escapes") {
		text = strings.NewReplacer(`"name"`, `"n\u0061me"`, `"inputSchema"`, `"input\u0053chema"`, "é", `\u00E9`, "😀", `\uD83D\uDE00`).Replace(text)
	}
	return "\t" + text + "\r\n"
}

// TestListLaw: a list has the digests of its tools, however it is wrapped, and the manifest
// has no order.
func TestListLaw(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var tools []string
		for i := range rapid.IntRange(1, 4).Draw(t, "tools") {
			tools = append(tools, object(append(drawTool(t), member{fmt.Sprintf("x%d", i), "1"})))
		}
		opt := projection.ToolOptions{Of: projection.Of(rapid.IntRange(0, 1).Draw(t, "projection")), ServerID: "s"}
		array := "[" + strings.Join(tools, ",") + "]"
		want := projection.ReadTools([]byte(array), opt)
		one := 0
		for _, tool := range tools {
			one += len(projection.ReadTools([]byte("["+tool+"]"), opt).Tools)
		}
		if len(want.Tools) != one {
			t.Fatalf("%s: %d tools, one by one %d", array, len(want.Tools), one)
		}
		for _, text := range []string{
			`{"tools":` + array + `}`,
			`{"id":1,"result":{"_meta":{},"tools":` + array + `},"jsonrpc":"2.0"}`,
			"[" + strings.Join(rapid.Permutation(tools).Draw(t, "order"), ",") + "]",
		} {
			got := projection.ReadTools([]byte(text), opt)
			if (got.Manifest == nil) != (want.Manifest == nil) || got.Manifest != nil && *got.Manifest != *want.Manifest {
				t.Fatalf("%s: manifest %v, expected %v", text, got.Manifest, want.Manifest)
			}
			if a, b := sums(want.Tools), sums(got.Tools); !slices.Equal(a, b) {
				t.Fatalf("%s: %v, expected %v", text, b, a)
			}
		}
	})
}

func sums(tools []projection.Tool) (list []string) {
	for _, t := range tools {
		list = append(list, t.Sum.String()+" "+t.Name)
	}
	slices.Sort(list)
	return list
}

// FuzzTools holds that no text panics, that what has no digest has a reason with a place, and
// that a single tool has the naive digest.
func FuzzTools(f *testing.F) {
	for _, r := range projection.Rules() {
		f.Add([]byte(r.Bad))
		f.Add([]byte(r.Good))
	}
	f.Add([]byte(`{"name":" t\u00e9","description":"\u00a0x ","inputSchema":{"a":[1.0,-0,1e21]}}`))
	f.Fuzz(func(t *testing.T, text []byte) {
		for _, of := range []projection.PolicyOf{projection.Loaded, projection.Declared} {
			if p, findings, ok := projection.ReadPolicy(text, of); ok != (len(findings) == 0) || ok && !json.Valid(p.Canonical) {
				t.Fatalf("%v %v %s", ok, findings, p.Canonical)
			}
		}
		list := projection.ReadTools(text, projection.ToolOptions{Canonical: true})
		for _, f := range list.Findings {
			if f.Message == "" || f.Line == 0 {
				t.Errorf("a finding without a place: %+v", f)
			}
		}
		if len(list.Tools) != 1 || !bytes.HasPrefix(bytes.TrimLeft(text, " \t\r\n"), []byte(`{`)) {
			return
		}
		var root map[string]json.RawMessage
		if err := json.Unmarshal(text, &root); err != nil {
			t.Fatal(err)
		}
		if _, isTool := root["name"]; !isTool {
			return
		}
		if want, ok := naive(text, ""); !ok || want != string(list.Tools[0].Canonical) {
			t.Fatalf("%s\nnaive\n%s", list.Tools[0].Canonical, want)
		}
	})
}
