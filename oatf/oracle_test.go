package oatf_test

import (
	"bufio"
	"compress/gzip"
	"crypto/sha256"
	"encoding/hex"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/cupel-dev/cupel/oatf/model"

	"github.com/cupel-dev/cupel/oatf"
	"github.com/cupel-dev/cupel/oatf/capture"
	"github.com/cupel-dev/cupel/oatf/internal/value"
)

var writeOracleInputs = flag.String("oracle-inputs", "", "write the questions to the oracle to this file, one a line")

const oracleSeed = 331

// TestOracle compares the primitives with the recorded answers of an independent implementation;
// testdata/oracle/README.md names it, and explains how they were recorded. If the two disagree, the specification
// decides for the input's class: disagreements.yaml names the clauses, and counts the inputs of each class so that
// neither side changes unseen.
func TestOracle(t *testing.T) {
	inputs := oracleInputs(oracleSeed)
	digest, answers := recordedAnswers(t)
	if *writeOracleInputs != "" {
		writeInputs(t, inputs)
	}
	if got := digestOf(inputs); got != digest || len(answers) != len(inputs) {
		t.Fatalf("%d answers are of the questions %s; these are %d, %s: they must be recorded anew", len(answers), digest, len(inputs), got)
	}
	found := map[string]int{}
	for i, input := range inputs {
		answer := oracleAnswer(input)
		got := string(value.JSON(nil, answer))
		if got == answers[i] {
			continue
		}
		if recorded, err := capture.Decode([]byte(answers[i]), capture.Limits{}); err == nil && sameValues(answer, recorded) {
			continue
		}
		class := classOf(input)
		if found[class]++; class == "" {
			t.Errorf("question %d: %s\nrecorded %s\n     got %s", i+1, value.JSON(nil, input), answers[i], got)
		}
	}
	for class, count := range recordedDisagreements(t) {
		if found[class] != count {
			t.Errorf("%d disagreements are of the class %q, expected %d", found[class], class, count)
		}
		delete(found, class)
	}
	for class, count := range found {
		t.Errorf("%d disagreements are of the class %q, which disagreements.yaml lacks", count, class)
	}
}

func writeInputs(t *testing.T, inputs []oatf.Object) {
	t.Helper()
	var text []byte
	for _, input := range inputs {
		text = append(value.JSON(text, input), '\n')
	}
	if err := os.WriteFile(*writeOracleInputs, text, 0o600); err != nil {
		t.Fatal(err)
	}
}

func digestOf(inputs []oatf.Object) string {
	h := sha256.New()
	for _, input := range inputs {
		h.Write(append(value.JSON(nil, input), '\n'))
	}
	return "sha256:" + hex.EncodeToString(h.Sum(nil))
}

// recordedAnswers reads the digest of the questions, and the answer to each.
func recordedAnswers(t *testing.T) (digest string, answers []string) {
	t.Helper()
	f, err := os.Open(filepath.Join("testdata", "oracle", "answers.gz"))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	z, err := gzip.NewReader(f)
	if err != nil {
		t.Fatal(err)
	}
	lines := bufio.NewScanner(z)
	for lines.Scan() {
		answers = append(answers, lines.Text())
	}
	if lines.Err() != nil || len(answers) == 0 {
		t.Fatalf("%d lines: %v", len(answers), lines.Err())
	}
	return answers[0], answers[1:]
}

// recordedDisagreements returns how many inputs of each class have two answers.
func recordedDisagreements(t *testing.T) map[string]int {
	t.Helper()
	text, err := os.ReadFile(filepath.Join("testdata", "oracle", "disagreements.yaml"))
	if err != nil {
		t.Fatal(err)
	}
	value, err := oatf.ParseValue(text)
	if err != nil {
		t.Fatal(err)
	}
	counts := map[string]int{}
	for _, item := range value.([]oatf.Value) {
		class := item.(oatf.Object)
		for _, member := range []string{"clause", "why"} {
			if v, _ := class.Get(member); v == nil {
				t.Errorf("%v lacks %s", class, member)
			}
		}
		name, _ := class.Get("class")
		count, _ := class.Get("count")
		n, _ := count.(oatf.Number).Int64()
		counts[name.(string)] = int(n)
	}
	return counts
}

// oracleAnswer returns our answer to a question, as the oracle spells it. An error, which the
// oracle has not, is the string "error".
func oracleAnswer(input oatf.Object) oatf.Value {
	get := func(key string) oatf.Value { v, _ := input.Get(key); return v }
	switch get("kind") {
	case "condition":
		c, err := oatf.ConditionOf(get("condition"))
		if err != nil {
			return err.Error()
		}
		return orError(oatf.EvaluateCondition(c, get("value")))
	case "predicate":
		p, err := oatf.PredicateOf(get("predicate"))
		if err != nil {
			return err.Error()
		}
		return orError(oatf.EvaluatePredicate(p, get("value")))
	case "simple":
		if v, found := oatf.ResolveSimplePath(get("path").(string), get("value")); found {
			return []oatf.Value{v}
		}
		return []oatf.Value{}
	case "wildcard":
		return orError(oatf.ResolveWildcardPath(get("path").(string), get("value")))
	case "template":
		extractors, request, response := oracleMessages(input)
		text, diagnostics := oatf.InterpolateTemplate(get("template").(string), extractors, request, response)
		return []oatf.Value{text, number(len(diagnostics))}
	case "interpolate":
		extractors, request, response := oracleMessages(input)
		value, diagnostics := oatf.InterpolateValue(get("value"), extractors, request, response)
		return []oatf.Value{value, number(len(diagnostics))}
	case "extractor":
		return oracleExtractor(get)
	case "trigger":
		return oracleTrigger(get)
	}
	panic(fmt.Sprint("no answer to ", input))
}

func orError[T any](v T, err error) oatf.Value {
	if err != nil {
		return "error"
	}
	return v
}

func number(n int) oatf.Number { return oatf.Number(strconv.Itoa(n)) }

func oracleMessages(input oatf.Object) (extractors map[string]string, request, response *oatf.Value) {
	extractors = map[string]string{}
	v, _ := input.Get("extractors")
	for _, m := range v.(oatf.Object) {
		extractors[m.Key] = m.Value.(string)
	}
	if v, some := input.Get("request"); some {
		request = &v
	}
	if v, some := input.Get("response"); some {
		response = &v
	}
	return extractors, request, response
}

func oracleExtractor(get func(string) oatf.Value) oatf.Value {
	written := get("extractor").(oatf.Object)
	kind, _ := written.Get("type")
	selector, _ := written.Get("selector")
	extractor := &oatf.Extractor{Name: "x", Source: model.SourceRequest, Type: model.ExtractorType(kind.(string)), Selector: selector.(string)}
	text, ok, err := oatf.EvaluateExtractor(extractor, get("value"), model.SourceRequest)
	switch {
	case err != nil:
		return "error"
	case !ok:
		return nil
	}
	return text
}

func oracleTrigger(get func(string) oatf.Value) oatf.Value {
	trigger, err := oatf.TriggerOf(get("trigger"))
	if err != nil {
		return err.Error()
	}
	var event *oatf.ProtocolEvent
	if e, some := get("event").(oatf.Object); some {
		event = &oatf.ProtocolEvent{}
		kind, _ := e.Get("event_type")
		event.EventType = kind.(string)
		event.Content, _ = e.Get("content")
		if q, some := e.Get("qualifier"); some {
			text := q.(string)
			event.Qualifier = &text
		}
	}
	count, _ := get("event_count").(oatf.Number).Int64()
	elapsed, _ := get("elapsed").(oatf.Number).Int64()
	state := &oatf.TriggerState{EventCount: count}
	result, err := oatf.EvaluateTrigger(trigger, event, time.Duration(elapsed)*time.Second, state, oatf.Protocol(get("protocol").(string)))
	if err != nil {
		return "error"
	}
	word := "not_advanced"
	if result.Advanced {
		word = string(result.Reason)
	}
	return []oatf.Value{word, number(int(state.EventCount))}
}

// sameValues reports whether two values are one for a reader of JSON whose numbers are doubles,
// as the oracle's are: what a path finds is compared so, since it is not a path's business
// how numbers are spelled.
func sameValues(a, b oatf.Value) bool {
	switch a := a.(type) {
	case oatf.Number:
		n, ok := b.(oatf.Number)
		return ok && a.Float64() == n.Float64()
	case []oatf.Value:
		list, ok := b.([]oatf.Value)
		return ok && slices.EqualFunc(a, list, sameValues)
	case oatf.Object:
		object, ok := b.(oatf.Object)
		return ok && slices.EqualFunc(a, object, func(m, n oatf.Member) bool { return m.Key == n.Key && sameValues(m.Value, n.Value) })
	}
	return a == b
}

// oracleClasses are the classes of inputs that have two answers, by what the input says;
// text is its JSON. An input is of the first class that it fits.
var oracleClasses = []struct {
	name string
	fits func(input oatf.Object, text string) bool
}{
	{"exists-false", func(input oatf.Object, text string) bool {
		return input[0].Value == "condition" && strings.Contains(text, `"exists":false`)
	}},
	{"refused-regex", func(_ oatf.Object, text string) bool { return containsAny(text, quotedTexts(refusedRegexes)) }},
	{"ascii-classes", func(_ oatf.Object, text string) bool {
		return strings.Contains(text, `"regex"`) && containsAny(text, []string{`\\d`, `\\w`, `\\s`, `\\b`, `\\W`, `\\S`})
	}},
	{"no-path", func(input oatf.Object, _ string) bool {
		path, _ := input.Get("path")
		text, ok := path.(string)
		return ok && !oatf.CheckWildcardPath(text)
	}},
	{"qualified-event", func(_ oatf.Object, text string) bool { return strings.Contains(text, `:a","content"`) }},
	{"negative-count", func(_ oatf.Object, text string) bool { return strings.Contains(text, `"count":-1`) }},
	{"qualifier-number", func(input oatf.Object, text string) bool {
		return input[0].Value == "trigger" && containsAny(text, respelled(`":%s,`))
	}},
	{"exact-numbers", func(input oatf.Object, text string) bool {
		return !givesText(input) && containsAny(text, []string{"900719925474099", "922337203685477580", "1844674407370955161"})
	}},
	{"number-spelling", func(input oatf.Object, text string) bool {
		return givesText(input) && containsAny(text, respelled("%s"))
	}},
}

// givesText reports whether the answer is a text, or has texts, that values were put into.
func givesText(input oatf.Object) bool {
	return slices.Contains([]oatf.Value{"template", "interpolate", "extractor"}, input[0].Value)
}

// respelled returns the numbers that the oracle, or RFC 8785, spells otherwise than their author.
func respelled(format string) []string {
	var list []string
	for _, n := range oracleNumbers {
		if strings.ContainsAny(string(n), ".e") || n == "-0" || n == "18446744073709551616" {
			list = append(list, fmt.Sprintf(format, n))
		}
	}
	return list
}

func quotedTexts(texts []string) []string {
	var list []string
	for _, s := range texts {
		list = append(list, string(value.JSON(nil, s)))
	}
	return list
}

func containsAny(text string, parts []string) bool {
	return slices.ContainsFunc(parts, func(part string) bool { return strings.Contains(text, part) })
}

func classOf(input oatf.Object) string {
	text := string(value.JSON(nil, input))
	for _, class := range oracleClasses {
		if class.fits(input, text) {
			return class.name
		}
	}
	return ""
}
