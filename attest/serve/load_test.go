package serve

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"runtime"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
)

const initializeLine = `{"jsonrpc":"2.0","id":"init","method":"initialize","params":{"sdk_name":"test","sdk_version":"1","protocol_version":1,"required_capabilities":["layers_1_4"],"preferred_encoding":"json"}}`

// exampleParams returns the batch of §2.2 in layers 1 to 4, with a trace of its own per n.
func exampleParams(t *testing.T) func(n int) string {
	t.Helper()
	text, err := os.ReadFile("../../testdata/bench/attest/example.json")
	if err != nil {
		t.Fatal(err)
	}
	params := string(bytes.ReplaceAll(text, []byte("\n"), nil))
	return func(n int) string {
		return strings.ReplaceAll(params, "trc_abc123", fmt.Sprintf("trc_%d", n))
	}
}

// batchAnswer is what the tests read of an answer to evaluate_batch.
type batchAnswer struct {
	ID     any
	Error  any
	Result struct {
		Results []struct {
			AssertionID string `json:"assertion_id"`
			Status      string `json:"status"`
		}
	}
}

func (a *batchAnswer) check(t *testing.T) {
	t.Helper()
	if a.Error != nil || len(a.Result.Results) != 5 {
		t.Errorf("answer %v: error %v, %d results", a.ID, a.Error, len(a.Result.Results))
		return
	}
	for i, r := range a.Result.Results {
		if want := fmt.Sprintf("assert_%03d", i+1); r.AssertionID != want || r.Status != "pass" {
			t.Errorf("answer %v, result %d: %s %s, want %s pass", a.ID, i, r.AssertionID, r.Status, want)
		}
	}
}

// TestManyInFlight writes 3,000 requests before it reads an answer: each gets one of
// its own, whatever the order.
func TestManyInFlight(t *testing.T) {
	const requests = 3000
	params := exampleParams(t)
	c := converse(t, Options{})
	c.send([]string{initializeLine})
	for id := range requests {
		c.send([]string{fmt.Sprintf(`{"jsonrpc":"2.0","id":%d,"method":"evaluate_batch","params":%s}`, id, params(id%7))})
	}
	seen := map[any]bool{}
	for _, line := range c.receive(requests + 1) {
		var a batchAnswer
		if err := json.Unmarshal([]byte(line), &a); err != nil {
			t.Fatal(err)
		}
		if a.ID != "init" {
			a.check(t)
		}
		seen[a.ID] = true
	}
	if len(seen) != requests+1 {
		t.Errorf("%d ids answered, want %d", len(seen), requests+1)
	}
	c.send([]string{`{"jsonrpc":"2.0","id":"end","method":"shutdown"}`})
	if got, want := c.receive(1)[0], fmt.Sprintf(`{"jsonrpc":"2.0","id":"end","result":{"sessions_completed":1,"assertions_evaluated":%d}}`, 5*requests); got != want {
		t.Errorf("got %s, want %s", got, want)
	}
	if rest := c.end(); rest != "" {
		t.Errorf("the engine says more: %s", rest)
	}
}

// TestRequestIDsInFlight sends the same request ids 500 times at once: every
// assertion is evaluated once.
func TestRequestIDsInFlight(t *testing.T) {
	const requests = 500
	params := exampleParams(t)(1)
	for i := range 5 {
		id := fmt.Sprintf(`"assertion_id":"assert_%03d"`, i+1)
		params = strings.Replace(params, id, fmt.Sprintf(`%s,"request_id":"r%d"`, id, i), 1)
	}
	c := converse(t, Options{})
	c.send([]string{initializeLine})
	for id := range requests {
		c.send([]string{fmt.Sprintf(`{"jsonrpc":"2.0","id":%d,"method":"evaluate_batch","params":%s}`, id, params)})
	}
	c.receive(requests + 1)
	c.send([]string{`{"jsonrpc":"2.0","id":"end","method":"shutdown"}`})
	if got := c.receive(1)[0]; !strings.Contains(got, `"assertions_evaluated":5}`) {
		t.Errorf("got %s", got)
	}
	c.end()
}

// TestMemoryIsFlat runs many requests, each with a trace, ids and schemas of its own,
// and compares what is reachable after the first half with the end: the caches are full
// then, and nothing may grow any more.
func TestMemoryIsFlat(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		const half = 1500
		params := exampleParams(t)
		inR, inW := io.Pipe()
		outR, outW := io.Pipe()
		var server sync.WaitGroup
		server.Go(func() {
			if err := Serve(t.Context(), inR, outW, Options{}); err != nil {
				t.Error(err)
			}
		})
		answers := bufio.NewReader(outR)
		var writer sync.WaitGroup
		run := func(from, n int) {
			writer.Go(func() {
				for id := from; id < from+n; id++ {
					own := strings.Replace(params(id), `"minimum":0`, fmt.Sprintf(`"minimum":%d`, -id), 1)
					if _, err := fmt.Fprintf(inW, `{"jsonrpc":"2.0","id":%d,"method":"evaluate_batch","params":%s}`+"\n", id, own); err != nil {
						t.Error(err)
					}
				}
			})
			for range n {
				if _, err := answers.ReadSlice('\n'); err != nil {
					t.Fatal(err)
				}
			}
			writer.Wait()
		}
		if _, err := io.WriteString(inW, initializeLine+"\n"); err != nil {
			t.Fatal(err)
		}
		if _, err := answers.ReadString('\n'); err != nil {
			t.Fatal(err)
		}
		run(0, half)
		before := reachable()
		run(half, half)
		after := reachable()
		const tolerance = 4 << 20
		if after > before+tolerance {
			t.Errorf("reachable memory grew from %d to %d bytes", before, after)
		}
		t.Logf("%d bytes after %d requests, %d after %d", before, half, after, 2*half)
		_ = inW.Close()
		server.Wait()
	})
}

// reachable returns the memory in use after a collection.
func reachable() uint64 {
	runtime.GC()
	runtime.GC()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return m.HeapAlloc
}
