// Events writes a stream of evidence events of about 600 bytes each to standard
// output, every run of it the same bytes, with recorded content hashes that are right.
// With -full each has all attributes that producers of bundles write, and about 810 bytes:
// 81,000,000 BYTES are 100,000 events.
//
//	go run ./testdata/bench/events [-full] BYTES > events.ndjson
package main

import (
	"bufio"
	"crypto/sha256"
	"flag"
	"fmt"
	"os"
	"strconv"
)

func main() {
	full := flag.Bool("full", false, "all attributes that producers of bundles write")
	flag.Parse()
	if flag.NArg() != 1 {
		fail("usage: events [-full] BYTES")
	}
	size, err := strconv.ParseInt(flag.Arg(0), 10, 64)
	if err != nil || size < 1 {
		fail("BYTES is %q, expected a positive number", flag.Arg(0))
	}
	w := bufio.NewWriterSize(os.Stdout, 1<<20)
	var line []byte
	for seq := 0; size > 0; seq++ {
		line = appendEvent(line[:0], seq, *full)
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
func appendEvent(dst []byte, seq int, full bool) []byte {
	tools := [...]string{"read_file", "search_code", "run_tests", "fetch_url"}
	tool := tools[seq%len(tools)]
	data := fmt.Sprintf(`{"args_schema_hash":"sha256:%x","decision":"allow","delegated_from":"agent:planner","delegation_depth":%d,`+
		`"latency_ms":%d.5,"reason_code":"P_POLICY_ALLOW","tool":"%s"}`, sha256.Sum256([]byte(tool)), seq%3+1, seq%997, tool)
	input := fmt.Sprintf(`{"data":%s,"datacontenttype":"application/json","specversion":"1.0","subject":"tool:%s","type":"assay.tool.decision"}`, data, tool)
	rest := ""
	if full {
		id := sha256.Sum256(fmt.Appendf(nil, "run_bench:%d", seq))
		rest = fmt.Sprintf(`,"assaygit":"4f1c9e2","assaypii":false,"assaysecrets":false,"assaypolicyid":"policy:bench:2026-03-02",`+
			`"traceparent":"00-%x-%x-01"`, id[:16], id[16:24])
	}
	return fmt.Appendf(dst, `{"specversion":"1.0","type":"assay.tool.decision","source":"urn:example:runner:7","id":"run_bench:%d",`+
		`"time":"2026-03-02T09:00:%02d.%03dZ","datacontenttype":"application/json","subject":"tool:%s","data":%s,"assayrunid":"run_bench",`+
		`"assayseq":%d,"assayproducer":"bench","assayproducerversion":"1.0.0","assaycontenthash":"sha256:%x"%s}`+"\n",
		seq, seq%60, seq%1000, tool, data, seq, sha256.Sum256([]byte(input)), rest)
}

func fail(format string, args ...any) {
	fmt.Fprintf(os.Stderr, "events: "+format+"\n", args...)
	os.Exit(2)
}
