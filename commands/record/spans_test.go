package recordcmd

import (
	"bytes"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/cupel-dev/cupel/attest/importer"
	"github.com/cupel-dev/cupel/commands/internal/input"
	"github.com/cupel-dev/cupel/internal/digest"
	"github.com/cupel-dev/cupel/internal/racetest"
	"github.com/cupel-dev/cupel/internal/transcript/copying"
	"github.com/cupel-dev/cupel/trace"
	"github.com/cupel-dev/cupel/trace/record"
)

// only has one source, with the name "s".
type only string

func (o only) Source(name string, _ digest.Sum) (trace.Source, error) {
	if name != "s" {
		return trace.Source{}, fs.ErrNotExist
	}
	return trace.Source{Text: strings.NewReader(string(o)), Size: int64(len(o)), Sum: digest.Of([]byte(o))}, nil
}

// spanLog returns the log of a source of spans, or nil if it has none.
func spanLog(t *testing.T, text string) (log []byte, counts copying.Counts) {
	t.Helper()
	source, _ := only(text).Source("s", digest.Sum{})
	held := &input.HeldSource{Source: source}
	format, first, err := lookAtSpans(held, string(importer.Auto))
	if err != nil {
		return nil, counts
	}
	chain := record.NewChain(record.Options{Session: "s", Agent: format})
	put := func(event []byte) {
		if log, err = chain.Append(log, event); err != nil {
			t.Fatalf("%v in %s", err, event)
		}
	}
	put(fmt.Appendf(nil, `{"event_type":"SESSION_START","timestamp":"1970-01-01T00:00:00Z",
		"payload":{"sources":[{"content_path":"s","sha256":"%s"}]}}`, source.Sum.Hex()))
	last := first
	for e, err := range spanEvents(&origin{sourceFile: sourceFile{Path: "s", Format: format}}, held, &counts) {
		if err != nil {
			t.Fatal(err)
		}
		if e.At.Before(last) {
			e.At = last
		}
		last = e.At
		if e.Type == "LOG_DROP" {
			e.Put("seq_range_start", "1")
			e.Put("seq_range_end", "1")
		}
		put(e.JSON())
	}
	put([]byte(`{"event_type":"SESSION_END","payload":{"status":"success"}}`))
	return log, counts
}

// TestSpansHold verifies the copy of each example of the import: it holds, and any change of the source is found.
func TestSpansHold(t *testing.T) {
	files, err := filepath.Glob("../../testdata/attest/import/*.json*")
	if err != nil {
		t.Fatal(err)
	}
	read, cited, before := 0, int64(0), int64(0)
	for i := range 2 * len(files) {
		name := files[i/2]
		text, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		if i%2 > 0 {
			text = bytes.ReplaceAll(text, newline, []byte("\r\n"))
		}
		if strings.HasSuffix(name, ".want") {
			continue
		}
		log, counts := spanLog(t, string(text))
		if log == nil {
			continue
		}
		if read++; i%2 > 0 && counts.Lost != before {
			t.Errorf("%s: %d parts are lost with CR LF, %d without", name, counts.Lost, before)
		}
		before = counts.Lost
		verify := func(text string) *trace.Report {
			r, err := trace.Verify(t.Context(), bytes.NewReader(log), trace.Options{
				Session: trace.SessionOptions{Sources: only(text), StrictPayload: true},
			})
			if err != nil {
				t.Fatal(err)
			}
			return r
		}
		r := verify(string(text))
		if r.Verdict != trace.Valid || r.Errors+r.Warnings > 0 || r.Cited.Uncited > 0 || r.Cited.Events+counts.Lost != counts.Events {
			t.Errorf("%s: %s, %+v of %+v: %v", name, r.Verdict, r.Cited, counts, r.Findings)
		}
		cited += r.Cited.Events
		for at := 0; at < len(text); at += 1 + len(text)/100*racetest.Step(t) {
			changed := bytes.Clone(text)
			changed[at] ^= 1
			if r := verify(string(changed)); r.Verdict != trace.Invalid || !strings.Contains(fmt.Sprint(r.Findings), "source.digest") {
				t.Fatalf("%s: byte %d: %s", name, at, r.Verdict)
			}
		}
	}
	if read < 24 || cited < 200 {
		t.Errorf("%d files with %d cited events", read, cited)
	}
}
