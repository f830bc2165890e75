package main

import (
	"bytes"
	_ "embed"
	"fmt"
	"strconv"
	"strings"
)

// request is an evaluate_batch request whose id can be set.
type request struct{ params []byte }

func (r request) line(id int) []byte {
	line := append(make([]byte, 0, len(r.params)+80), `{"jsonrpc":"2.0","id":`...)
	line = strconv.AppendInt(line, int64(id), 10)
	line = append(line, `,"method":"evaluate_batch","params":`...)
	return append(append(line, r.params...), "}\n"...)
}

//go:embed example.json
var exampleParams []byte

// example returns the batch of the protocol's §2.2 without layer 6. It has no request ids, because the engine would
// answer repeated ids from its cache.
func example() request {
	return request{bytes.ReplaceAll(exampleParams, []byte("\n"), nil)}
}

func trace(steps []string, message string) string {
	return fmt.Sprintf(`{"schema_version":1,"trace_id":"trc_bench","steps":[%s],"output":{"message":%q,"structured":{"refund_id":"RFD-001","confidence":0.95}},"metadata":{"cost_usd":0.0067}}`,
		strings.Join(steps, ","), message)
}

func batch(trace string, assertions []string) request {
	return request{fmt.Appendf(nil, `{"trace":%s,"assertions":[%s]}`, trace, strings.Join(assertions, ","))}
}

func step(i int, result string) string {
	return fmt.Sprintf(`{"type":"tool_call","name":"tool_%d","args":{"n":%d},"result":%s,"metadata":{"duration_ms":5}}`, i, i, result)
}

// many is 10,000 steps and 1,000 assertions of layers 2 to 4.
func many() request {
	steps := make([]string, 10_000)
	for i := range steps {
		steps[i] = step(i, `{"ok":true,"value":"some text"}`)
	}
	assertions := make([]string, 1000)
	for i := range assertions {
		spec := fmt.Sprintf(`{"check":"contains_in_order","tools":["tool_%d","tool_%d"]}`, i, 9000+i)
		kind := "trace"
		switch i % 4 {
		case 1:
			kind, spec = "constraint", `{"field":"steps.length","operator":"lte","value":10000}`
		case 2:
			kind, spec = "content", fmt.Sprintf(`{"target":"steps[?name=='tool_%d'].result.value","check":"contains","value":"text"}`, 10*i)
		case 3:
			kind, spec = "trace", fmt.Sprintf(`{"check":"loop_detection","tool":"tool_%d","max_repetitions":1}`, i)
		}
		assertions[i] = fmt.Sprintf(`{"assertion_id":"a%d","type":%q,"spec":%s}`, i, kind, spec)
	}
	return batch(trace(steps, "done"), assertions)
}

// large returns a trace of 9.9 MB with one assertion per layer.
func large() request {
	text := strings.Repeat("The quick brown fox jumps over the lazy dog. ", 22)
	var steps []string
	for size := 0; size < 9_900_000-4000; size += len(steps[len(steps)-1]) + 1 {
		steps = append(steps, step(len(steps), fmt.Sprintf(`{"document":%q,"score":0.5,"tags":["a","b"]}`, text)))
	}
	return batch(trace(steps, "Your refund is on its way"), []string{
		`{"assertion_id":"a1","type":"schema","spec":{"target":"output.structured","schema":{"type":"object","required":["refund_id"]}}}`,
		`{"assertion_id":"a2","type":"constraint","spec":{"field":"metadata.cost_usd","operator":"lte","value":0.01}}`,
		`{"assertion_id":"a3","type":"trace","spec":{"check":"required_tools","tools":["tool_1","tool_5000"]}}`,
		`{"assertion_id":"a4","type":"content","spec":{"target":"output.message","check":"contains","value":"refund"}}`,
	})
}

// sameSchema returns 500 assertions with the same schema.
func sameSchema() request {
	const schema = `{"$schema":"https://json-schema.org/draft/2020-12","type":"object","required":["refund_id","confidence"],"properties":{"refund_id":{"type":"string","pattern":"^RFD-\\d+$"},"confidence":{"type":"number","minimum":0.0,"maximum":1.0}},"additionalProperties":false}`
	assertions := make([]string, 500)
	for i := range assertions {
		assertions[i] = fmt.Sprintf(`{"assertion_id":"a%d","type":"schema","spec":{"target":"output.structured","schema":%s}}`, i, schema)
	}
	return batch(trace(nil, "done"), assertions)
}

// searches returns 500 content checks on a text of 400 kB. value returns the value of check i.
func searches(check string, value func(i int) string) request {
	var text strings.Builder
	for i := 0; text.Len() < 400_000; i++ {
		fmt.Fprintf(&text, "Order %d was delivered to the customer. ", i*7919%100_000)
	}
	assertions := make([]string, 500)
	for i := range assertions {
		assertions[i] = fmt.Sprintf(`{"assertion_id":"a%d","type":"content","spec":{"target":"output.message","check":%q,"value":%q}}`, i, check, value(i))
	}
	return batch(trace(nil, text.String()), assertions)
}

func substrings() request {
	return searches("contains", func(i int) string { return fmt.Sprintf("phrase %d that is nowhere", i) })
}

func expressions() request {
	return searches("regex_match", func(i int) string { return fmt.Sprintf(`refund-%d\d{3,}`, i) })
}

// trees returns a trace with 100 sub-traces of 20 agents, 10,000 steps in all, and 1,000 checks of all thirteen
// kinds.
func trees() request {
	var calls []string
	for i := range 100 {
		steps := make([]string, 99)
		for j := range steps {
			start := 1_700_000_000_000 + 500*i + 10*j
			steps[j] = fmt.Sprintf(`{"type":"tool_call","name":"tool_%d","args":{"n":%d},"result":{"ok":true},"started_at_ms":%d,"ended_at_ms":%d}`, j, j, start, start+15)
		}
		calls = append(calls, fmt.Sprintf(`{"type":"agent_call","name":"call_%d","sub_trace":{"schema_version":1,"trace_id":"trc_%d","agent_id":"agent_%d","parent_trace_id":"trc_bench",`+
			`"input":{"task":{"order":"O-%d","lines":[1,2,3]}},"steps":[%s],"output":{"message":"Order O-%d is on its way","order":"O-%d"},"metadata":{"total_tokens":%d,"cost_usd":0.001,"latency_ms":%d}}}`,
			i, i, i%20, i-1, strings.Join(steps, ","), i, i, i, i))
	}
	root := fmt.Sprintf(`{"schema_version":1,"trace_id":"trc_bench","agent_id":"root","steps":[%s],"output":{"message":"done"}}`, strings.Join(calls, ","))
	assertions := make([]string, 1000)
	for i := range assertions {
		a, b := i%20, (i+1)%20
		spec := []string{
			fmt.Sprintf(`"check":"agent_called","agent_id":"agent_%d"`, i%25),
			fmt.Sprintf(`"check":"delegation_depth","max_depth":%d`, i%2),
			fmt.Sprintf(`"check":"agent_output_contains","agent_id":"agent_%d","value":"o-%d is on"`, a, i%100),
			fmt.Sprintf(`"check":"cross_agent_data_flow","from_agent":"agent_%d","to_agent":"agent_%d","field":"order"`, a, b),
			`"check":"follows_transitions","transitions":[["root","agent_0"],["root","agent_1"]]`,
			fmt.Sprintf(`"check":"aggregate_cost","operator":"lte","value":0.%d`, i),
			fmt.Sprintf(`"check":"aggregate_tokens","operator":"lte","value":%d`, i),
			fmt.Sprintf(`"check":"aggregate_latency","operator":"lte","value":%d`, i),
			fmt.Sprintf(`"check":"agent_ordered_before","agent_a":"agent_%d","agent_b":"agent_%d"`, a, b),
			fmt.Sprintf(`"check":"agents_overlap","agent_a":"agent_%d","agent_b":"agent_%d"`, a, b),
			fmt.Sprintf(`"check":"agent_wall_time_under","agent_id":"agent_%d","max_ms":%d`, a, i),
			fmt.Sprintf(`"check":"ordered_agents","groups":[["agent_%d"],["agent_%d"]]`, a, b),
			fmt.Sprintf(`"check":"all_tools_called","tools":["tool_%d","tool_%d"]`, i%99, i%120),
		}[i%13]
		assertions[i] = fmt.Sprintf(`{"assertion_id":"a%d","type":"trace_tree","spec":{%s}}`, i, spec)
	}
	return batch(root, assertions)
}
