// Captures writes a JSON-RPC log of an agent that calls tools, for benchmarks: calls and
// their answers by turns, of about SIZE bytes each, up to BYTES bytes or N messages.
//
//	go run ./testdata/bench/captures [-messages N] [-total BYTES] [-bytes SIZE] > FILE
package main

import (
	"bufio"
	"flag"
	"fmt"
	"os"
	"strings"
)

func main() {
	messages := flag.Int("messages", 1<<62, "number of messages")
	total := flag.Int("total", 1<<62, "bytes of all messages")
	size := flag.Int("bytes", 1000, "bytes of each message")
	flag.Parse()
	out := bufio.NewWriterSize(os.Stdout, 1<<20)
	text := strings.Repeat("The quick brown fox jumps over the lazy dog; ", *size/45+1)[:max(0, *size-160)]
	for i, written := 0, 0; i < *messages && written < *total; i++ {
		line := fmt.Sprintf(`{"jsonrpc":"2.0","id":%d,"method":"tools/call","params":{"name":"search","arguments":{"query":%q,"limit":%d,"paths":["/srv/a","/srv/b"]}}}`, i/2, text, i)
		if i%2 == 1 {
			line = fmt.Sprintf(`{"jsonrpc":"2.0","id":%d,"result":{"content":[{"type":"text","text":%q},{"type":"text","text":"%d"}],"isError":false}}`, i/2, text, i)
		}
		written += len(line) + 1
		if _, err := out.WriteString(line + "\n"); err != nil {
			fail(err)
		}
	}
	if err := out.Flush(); err != nil {
		fail(err)
	}
}

func fail(err error) {
	fmt.Fprintln(os.Stderr, err)
	os.Exit(1)
}
