package capture_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"testing"

	"github.com/cupel-dev/cupel/internal/strictjson"
	"github.com/cupel-dev/cupel/oatf/capture"
)

// session returns a JSON-RPC log of a number of calls, each with its answer.
func session(calls int) []byte {
	var b bytes.Buffer
	for i := range calls {
		fmt.Fprintf(&b, `{"jsonrpc":"2.0","id":%d,"method":"tools/call","params":{"name":"read_file","arguments":{"path":"/srv/data/report-%d.txt","limit":%d,"follow":false}}}`+"\n", i, i, i*10)
		fmt.Fprintf(&b, `{"jsonrpc":"2.0","id":%d,"result":{"content":[{"type":"text","text":"line one of the report\nline two, with %d \"quoted\" words and more of them until the text is as long as such texts are"},{"type":"resource","resource":{"uri":"file:///srv/data/report-%d.txt","mimeType":"text/plain","text":"again"}}],"isError":false}}`+"\n", i, i, i)
	}
	return b.Bytes()
}

func BenchmarkNext(b *testing.B) {
	text := session(1000)
	b.SetBytes(int64(len(text)))
	b.ReportAllocs()
	for b.Loop() {
		r := capture.NewReader(bytes.NewReader(text), capture.Options{})
		for {
			if _, err := r.Next(); err == io.EOF {
				break
			} else if err != nil {
				b.Fatal(err)
			}
		}
	}
}

// BenchmarkFloors are what the Reader is measured against, on the same lines: the scanner
// that it is built on, and the standard library's decoder.
func BenchmarkFloors(b *testing.B) {
	text := session(1000)
	lines := bytes.Split(bytes.TrimSuffix(text, []byte{'\n'}), []byte{'\n'})
	b.Run("scan", func(b *testing.B) {
		b.SetBytes(int64(len(text)))
		scanner := strictjson.NewScanner(strictjson.Limits{})
		for b.Loop() {
			for _, line := range lines {
				if _, err := scanner.Scan(line); err != nil {
					b.Fatal(err)
				}
			}
		}
	})
	b.Run("encoding/json", func(b *testing.B) {
		b.SetBytes(int64(len(text)))
		b.ReportAllocs()
		for b.Loop() {
			for _, line := range lines {
				var v any
				if err := json.Unmarshal(line, &v); err != nil {
					b.Fatal(err)
				}
			}
		}
	})
}
