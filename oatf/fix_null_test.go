package oatf_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/cupel-dev/cupel/oatf"
)

// withNulls is a document with places for keys without a value: @key on a separate line, or in braces with its comma.
const withNulls = `oatf: "0.1"
attack:
  @author
  name: The name # of it
  @grace_period
  description: |
    Some text

  @created
  classification:
    @category
    @tags
  severity: {@confidence, level: high}
  execution:
    mode: mcp_server
    phases:
      - @description
        name: one
        state:
          tools: [{name: calculator, description: null}]
        @on_enter
        extractors: [{name: a, source: request, type: json_path, selector: $.a}]
        trigger: {@after, event: tools/call,
          @count}
      - @name

        state: {tools: [], instructions: "{{a}}"}
        @extractors
  indicators:
    - @id
      @description
      surface: roots_response
      @severity
      pattern: {condition: null,  @target}
    - {@confidence, surface: roots_response, @description, pattern: {target: uri, condition: {regex: a, @contains}},
       @false_positives}
  references:
    - @title
      url: https://example.com/ü
      @description
  correlation:
    @logic
`

// TestNullsLeftOut writes keys without a value into a document, in all spellings, and leaves them
// out: the document means what it has meant before, and what is not to be said of it is not said.
func TestNullsLeftOut(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		text := filled(rt)
		o := oatf.FixOptions{CheckOptions: oatf.CheckOptions{Strict: true}}
		fixed := oatf.Fix([]byte(text), o)
		checkFixed(rt, []byte(text), fixed, o)
		if diff := cmp.Diff(meaning(rt, text), meaning(rt, string(fixed.Text))); diff != "" {
			rt.Fatalf("%s\nbecomes\n%s\n%s", text, fixed.Text, diff)
		}
		for _, f := range fixed.Findings {
			if f.Rule == "L-515" {
				rt.Fatalf("%s\nbecomes\n%s\nwhere %s", text, fixed.Text, f.Message)
			}
		}
	})
}

// filled returns the document with some of its places filled, and the others gone.
func filled(t *rapid.T) string {
	var b strings.Builder
	for line := range strings.Lines(withNulls) {
		for {
			before, rest, found := strings.Cut(line, "@")
			if !found {
				break
			}
			end := strings.IndexFunc(rest, func(r rune) bool { return r != '_' && (r < 'a' || r > 'z') })
			key, behind := rest[:end], rest[end:]
			flow := strings.HasPrefix(behind, ",") || strings.HasPrefix(behind, "}")
			needed := key == "category" || key == "logic" || key == "name" // without it nothing begins there
			switch {
			case needed || rapid.Bool().Draw(t, key):
				line = before + nullPair(t, key, flow) + behind
			case flow && strings.HasPrefix(behind, ","):
				line = before + strings.TrimLeft(behind, ", ")
			case flow:
				line = before + behind
			case strings.HasSuffix(before, "- "):
				line = before + "\n"
			default:
				line = ""
			}
		}
		b.WriteString(line)
	}
	text := b.String()
	if rapid.Bool().Draw(t, "carriage returns") {
		text = strings.ReplaceAll(text, "\n", "\r\n")
	}
	if rapid.Bool().Draw(t, "mark") {
		text = "\uFEFF" + text
	}
	return text
}

// nullPair returns a key without a value.
func nullPair(t *rapid.T, key string, flow bool) string {
	key = rapid.SampledFrom([]string{"", `"`, "'"}).Draw(t, "quote") + key
	if key[0] == '"' || key[0] == '\'' {
		key += key[:1]
	}
	pair := key + ":" + rapid.SampledFrom([]string{"", " null", " ~", "   Null", " NULL", " !!null null"}).Draw(t, "null")
	if !flow {
		pair += rapid.SampledFrom([]string{"", " ", " # märkte", "\t# a: b"}).Draw(t, "comment")
	}
	return pair
}

// meaning is what a document says, as it is serialized.
func meaning(t *rapid.T, text string) string {
	doc, err := oatf.Parse([]byte(text))
	if err != nil {
		t.Fatalf("%s\n%v", text, err)
	}
	return string(oatf.Serialize(doc))
}
