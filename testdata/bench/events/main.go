// Events writes a stream of evidence events of about 600 bytes each to standard
// output, every run of it the same bytes, with recorded content hashes that are right.
//
//	go run ./testdata/bench/events BYTES > events.ndjson
package main

import (
	"bufio"
	"crypto/sha256"
	"fmt"
	"os"
	"strconv"
)

func main() {
	if len(os.Args) != 2 {
		fail("usage: events BYTES")
	}
	size, err := strconv.ParseInt(os.Args[1], 10, 64)
	if err != nil || size < 1 {
		fail("BYTES is %q, expected a positive number", os.Args[1])
	}
	w := bufio.NewWriterSize(os.Stdout, 1<<20)
	var line []byte
	for seq := 0; size > 0; seq++ {
		line = appendEvent(line[:0], seq)
		size -= int64(len(line))
		if _, err := w.Write(line); err != nil {
			fail("%v", err)
		}
	}
	if err := w.Flush(); err != nil {
		fail("%v", err)
	}
}

// appendEvent writes the event with the given number, spelled as producers do: data in
// the middle, names in no order.
func appendEvent(dst []byte, seq int) []byte {
	tools := [...]string{"read_file", "search_code", "run_tests", "fetch_url"}
	tool := tools[seq%len(tools)]
	data := fmt.Sprintf(`{"args_schema_hash":"sha256:%x","decision":"allow","delegated_from":"agent:planner","delegation_depth":%d,`+
		`"latency_ms":%d.5,"reason_code":"P_POLICY_ALLOW","tool":"%s"}`, sha256.Sum256([]byte(tool)), seq%3+1, seq%997, tool)
	input := fmt.Sprintf(`{"data":%s,"datacontenttype":"application/json","specversion":"1.0","subject":"tool:%s","type":"assay.tool.decision"}`, data, tool)
	return fmt.Appendf(dst, `{"specversion":"1.0","type":"assay.tool.decision","source":"urn:example:runner:7","id":"run_bench:%d",`+
		`"time":"2026-03-02T09:00:%02d.%03dZ","datacontenttype":"application/json","subject":"tool:%s","data":%s,"assayrunid":"run_bench",`+
		`"assayseq":%d,"assayproducer":"bench","assayproducerversion":"1.0.0","assaycontenthash":"sha256:%x"}`+"\n",
		seq, seq%60, seq%1000, tool, data, seq, sha256.Sum256([]byte(input)))
}

func fail(format string, args ...any) {
	fmt.Fprintf(os.Stderr, "events: "+format+"\n", args...)
	os.Exit(2)
}
