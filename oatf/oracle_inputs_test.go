package oatf_test

import (
	"slices"
	"strings"

	"github.com/cupel-dev/cupel/oatf"
)

// oracleInputs returns the questions whose answers testdata/oracle records, in their order:
// objects whose member "kind" says which primitive is asked. They follow from the seed by
// the arithmetic of this file alone, so that they are the same ones with every Go.
func oracleInputs(seed uint64) []oatf.Object {
	d := dice(seed)
	var inputs []oatf.Object
	for _, kind := range []struct {
		count int
		ask   func(*dice) oatf.Object
	}{
		{6000, askCondition},
		{2000, askPredicate},
		{2000, askSimplePath},
		{3000, askWildcardPath},
		{3000, askTemplate},
		{1000, askInterpolation},
		{3000, askTrigger},
		{2000, askExtractor},
	} {
		for range kind.count {
			inputs = append(inputs, kind.ask(&d))
		}
	}
	return inputs
}

// dice is a splitmix64 generator.
type dice uint64

func (d *dice) next() uint64 {
	*d += 0x9e3779b97f4a7c15
	z := uint64(*d)
	z = (z ^ z>>30) * 0xbf58476d1ce4e5b9
	z = (z ^ z>>27) * 0x94d049bb133111eb
	return z ^ z>>31
}

func (d *dice) below(n int) int { return int(d.next() % uint64(n)) }

func (d *dice) oneIn(n int) bool { return d.below(n) == 0 }

func pick[T any](d *dice, from []T) T { return from[d.below(len(from))] }

// Parts of values, with values that are easily confused next to each other.
var (
	oracleWords = []string{
		"", "a", "ab", "abc", "b", "A", "aB", "a b", "x y", "é", "e\u0301", "日本", "😀", "<b>&", `q"q`, `\`, "a\nb", "\t", "\u007f", "\u2028",
		"{{a}}", `\{{a}}`, "key=1", "42", "1.0", "true", "null", "٣", "ſ", "K", "aaaa", "abab", "_", "-",
	}
	oracleNumbers = []oatf.Number{
		"0", "-0", "0.0", "1", "1.0", "1e0", "2", "3", "42", "42.0", "4.2e1", "100", "1e2", "-7", "-7.0", "0.1", "0.10", "0.30000000000000004",
		"0.3", "9007199254740992", "9007199254740993", "-9007199254740993", "9223372036854775807", "9223372036854775808",
		"18446744073709551615", "18446744073709551616", "1.5", "1.7976931348623157e308", "5e-324",
	}
	oracleKeys = []string{"a", "b", "c", "name", "x-1", "0"}
)

// value returns a value of at most the depth.
func (d *dice) value(depth int) oatf.Value {
	if depth > 0 && d.oneIn(2) {
		if d.oneIn(2) {
			return d.list(depth)
		}
		return d.object(depth)
	}
	return d.scalar()
}

func (d *dice) scalar() oatf.Value {
	switch d.below(8) {
	case 0:
		return nil
	case 1:
		return d.oneIn(2)
	case 2, 3, 4:
		return pick(d, oracleNumbers)
	}
	return pick(d, oracleWords)
}

func (d *dice) list(depth int) []oatf.Value {
	list := make([]oatf.Value, d.below(4))
	for i := range list {
		list[i] = d.value(depth - 1)
	}
	return list
}

func (d *dice) object(depth int) oatf.Object {
	object := oatf.Object{}
	for range d.below(4) {
		object = set(object, pick(d, oracleKeys), d.value(depth-1))
	}
	return object
}

// set adds a member, unless there is one of the key.
func set(o oatf.Object, key string, v oatf.Value) oatf.Object {
	if _, some := o.Get(key); some {
		return o
	}
	return append(o, oatf.Member{Key: key, Value: v})
}

// variant returns a value that is nearly, or exactly, the same.
func (d *dice) variant(v oatf.Value) oatf.Value {
	switch v := v.(type) {
	case oatf.Object:
		v = slices.Clone(v)
		for i := range v {
			k := d.below(i + 1)
			v[i], v[k] = v[k], v[i]
		}
		if len(v) > 0 && d.oneIn(2) {
			i := d.below(len(v))
			v[i].Value = d.variant(v[i].Value)
		}
		return v
	case []oatf.Value:
		v = slices.Clone(v)
		if len(v) > 0 {
			i := d.below(len(v))
			v[i] = d.variant(v[i])
		}
		return v
	}
	if n, ok := v.(oatf.Number); ok && d.oneIn(2) {
		return d.near(n)
	}
	if d.oneIn(3) {
		return d.scalar()
	}
	return v
}

// near returns a number close to another.
func (d *dice) near(n oatf.Number) oatf.Number {
	i := slices.Index(oracleNumbers, n) + d.below(5) - 2
	return oracleNumbers[max(0, min(i, len(oracleNumbers)-1))]
}

// The regular expressions: those that RE2 has, those that it refuses, and those with groups.
var (
	oracleRegexes = []string{
		"a", "^a", "b$", "^$", "", "^a.*b$", "(?i)^A$", "(?i)k", "(?i)s", "[a-c]+$", `^\d+$`, `\w`, `^\w$`, `\s`, `\bab\b`, `\bb`, "é", `\pL`,
		`^\p{Han}+$`, "^.$", "(?s)a.b", "a.b", "(?m)^b$", "(a|b)+$", "a{2,}", "^(ab){2}$", "[^a]", "[[:alpha:]]", `\x{1F600}`, `"`, `\\`, "a*?b",
	}
	refusedRegexes = []string{"(?=a)", "(a", `\1`, "a**", "[b-a]", "(?<!a)b"}
	capturing      = []string{"(a)", "(a+)", "(a)|(b)", "(b)?a", "([^a]*)", `"a":(.)`, `(\d+)`, "a", "(?:a)b", "((a)b)", "(?i)(K)", `\{(.*)\}`, "(?P<n>b)"}
)

// operators returns an object of one to three operators, made for a value.
func (d *dice) operators(v oatf.Value) oatf.Object {
	operators := oatf.Object{}
	for range 1 + d.below(3) {
		name := pick(d, []string{"contains", "starts_with", "ends_with", "regex", "regex", "any_of", "gt", "lt", "gte", "lte", "exists"})
		operators = set(operators, name, d.operand(name, v))
	}
	return operators
}

func (d *dice) operand(name string, v oatf.Value) oatf.Value {
	switch name {
	case "regex":
		if d.oneIn(40) {
			return pick(d, refusedRegexes)
		}
		if text, _ := v.(string); len(text) > len([]rune(text)) && d.oneIn(3) {
			return pick(d, []string{`^\d+$`, `^\w`, `^\W$`, `\s`, `\S`, `\bé`, `(?i)^[a-z]$`})
		}
		return pick(d, oracleRegexes)
	case "any_of":
		choices := d.list(2)
		if d.oneIn(2) {
			choices = append(choices, d.variant(v))
		}
		return choices
	case "gt", "lt", "gte", "lte":
		if n, ok := v.(oatf.Number); ok && !d.oneIn(3) {
			return d.near(n)
		}
		return pick(d, oracleNumbers)
	case "exists":
		return !d.oneIn(3)
	}
	return d.part(v)
}

// part returns a text that is perhaps in the value.
func (d *dice) part(v oatf.Value) string {
	text, _ := v.(string)
	runes := []rune(text)
	if len(runes) == 0 || d.oneIn(3) {
		return pick(d, oracleWords)
	}
	from := d.below(len(runes))
	switch d.below(3) {
	case 0:
		return string(runes[:from])
	case 1:
		return string(runes[from:])
	}
	return string(runes[from : from+d.below(len(runes)-from)+1])
}

func (d *dice) condition(v oatf.Value) oatf.Value {
	switch d.below(10) {
	case 0, 1, 2:
		return d.variant(v)
	case 3:
		return d.value(2)
	}
	return d.operators(v)
}

func askCondition(d *dice) oatf.Object {
	v := d.scalar()
	if d.oneIn(3) {
		v = d.value(3)
	}
	return oatf.Object{{Key: "kind", Value: "condition"}, {Key: "condition", Value: d.condition(v)}, {Key: "value", Value: v}}
}

func askPredicate(d *dice) oatf.Object {
	v := d.object(3)
	return oatf.Object{{Key: "kind", Value: "predicate"}, {Key: "predicate", Value: d.predicate(v)}, {Key: "value", Value: v}}
}

// predicate returns a predicate of at most three entries.
func (d *dice) predicate(v oatf.Value) oatf.Object {
	predicate := oatf.Object{}
	for range d.below(4) {
		path, end := d.path(v, false)
		predicate = set(predicate, path, d.condition(end))
	}
	return predicate
}

// path returns a path that leads into a value, or almost, and the value there. A wildcard path continues after an
// element of a list.
func (d *dice) path(v oatf.Value, wildcard bool) (string, oatf.Value) {
	var path strings.Builder
	for !d.oneIn(5) {
		if list, ok := v.([]oatf.Value); ok && wildcard && path.Len() > 0 && len(list) > 0 && !d.oneIn(6) {
			path.WriteString("[*]")
			v = pick(d, list)
			continue
		}
		object, _ := v.(oatf.Object)
		if len(object) == 0 {
			break
		}
		m := pick(d, object)
		if path.Len() > 0 {
			path.WriteString(".")
		}
		path.WriteString(m.Key)
		v = m.Value
	}
	if d.oneIn(8) {
		path.WriteString(pick(d, []string{".a", ".missing", ".0", "[*]", "[*].a", "[0]", ".", "..a", "[*][*]", " ", ".é", "[*]a"}))
	}
	return path.String(), v
}

func askSimplePath(d *dice) oatf.Object {
	v := oatf.Value(d.object(5))
	if d.oneIn(10) {
		v = d.value(5)
	}
	path, _ := d.path(v, d.oneIn(10))
	return oatf.Object{{Key: "kind", Value: "simple"}, {Key: "path", Value: path}, {Key: "value", Value: v}}
}

func askWildcardPath(d *dice) oatf.Object {
	v := oatf.Value(d.object(6))
	if d.oneIn(10) {
		v = d.value(6)
	}
	path, _ := d.path(v, true)
	return oatf.Object{{Key: "kind", Value: "wildcard"}, {Key: "path", Value: path}, {Key: "value", Value: v}}
}

// messages adds extractors and, perhaps, the two messages to an input of a template.
func (d *dice) messages(input oatf.Object) oatf.Object {
	extractors := oatf.Object{}
	for _, name := range []string{"a", "b", "actor.a", "request.a", " a "} {
		if d.oneIn(2) {
			extractors = append(extractors, oatf.Member{Key: name, Value: pick(d, oracleWords)})
		}
	}
	input = append(input, oatf.Member{Key: "extractors", Value: extractors})
	for _, message := range []string{"request", "response"} {
		if !d.oneIn(3) {
			input = append(input, oatf.Member{Key: message, Value: d.object(3)})
		}
	}
	return input
}

// template returns a text of at most six pieces.
func (d *dice) template() string {
	var b strings.Builder
	for range d.below(7) {
		b.WriteString(pick(d, []string{
			"{{a}}", "{{b}}", "{{a}}", "{{actor.a}}", "{{request.a}}", "{{request.b}}", "{{request.a.b}}", "{{response.a}}", "{{response.c}}",
			"{{response.name}}", "{{request.}}", "{{request}}", "{{missing}}", "{{}}", "{{ a }}", "{{", "}}", "{", "}", `\`, `\{{`, `\{{a}}`, `\\{{b}}`,
			"text", " ", "é", "\n", "<&>", "{{request..a}}", "{{request.x-1}}",
		}))
	}
	return b.String()
}

func askTemplate(d *dice) oatf.Object {
	return d.messages(oatf.Object{{Key: "kind", Value: "template"}, {Key: "template", Value: d.template()}})
}

func askInterpolation(d *dice) oatf.Object {
	v := oatf.Object{{Key: "{{a}}", Value: d.template()}, {Key: "l", Value: []oatf.Value{d.scalar(), d.template(), d.value(2)}}}
	return d.messages(oatf.Object{{Key: "kind", Value: "interpolate"}, {Key: "value", Value: v}})
}

func askTrigger(d *dice) oatf.Object {
	event := pick(d, []string{"tools/call", "tools/call", "prompts/get", "tools/list", "task/status", "tool_call_start", "tool_call_end", "custom"})
	content := d.content()
	input := oatf.Object{{Key: "kind", Value: "trigger"}, {Key: "trigger", Value: d.trigger(event, content)}}
	if !d.oneIn(10) {
		if d.oneIn(20) {
			event += ":a"
		}
		e := oatf.Object{{Key: "event_type", Value: event}, {Key: "content", Value: content}}
		if d.oneIn(4) {
			e = append(e, oatf.Member{Key: "qualifier", Value: pick(d, oracleWords)})
		}
		input = append(input, oatf.Member{Key: "event", Value: e})
	}
	return append(
		input,
		oatf.Member{Key: "elapsed", Value: pick(d, []oatf.Number{"0", "4", "5", "9", "10", "60", "90000"})},
		oatf.Member{Key: "event_count", Value: pick(d, []oatf.Number{"0", "0", "1", "2"})},
		oatf.Member{Key: "protocol", Value: pick(d, []string{"mcp", "mcp", "mcp", "a2a", "ag_ui", "voice"})},
	)
}

// content returns the content of an event, in which a qualifier may be.
func (d *dice) content() oatf.Value {
	if d.oneIn(2) {
		return oatf.Object{
			{Key: "name", Value: d.scalar()},
			{Key: "toolCallName", Value: d.scalar()},
			{Key: "status", Value: oatf.Object{{Key: "state", Value: d.scalar()}}},
		}
	}
	return oatf.Object{{Key: "params", Value: oatf.Object{{Key: "name", Value: d.scalar()}, {Key: "a", Value: d.value(1)}}}}
}

// trigger returns a trigger that perhaps waits for the event.
func (d *dice) trigger(event string, content oatf.Value) oatf.Object {
	trigger := oatf.Object{}
	if !d.oneIn(10) {
		if d.oneIn(8) {
			event = "tools/call"
		}
		if d.oneIn(3) {
			event += ":" + d.qualifier(content)
		}
		trigger = append(trigger, oatf.Member{Key: "event", Value: event})
	}
	if d.oneIn(2) {
		trigger = append(trigger, oatf.Member{Key: "count", Value: pick(d, []oatf.Number{"0", "1", "1", "2", "3", "-1"})})
	}
	if d.oneIn(3) {
		trigger = append(trigger, oatf.Member{Key: "match", Value: d.predicate(content)})
	}
	if d.oneIn(3) {
		trigger = append(trigger, oatf.Member{Key: "after", Value: pick(d, []string{"0s", "5s", "10s", "1m", "PT10S", "PT1M", "P1D"})})
	}
	return trigger
}

// qualifier returns a word, or a value from the content.
func (d *dice) qualifier(content oatf.Value) string {
	for {
		object, _ := content.(oatf.Object)
		if len(object) == 0 {
			break
		}
		content = pick(d, object).Value
	}
	switch v := content.(type) {
	case string:
		return v
	case oatf.Number:
		return string(v)
	case bool:
		return map[bool]string{true: "true", false: "false"}[v]
	}
	return pick(d, oracleWords)
}

// The JSONPath expressions.
var oracleSelectors = []string{
	"$", "$.a", "$.b", "$.name", "$['x-1']", "$['0']", "$.*", "$[*]", "$[0]", "$[-1]", "$[1:]", "$[::-1]", "$[:-1]", "$..a", "$..*", "$..[0]", "$.a.b", "$.a[0]",
	"$.a[*].b", "$['b','a']", "$[1,0]", "$.a['b','c']", "$[?@.a]", "$[?!@.a]", "$[?@.a == @.b]", "$[?@ > 1]", "$[?@ == 'a']", "$[?@.a || @.b]", "$[?length(@) > 1]",
	"$[?count(@.*) == 2]", "$[?match(@, 'a.*')]", "$[?search(@, 'b')]", "$[?value(@.a) == 1]", "$..[?@.a == null].b", "$.a..b", "$..[1:2]", "$[?@.a <= 1]", "$[?@ == $[0]]",
}

func askExtractor(d *dice) oatf.Object {
	kind, selector := "json_path", pick(d, oracleSelectors)
	if d.oneIn(3) {
		kind, selector = "regex", pick(d, capturing)
	}
	var v oatf.Value = append(d.list(4), d.object(4))
	switch {
	case kind == "regex" && d.oneIn(2):
		v = pick(d, oracleWords) + pick(d, oracleWords)
	case d.oneIn(2):
		v = append(d.object(4), oatf.Member{Key: "last", Value: v})
	}
	extractor := oatf.Object{{Key: "name", Value: "x"}, {Key: "source", Value: "request"}, {Key: "type", Value: kind}, {Key: "selector", Value: selector}}
	return oatf.Object{{Key: "kind", Value: "extractor"}, {Key: "extractor", Value: extractor}, {Key: "value", Value: v}}
}
