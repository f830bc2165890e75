package reasoning

import (
	"bytes"
	"encoding/binary"
	"errors"
	"io"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/cupel-dev/cupel/internal/racetest"
	"github.com/cupel-dev/cupel/internal/reasoningtest"
	"github.com/cupel-dev/cupel/internal/strictjson"
	"github.com/cupel-dev/cupel/trace/internal/reasoning/format"
	"github.com/cupel-dev/cupel/trace/internal/stream"
	"github.com/cupel-dev/cupel/trace/internal/wire"
)

// rangeOf is what a range of a trace is remembered by.
type rangeOf struct {
	lines                  int
	offset                 int64
	core, column, findings []byte
}

// summarizing is a Summarizer as a checker.
type summarizing struct{ *Summarizer }

func (summarizing) Finish() (stream.Outcome, error) { return stream.Outcome{}, nil }

// ranges summarizes the parts of a trace; ok is false where it has no record.
func (r testRun) ranges(t *testing.T, limits stream.Limits, parts [][]byte) (list []rangeOf, shape format.Shape, ok bool) {
	t.Helper()
	limits = limits.WithDefaults()
	input := func(text []byte) stream.Input { return stream.Lines(bytes.NewReader(text), limits, 0) }
	begins, err := stream.ReadLogStart(input(bytes.Join(parts, nil)), limits, func(root strictjson.Node) { shape = format.ShapeOf(root) })
	if err != nil {
		t.Fatal(err)
	}
	lines, offset := 0, int64(0)
	for _, part := range parts {
		findings := stream.NewFindings(limits.Findings)
		s := NewSummarizer(r.options(), limits, findings, shape)
		runner := &stream.Runner{Findings: findings, Limits: limits, Inline: true, Checker: summarizing{s}, Beginning: begins.From(offset)}
		if err := runner.Run(t.Context(), input(part)); err != nil {
			t.Fatal(err)
		}
		made := rangeOf{lines: lines, offset: offset}
		if made.core, made.column, err = s.Summary(); err != nil {
			t.Fatal(err)
		}
		var w wire.Writer
		findings.Encode(&w)
		made.findings = w.Bytes
		list = append(list, made)
		lines, offset = lines+bytes.Count(part, []byte{'\n'}), offset+int64(len(part))
	}
	return list, shape, begins.Record >= 0
}

// replay makes the report of a trace from its ranges.
func (r testRun) replay(t *testing.T, limits stream.Limits, list []rangeOf, shape format.Shape, text []byte) (whole report, err error) {
	t.Helper()
	limits = limits.WithDefaults()
	findings := stream.NewFindings(limits.Findings)
	c, err := NewReplayer(t.Context(), r.options(), limits, findings, shape)
	if err != nil {
		t.Fatal(err)
	}
	for _, one := range list {
		found := wire.NewReader(one.findings)
		if findings.MergeEncoded(found, one.lines); found.Done() != nil {
			t.Fatal(found.Done())
		}
		recall := func(offset int64, size int) ([]byte, error) {
			part := make([]byte, size)
			_, err := bytes.NewReader(text).ReadAt(part, offset)
			return part, err
		}
		if err := c.Replay(stream.Replay{Core: one.core, Column: bytes.NewReader(one.column), Lines: one.lines, Offset: one.offset, Recall: recall}); err != nil {
			return report{}, err
		}
		findings.EndBlock()
	}
	if whole.outcome, err = c.Finish(); err != nil {
		t.Fatal(err)
	}
	whole.rejected = findings.Rejected()
	whole.findings, whole.counts[0], whole.counts[1], whole.counts[2] = findings.Close()
	return whole, nil
}

// TestRangesAreOneTrace holds the law of summaries: ranges of a trace, each summarized by itself, report
// together what one run over all of it reports, wherever the trace is cut.
func TestRangesAreOneTrace(t *testing.T) {
	cuts := 0
	random := rand.New(rand.NewPCG(3, 1))
	for name, r := range examples(t) {
		text := append(bytes.Clone(r.trace), '\n')
		all := bytes.SplitAfter(text, []byte{'\n'})
		for i, limits := range []stream.Limits{{}, {Findings: 2}} {
			whole := r.verify(t, limits)
			for k := range len(all) + 1 {
				if i > 0 && k%4 != 0 || random.IntN(racetest.Step(t)) > 0 {
					continue
				}
				parts := [][]byte{bytes.Join(all[:k], nil), bytes.Join(all[k:], nil)}
				if k == len(all) {
					parts = all // each line is a range
				}
				list, shape, ok := r.ranges(t, limits, parts)
				if !ok {
					continue
				}
				cuts++
				got, err := r.replay(t, limits, list, shape, text)
				if err != nil {
					t.Fatalf("%s, cut after %d lines: %v", name, k, err)
				}
				if got.counts != whole.counts || got.rejected != whole.rejected {
					t.Errorf("%s, cut after %d lines, %+v: %v, at once %v", name, k, limits, got.counts, whole.counts)
				}
				if got, want := got.text(t), whole.text(t); got != want {
					t.Fatalf("%s, cut after %d lines, %+v:\n%s\nat once:\n%s", name, k, limits, got, want)
				}
			}
		}
	}
	if cuts < 500/racetest.Step(t) {
		t.Errorf("%d cuts", cuts)
	}
	t.Logf("%d cuts", cuts)
}

// rowsOf cuts a column into its rows, each with its length before it.
func rowsOf(t *testing.T, column []byte) (list [][]byte) {
	t.Helper()
	for len(column) > 0 {
		size, n := binary.Uvarint(column)
		if n <= 0 {
			t.Fatal("no length of a row")
		}
		end := n + int(size)
		list, column = append(list, column[:end]), column[end:]
	}
	return list
}

// TestLongRows: a range of many blocks, and one with a line of more bytes than rows are decoded at a time,
// report what one run reports.
func TestLongRows(t *testing.T) {
	long := newRun(reasoningtest.Incident(reasoningtest.Wrapped).Files())
	long.trace = bytes.Replace(long.trace, []byte(`{"event":{`), []byte(`{"event":{"mood":"`+strings.Repeat("é", rowsBlock)+`",`), 1)
	for name, r := range map[string]testRun{"many": newRun(reasoningtest.Research(reasoningtest.Wrapped, 1200).Files()), "long": long} {
		whole, text := r.verify(t, stream.Limits{}), append(bytes.Clone(r.trace), '\n')
		list, shape, _ := r.ranges(t, stream.Limits{}, [][]byte{text})
		if len(list[0].column) < 2*rowsBlock {
			t.Fatalf("%s: a column of %d bytes", name, len(list[0].column))
		}
		got, err := r.replay(t, stream.Limits{}, list, shape, text)
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		if got, want := got.text(t), whole.text(t); got != want {
			t.Errorf("%s:\n%s\nat once:\n%s", name, got, want)
		}
		list[0].column = list[0].column[:len(list[0].column)-1]
		if _, err := r.replay(t, stream.Limits{}, list, shape, text); !errors.Is(err, io.ErrUnexpectedEOF) {
			t.Errorf("%s, cut in its last row: %v", name, err)
		}
	}
}

// TestColumnsOfOtherRanges: a column that is not that of its range is refused, whatever it lacks.
func TestColumnsOfOtherRanges(t *testing.T) {
	for name, r := range map[string]testRun{"wrapped": newRun(reasoningtest.Incident(reasoningtest.Wrapped).Files()), "flat": newRun(reasoningtest.Incident(reasoningtest.Flat).Files())} {
		text := append(bytes.Clone(r.trace), '\n')
		list, shape, _ := r.ranges(t, stream.Limits{}, [][]byte{text})
		column := list[0].column
		with := func(column []byte) error {
			list[0].column = column
			_, err := r.replay(t, stream.Limits{}, list, shape, text)
			return err
		}
		if err := with(column); err != nil {
			t.Fatalf("%s, its own: %v", name, err)
		}
		rows := rowsOf(t, column)
		for i := range rows {
			if with(slices.Concat(slices.Delete(slices.Clone(rows), i, i+1)...)) == nil {
				t.Errorf("%s: nobody misses row %d", name, i+1)
			}
			if with(slices.Concat(slices.Insert(slices.Clone(rows), i, rows[i])...)) == nil {
				t.Errorf("%s: nobody minds row %d twice", name, i+1)
			}
		}
		for n := range column {
			if with(column[:n]) == nil {
				t.Fatalf("%s: nobody misses what stands after byte %d", name, n)
			}
		}
		most := rowLimit(stream.Limits{}.WithDefaults().LineBytes)
		for size, want := range map[uint64]string{most: io.ErrUnexpectedEOF.Error(), most + 1: "more than any line"} {
			if err := with(binary.AppendUvarint(nil, size)); err == nil || !strings.Contains(err.Error(), want) {
				t.Errorf("%s, a row of %d bytes: %v, want %s", name, size, err, want)
			}
		}
	}
}

// TestColumnThatCannotBeRead checks that a read error of a column is not its end.
func TestColumnThatCannotBeRead(t *testing.T) {
	r, fails := newRun(reasoningtest.Incident(reasoningtest.Wrapped).Files()), errors.New("no such disk")
	list, shape, _ := r.ranges(t, stream.Limits{}, [][]byte{r.trace})
	c, err := NewReplayer(t.Context(), r.options(), stream.Limits{}.WithDefaults(), stream.NewFindings(9), shape)
	if err != nil {
		t.Fatal(err)
	}
	column := io.MultiReader(bytes.NewReader(rowsOf(t, list[0].column)[0]), iotest.ErrReader(fails))
	if err := c.Replay(stream.Replay{Core: list[0].core, Column: column}); !errors.Is(err, fails) {
		t.Errorf("%v, want %v", err, fails)
	}
}
