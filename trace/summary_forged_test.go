package trace_test

import (
	"bytes"
	"crypto/sha256"
	"errors"
	"io"
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/cupel-dev/cupel/internal/racetest"
	"github.com/cupel-dev/cupel/internal/reasoningtest"
	"github.com/cupel-dev/cupel/internal/sessiontest"
	"github.com/cupel-dev/cupel/trace"
)

// A summary's binary form begins with its name and version, and ends with its checksum.
const summaryMagic = "cupel.summary\x00\x05"

func resealed(body []byte) []byte {
	text := append([]byte(summaryMagic), body...)
	sum := sha256.Sum256(text)
	return append(text, sum[:]...)
}

func withoutSeal(summary []byte) []byte {
	return summary[len(summaryMagic) : len(summary)-sha256.Size]
}

// forgeable is a log, the summary of all of it without its seal, and its column.
type forgeable struct {
	log          string
	body, column []byte
}

// forgedLimits keep hostile summaries cheap.
var forgedLimits = trace.Limits{LineBytes: 4 << 10, Findings: 10, IDs: 200, Values: 1_000}

// forgeables are of all families, with faults of all kinds.
func forgeables(tb testing.TB) (list []forgeable) {
	tb.Helper()
	random := rand.New(rand.NewPCG(18, 5))
	var logs []string
	for _, shape := range []reasoningtest.Shape{reasoningtest.Flat, reasoningtest.Wrapped} {
		_, log := inMemory(reasoningtest.Incident(shape).Files())
		logs = append(logs, string(log), altered(random, altered(random, string(log))))
	}
	for _, family := range sessiontest.Families {
		logs = append(logs, strings.Join(sessiontest.Arbitrary(random, family, "5e551017"), "\n"))
	}
	for _, log := range manyFindings(12) {
		logs = append(logs, log)
	}
	var day bytes.Buffer // whose column has all hashes
	if err := sessiontest.WorkingDay(&day, 12); err != nil {
		tb.Fatal(err)
	}
	logs = append(logs, strings.ReplaceAll(day.String(), "\n", "\n\n"))
	for _, log := range logs {
		opt := trace.Options{Limits: forgedLimits, Inline: true}
		p, err := trace.Open(strings.NewReader(log), opt)
		if err != nil {
			tb.Fatal(err)
		}
		s, err := trace.Summarize(tb.Context(), strings.NewReader(log), trace.Range{End: int64(len(log))}, p, opt)
		if err != nil {
			tb.Fatal(err)
		}
		text, err := s.MarshalBinary()
		if err != nil {
			tb.Fatal(err)
		}
		f := forgeable{log: log, body: withoutSeal(text)}
		for _, column := range s.Columns() {
			f.column = column
		}
		list = append(list, f)
	}
	return list
}

// believed reports on a log by a summary that says of itself that it is whole. It must not
// panic, whatever the summary says, and one that can be read is written as it was.
func believed(tb testing.TB, f forgeable) error {
	tb.Helper()
	s := &trace.Summary{OpenColumn: func([sha256.Size]byte) (io.ReadCloser, error) {
		return io.NopCloser(bytes.NewReader(f.column)), nil
	}}
	text := resealed(f.body)
	if err := s.UnmarshalBinary(text); err != nil {
		return err
	}
	if again, err := s.MarshalBinary(); err != nil || !bytes.Equal(again, text) {
		tb.Fatalf("%x is read, and written as %x: %v", text, again, err)
	}
	var twice trace.Summary
	if err := errors.Join(twice.Merge(s), twice.Merge(s)); err != nil {
		tb.Fatalf("a summary does not go with itself: %v", err)
	}
	_, err := s.Report(tb.Context(), strings.NewReader(f.log), trace.Options{Limits: forgedLimits, Inline: true})
	return err
}

// TestForgedSummaries changes summaries and columns and makes their checksums hold again. A
// column goes by its digest: each change of it is an error.
func TestForgedSummaries(t *testing.T) {
	random := rand.New(rand.NewPCG(18, 6))
	step := 3 * racetest.Step(t)
	for _, f := range forgeables(t) {
		if err := believed(t, f); err != nil {
			t.Fatalf("as it was: %v", err)
		}
		forged := f
		for at := random.IntN(step); at < len(f.body); at += step {
			forged.body = changedAt(random, f.body, at)
			_ = believed(t, forged) // it must return
		}
		forged = f
		for at := random.IntN(step); at < len(f.column); at += step {
			forged.column = changedAt(random, f.column, at)
			if err := believed(t, forged); err == nil {
				t.Errorf("a column with byte %d changed is taken", at)
			}
		}
	}
}

// changedAt changes a byte, removes some, or inserts some, possibly the bytes of a large number.
func changedAt(random *rand.Rand, text []byte, at int) []byte {
	end := min(len(text), at+1+random.IntN(4))
	switch random.IntN(5) {
	case 0:
		return text[:at]
	case 1:
		return concat(text[:at], text[end:])
	case 2:
		return concat(text[:at], []byte{0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0x7f}, text[end:])
	case 3:
		return concat(text[:at], []byte{byte(random.IntN(math.MaxUint8 + 1))}, text[at:])
	}
	changed := bytes.Clone(text)
	changed[at] ^= byte(1 + random.IntN(math.MaxUint8))
	return changed
}

func concat(parts ...[]byte) []byte { return bytes.Join(parts, nil) }

// FuzzSummary: no summary and no column makes a report panic, whatever they say of a log.
func FuzzSummary(f *testing.F) {
	seeds := forgeables(f)
	for i, seed := range seeds {
		f.Add(uint8(i), seed.body, seed.column)
	}
	f.Fuzz(func(t *testing.T, which uint8, body, column []byte) {
		_ = believed(t, forgeable{seeds[int(which)%len(seeds)].log, body, column}) // it must return
	})
}
