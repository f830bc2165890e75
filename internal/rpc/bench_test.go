package rpc

import (
	"bytes"
	"testing"
)

// BenchmarkParse reads the envelope of a request of 10 MB: texts and small objects.
func BenchmarkParse(b *testing.B) {
	step := []byte(`{"type":"tool_call","name":"search","args":{"n":1234,"q":["a","b"]},"result":{"text":"` +
		string(bytes.Repeat([]byte("The quick brown fox jumps over the lazy dog. "), 20)) + `","score":0.5}},`)
	line := append([]byte(`{"jsonrpc":"2.0","id":1,"method":"evaluate_batch","params":[`), bytes.Repeat(step, 10<<20/len(step))...)
	line = append(line, `null]}`...)
	b.SetBytes(int64(len(line)))
	for b.Loop() {
		if _, fault := parseLine(line); fault != nil {
			b.Fatal(fault.Message)
		}
	}
}
