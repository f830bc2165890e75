package commands_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/cupel-dev/cupel/internal/racetest"
	"github.com/cupel-dev/cupel/internal/sessiontest"
	"github.com/cupel-dev/cupel/trace"
)

// disk is what a followed log and its name came to, as a naive reader of whole files sees
// it: the log that is followed, what was read of it, and the logs that ended before.
type disk struct {
	*followed
	log     *file // that is followed
	named   *file // that has the name; nil: none
	seen    []byte
	earlier trace.EndReason
	past    []generation
	files   int // that were made
}

type file struct {
	path    string // "": removed
	text    []byte
	touched bool // its time of modification is new since the last look
}

// generation is a log that was followed, as it was read.
type generation struct {
	text    []byte
	hidden  bool            // some bytes were removed without being noticed
	earlier trace.EndReason // of the log before it
	ended   trace.EndReason
}

const tail = 4 << 10 // how much of what was read is compared when a log grows

// look does what the command does when it looks.
func (d *disk) look() {
	d.followed.look()
	for {
		if d.changed() {
			d.next(trace.Rewritten, d.log)
			continue
		}
		d.seen = append(d.seen, d.log.text[len(d.seen):]...)
		d.log.touched = false
		if d.named == nil || d.named == d.log || len(d.named.text) == 0 {
			return
		}
		d.next(trace.Rotated, d.named)
	}
}

// changed reports whether bytes that were read are seen to be gone: the last of them when
// the log has grown, any of them when it has not but was touched.
func (d *disk) changed() bool {
	now, end := d.log.text, len(d.seen)
	start := 0
	if len(now) > end {
		start = max(0, end-tail)
	}
	return len(now) < end || (len(now) > end || d.log.touched) && !bytes.Equal(now[start:end], d.seen[start:])
}

// present returns the log that is followed, with an end.
func (d *disk) present(ended trace.EndReason) generation {
	return generation{d.seen, !bytes.HasPrefix(d.log.text, d.seen), d.earlier, ended}
}

func (d *disk) next(ended trace.EndReason, log *file) {
	d.past = append(d.past, d.present(ended))
	d.log, d.seen, d.earlier = log, bytes.Clone(log.text), ended
	log.touched = false
}

// all returns the logs up to now.
func (d *disk) all() []generation {
	switch d.named {
	case d.log:
		return append(d.past, d.present(""))
	case nil:
		return append(d.past, d.present(trace.Removed))
	}
	return append(d.past, d.present(trace.Rotated))
}

// append writes to the log that is followed, wherever it is.
func (d *disk) append(f *file, text string) {
	if f.path != "" {
		d.add(f.path, text)
		d.touch(f.path)
		f.touched = true
		f.text = append(f.text, text...)
	}
}

func (d *disk) truncate(n int) {
	if d.log.path != "" {
		d.must(os.Truncate(d.path(d.log.path), int64(n)))
		d.touch(d.log.path)
		d.log.touched = true
		d.log.text = d.log.text[:n]
	}
}

func (d *disk) overwrite(at int, b byte) {
	if d.log.path != "" {
		d.edit(d.log.path, int64(at), string(b))
		d.log.touched = true
		d.log.text[at] = b
	}
}

// unname takes the name away from whichever file has it: it gets another, or none.
func (d *disk) unname(keep bool) {
	if d.named == nil {
		return
	}
	old := d.named
	if d.named = nil; !keep {
		d.must(os.Remove(d.path(old.path)))
		old.path = ""
		return
	}
	d.files++
	to := "log." + string(rune('a'+d.files))
	d.must(os.Rename(d.path(old.path), d.path(to)))
	old.path = to
}

// begin writes to the file of the name, and creates it if necessary.
func (d *disk) begin(text string) {
	if d.named == nil {
		d.named = &file{path: "log.jsonl"}
	}
	d.append(d.named, text)
}

// rename gives the followed log its name back, when it is free.
func (d *disk) rename() {
	if d.named == nil && d.log.path != "" {
		d.must(os.Rename(d.path(d.log.path), d.path("log.jsonl")))
		d.log.path, d.named = "log.jsonl", d.log
	}
}

// texts draws content of logs: whole lines of valid and invalid logs in any order, partial lines, and lines that are
// not records.
func texts() *rapid.Generator[string] {
	var lines []string
	for i, family := range sessiontest.Families {
		random := rand.New(rand.NewPCG(uint64(i), 5))
		lines = append(lines, sessiontest.Arbitrary(random, family, "5e551017")...)
	}
	var day bytes.Buffer
	_ = sessiontest.WorkingDay(&day, 9) // a buffer does not fail
	good := strings.SplitAfter(day.String(), "\n")
	return rapid.Custom(func(t *rapid.T) string {
		n := rapid.IntRange(0, len(good)-1).Draw(t, "from")
		run := strings.Join(good[n:rapid.IntRange(n, len(good)).Draw(t, "to")], "")
		switch rapid.IntRange(0, 5).Draw(t, "what") {
		case 0:
			return rapid.SampledFrom(lines).Draw(t, "line") + "\n"
		case 1:
			return rapid.SampledFrom([]string{"{", "\n", "{\n", "7\n", "\xff\n", "{}\n", ""}).Draw(t, "no record")
		case 2:
			return run[:rapid.IntRange(0, len(run)).Draw(t, "half")]
		}
		return run
	})
}

// step draws one thing that happens to the log or its name between two looks.
func (d *disk) step(t *rapid.T, text func() string) {
	switch what := rapid.IntRange(0, 12).Draw(t, "step"); what {
	case 0, 1, 2:
		d.append(d.log, text())
	case 3, 4: // as log rotation does it, with late lines for the old log
		d.unname(what == 3)
		d.begin(text())
		d.append(d.log, text())
	case 5:
		d.unname(true)
	case 6:
		d.unname(false)
	case 7:
		d.begin(text())
	case 8:
		d.rename()
	case 9:
		d.truncate(rapid.IntRange(0, len(d.log.text)).Draw(t, "length"))
	case 10:
		d.truncate(0)
		d.append(d.log, text())
	case 11, 12:
		if n := len(d.log.text); n > 0 {
			d.overwrite(rapid.IntRange(0, n-1).Draw(t, "offset"), rapid.SampledFrom([]byte("{}0a\n")).Draw(t, "byte"))
		}
		if what == 12 { // which may hide the change
			d.append(d.log, text())
		}
	}
}

// judged is what must be the same for a log that was followed as for its bytes alone.
type judged struct {
	Verdict  trace.Verdict
	Events   int64
	Ended    trace.EndReason
	Findings []string
}

// alone is what is to be said of a log, by its bytes and what became of the log before.
func alone(t *rapid.T, name string, g generation) judged {
	r, err := trace.Verify(t.Context(), bytes.NewReader(g.text), trace.Options{Name: name, Growing: g.ended != trace.Rotated})
	if err != nil {
		t.Fatal(err)
	}
	j := judged{r.Verdict, r.Events, g.ended, nil}
	if g.earlier != "" && r.Verdict != trace.Rejected {
		j.Findings = append(j.Findings, "log."+string(g.earlier)+"@0")
		if g.earlier == trace.Rewritten {
			j.Verdict = trace.Invalid
		}
	}
	for _, f := range r.Findings {
		j.Findings = append(j.Findings, fmt.Sprintf("%s@%d", f.Rule, f.Line))
	}
	slices.Sort(j.Findings)
	return j
}

// codeOf returns the exit code that the verdicts on logs ask for: 2 if one cannot be judged yet.
func codeOf(logs []judged) (code int) {
	for _, j := range logs {
		switch {
		case j.Verdict == "" && j.Ended == "":
			return 2
		case j.Verdict.Bad():
			code = 1
		}
	}
	return code
}

// document reads what the command said of each log.
func document(t *rapid.T, text string) (list []judged) {
	var doc struct {
		Inputs []struct {
			Verdict  trace.Verdict
			Events   int64
			Ended    trace.EndReason
			Findings []struct {
				Rule string
				Line int
			}
			Open []string `json:"not_covered"`
		}
	}
	if err := json.Unmarshal([]byte(text), &doc); err != nil {
		t.Fatalf("%v in\n%s", err, text)
	}
	for _, in := range doc.Inputs {
		j := judged{in.Verdict, in.Events, in.Ended, nil}
		for _, f := range in.Findings {
			j.Findings = append(j.Findings, fmt.Sprintf("%s@%d", f.Rule, f.Line))
		}
		slices.Sort(j.Findings)
		list = append(list, j)
		if !strings.Contains(strings.Join(in.Open, "\n"), "bytes changed before the reader") {
			t.Fatalf("not_covered does not mention bytes changed before the reader: %q", in.Open)
		}
	}
	return list
}

// TestFollowLaw changes a log and its name in any way while it is followed: the report on each log of that name
// equals the report on the bytes that were read of it, plus the end of the one before it. The report names as not
// verified that bytes can disappear unnoticed.
func TestFollowLaw(t *testing.T) {
	pool, logs, ends := texts(), 0, map[trace.EndReason]int{}
	hidden := 0
	rapid.Check(t, func(t *rapid.T) {
		dir, err := os.MkdirTemp("", "cupel-follow")
		if err != nil {
			t.Fatal(err)
		}
		defer func() { _ = os.RemoveAll(dir) }()
		text := func() string { return pool.Draw(t, "text") }
		d := &disk{log: &file{path: "log.jsonl"}, followed: &followed{t: t, dir: dir, clock: time.Now().Add(-time.Hour)}}
		d.named = d.log
		d.append(d.log, text())
		d.seen = bytes.Clone(d.log.text)
		clock := d.clock
		d.followed = follow(t, dir, "--format", "json")
		defer d.stop()
		d.clock = clock
		for range rapid.IntRange(0, 12).Draw(t, "steps") {
			d.step(t, text)
			d.look()
		}
		code := d.end()
		got := document(t, d.out.String())
		if want := codeOf(got); code != want {
			t.Fatalf("exit code %d, want %d\n%s", code, want, d.errors.String())
		}
		if len(got) != len(d.all()) {
			t.Fatalf("%d logs, %d reports\n%s", len(d.all()), len(got), d.out.String())
		}
		for i, g := range d.all() {
			logs++
			ends[g.ended]++
			if g.hidden && g.ended != trace.Rewritten {
				hidden++
			}
			if diff := cmp.Diff(alone(t, filepath.ToSlash(d.path("log.jsonl")), g), got[i]); diff != "" {
				t.Fatalf("log %d of %d (-its bytes alone +followed):\n%s\n%s", i+1, len(got), diff, g.text)
			}
		}
	})
	for _, ended := range []trace.EndReason{trace.Rotated, trace.Removed, trace.Rewritten} {
		racetest.Met(t, "a log that was "+string(ended), ends[ended])
	}
	t.Logf("%d logs: %v, %d of them with a change that nobody looks for", logs, ends, hidden)
}
