package reasoningtest

import (
	"bytes"
	"fmt"
	"strconv"
	"strings"
	"unicode/utf8"
)

// Documents that the incident's agent reads.
const (
	importLog = `2026-03-02T01:58:04Z import-worker INFO  batch 8841 opened, 12 files from Zürich, 3 from São Paulo
2026-03-02T02:00:11Z import-worker ERROR batch 8841 file "orders-zürich-07.csv": row 1204: amount "1’240.50" is no number
2026-03-02T02:00:11Z import-worker WARN  batch 8841 stopped after 6 of 15 files; nothing was committed
2026-03-02T02:00:12Z import-worker INFO  lock "orders-import" released`
	runbook = `A batch is one transaction. When it stops, no order of it is in the database, and it may be started again.
Amounts use a point for decimals and no separator for thousands. Fix the file at its source – never in the database.`
	separator = `Since 1 March the shop in Zürich exports amounts with the Swiss separator (’).`
	ticket    = separator + ` The vendor has confirmed the change.`
)

// Incident returns the run of an agent that investigates a failed import: seven steps, two of them
// concurrent, and three pieces of evidence.
func Incident(shape Shape) *Run {
	r := New(shape, "Why did last night's order import fail, and may it be run again?")
	understand := r.Open("understand", "understand")
	understand.Close(Object{"type": "understand", "normalized_question": r.question, "assumptions": []string{"\"last night\" is 2 March 2026, UTC"}, "task_type": "incident"})

	logs := r.Open("gather-logs", "gather", "understand")
	book := r.Open("gather-runbook", "gather", "understand")
	logs.Call("call-1", "search_logs", Object{"service": "import-worker", "from": "2026-03-02T01:00:00Z", "level": "INFO"}, Object{"lines": 4})
	book.Call("call-2", "read_page", Object{"page": "runbooks/order-import", "section": 3}, Object{"found": true, "bytes": 1840})
	log := logs.Evidence("ev-import-log", "logs://import-worker/2026-03-02", 0, importLog)
	pages := book.Evidence("ev-runbook", "wiki://runbooks/order-import", 1216, runbook)
	book.Close(Object{"type": "gather", "evidence_ids": []string{"ev-runbook"}, "retrieval_queries": []string{"order import may be started again"}, "retrieval_provenance": Object{}})
	logs.Call("call-3", "search_tickets", Object{"query": "Zürich amount separator", "limit": 5}, Object{"tickets": []string{"OPS-2107"}, "score": 0.93})
	shop := logs.Evidence("ev-ticket", "tickets://OPS-2107", 0, ticket)
	logs.Close(Object{"type": "gather", "evidence_ids": []string{"ev-import-log", "ev-ticket"}, "retrieval_queries": []string{"import-worker 2026-03-02"}, "retrieval_provenance": Object{}})

	derive := r.Open("derive", "derive", "gather-logs", "gather-runbook")
	derive.Claim("claim-cause", "The import failed because one file from Zürich spells an amount with a thousands separator, which its shop has done since 1 March.",
		Cite{log, `row 1204: amount "1’240.50" is no number`}, Cite{shop, separator})
	derive.Claim("claim-rerun", "It may be run again once the file is mended at its source: nothing of the batch is in the database.",
		Cite{log, "nothing was committed"}, Cite{pages, "When it stops, no order of it is in the database, and it may be started again."},
		Cite{pages, "Fix the file at its source – never in the database."})
	derive.Close(Object{"type": "derive", "claim_ids": []string{"claim-cause", "claim-rerun"}})

	verify := r.Open("verify", "verify", "derive")
	verify.Close(Object{"type": "verify", "validated_claim_ids": []string{"claim-cause", "claim-rerun"}, "rejected_claim_ids": []string{}, "missing_support_claim_ids": []string{}})
	finalize := r.Open("finalize", "finalize", "verify")
	finalize.Close(Object{
		"type": "finalize", "final_claim_ids": []string{"claim-cause", "claim-rerun"}, "uncertainty": nil,
		"final_answer": "One amount from Zürich has a thousands separator. Mend the file at its source, then run batch 8841 again.",
	})
	return r
}

// Examples returns the runs of testdata/examples/trace: the incident, intact and damaged.
func Examples() map[string][]File {
	good, flat := Incident(Wrapped).Files(), Incident(Flat).Files()
	return map[string][]File{
		"incident":                  good,
		"incident-flat":             without(flat, "manifest.json"),
		"incident-edited-evidence":  edited(good, "evidence/ev-import-log.txt", "6 of 15 files", "2 of 15 files"),
		"incident-characters":       edited(good, "trace.jsonl", fmt.Sprintf(`"span":[0,%d]`, len(separator)), fmt.Sprintf(`"span":[0,%d]`, utf8.RuneCountInString(separator))),
		"incident-event-removed":    withoutLine(good, `"kind":"tool_returned"`),
		"incident-derived-too-soon": moved(good),
		"incident-bare-marker":      edited(flat, "trace.jsonl", marker(flat), "[evidence:ev-ticket]"),
		"incident-custom-kind":      edited(good, "trace.jsonl", `"kind":"step_finished","output":{"assumptions"`, `"kind":"note_added","output":{"assumptions"`),
		"incident-no-chunk-id":      edited(good, "trace.jsonl", `"chunk_id"`, `"chunk"`),
		"incident-cut":              cut(good),
	}
}

// edited returns the files with a text in one of them replaced.
func edited(files []File, name, from, to string) (list []File) {
	for _, f := range files {
		if f.Name == name {
			data := bytes.ReplaceAll(f.Data, []byte(from), []byte(to))
			if bytes.Equal(data, f.Data) {
				panic("reasoningtest: " + name + " does not hold " + from)
			}
			f.Data = data
		}
		list = append(list, f)
	}
	return list
}

func without(files []File, name string) (list []File) {
	for _, f := range files {
		if f.Name != name {
			list = append(list, f)
		}
	}
	return list
}

func traceLines(files []File) []string {
	for _, f := range files {
		if f.Name == "trace.jsonl" {
			return strings.SplitAfter(strings.TrimSuffix(string(f.Data), "\n"), "\n")
		}
	}
	return nil
}

func withTrace(files []File, lines []string) []File {
	return append(without(files, "trace.jsonl"), File{"trace.jsonl", []byte(strings.Join(lines, ""))})
}

// withoutLine removes the first line of the trace that contains a text.
func withoutLine(files []File, text string) []File {
	lines := traceLines(files)
	for i, l := range lines {
		if strings.Contains(l, text) {
			return withTrace(files, append(lines[:i:i], lines[i+1:]...))
		}
	}
	panic("reasoningtest: no line holds " + text)
}

// moved moves the start of the derive step before all gather steps.
func moved(files []File) []File {
	var lines, derive []string
	for _, l := range traceLines(files) {
		if strings.Contains(l, `"step_id":"derive"`) {
			derive = append(derive, l)
		} else {
			lines = append(lines, l)
		}
	}
	lines = append(lines[:3:3], append(derive, lines[3:]...)...)
	return withTrace(files, renumbered(lines))
}

// renumbered renumbers idx, as an attacker would to hide that events were moved.
func renumbered(lines []string) []string {
	for i, l := range lines[1:] {
		before, after, _ := strings.Cut(l, `"idx":`)
		rest := strings.TrimLeft(after, "0123456789")
		lines[i+1] = before + `"idx":` + strconv.Itoa(i) + rest
	}
	return lines
}

// cut truncates the last line of the trace.
func cut(files []File) []File {
	lines := traceLines(files)
	last := lines[len(lines)-1]
	lines[len(lines)-1] = last[:len(last)/2]
	return withTrace(files, lines)
}

// marker returns the citation of the ticket in a claim's text.
func marker(files []File) string {
	for _, l := range traceLines(files) {
		if _, rest, ok := strings.Cut(l, "[evidence:ev-ticket:"); ok {
			inner, _, _ := strings.Cut(rest, "]")
			return "[evidence:ev-ticket:" + inner + "]"
		}
	}
	panic("reasoningtest: the ticket is not cited")
}
