package main

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
)

// heavyRequest is a request that takes much memory.
type heavyRequest struct {
	name    string
	times   int // at once
	target  int // MiB
	request func(i int) request
}

// heavy lists the requests. Each of them, sent the given number of times at once, must stay below the memory
// target.
var heavy = []heavyRequest{
	{"9.9 MB trace, ten at once", 10, 80, func(int) request { return large() }},
	{"10 MB of one-digit numbers", 1, 256, func(int) request { return numbers(5_200_000, "1", sum) }},
	{"the same, twelve at once", 12, 256, func(int) request { return numbers(5_200_000, "1", sum) }},
	{"sum of 990,000 numbers, twelve at once", 12, 256, func(int) request { return numbers(990_000, "123456789", sum) }},
	{"990,000 texts, each checked", 1, 256, func(int) request { return numbers(990_000, "123456789", each) }},
	{"schema with 240,000 violations, twelve at once", 12, 256, func(int) request { return numbers(240_000, "1", violated) }},
	{"a text of 9.9 MB within 39 others", 1, 256, func(int) request { return nested() }},
	{"50,000 assertions, twelve at once", 12, 256, func(i int) request {
		return assertions(50_000, func(j int) string {
			return fmt.Sprintf(`{"target":"output.message","check":"contains","value":"%d %d"}`, i, j)
		})
	}},
	{"20,000 texts compared by their words, twelve at once", 12, 256, func(i int) request {
		return similarities(20_000, func(j int) string { return fmt.Sprintf("text %d of request %d", j, i) })
	}},
	{"40 large expressions, sixty at once", 60, 256, func(i int) request {
		return assertions(40, func(j int) string {
			return fmt.Sprintf(`{"target":"output.message","check":"regex_match","value":"(a?b?%d %d){1000}"}`, i, j)
		})
	}},
	{"80,000 agents, 1,000 checks, twelve at once", 12, 256, func(int) request {
		return agents(80_000, "", func(i int) string { return fmt.Sprintf(`{"check":"agent_called","agent_id":"nobody %d"}`, i) })
	}},
	{"costs of 70,000 agents, twelve at once", 12, 256, func(int) request {
		return agents(70_000, `,"metadata":{"cost_usd":1e-300}`, func(i int) string { return fmt.Sprintf(`{"check":"aggregate_cost","operator":"lte","value":%d}`, i) })
	}},
	{"900,000 values handed over, twelve at once", 12, 256, func(int) request { return handedOver(900_000) }},
}

const (
	sum      = `{"assertion_id":"a","type":"constraint","spec":{"field":"output.list[*].sum","operator":"gt","value":1}}`
	each     = `{"assertion_id":"a","type":"content","spec":{"target":"output.list[*]","check":"contains","value":"1"}}`
	violated = `{"assertion_id":"a","type":"schema","spec":{"target":"output.list","schema":{"items":{"type":"string"}}}}`
)

func list(n int, element string) string {
	return fmt.Sprintf(`{"schema_version":1,"trace_id":"trc_bench","output":{"list":[%s%s]}}`, strings.Repeat(element+",", n-1), element)
}

func numbers(n int, element, assertion string) request {
	return batch(list(n, element), []string{assertion})
}

func nested() request {
	const levels = 39
	text := strings.Repeat(`{"a":`, levels) + `"` + strings.Repeat("Xy ", 3_300_000) + `"` + strings.Repeat("}", levels)
	var list []string
	for i := range levels {
		list = append(list, fmt.Sprintf(`{"assertion_id":"a%d","type":"content","spec":{"target":"output%s","check":"contains","value":"nowhere %d"}}`, i, strings.Repeat(".a", i+1), i))
	}
	return batch(`{"schema_version":1,"trace_id":"trc_bench","output":{"a":`+text+`}}`, list)
}

func assertions(n int, spec func(i int) string) request {
	list := make([]string, n)
	for i := range list {
		list[i] = fmt.Sprintf(`{"assertion_id":"a%d","type":"content","spec":%s}`, i, spec(i))
	}
	return batch(trace(nil, "done"), list)
}

// agents returns a trace with n sub-traces of different agents and 1,000 checks.
func agents(n int, members string, check func(i int) string) request {
	const most = 10_000 // steps of a trace
	var groups []string
	for i := 0; i < n; {
		var calls []string
		for ; i < n && len(calls) < most; i++ {
			calls = append(calls, fmt.Sprintf(`{"type":"agent_call","name":"n","sub_trace":{"schema_version":1,"trace_id":"t","agent_id":"%d","output":{"m":1}%s}}`, i, members))
		}
		groups = append(groups, `{"type":"agent_call","name":"n","sub_trace":{"schema_version":1,"trace_id":"t","output":{"m":1},"steps":[`+strings.Join(calls, ",")+`]}}`)
	}
	assertions := make([]string, 1000)
	for i := range assertions {
		assertions[i] = fmt.Sprintf(`{"assertion_id":"a%d","type":"trace_tree","spec":%s}`, i, check(i))
	}
	return batch(trace(groups, "done"), assertions)
}

// handedOver returns an agent with n input values and one that outputs one of them.
func handedOver(n int) request {
	var values strings.Builder
	for i := range n {
		fmt.Fprintf(&values, "%d,", i)
	}
	return batch(trace([]string{
		`{"type":"agent_call","name":"n","sub_trace":{"schema_version":1,"trace_id":"a","agent_id":"a","output":{"m":5}}}`,
		`{"type":"agent_call","name":"n","sub_trace":{"schema_version":1,"trace_id":"b","agent_id":"b","output":{"m":1},"input":{"list":[` + values.String() + `"end"]}}}`,
	}, "done"), []string{`{"assertion_id":"a","type":"trace_tree","spec":{"check":"cross_agent_data_flow","from_agent":"a","to_agent":"b","field":"m"}}`})
}

// similarities compares n references with one text.
func similarities(n int, reference func(i int) string) request {
	list := make([]string, n)
	for i := range list {
		list[i] = fmt.Sprintf(`{"assertion_id":"a%d","type":"embedding","spec":{"target":"output.message","reference":%q,"model":"builtin/lexical"}}`, i, reference(i))
	}
	return batch(trace(nil, "done"), list)
}

// memory prints the peak memory of a new engine for each heavy request.
func memory(command []string) error {
	fmt.Printf("%-50s %12s   %s\n", "requests", "peak", "target")
	for _, h := range heavy {
		peak, err := h.peak(command)
		if err != nil {
			return fmt.Errorf("%s: %w", h.name, err)
		}
		fmt.Printf("%-50s %8.0f MiB   %d MiB\n", h.name, peak, h.target)
	}
	return nil
}

// peak sends the requests together and returns the engine's highest memory after all answers, including errors.
func (h heavyRequest) peak(command []string) (float64, error) {
	e, _, err := start(command)
	if err != nil {
		return 0, err
	}
	sent := make(chan error, 1)
	go func() {
		var err error
		for i := range h.times {
			err = errors.Join(err, e.send(h.request(i).line(i+1)))
		}
		sent <- err
	}()
	for range h.times {
		if err := e.skip(); err != nil {
			return 0, err
		}
	}
	_, peak := e.memory()
	return peak, errors.Join(<-sent, e.stop())
}

// skip reads and ignores one answer.
func (e *engine) skip() error {
	for {
		line, err := e.out.ReadSlice('\n')
		if bytes.HasSuffix(line, []byte("\n")) || err == nil {
			return nil
		}
		if len(line) == 0 {
			return fmt.Errorf("no answer: %w", err)
		}
	}
}

// writeTraces writes the files for `attest eval`: six traces of 10 MB of one kind each, and a suite.
func writeTraces(folder string) error {
	var large []string
	for size := 0; size < 9_900_000; size += len(large[len(large)-1]) + 1 {
		large = append(large, step(len(large), fmt.Sprintf(`{"document":%q}`, strings.Repeat("The quick brown fox. ", 50))))
	}
	files := map[string]string{
		"suite.json": "[" + sum + "]",
	}
	for i := range 6 {
		files[fmt.Sprintf("digits%d.json", i)] = list(5_200_000, "1")
		files[fmt.Sprintf("numbers%d.json", i)] = list(990_000, "123456789")
		files[fmt.Sprintf("steps%d.json", i)] = trace(large, "done")
	}
	for name, text := range files {
		if err := os.WriteFile(filepath.Join(folder, name), []byte(text), 0o600); err != nil {
			return err
		}
	}
	return nil
}
