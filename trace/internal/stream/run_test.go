package stream_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"testing"
	"testing/iotest"
	"time"

	"github.com/cupel-dev/cupel/internal/strictjson"
	"github.com/cupel-dev/cupel/trace/internal/stream"
)

// TestRun reads a small log with everything in it that a log can have.
func TestRun(t *testing.T) {
	log := "\n[\nnot json\n{\"n\":0}\n \n{\"n\":1}\n{\"n\":3}\n{\"n\":\"4\"}\n7\n{\"n\":4}"
	for _, jobs := range []int{1, 2, 5} {
		r := newReading(stream.Limits{}, jobs)
		r.read(t, strings.NewReader(log))
		wantSeen := []string{"2:line.json", "3:line.json", "4:0", "6:1", "7:3", "9:line.not_object", "10:4"}
		if !slices.Equal(r.family.seen, wantSeen) || r.detected != 4 {
			t.Errorf("%d jobs: the family of line %d saw %q, want %q", jobs, r.detected, r.family.seen, wantSeen)
		}
		if want := (stream.Counts{Blank: 2, Unreadable: 3, Readable: 5}); r.runner.Counts != want || want.Empty() {
			t.Errorf("%d jobs: %+v, want %+v", jobs, r.runner.Counts, want)
		}
		want := []string{"2 line.json", "3 line.json", "8 n.type", "9 line.not_object"}
		if got := r.list(); !slices.Equal(got, want) { // rejected: the order of 7 does not matter any more
			t.Errorf("%d jobs: %q, want %q", jobs, got, want)
		}
	}
}

// TestBlocksDoNotMatter reads a log of many blocks: the family sees every line once and
// in order, however many workers read and wherever reads end.
func TestBlocksDoNotMatter(t *testing.T) {
	const n = 120_000 // about 1.8 MB: several blocks
	log := numbered(n/2) + "\n" + numbered(n)
	var first []string
	for _, jobs := range []int{1, 4} {
		for name, input := range map[string]io.Reader{"whole": strings.NewReader(log), "halves": iotest.HalfReader(strings.NewReader(log))} {
			r := newReading(stream.Limits{Findings: 5}, jobs)
			r.read(t, input)
			if len(r.family.seen) != n/2+n || r.runner.Counts.Blank != 1 {
				t.Fatalf("%s: %d records, %d blank lines", name, len(r.family.seen), r.runner.Counts.Blank)
			}
			if got := r.list(); !slices.Equal(got, []string{fmt.Sprintf("%d n.order", n/2+2)}) {
				t.Errorf("%s: %q", name, got)
			}
			if first == nil {
				first = r.family.seen
			}
			if !slices.Equal(first, r.family.seen) {
				t.Errorf("%s with %d jobs: another order", name, jobs)
			}
		}
	}
}

// TestFirstRecordLate puts the first readable record after blocks of unreadable lines: the family gets the first of
// them, up to the limit on findings, each once.
func TestFirstRecordLate(t *testing.T) {
	const bad = 100_000
	r := newReading(stream.Limits{Findings: 3}, 2)
	r.read(t, strings.NewReader(strings.Repeat("nothing\n", bad)+numbered(2)))
	want := []string{"1:line.json", "2:line.json", "3:line.json", fmt.Sprintf("%d:0", bad+1), fmt.Sprintf("%d:1", bad+2)}
	if !slices.Equal(r.family.seen, want) {
		t.Errorf("%q, want %q", r.family.seen, want)
	}
	if r.runner.Counts.Unreadable != bad {
		t.Errorf("%d unreadable lines, want %d", r.runner.Counts.Unreadable, bad)
	}
	if _, _, _, errs := r.findings.Close(); errs != bad {
		t.Errorf("%d errors are counted, want %d", errs, bad)
	}
}

func TestNoRecord(t *testing.T) {
	for input, want := range map[string]stream.Counts{
		"": {}, "\n \n": {Blank: 2}, "x\n": {Unreadable: 1},
	} {
		r := newReading(stream.Limits{}, 1)
		r.read(t, strings.NewReader(input))
		if r.family != nil || r.runner.Checker != nil || r.runner.Counts != want {
			t.Errorf("%q: %v, %+v", input, r.family, r.runner.Counts)
		}
		if r.runner.Counts.Empty() != (want.Unreadable == 0) {
			t.Errorf("%q: empty is %v", input, r.runner.Counts.Empty())
		}
	}
}

// TestEndsOfARun checks that results from before an error are kept.
func TestEndsOfARun(t *testing.T) {
	broken := errors.New("the disk is gone")
	disagree := errors.New("they disagree")
	t.Run("reading fails", func(t *testing.T) {
		r := newReading(stream.Limits{}, 1)
		err := r.runner.Run(context.Background(), stream.Lines(io.MultiReader(strings.NewReader(numbered(3)), iotest.ErrReader(broken)), r.runner.Limits, 0))
		if !errors.Is(err, broken) || len(r.family.seen) != 3 {
			t.Errorf("%v after %q", err, r.family.seen)
		}
	})
	t.Run("the second engine disagrees", func(t *testing.T) {
		r := newReading(stream.Limits{}, 1)
		r.runner.Second = func(l stream.Line, doc *strictjson.Document, refused error) (refusal, disagreement error) {
			if l.Number == 2 {
				return nil, disagree
			}
			return nil, nil
		}
		if err := r.runner.Run(context.Background(), stream.Lines(strings.NewReader(numbered(3)), r.runner.Limits, 0)); !errors.Is(err, disagree) {
			t.Error(err)
		}
	})
	t.Run("it disagrees about the first record", func(t *testing.T) {
		r := newReading(stream.Limits{}, 1)
		r.runner.Second = func(stream.Line, *strictjson.Document, error) (refusal, disagreement error) { return nil, disagree }
		if err := r.runner.Run(context.Background(), stream.Lines(strings.NewReader(numbered(3)), r.runner.Limits, 0)); !errors.Is(err, disagree) {
			t.Error(err)
		}
	})
	t.Run("the context ends", func(t *testing.T) {
		ctx, cancel := context.WithCancel(context.Background())
		cancel()
		r := newReading(stream.Limits{}, 1)
		if err := r.runner.Run(ctx, stream.Lines(strings.NewReader(numbered(3)), r.runner.Limits, 0)); !errors.Is(err, context.Canceled) {
			t.Error(err)
		}
	})
}

// TestSecondEngineRefuses: a line that only the second engine refuses is as unreadable
// as any other.
func TestSecondEngineRefuses(t *testing.T) {
	r := newReading(stream.Limits{}, 1)
	r.runner.Second = func(l stream.Line, doc *strictjson.Document, refused error) (refusal, disagreement error) {
		if (doc == nil) != (refused != nil) {
			t.Errorf("line %d: document %v with refusal %v", l.Number, doc, refused)
		}
		if l.Number == 2 {
			return errors.New("not to its taste"), nil
		}
		return nil, nil
	}
	r.read(t, strings.NewReader(numbered(2)+"x\n"))
	list, _, _, _ := r.findings.Close()
	if len(list) != 2 || list[0].Line != 2 || list[0].Rule != "line.json" || list[0].Message != "not to its taste" {
		t.Errorf("%+v", list)
	}
}

// patient is an input whose second block comes when the findings of the first are out.
type patient struct {
	blocks []stream.Block
	out    <-chan struct{}
	late   bool
}

func (p *patient) Next([]byte) (stream.Block, error) {
	if len(p.blocks) == 0 {
		return stream.Block{}, io.EOF
	}
	if len(p.blocks) == 1 {
		select {
		case <-p.out:
		case <-time.After(10 * time.Second):
			p.late = true
		}
	}
	next := p.blocks[0]
	p.blocks = p.blocks[1:]
	return next, nil
}

// TestFindingsGoOutByBlock: who follows a growing log sees a fault when its block is
// complete, not when the log ends.
func TestFindingsGoOutByBlock(t *testing.T) {
	block := func(number int, text string) stream.Block {
		return stream.Block{Lines: slices.Values([]stream.Line{{Number: number, Bytes: []byte(text), Terminated: true}})}
	}
	out := make(chan struct{})
	r := newReading(stream.Limits{}, 1)
	r.findings.Emit = func(stream.Finding, bool) { close(out) }
	input := &patient{blocks: []stream.Block{block(1, `{"n":7}`), block(2, `{"n":8}`)}, out: out}
	if err := r.runner.Run(t.Context(), input); err != nil || input.late || len(r.family.seen) != 2 {
		t.Errorf("%v, saw %q, late: %v", err, r.family.seen, input.late)
	}
}
