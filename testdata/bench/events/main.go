// Events writes a stream of evidence events of about 600 bytes each to standard
// output, every run of it the same bytes, with recorded content hashes that are right.
// With -full each has all attributes that producers of bundles write, and about 810 bytes:
// 81,000,000 BYTES are 100,000 events. With -private one event in five is of a command, and has
// home folders and secrets in its subject and its data.
//
//	go run ./testdata/bench/events [-full] [-private] BYTES > events.ndjson
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
	private := flag.Bool("private", false, "paths and tokens in one event of five")
	flag.Parse()
	if flag.NArg() != 1 {
		fail("usage: events [-full] [-private] BYTES")
	}
	size, err := strconv.ParseInt(flag.Arg(0), 10, 64)
	if err != nil || size < 1 {
		fail("BYTES is %q, expected a positive number", flag.Arg(0))
	}
	w := bufio.NewWriterSize(os.Stdout, 1<<20)
	var line []byte
	for seq := 0; size > 0; seq++ {
		say := decision
		if *private && seq%5 == 4 {
			say = command
		}
		line = appendEvent(line[:0], seq, say(seq), *full)
		size -= int64(len(line))
		if _, err := w.Write(line); err != nil {
			fail("%v", err)
		}
	}
	if err := w.Flush(); err != nil {
		fail("%v", err)
	}
}

// content is the part of an event covered by its content hash, with canonical data.
type content struct{ kind, subject, data string }

// decision is the content of an event about a tool.
func decision(seq int) content {
	tools := [...]string{"read_file", "search_code", "run_tests", "fetch_url"}
	tool := tools[seq%len(tools)]
	return content{"assay.tool.decision", "tool:" + tool, fmt.Sprintf(`{"args_schema_hash":"sha256:%x","decision":"allow","delegated_from":"agent:planner","delegation_depth":%d,`+
		`"latency_ms":%d.5,"reason_code":"P_POLICY_ALLOW","tool":"%s"}`, sha256.Sum256([]byte(tool)), seq%3+1, seq%997, tool)}
}

// command returns the content of an event about a command, with private data.
func command(seq int) content {
	token := sha256.Sum256(fmt.Appendf(nil, "token:%d", seq))
	line := fmt.Sprintf("curl --token=%x -o /home/dev%d/out/report.txt https://ci:%x@example.com/r?id=%d", token[:12], seq%7, token[12:18], seq)
	return content{"assay.process.exec", line, fmt.Sprintf(`{"authorization":"Bearer %x","cmd":"%s","cwd":"/Users/dev%d/src/app/internal/report","env":["PATH=/usr/bin","HOME=/Users/dev%[3]d"],"hits":%d}`,
		token[:16], line, seq%7, seq%9+1)}
}

// appendEvent writes the event with the given number as producers do: data in the middle, unsorted names.
func appendEvent(dst []byte, seq int, c content, full bool) []byte {
	input := fmt.Sprintf(`{"data":%s,"datacontenttype":"application/json","specversion":"1.0","subject":"%s","type":"%s"}`, c.data, c.subject, c.kind)
	rest := ""
	if full {
		id := sha256.Sum256(fmt.Appendf(nil, "run_bench:%d", seq))
		rest = fmt.Sprintf(`,"assaygit":"4f1c9e2","assaypii":false,"assaysecrets":false,"assaypolicyid":"policy:bench:2026-03-02",`+
			`"traceparent":"00-%x-%x-01"`, id[:16], id[16:24])
	}
	return fmt.Appendf(dst, `{"specversion":"1.0","type":"%s","source":"urn:example:runner:7","id":"run_bench:%d",`+
		`"time":"2026-03-02T09:00:%02d.%03dZ","datacontenttype":"application/json","subject":"%s","data":%s,"assayrunid":"run_bench",`+
		`"assayseq":%d,"assayproducer":"bench","assayproducerversion":"1.0.0","assaycontenthash":"sha256:%x"%s}`+"\n",
		c.kind, seq, seq%60, seq%1000, c.subject, c.data, seq, sha256.Sum256([]byte(input)), rest)
}

func fail(format string, args ...any) {
	fmt.Fprintf(os.Stderr, "events: "+format+"\n", args...)
	os.Exit(2)
}
