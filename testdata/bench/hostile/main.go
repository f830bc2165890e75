// Hostile writes inputs that are made to take memory into a folder: long lines that are
// all values, all text, all escapes, all members, many of them one after another, in
// both families and both layouts; and documents of many lines.
//
//	go run ./testdata/bench/hostile DIR
package main

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
)

// lineBytes is the longest line that is read by default.
const lineBytes = 16 << 20

// values and members are a little below the default limits of a line.
const (
	values  = 900_000
	members = 99_000
)

func main() {
	if len(os.Args) != 2 {
		fmt.Fprintln(os.Stderr, "usage: hostile DIR")
		os.Exit(2)
	}
	for name, text := range inputs() {
		if err := os.WriteFile(filepath.Join(os.Args[1], name), []byte(text), 0o600); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
	}
}

func inputs() map[string]string {
	long := strings.Repeat("x", lineBytes-200)
	list := "[" + strings.Repeat("1,", values) + "1]"
	return map[string]string{
		"beyond-values.jsonl": strings.Repeat(`{"a":[`+strings.Repeat("1,", lineBytes/2-8)+"1]}\n", 8),
		"values.jsonl":        strings.Repeat(bare(`"x":`+list)+"\n", 12),
		"values.json":         "[" + strings.TrimSuffix(strings.Repeat(bare(`"x":`+list)+",", 12), ",") + "]",
		"text.jsonl":          strings.Repeat(bare(`"x":"`+long+`"`)+"\n", 12),
		"escapes.jsonl":       strings.Repeat(bare(`"x":"`+strings.Repeat(`\u00e9`, len(long)/6)+`"`)+"\n", 12),
		"members.jsonl":       strings.Repeat(bare(named())+"\n", 12),
		"reasoning-values.jsonl": steps(func(i int) string {
			return fmt.Sprintf(`{"idx":%d,"kind":"step_started","step_id":"s%d","x":%s}`, i, i, list)
		}),
		"reasoning-text.jsonl": steps(func(i int) string {
			return fmt.Sprintf(`{"idx":%d,"kind":"step_started","step_id":"%s"}`, i, long)
		}),
		"notes.jsonl": notes(),

		"evidence-homes.ndjson":   events(`"detail":[` + many(`"/home/a/b"`) + `]`),
		"evidence-markers.ndjson": events(`"detail":"` + strings.Repeat("token=abcdef ", eventBytes/13) + `"`),
		"evidence-names.ndjson":   events(`"detail":[` + many(`{"token":1}`) + `]`),
		"evidence-deep.ndjson":    events(strings.Repeat(`"x":{`, 60) + `"x":[` + many(`"/root"`) + `]` + strings.Repeat("}", 60)),

		"capture-texts.jsonl":   strings.Repeat(`[`+strings.Repeat(`"text of 12",`, values)+`""]`+"\n", 12),
		"capture-objects.jsonl": strings.Repeat(`[`+strings.Repeat(`{"":0},`, values/2)+`0]`+"\n", 12),
		"capture-escapes.jsonl": strings.Repeat(`{"arguments":"`+strings.Repeat(`\n`, len(long)/2)+`"}`+"\n", 12),
		"capture-batch.jsonl":   strings.Repeat(`[`+strings.Repeat(`{"jsonrpc":"2.0","id":1,"method":"m"},`, values/4)+`{"jsonrpc":"2.0","id":2,"method":"m"}]`+"\n", 12),
		"capture-open.jsonl":    unanswered(),

		"oatf-block.yaml":   document("  x-a: |\n    b\n", "\n", "    c\n"),
		"oatf-string.yaml":  document("  x-a: \"b\n", "\n", "    c\"\n"),
		"oatf-plain.yaml":   document("  x-a: b\n", "\n", "    c\n"),
		"oatf-comment.yaml": document("", "#\n", ""),
		"oatf-return.yaml":  strings.ReplaceAll(document("  x-a: |\n    b\n", "\n", "    c\n"), "\n", "\r"),
		"oatf-blanks.yaml":  document("  x-a: \"b\n", "    c \n", "    d\"\n"),
	}
}

// unanswered is a capture of requests that are never answered, with long ids and params.
func unanswered() string {
	var b strings.Builder
	for i := range 200_000 {
		fmt.Fprintf(&b, `{"jsonrpc":"2.0","id":"%0100d","method":"tools/call","params":{"arguments":{"a":"%0600d"}}}`+"\n", i, i)
	}
	return b.String()
}

// document returns an OATF document of the maximum size in which a part is repeated over many lines.
func document(head, part, tail string) string {
	const start = "oatf: \"0.1\"\nattack:\n  execution: {mode: mcp_server, state: {}}\n"
	return start + head + strings.Repeat(part, 8_000_000/len(part)) + tail
}

// eventBytes is a little below the longest event that is read by default.
const eventBytes = 1<<20 - 2_000

// events returns a stream whose events have one member each, with everything to be redacted.
func events(member string) string {
	var b strings.Builder
	for i := range 30 {
		fmt.Fprintf(&b, `{"specversion":"1.0","type":"assay.sandbox.degraded","source":"urn:runner:1","id":"run:%d","time":"2026-01-02T03:04:05Z","datacontenttype":"application/json","assayrunid":"run","assayseq":%d,"assayproducer":"a","assayproducerversion":"1","data":{%s}}`+"\n", i, i, member)
	}
	return b.String()
}

// many repeats a value up to the maximum size of an event.
func many(value string) string {
	return strings.Repeat(value+",", eventBytes/(len(value)+1)-1) + value
}

// bare returns an event without an envelope whose payload has an additional member.
func bare(more string) string {
	return `{"event_type":"ERROR","payload":{"error_type":"t","message":"m","fatal":false,` + more + `}}`
}

// named is an object's members, all different.
func named() string {
	var b strings.Builder
	for i := range members {
		fmt.Fprintf(&b, `"m%d":1,`, i)
	}
	return strings.TrimSuffix(b.String(), ",")
}

// steps is a reasoning trace of twelve long lines.
func steps(line func(i int) string) string {
	var b strings.Builder
	b.WriteString(`{"trace_schema_version":1}` + "\n")
	for i := range 12 {
		b.WriteString(line(i) + "\n")
	}
	return b.String()
}

// notes returns a log with a finding on every line.
func notes() string {
	var b strings.Builder
	for i := range 400_000 {
		b.WriteString(bare(fmt.Sprintf(`"m%d":1`, i)) + "\n")
	}
	return b.String()
}
