package attest_test

import (
	"context"
	"fmt"
	"runtime"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/cupel-dev/cupel/attest"
)

const smallTrace = `{"schema_version":1,"trace_id":"t","output":{"message":"m","n":1,"tree":%s}}`

// request returns the params of one assertion on smallTrace.
func request(tree, typ, spec string) []byte {
	return fmt.Appendf(nil, `{"trace":`+smallTrace+`,"assertions":[{"assertion_id":"a","type":"%s","spec":%s}]}`, tree, typ, spec)
}

// answer evaluates and returns the result, or the message of the error.
func answer(e *attest.Engine, params []byte) string {
	result, err := e.EvaluateBatch(context.Background(), params)
	if err != nil {
		refused := protocolError(err)
		return fmt.Sprint(refused.Code, " ", refused.Message)
	}
	return string(result)
}

// TestHostileSchemas: small schemas that ask for endless work, or reach outside.
func TestHostileSchemas(t *testing.T) {
	doubling := func(depth int, keyword string) string {
		var b strings.Builder
		b.WriteString(`{"$ref":"#/$defs/n0","$defs":{`)
		for i := range depth {
			fmt.Fprintf(&b, `"n%d":{"%s":[{"$ref":"#/$defs/n%d"},{"$ref":"#/$defs/n%d"}]},`, i, keyword, i+1, i+1)
		}
		fmt.Fprintf(&b, `"n%d":{"type":"string"}}}`, depth)
		return b.String()
	}
	dependent := func(depth int) string {
		s := strings.NewReplacer(`{"dependentSchemas":[`, `{"dependentSchemas":{"a":`, `},{"$ref"`, `},"b":{"$ref"`, `}]}`, `}}}`).Replace(doubling(depth, "dependentSchemas"))
		return strings.Replace(s, `"type":"string"`, `"minProperties":9`, 1)
	}
	branching := `{"$ref":"#/$defs/n","$defs":{"n":{"allOf":[{"properties":{"a":{"$ref":"#/$defs/n"}}},{"properties":{"a":{"$ref":"#/$defs/n"}}}]}}}`
	deep := strings.Repeat(`{"a":`, 60) + "1" + strings.Repeat("}", 60)
	wide := `{"properties":{` + strings.TrimSuffix(strings.Repeat(`"p":{},`, 20_000), ",") + `}}`
	var many strings.Builder
	for i := range 12_000 {
		fmt.Fprintf(&many, `"p%d":{},`, i)
	}
	for _, c := range []struct{ name, tree, schema, want string }{
		{"doubling references in allOf", "1", doubling(40, "allOf"), "too many steps"},
		{"doubling references in anyOf", "1", doubling(40, "anyOf"), "too many steps"},
		{"doubling references below not", "1", strings.Replace(doubling(40, "anyOf"), `"$ref":"#/$defs/n0"`, `"not":{"$ref":"#/$defs/n0"}`, 1), "too many steps"},
		{"doubling dependentSchemas below not", `{"a":1,"b":1}`, strings.Replace(dependent(40), `"$ref":"#/$defs/n0"`, `"not":{"$ref":"#/$defs/n0"}`, 1), "too many steps"},
		{"branching along a deep value", deep, branching, "too many steps"},
		{"a property 20,000 times", "1", wide, "pass"},
		{"12,000 properties", "1", `{"properties":{` + strings.TrimSuffix(many.String(), ",") + `}}`, "the schema has 12002 objects, the limit is 10000"},
		{"self reference", "1", `{"$ref":"#"}`, "leads back to itself"},
		{"file reference", "1", `{"$ref":"file:///etc/hostname"}`, "unresolvable reference"},
		{"metaschema from a file", "1", `{"$schema":"file:///etc/hostname"}`, "unknown $schema"},
		{"nested 900 deep", "1", strings.Repeat(`{"not":`, 900) + "true" + strings.Repeat("}", 900), "the schema is nested 900 levels deep, the limit is 256"},
		{"repetition that explodes", "1", `{"pattern":"((a{1000}){1000}){1000}"}`, "invalid regex"},
		{"huge repetition counts", "1", `{"minLength":1e300,"maxItems":1e300}`, ""},
		{"huge multipleOf", "1", `{"multipleOf":1e-300}`, ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			start := time.Now()
			got := answer(attest.NewEngine(attest.Options{}), request(c.tree, "schema", `{"target":"output.tree","schema":`+c.schema+`}`))
			if !strings.Contains(got, c.want) {
				t.Errorf("got %.300s, want %q in it", got, c.want)
			}
			t.Logf("%v: %.200s", time.Since(start).Round(time.Millisecond), got)
		})
	}
}

// TestHostileTrees: checks that would take far longer if they looked at everything again.
func TestHostileTrees(t *testing.T) {
	sub := func(id, members string, steps ...string) string {
		return fmt.Sprintf(`{"type":"agent_call","name":"n","sub_trace":{"schema_version":1,"trace_id":%q,"agent_id":%q%s,"steps":[%s]}}`, id, id, members, strings.Join(steps, ","))
	}
	output := func(value string) string { return `,"output":{"f":` + value + `}` }
	many := func(n int, text func(i int) string) string {
		list := make([]string, n)
		for i := range list {
			list[i] = text(i)
		}
		return strings.Join(list, ",")
	}
	text := `"` + strings.Repeat("x", 1_000_000)
	nested := "1"
	for range 200 {
		nested = `{"a":` + nested + `,"l":[` + many(100, func(int) string { return "1" }) + `]}`
	}
	flow := `{"check":"cross_agent_data_flow","from_agent":"a","to_agent":"b","field":"f%s"}`
	for _, c := range []struct {
		name, steps string
		spec        func(i int) string
		want        string
	}{
		{
			"values of 1 MB", sub("a", output(text+`"`)) + "," + sub("b", `,"input":{"l":[`+many(7, func(i int) string { return fmt.Sprintf(`%s%d"`, text, i) })+"]}"+output("1")),
			func(int) string { return fmt.Sprintf(flow, "") }, "is no value in the input of agent 'b'",
		},
		{
			"values within each other", sub("a", output(nested)) + "," + sub("b", `,"input":`+nested+output("1")),
			func(i int) string { return fmt.Sprintf(flow, strings.Repeat(".a", 1+i)) }, "is in the input of agent 'b'",
		},
		{
			"names in other orders", sub("a", output("{"+many(20_000, func(i int) string { return fmt.Sprintf(`"%d":1`, i) })+"}")) + "," +
				sub("b", `,"input":{"x":{`+many(20_000, func(i int) string { return fmt.Sprintf(`"%d":1`, 19_999-i) })+"}}"+output("1")),
			func(int) string { return fmt.Sprintf(flow, "") }, "is in the input of agent 'b'",
		},
		{
			"10,000 agents", many(10_000, func(i int) string { return fmt.Sprintf(`{"type":"llm_call","name":"n","agent_id":"%d"}`, i) }),
			func(i int) string { return fmt.Sprintf(`{"check":"agent_called","agent_id":"x%d"}`, i) }, "not called: the agents are ['0', ",
		},
		{
			"10,000 delegations", many(10_000, func(i int) string { return sub(fmt.Sprint(i), output("1")) }),
			func(int) string { return `{"check":"follows_transitions","transitions":[["a","b"]]}` }, "'9', ….",
		},
		{"1,000 groups", many(10_000, func(i int) string {
			return fmt.Sprintf(`{"type":"llm_call","name":"n","agent_id":"%d","started_at_ms":%d,"ended_at_ms":%d}`, i%1000, i%1000, i%1000+1)
		}), func(i int) string {
			return `{"check":"ordered_agents","groups":[` + many(1000, func(j int) string { return fmt.Sprintf(`["%d"]`, j) }) + "]}"
		}, "Agents are in the order of groups (1000 groups)."},
		{"times of no length", many(10_000, func(i int) string {
			return fmt.Sprintf(`{"type":"llm_call","name":"n","agent_id":"a","started_at_ms":%d.25e-300,"ended_at_ms":1e300}`, i)
		}), func(i int) string { return `{"check":"agent_wall_time_under","agent_id":"a","max_ms":1e300}` }, "Wall time of agent 'a' is 9999"},
	} {
		t.Run(c.name, func(t *testing.T) {
			start := time.Now()
			const n = 100 // so few that nothing is shortened
			got := answer(attest.NewEngine(attest.Options{Timeout: time.Hour}), fmt.Appendf(nil,
				`{"trace":{"schema_version":1,"trace_id":"t","output":{"m":1},"steps":[%s]},"assertions":[%s]}`, c.steps,
				many(n, func(i int) string {
					return fmt.Sprintf(`{"assertion_id":"%d","type":"trace_tree","spec":%s}`, i, c.spec(i))
				})))
			if strings.Count(got, c.want) != n {
				t.Errorf("%d times %q in %.600s", strings.Count(got, c.want), c.want, got)
			}
			t.Logf("%v", time.Since(start).Round(time.Millisecond))
		})
	}
}

// TestTimeout: work that takes too long ends as a 3002, in the words of §5.
func TestTimeout(t *testing.T) {
	e := attest.NewEngine(attest.Options{Timeout: 20 * time.Millisecond})
	huge := strings.Repeat("ab", 5_000)
	params := fmt.Sprintf(`{"trace":{"schema_version":1,"trace_id":"t","output":{"message":"%s"}},"assertions":[{"assertion_id":"a","type":"content","spec":{"target":"output.message","check":"regex_match","value":"(a?b?){500}(c|d){300}[xz]"}}]}`, huge)
	if got := answer(e, []byte(params)); got != "3002 evaluation timed out after 20ms" {
		t.Errorf("got %.200s", got)
	}
}

// TestCutShort checks that a cancelled evaluation does not report a timeout.
func TestCutShort(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	_, failed := attest.NewEngine(attest.Options{}).EvaluateBatch(ctx, request("1", "content", `{"target":"output.tree","check":"contains","value":"1"}`))
	if err := protocolError(failed); err == nil || err.Code != attest.CodeTimeout || err.Message != "evaluation was cancelled before it finished" {
		t.Errorf("got %+v", failed)
	}
}

// TestConcurrent evaluates one schema and one text in many requests at once.
func TestConcurrent(t *testing.T) {
	e := attest.NewEngine(attest.Options{})
	var wg sync.WaitGroup
	for range 64 {
		wg.Go(func() {
			for range 20 {
				got := answer(e, request("[1,2]", "schema", `{"target":"output","schema":{"properties":{"tree":{"items":{"type":"integer"}}}}}`))
				if !strings.Contains(got, `"status":"pass"`) {
					t.Error(got)
				}
				runtime.Gosched()
			}
		})
	}
	wg.Wait()
	if n := e.Evaluated(); n != 64*20 {
		t.Errorf("evaluated %d", n)
	}
}

// TestLongAnswers: up to 400 results fit 65,535 bytes, and none is dropped.
func TestLongAnswers(t *testing.T) {
	var list []string
	for i := range 400 {
		list = append(list, fmt.Sprintf(`{"assertion_id":"assert_%08x","type":"content","spec":{"target":"output.message","check":"contains","value":"%s"}}`, i, strings.Repeat("v", 300)))
	}
	params := fmt.Sprintf(`{"trace":`+smallTrace+`,"assertions":[%s]}`, "1", strings.Join(list, ","))
	got := answer(attest.NewEngine(attest.Options{}), []byte(params))
	if len(got) > 65_535-200 || strings.Count(got, `"status":"hard_fail"`) != 400 || strings.Count(got, "…") != 400 {
		t.Errorf("%d bytes, %d results, %d shortened", len(got), strings.Count(got, `"status"`), strings.Count(got, "…"))
	}
}

// FuzzEvaluate: no request makes the engine panic.
func FuzzEvaluate(f *testing.F) {
	f.Add("output.message", `{"check":"contains","value":"x"}`, `{"type":"object"}`)
	f.Add("steps[?name=='a'][-1].args['b']", `{}`, `{"$ref":"#/a","$id":"x"}`)
	f.Add("output", `{"check":"ordered_agents","groups":[["a"],["b"]]}`, `{"trace":{"schema_version":1,"trace_id":"t","output":"o","steps":[{"type":"agent_call","name":"n"}]}}`)
	e := attest.NewEngine(attest.Options{Timeout: time.Second})
	f.Fuzz(func(t *testing.T, target, spec, schema string) {
		for _, assertion := range []string{
			fmt.Sprintf(`{"assertion_id":"a","type":"schema","spec":{"target":%q,"schema":%s}}`, target, schema),
			fmt.Sprintf(`{"assertion_id":"a","type":"constraint","spec":{"field":%q,"operator":"gt","value":1}}`, target),
			fmt.Sprintf(`{"assertion_id":"a","type":"content","spec":%s}`, spec),
			fmt.Sprintf(`{"assertion_id":"a","type":"trace","spec":%s}`, spec),
			fmt.Sprintf(`{"assertion_id":"a","type":"trace_tree","spec":%s}`, spec),
		} {
			answer(e, fmt.Appendf(nil, `{"trace":`+smallTrace+`,"assertions":[%s]}`, "[1,{}]", assertion))
		}
		_, _ = e.AppendTraceTree(nil, []byte(schema)) // whatever it says
	})
}
