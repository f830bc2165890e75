package trace_test

import (
	"bytes"
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/cupel-dev/cupel/internal/racetest"
	"github.com/cupel-dev/cupel/internal/reasoningtest"
	"github.com/cupel-dev/cupel/trace"
)

// runOutline verifies a run in memory and returns its outline.
func runOutline(tb testing.TB, files []reasoningtest.File) *trace.Run {
	tb.Helper()
	folder, lines := inMemory(files)
	report, outline := outlineOf(tb, string(lines), folder.options())
	if outline.Run == nil {
		tb.Fatalf("no run: %v", report.Findings)
	}
	if outline.Changed != "" {
		tb.Fatal(outline.Changed)
	}
	return outline.Run
}

// steps returns the steps of a run, one in a line.
func steps(r *trace.Run) string {
	var b strings.Builder
	for i := range r.Steps {
		s := &r.Steps[i]
		fmt.Fprintf(&b, "%s (%s) %d-%d: %d events", s.ID, s.Kind, s.Line, s.EndLine, len(s.Events))
		if s.Wrong > 0 {
			fmt.Fprintf(&b, ", %d of %d findings are errors", s.Errors, s.Wrong)
		}
		b.WriteByte('\n')
	}
	for _, l := range r.Lost {
		fmt.Fprintf(&b, "lost %d\n", l.Line)
	}
	return b.String()
}

// quotes are what the claims of a run cite.
func quotes(r *trace.Run) (list []trace.Quote) {
	for i := range r.Steps {
		for _, e := range r.Steps[i].Events {
			if e.Claim != nil {
				list = append(list, e.Claim.Quotes...)
			}
		}
	}
	return list
}

// TestRunOutlines are the outlines of the examples.
func TestRunOutlines(t *testing.T) {
	whole := "understand (understand) 2-3: 2 events\ngather-logs (gather) 4-16: 8 events\ngather-runbook (gather) 5-12: 5 events\n" +
		"derive (derive) 17-20: 4 events\nverify (verify) 21-22: 2 events\nfinalize (finalize) 23-24: 2 events\n"
	for name, want := range map[string]string{
		"incident":                 whole,
		"incident-flat":            whole,
		"incident-edited-evidence": strings.Replace(whole, "8 events", "8 events, 1 of 1 findings are errors", 1),
		"incident-characters":      strings.Replace(whole, "4 events", "4 events, 1 of 1 findings are errors", 1),
		"incident-cut":             "",
	} {
		run := runOutline(t, reasoningtest.Examples()[name])
		if got := steps(run); got != want && want != "" {
			t.Errorf("%s:\n%s\nwant\n%s", name, got, want)
		}
	}
}

// TestQuotesAreTheBytes compares what is shown of each citation of a good run with its file.
func TestQuotesAreTheBytes(t *testing.T) {
	folder, _ := inMemory(reasoningtest.Incident(reasoningtest.Wrapped).Files())
	run := runOutline(t, reasoningtest.Incident(reasoningtest.Wrapped).Files())
	list := quotes(run)
	if len(list) != 5 {
		t.Fatalf("%d quotes", len(list))
	}
	for _, q := range list {
		file := string(folder.MapFS[q.Path].Data)
		from, to := int(q.Span[0]), int(q.Span[1])
		if q.Holds == nil || !*q.Holds || q.Cited.Text != file[from:to] || !strings.HasSuffix(file[:from], q.Before) || !strings.HasPrefix(file[to:], q.After) || q.Size != int64(len(file)) {
			t.Errorf("%+v", q)
		}
	}
}

// returning returns a run whose tool returned the text that was registered as evidence.
func returning(text string) []reasoningtest.File {
	run := reasoningtest.New(reasoningtest.Wrapped, "What stands there?")
	gather := run.Open("gather", "gather")
	gather.Call("call", "read", reasoningtest.Object{}, reasoningtest.Object{"pages": []any{"another", text}})
	source := gather.Evidence("ev", "doc://1", 0, text)
	gather.Close(reasoningtest.Object{"type": "gather"})
	derive := run.Open("derive", "derive", "gather")
	derive.Claim("claim", "It says so.", reasoningtest.Cite{Source: source, Quote: text[4:20]})
	derive.Close(reasoningtest.Object{"type": "derive"})
	return run.Files()
}

// TestQuotesSayWhatWasMeant damages evidence in ways that leave a trace of what it was.
func TestQuotesSayWhatWasMeant(t *testing.T) {
	const text = "one two three\nfour five six\nseven eight\n"
	for _, c := range []struct {
		name            string
		data            string
		note            string
		expected, found string // of the citation
		was, is         string // of the file
	}{
		{"a word was changed", strings.Replace(text, "three", "seven", 1), "is that of a text in the result on line 4", "three", "seven", "three", "seven"},
		{"LF became CRLF", strings.ReplaceAll(text, "\n", "\r\n"), "with LF line ends", "\nfour f", "\r\nfour ", "\nfour five six\n", "\r\nfour five six\r\n"},
		{"the file was cut", text[:12], "is that of a text in the result on line 4", "\nfour ", "", "", ""},
		{"bytes that are no text", "one two\xff\xfe\x00ree\nfour five six\nseven eight\n", "is that of a text in the result on line 4", " th", "\xff\xfe\x00", " th", "\xff\xfe\x00"},
	} {
		files := returning(text)
		for i := range files {
			if files[i].Name == "evidence/ev.txt" {
				files[i].Data = []byte(c.data)
			}
		}
		run := runOutline(t, files)
		q := quotes(run)[0]
		if c.name == "the file was cut" {
			if q.Why == "" || q.Cited.Text != c.data[4:] {
				t.Errorf("%s: %+v", c.name, q)
			}
			continue
		}
		if q.Holds == nil || *q.Holds || q.Meant == nil || !strings.Contains(q.Meant.Note, c.note) {
			t.Errorf("%s: %+v", c.name, q)
			continue
		}
		if q.Meant.Expected.Text != c.expected || q.Meant.Found.Text != c.found || q.Recorded != reasoningtest.Hash(text[4:20]) || q.Actual != reasoningtest.Hash(c.data[4:20]) {
			t.Errorf("%s: expected %q, found %q", c.name, q.Meant.Expected.Text, q.Meant.Found.Text)
		}
		seen := run.Steps[0].Events[3].Evidence
		if seen == nil || seen.Meant == nil || !strings.HasPrefix(seen.Meant.Expected.Text, c.was[:1]) || !strings.HasPrefix(seen.Meant.Found.Text, c.is[:1]) {
			t.Errorf("%s: the file: %+v", c.name, seen)
		}
	}
}

// TestRunOutlineTellsAll damages a run anywhere: each event is in one step, in file order, findings are marked, and
// neither bytes nor names make it fail.
func TestRunOutlineTellsAll(t *testing.T) {
	random := rand.New(rand.NewPCG(19, 6))
	folder, lines := inMemory(reasoningtest.Research(reasoningtest.Wrapped, 120).Files())
	names := slices.Sorted(maps.Keys(folder.MapFS))
	for round := 0; round < 60; round += racetest.Step(t) {
		files := maps.Clone(folder.MapFS)
		log := bytes.Clone(lines)
		for range random.IntN(6) {
			damage(random, log, random.IntN(3) == 0)
		}
		if name := names[random.IntN(len(names))]; strings.HasPrefix(name, "evidence/") {
			data := bytes.Clone(files[name].Data)
			damage(random, data, true)
			files[name] = &fstest.MapFile{Data: data}
		}
		opt := trace.Options{Name: "trace.jsonl", Reasoning: trace.ReasoningOptions{Run: files}}
		report, outline := outlineOf(t, string(log), opt)
		if outline.Run == nil {
			continue // its first line is lost
		}
		run, seen := outline.Run, map[int64]bool{}
		wrong := 0
		for i := range run.Steps {
			s, last := &run.Steps[i], int64(0)
			wrong += s.Wrong
			for _, e := range s.Events {
				if seen[e.Nth] || e.Nth <= last || e.Nth < s.From || e.Nth > s.To || e.Line < s.Line || e.Line > s.EndLine {
					t.Fatalf("round %d: event %d of step %q is out of place", round, e.Nth, s.ID)
				}
				seen[e.Nth], last = true, e.Nth
			}
		}
		if int64(len(seen)) != run.Events || run.Events != report.Events {
			t.Fatalf("round %d: %d events in steps, of %d; the report has %d", round, len(seen), run.Events, report.Events)
		}
		if int64(len(run.Lost))+run.Rest < report.Unreadable {
			t.Fatalf("round %d: %d lines are lost, %d cannot be read", round, len(run.Lost), report.Unreadable)
		}
		lost := map[int]bool{1: true}
		for _, l := range run.Lost {
			lost[l.Line] = true
		}
		about := 0
		for _, f := range report.Findings {
			if f.Line > 0 && !lost[f.Line] && (f.File == "" || f.File == "trace.jsonl") {
				about++
			}
		}
		if wrong != about {
			t.Fatalf("round %d: %d findings at steps, want %d", round, wrong, about)
		}
	}
}

// TestRunOutlineIsBounded outlines a run in little room.
func TestRunOutlineIsBounded(t *testing.T) {
	folder, lines := inMemory(reasoningtest.Research(reasoningtest.Wrapped, 400).Files())
	log := bytes.Replace(lines, []byte(`"idx":350,`), []byte(`"idx":3,`), 1)
	report, _ := outlineOf(t, string(log), folder.options())
	outline, err := trace.OutlineWithin(t.Context(), bytes.NewReader(log), report, folder.options(), trace.OutlineRoom{Events: 20, Beyond: 5, Text: 4_000})
	if err != nil {
		t.Fatal(err)
	}
	run := outline.Run
	listed, counted, text, bad := 0, int64(0), 0, 0
	for i := range run.Steps {
		s := &run.Steps[i]
		listed, counted = listed+len(s.Events), counted+s.Unlisted
		for _, e := range s.Events {
			text += len(e.Text.Text)
			if e.Errors > 0 {
				bad++
			}
			if e.Claim != nil {
				for _, q := range e.Claim.Quotes {
					text += len(q.Cited.Text) + len(q.Before) + len(q.After)
				}
			}
		}
	}
	if listed > 25 || int64(listed)+counted != run.Events || bad == 0 || text > 4_000 {
		t.Errorf("%d events listed, %d counted, of %d; %d bad; %d bytes", listed, counted, run.Events, bad, text)
	}
}
