package bundle

import (
	"bytes"
	"strconv"
	"strings"
	"testing"

	"github.com/cupel-dev/cupel/evidence"
	"github.com/cupel-dev/cupel/internal/source"
)

// TestOffsets holds the three places of a finding together: the byte that it is at lies on
// its line and in its column, whatever is wrong with an event and wherever.
func TestOffsets(t *testing.T) {
	t.Parallel()
	const good = `{"é":"é", "specversion":"1.0","type":"assay.fs.access","source":"urn:runner:1","id":"run_a:SEQ","time":"2026-01-02T03:04:05Z","datacontenttype":"application/json","assayrunid":"run_a","assayseq":SEQ,"assayproducer":"assay","assayproducerversion":"3.10.0","assaycontenthash":"sha256:03df6ac9e39b6c7ab8f76f991af5369107d3729b0e2f89d1395901bed2268daf","data":{"hits":3}}`
	changes := [][2]string{
		{},
		{`"data":{"hits":3}`, `"data":{"hits":4}`},
		{`"data":{"hits":3}`, `"data":[9007199254740993,"é",9007199254740995]`},
		{`"data":{"hits":3}`, `"x":"é","y":1e400,"data":{"hits":3}`},
		{`"data":{"hits":3}`, `"data":{"é":1,"\u00e9":2}`},
		{`"data":{"hits":3}`, `"data":"\udc00"`},
		{`"data":{"hits":3}`, `"data":1e400`},
		{`"data":{"hits":3}`, `"data":` + strings.Repeat("[", 64) + strings.Repeat("]", 64)},
		{`"data":{"hits":3}}`, `"data":{"hits":3}} é`},
		{`"data":{"hits":3}}`, `"data":`},
		{`"assay"`, "\"\xff\""},
		{`"assay"`, `7`},
		{`"assayproducer":"assay",`, ``},
		{`"1.0"`, `"1.1"`},
		{`05Z`, `05+01:00`},
		{`"urn:`, `"urn-`},
		{`"run_a:`, `"run_b:`},
		{`{`, ` {`},
		{good, ``},
		{good, ` `},
		{good, `[]`},
		{good, "\ufeff" + good},
	}
	var stream []byte
	for i, change := range changes {
		line := strings.Replace(good, change[0], change[1], 1)
		stream = append(stream, strings.ReplaceAll(line, "SEQ", strconv.Itoa(i))+"\n"...)
	}
	inputs := [][]byte{stream}
	for line := range bytes.Lines(stream) {
		inputs = append(inputs, bytes.ReplaceAll(line, []byte(`,"`), []byte(",\n  \"")))
	}
	for _, input := range inputs {
		placed := offsetsHold(t, input)
		if len(input) == len(stream) && placed < len(changes)-1 {
			t.Errorf("%d findings have a place, of %d lines that are wrong", placed, len(changes)-1)
		}
	}
}

// offsetsHold checks the places of all findings of an input, and returns how many have one.
func offsetsHold(t *testing.T, input []byte) (placed int) {
	t.Helper()
	report, err := Verify(t.Context(), bytes.NewReader(input), int64(len(input)), "e.ndjson", Options{All: true, Strict: true})
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range report.Findings {
		detail := f.Detail.(Detail)
		if f.Line == 0 || detail.Offset == nil {
			continue
		}
		placed++
		before := input[:*detail.Offset]
		begin := bytes.LastIndexByte(before, '\n') + 1
		line, column := bytes.Count(before, []byte("\n"))+1, source.Column(before[begin:], len(before)-begin)
		if f.Line != line || f.Column != column {
			t.Errorf("%s %s stands at %d:%d, its byte %d at %d:%d", f.Rule, detail.Detail, f.Line, f.Column, *detail.Offset, line, column)
		}
	}
	return placed
}

// TestNotesOfMismatch holds what is said about a wrong hash to the finding about the hash,
// whatever else is said of the event.
func TestNotesOfMismatch(t *testing.T) {
	t.Parallel()
	const event = `{"specversion":"1.0","type":"t","source":"urn:a","id":"r:0","time":"2026-01-02T03:04:05Z","datacontenttype":"application/json","assayrunid":"r","assayseq":0,"assayproducer":"p","assayproducerversion":"1","data":9007199254740993,"assaycontenthash":"sha256:00"}`
	report, err := Verify(t.Context(), strings.NewReader(event), int64(len(event)), "e.json", Options{All: true})
	if err != nil {
		t.Fatal(err)
	}
	noted := 0
	for _, f := range report.Findings {
		if f.Detail.(Detail).Detail == evidence.RuleMismatch && len(f.Notes) > 0 {
			noted++
		} else if len(f.Notes) > 0 {
			t.Errorf("%s has the notes %q", f.Detail.(Detail).Detail, f.Notes)
		}
	}
	if noted != 1 {
		t.Errorf("%d findings about the hash have notes, expected 1", noted)
	}
}

// TestGapsBesideUnreadable looks for missing events next to unreadable lines, each of which can be one of them.
func TestGapsBesideUnreadable(t *testing.T) {
	t.Parallel()
	for lines, want := range map[string]string{
		"0 x 2": "", "0 x x 3": "", "0 x 1": "", "x 1": "", "x 0": "",
		"0 x 3": "seq.gap@3 2 3", "0 x 5 x 8": "seq.gap@3 2 5,seq.gap@5 7 8", "0 1 x 1": "seq.back@4 1 1", "0 x x 0": "seq.back@4 0 0",
	} {
		var stream strings.Builder
		for line := range strings.FieldsSeq(lines) {
			if line == "x" {
				stream.WriteString("{\n")
				continue
			}
			stream.WriteString(strings.ReplaceAll(`{"specversion":"1.0","type":"t","source":"urn:a","id":"r:SEQ","time":"2026-01-02T03:04:05Z","datacontenttype":"application/json","assayrunid":"r","assayseq":SEQ,"assayproducer":"p","assayproducerversion":"1","data":0}`+"\n", "SEQ", line))
		}
		report, err := Verify(t.Context(), strings.NewReader(stream.String()), int64(stream.Len()), "e.ndjson", Options{All: true})
		if err != nil {
			t.Fatal(err)
		}
		var got []string
		for _, f := range report.Findings {
			if f.Rule == contractSequenceGap {
				want := strings.TrimPrefix(f.Expected, "more than ")
				got = append(got, f.Detail.(Detail).Detail+"@"+strconv.Itoa(f.Line)+" "+want+" "+f.Found)
			}
		}
		if strings.Join(got, ",") != want {
			t.Errorf("%s: %q, expected %q", lines, got, want)
		}
	}
}

// TestLineLimitCountsCR holds the limit of a line to all its bytes before the LF.
func TestLineLimitCountsCR(t *testing.T) {
	t.Parallel()
	const event = `{"specversion":"1.0"}`
	for ending, want := range map[string]string{"\n": "", "\r\n": "LimitLineBytes", "\r": "LimitLineBytes"} {
		input := "{}\n" + event + ending
		opt := Options{All: true, Limits: evidence.Limits{LineBytes: int64(len(event))}}
		report, err := Verify(t.Context(), strings.NewReader(input), int64(len(input)), "e.ndjson", opt)
		if err != nil {
			t.Fatal(err)
		}
		got := ""
		for _, f := range report.Findings {
			if f.Rule == limitLineBytes {
				got = f.Rule
			}
		}
		if got != want {
			t.Errorf("%q: %q, expected %q", ending, got, want)
		}
	}
}

// TestCountsOfNumbers holds the counts to all numbers that there is a word to say about, kept
// or not, with any number of workers.
func TestCountsOfNumbers(t *testing.T) {
	t.Parallel()
	const events, numbers, kept = 300, 5, 7
	var stream []byte
	for i := range events {
		line := strings.ReplaceAll(`{"specversion":"1.0","type":"t","source":"urn:a","id":"r:SEQ","time":"2026-01-02T03:04:05Z","datacontenttype":"application/json","assayrunid":"r","assayseq":SEQ,"assayproducer":"p","assayproducerversion":"1","data":[0`+strings.Repeat(",9007199254740993", numbers)+`]}`, "SEQ", strconv.Itoa(i))
		stream = append(stream, line+"\n"...)
	}
	for _, jobs := range []int{1, 8} {
		report, err := Verify(t.Context(), bytes.NewReader(stream), int64(len(stream)), "e.ndjson", Options{All: true, MaxFindings: kept, Jobs: jobs})
		if err != nil {
			t.Fatal(err)
		}
		if report.Warnings != events*numbers || report.Omitted != report.Warnings+report.Errors+report.Infos-len(report.Findings) {
			t.Errorf("%d workers: %d warnings of %d; %d findings, %d more of %d", jobs, report.Warnings, events*numbers,
				len(report.Findings), report.Omitted, report.Errors+report.Warnings+report.Infos)
		}
	}
}
