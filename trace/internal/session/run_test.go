package session

import (
	"bytes"
	"crypto/ed25519"
	"errors"
	"fmt"
	"math/rand/v2"
	"reflect"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/cupel-dev/cupel/internal/racetest"
	"github.com/cupel-dev/cupel/internal/sessiontest"
	"github.com/cupel-dev/cupel/internal/siphash"
	"github.com/cupel-dev/cupel/internal/strictjson"
	"github.com/cupel-dev/cupel/trace/internal/stream"
	"github.com/cupel-dev/cupel/trace/internal/wire"
)

// TestRunsPartByPart: each part comes to the same, and says the same, whether it takes a run or
// each event of it.
func TestRunsPartByPart(t *testing.T) {
	runs := 0
	rapid.Check(t, func(t *rapid.T) {
		family := rapid.SampledFrom(sessiontest.Families).Draw(t, "family")
		lines := drawMoves(t, drawLog(t, family, "5e551017"), drawLog(t, family, "07e20000"))
		w := newTwins(t, family, []byte(strings.Join(lines, "\n")+"\n"))
		w.replay()
		runs += w.taken
	})
	t.Logf("%d runs", runs)
	racetest.Met(t, "a run", runs)
}

// TestRunsOfBatches: a log comes to the same whether workers make runs of its events or not.
func TestRunsOfBatches(t *testing.T) {
	runs := 0
	rapid.Check(t, func(t *rapid.T) {
		family := rapid.SampledFrom(sessiontest.Families).Draw(t, "family")
		lines := drawMoves(t, drawLog(t, family, "5e551017"), drawLog(t, family, "07e20000"))
		log, block := []byte(strings.Join(lines, "\n")+"\n"), rapid.SampledFrom([]int{0, 2_000, 20_000}).Draw(t, "block")
		w := twins{T: t}
		limits, key := drawLimits(t), firstKey(log)
		w.runs, w.each = newTwin(t, limits, family, key), newTwin(t, limits, family, key)
		read(t, limits, log, block, w.runs.Worker().(*worker), func(b *batch) error {
			runs += len(b.runs.list)
			return w.runs.putInOrder(b)
		})
		read(t, limits, log, block, w.each.worker(), w.each.putInOrder)
		w.compareAll()
		if got, want := w.said(w.runs), w.said(w.each); !bytes.Equal(got, want) {
			t.Fatalf("says\n%q\nwant\n%q", got, want)
		}
	})
	t.Logf("%d runs", runs)
	racetest.Met(t, "a run", runs)
}

// drawLog draws a log whose hashes hold, often of long runs.
func drawLog(t *rapid.T, family, session string) (lines []string) {
	if rapid.IntRange(0, 3).Draw(t, "kind of log") == 0 {
		return sessiontest.Arbitrary(rand.New(rand.NewPCG(rapid.Uint64().Draw(t, "log"), 0)), family, session)
	}
	l := sessiontest.NewLog(family)
	l.Session, l.Named = session, true
	for range rapid.IntRange(1, 150).Draw(t, "events") {
		id := rapid.IntRange(0, 9).Draw(t, "call")
		switch {
		case id > 6:
			lines = append(lines, l.Event("LLM_CALL", `{"model":"m"}`))
		case rapid.Bool().Draw(t, "answer"):
			lines = append(lines, l.Event("TOOL_RESULT", fmt.Sprintf(`{"tool_name":"t","tool_id":"i%d","result":"r","status":"success","duration_ms":1}`, id)))
		default:
			lines = append(lines, l.Event("TOOL_CALL", fmt.Sprintf(`{"tool_name":"t","tool_id":"i%d","args":{}}`, id)))
		}
	}
	return lines
}

// drawMoves draws what happens to the stretches of a log.
func drawMoves(t *rapid.T, lines, other []string) []string {
	for range rapid.IntRange(0, 4).Draw(t, "moves") {
		from := rapid.IntRange(0, len(lines)-1).Draw(t, "from")
		stretch := slices.Clone(lines[from:rapid.IntRange(from+1, len(lines)).Draw(t, "before")])
		without := slices.Delete(slices.Clone(lines), from, from+len(stretch))
		to := rapid.IntRange(0, len(without)).Draw(t, "to")
		switch move := rapid.IntRange(0, 4).Draw(t, "move"); {
		case move == 0:
			lines = slices.Insert(lines, to, stretch...)
		case move == 1:
			lines = slices.Insert(without, to, stretch...)
		case move == 2:
			lines = slices.Insert(lines, to, other[rapid.IntRange(0, len(other)-1).Draw(t, "foreign"):]...)
		case move == 3 && len(without) > 0:
			lines = without
		default:
			lines[from] = rapid.SampledFrom([]string{"{", "{}", strings.Replace(lines[from], `"payload":{`, `"payload":{"odd":1,`, 1)}).Draw(t, "edited")
		}
	}
	return lines
}

// twins are a checker that takes the summary of a log and one that takes its events, each
// part after the other's.
type twins struct {
	*rapid.T
	runs, each *Checker
	recall     func(offset int64, size int) ([]byte, error)
	core       []byte
	column     []byte

	events []event // of the log, lost ones too, that were not taken yet
	now    []event // that are being taken
	taken  int     // runs
}

func newTwins(t *rapid.T, family string, log []byte) *twins {
	w := &twins{T: t, recall: func(offset int64, size int) ([]byte, error) { return log[offset : offset+int64(size)], nil }}
	limits, key := drawLimits(t), firstKey(log)
	w.runs, w.each = newTwin(t, limits, family, key), newTwin(t, limits, family, key)
	s, err := NewSummarizer(stream.NewFindings(limits.Findings), limits, family, key, rapid.Bool().Draw(t, "hashes"), twinOptions)
	if err != nil {
		t.Fatal(err)
	}
	read(t, limits, log, 0, s.Worker().(*worker), s.putInOrder)
	if w.core, w.column, err = s.Summary(); err != nil {
		t.Fatal(err)
	}
	read(t, limits, log, 0, s.lines.worker(), func(b *batch) error {
		b.findings = stream.NewFindings(0) // the summary's are not taken either
		for i := range b.events {
			e := &b.events[i]
			if e.line.Bytes = bytes.Clone(e.line.Bytes); e.marks.has(hasID) {
				e.id = e.idSum.key(twinOptions.Keys)
			}
		}
		b.report(w.each.out)
		w.events = append(w.events, b.events...)
		return nil
	})
	return w
}

// twinOptions are those of twins, which remember ids under the same keys.
var twinOptions = Options{Keys: siphash.Key{1, 2}}

func newTwin(t *rapid.T, limits stream.Limits, family string, key ed25519.PublicKey) *Checker {
	c, err := NewReplayer(stream.NewFindings(limits.Findings), limits, family, key, twinOptions)
	if err != nil {
		t.Fatal(err)
	}
	return c
}

func drawLimits(t *rapid.T) stream.Limits {
	return stream.Limits{
		IDs: rapid.SampledFrom([]int{0, 0, 3, 40}).Draw(t, "ids"), Findings: rapid.SampledFrom([]int{0, 2}).Draw(t, "findings"),
	}.WithDefaults()
}

// read reads the lines of a log, in blocks of a size.
func read(t *rapid.T, limits stream.Limits, log []byte, block int, w *worker, take func(*batch) error) {
	w.deliver = take
	findings := stream.NewFindings(limits.Findings)
	runner := &stream.Runner{Findings: findings, Limits: limits, Inline: true, Checker: readBy{w}, Beginning: &stream.LogStart{}}
	if err := runner.Run(t.Context(), stream.Lines(bytes.NewReader(log), limits, block)); err != nil {
		t.Fatal(err)
	}
}

// readBy is a checker with one worker.
type readBy struct{ *worker }

func (r readBy) Worker() stream.Worker         { return r.worker }
func (readBy) Finish() (stream.Outcome, error) { return stream.Outcome{}, nil }

// firstKey returns the key that the first record of a log brings.
func firstKey(log []byte) ed25519.PublicKey {
	for line := range bytes.Lines(log) {
		if doc, err := strictjson.NewScanner(strictjson.Limits{}).Scan(line); err == nil {
			return KeyOf(doc.Root())
		}
	}
	return nil
}

// replay has both take the log.
func (w *twins) replay() {
	if rapid.Bool().Draw(w.T, "announced") {
		if err := w.runs.Expect(w.core); err != nil {
			w.Fatal(err)
		}
	}
	order := []part{before{w}}
	for i, p := range w.runs.order {
		order = append(order, pair{w, p, w.each.order[i]})
	}
	w.runs.order = append(order, behind{w})
	if err := w.runs.Replay(stream.Replay{Core: w.core, Column: bytes.NewReader(w.column), Recall: w.recall}); err != nil {
		w.Fatal(err)
	}
	w.turn(0, 0)
	w.compareAll()
}

// turn gives n events from a line on, and takes the lost lines before them.
func (w *twins) turn(line, n int) {
	w.each.seal.idle, w.each.merkle.idle = w.runs.seal.idle, w.runs.merkle.idle
	for len(w.events) > 0 && (n == 0 || w.events[0].line.Number < line) {
		if w.events[0].lost == (loss{}) {
			w.Fatalf("line %d is in no entry", w.events[0].line.Number)
		}
		w.each.next(&w.events[0])
		w.events = w.events[1:]
	}
	w.now, w.events = w.events[:n], w.events[n:]
	for i := range w.now {
		w.each.records++
		w.each.events++
		w.now[i].rank, w.now[i].nth = w.each.records, w.each.events
	}
}

// compare holds that both know the same and have said the same.
func (w *twins) compare(what, when string) {
	w.Helper()
	if got, want := w.said(w.runs), w.said(w.each); !bytes.Equal(got, want) {
		w.Fatalf("%s, %s: says\n%q\nwant\n%q", what, when, got, want)
	}
	if slices.Contains(w.runs.chain.track.Recent, unknown) {
		return // more of a run follows, and then the hashes of its end
	}
	got, want := w.known(w.runs), w.known(w.each)
	ofRuns(want, got)
	if !reflect.DeepEqual(got, want) {
		w.Fatalf("%s, %s: knows\n%+v\nwant\n%+v", what, when, got, want)
	}
}

// compareAll holds that both know the same where no run goes on.
func (w *twins) compareAll() {
	w.Helper()
	if got, want := w.known(w.runs), w.known(w.each); !reflect.DeepEqual(got, want) {
		w.Fatalf("after line %d: knows\n%+v\nwant\n%+v", w.runs.chain.last.Line, got, want)
	}
}

// ofRuns copies the data of a run as a whole, with its first block.
func ofRuns(into, of *State) {
	to, from := &into.Memory, &of.Memory
	to.Seen, to.Profile, to.Unproven, to.Clocks, to.Signed = from.Seen, from.Profile, from.Unproven, from.Clocks, from.Signed
}

func (w *twins) said(c *Checker) []byte {
	text := wire.Writer{}
	c.out.findings.Encode(&text)
	text.Int(c.out.broken)
	return text.Bytes
}

func (w *twins) known(c *Checker) *State {
	state, err := c.snapshot(tally{c.records, c.events, c.misfits, c.out.broken})
	if err = errors.Join(err, c.out.err); err != nil {
		w.Fatal(err)
	}
	return state
}

// pair is a part that takes a run, and its twin, which takes each event of it.
type pair struct {
	*twins
	runs, each part
}

func (p pair) take(e *event) {
	p.runs.take(e)
	p.each.take(&p.now[0])
	p.compare(fmt.Sprintf("%T", p.runs), fmt.Sprint("the event on line ", e.line.Number))
}

func (p pair) takeRun(r *run) {
	p.runs.takeRun(r)
	for i := range p.now {
		p.each.take(&p.now[i])
	}
	p.compare(fmt.Sprintf("%T", p.runs), fmt.Sprintf("the run of %d events on line %d", r.n, r.line))
}

// before runs before all other parts.
type before struct{ *twins }

func (p before) take(e *event) {
	p.turn(e.line.Number, 1)
	p.compareAll()
}

func (p before) takeRun(r *run) {
	p.turn(r.line, r.n)
	p.taken++
}

// behind runs after them, and sees the results that they have left for each other.
type behind struct{ *twins }

func (behind) take(*event) {}

func (p behind) takeRun(r *run) {
	for i := range p.now {
		got, want := r.event(i), &p.now[i]
		if got.hash == unknown && !want.hash.null {
			got.hash = want.hash
		}
		if got.prev == unknown && !want.prev.null {
			got.prev = want.prev
		}
		want.partResults.nth = 0 // asked for by no finding on an event of a run
		if at := positionOf(want); positionOf(got) != at || got.partResults != want.partResults || got.id != want.id {
			p.Fatalf("event %d of %d: %+v, %+v, id %x, want %+v, %+v, id %x", i, r.n, positionOf(got), got.partResults, got.id, at, want.partResults, want.id)
		}
	}
}
