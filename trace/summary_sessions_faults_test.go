package trace_test

import (
	"bytes"
	"crypto/sha256"
	"encoding"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/cupel-dev/cupel/internal/buildinfo"
	"github.com/cupel-dev/cupel/internal/racetest"
	"github.com/cupel-dev/cupel/trace"
)

// divided returns the account of a range of the only file of a log, and the summary of its only session.
func divided(t *testing.T, log string, start, end int, opt trace.Options) (*trace.Account, *trace.SessionSummary) {
	t.Helper()
	account, list, err := trace.SummarizeSessions(t.Context(), strings.NewReader(log), 0, trace.Range{Start: int64(start), End: int64(end)}, opt)
	if err != nil || len(list) != 1 {
		t.Fatalf("%d sessions, %v", len(list), err)
	}
	return account, list[0]
}

// TestSessionsOfOtherRuns checks that accounts and summaries under other options, by another version, of overlapping
// ranges, or of a changed file are refused when they are merged; and so are a report under other options, and a
// summary together with another run's account.
func TestSessionsOfOtherRuns(t *testing.T) {
	log := workingDays(t, 8, 1)
	half := strings.Index(log[len(log)/2:], "\n") + 1 + len(log)/2
	files, _ := logFiles([]string{log})
	opt := trace.Options{}
	first, one := divided(t, log, 0, half, opt)
	second, two := divided(t, log, half, len(log), opt)
	strict := trace.Options{Session: trace.SessionOptions{StrictPayload: true}, Limits: trace.Limits{Findings: 7}}
	version := buildinfo.Version
	for name, c := range map[string]struct {
		read            func() (*trace.Account, *trace.SessionSummary)
		account, merged string
	}{
		"other options": {
			func() (*trace.Account, *trace.SessionSummary) { return divided(t, log, half, len(log), strict) },
			"two summaries were made under another --max-findings, another --strict-payload",
			"were made under other options, or by another version of cupel",
		},
		"another version": {
			func() (*trace.Account, *trace.SessionSummary) {
				buildinfo.Version = version + ".1"
				defer func() { buildinfo.Version = version }()
				return divided(t, log, half, len(log), opt)
			},
			"two summaries were made under another version of cupel",
			"were made under other options, or by another version of cupel",
		},
		"ranges that overlap": {
			func() (*trace.Account, *trace.SessionSummary) { return divided(t, log, half-2, len(log), opt) }, "", "", // the same lines
		},
		"ranges that overlap by a line": {
			func() (*trace.Account, *trace.SessionSummary) {
				return divided(t, log, strings.LastIndex(log[:half-1], "\n"), len(log), opt)
			}, "overlap: cut the log into ranges once", "overlap: cut the log into ranges once",
		},
		"a file that changed": {
			func() (*trace.Account, *trace.SessionSummary) {
				return divided(t, strings.Replace(log, "TOOL_CALL", "TOOL_CALX", 1), 0, half, opt)
			}, "differ: the log changed between them", "differ: the log changed between them",
		},
	} {
		account, sum := c.read()
		all, both := *first, *one
		for what, got := range map[string]struct {
			err  error
			want string
		}{"accounts": {all.Merge(account), c.account}, "summaries": {both.Merge(sum), c.merged}} {
			if (got.err == nil) != (got.want == "") || got.err != nil && !strings.Contains(got.err.Error(), got.want) {
				t.Errorf("%s, %s: %v, want %s", name, what, got.err, got.want)
			}
		}
		if was := [2]string{written(t, &all), written(t, &both)}; c.account != "" && was != [2]string{written(t, first), written(t, one)} {
			t.Errorf("%s: an error has changed something", name)
		}
	}
	if err := errors.Join(first.Merge(second), one.Merge(two)); err != nil {
		t.Fatal(err)
	}
	if r, err := sessionReport(t, one, first, files, opt); err != nil || r.Verdict != trace.Valid {
		t.Fatalf("%v, %+v", err, r)
	}
	if _, err := sessionReport(t, one, first, files, strict); err == nil || err.Error() != "the files were summarized under another --max-findings, another --strict-payload" {
		t.Errorf("a report under other options: %v", err)
	}
	other, sum := divided(t, log, 0, len(log), strict)
	if _, err := sessionReport(t, sum, first, files, opt); err == nil || !strings.HasSuffix(err.Error(), "was summarized under other options than the files, or by another version of cupel") {
		t.Errorf("a summary beside another account: %v", err)
	}
	if _, err := sessionReport(t, one, other, files, strict); err == nil || !strings.HasSuffix(err.Error(), "was summarized under other options than the files, or by another version of cupel") {
		t.Errorf("an account beside another summary: %v", err)
	}
}

// sessionReport returns the report on a session of files that an account is of.
func sessionReport(tb testing.TB, s *trace.SessionSummary, a *trace.Account, files []trace.LogFile, opt trace.Options) (*trace.Report, error) {
	tb.Helper()
	layout, err := a.Layout(files)
	if err != nil {
		return nil, err
	}
	return s.Report(tb.Context(), layout, opt)
}

func written(tb testing.TB, m encoding.BinaryMarshaler) string {
	tb.Helper()
	text, err := m.MarshalBinary()
	if err != nil {
		tb.Fatal(err)
	}
	return string(text)
}

// ofSessions are an account of a log and the summary of a session, as they travel.
type ofSessions interface {
	encoding.BinaryMarshaler
	encoding.BinaryUnmarshaler
}

// TestDamagedSessions: no byte of an account, or of a session's summary, can change unnoticed, and
// none is taken that another version made.
func TestDamagedSessions(t *testing.T) {
	account, sum := divided(t, workingDays(t, 4, 1), 0, 1<<20, trace.Options{})
	for what, c := range map[string]struct{ of, into ofSessions }{"account": {account, &trace.Account{}}, "session": {sum, &trace.SessionSummary{}}} {
		text := []byte(written(t, c.of))
		for i := range text {
			for _, change := range []byte{1, 0x80} {
				bad := bytes.Clone(text)
				if bad[i] ^= change; c.into.UnmarshalBinary(bad) == nil {
					t.Fatalf("%s: byte %d was changed unnoticed", what, i)
				}
			}
			if c.into.UnmarshalBinary(text[:i]) == nil {
				t.Fatalf("%d of %d bytes are what was the %s", i, len(text), what)
			}
		}
		other := bytes.Clone(text)
		other[len("cupel.")+len(what)+1]++
		if err := c.into.UnmarshalBinary(other); err == nil || !strings.Contains(err.Error(), "another version") {
			t.Errorf("%s: %v", what, err)
		}
		if err := c.into.UnmarshalBinary(text); err != nil || written(t, c.into) != string(text) {
			t.Errorf("%s: %v", what, err)
		}
	}
}

// TestForgedSessions changes accounts and summaries of sessions and makes their checksums hold
// again: whatever they say then, a report returns, and what can be read is written as it was.
func TestForgedSessions(t *testing.T) {
	random := rand.New(rand.NewPCG(18, 11))
	step := 3 * racetest.Step(t)
	for i := range 4 {
		opt := trace.Options{Limits: forgedLimits, Inline: true}
		log := strings.Join(rotated(random), "\n")
		if i == 0 {
			log = workingDays(t, 12, 1)
		}
		files, _ := logFiles([]string{log})
		account, list, err := trace.SummarizeSessions(t.Context(), strings.NewReader(log), 0, trace.Range{End: int64(len(log))}, opt)
		if err != nil || len(list) == 0 {
			t.Fatalf("%d sessions, %v", len(list), err)
		}
		columns := map[[32]byte][]byte{}
		for digest, column := range list[0].Columns() {
			columns[digest] = column
		}
		believe := func(account, sum string) error {
			a, s := &trace.Account{}, &trace.SessionSummary{OpenColumn: stored(columns)}
			for _, c := range []struct {
				text string
				into ofSessions
			}{{account, a}, {sum, s}} {
				if err := c.into.UnmarshalBinary([]byte(c.text)); err != nil {
					return err
				}
				if written(t, c.into) != c.text {
					t.Fatalf("%x is read, and written as %x", c.text, written(t, c.into))
				}
			}
			_, err := sessionReport(t, s, a, files, opt)
			return err
		}
		a, s := written(t, account), written(t, list[0])
		if err := believe(a, s); err != nil {
			t.Fatalf("as they were: %v", err)
		}
		for at := len("cupel.account\x00") + 1; at < len(a)-sha256.Size; at += 1 + random.IntN(step) {
			_ = believe(forgedAt(random, a, at), s) // it must return
		}
		for at := len("cupel.session\x00") + 1; at < len(s)-sha256.Size; at += 1 + random.IntN(step) {
			_ = believe(a, forgedAt(random, s, at))
		}
	}
}

// forgedAt changes a text that ends in its checksum, which holds again.
func forgedAt(random *rand.Rand, sealed string, at int) string {
	text := changedAt(random, []byte(sealed[:len(sealed)-sha256.Size]), at)
	sum := sha256.Sum256(text)
	return string(append(bytes.Clone(text), sum[:]...))
}

// TestRangeThatCannotBeRead checks that a run that ends in the middle of a range, wherever that is, returns an error
// and no summary, and that a second run gives the right summary.
func TestRangeThatCannotBeRead(t *testing.T) {
	log := workingDays(t, 40, 2)
	for _, r := range []trace.Range{{End: int64(len(log))}, {Start: int64(len(log) / 3), End: int64(len(log) * 2 / 3)}} {
		p, err := trace.Open(strings.NewReader(log), trace.Options{})
		if err != nil {
			t.Fatal(err)
		}
		src := &dyingLog{ReaderAt: strings.NewReader(log), size: int64(len(log)), dies: int64(len(log)) + 1}
		summarize := func(opt trace.Options) (texts [3]string, err error) {
			sum, err := trace.Summarize(t.Context(), src, r, p, opt)
			account, list, failed := trace.SummarizeSessions(t.Context(), src, 0, r, opt)
			if (err == nil) != (sum != nil) || (failed == nil) != (account != nil) {
				t.Fatalf("byte %d cannot be read: summaries %v, %v, errors %v, %v", src.dies, sum, account, err, failed)
			}
			if err = errors.Join(err, failed); err == nil {
				texts = [3]string{written(t, sum), written(t, account), written(t, list[len(list)-1])}
			}
			return texts, err
		}
		whole, err := summarize(trace.Options{})
		if err != nil {
			t.Fatal(err)
		}
		for dies := int64(0); dies < int64(len(log)); dies += int64(97 * racetest.Step(t)) {
			src.dies = dies
			opt := trace.Options{Jobs: 1 + int(dies%3), Inline: dies%2 == 0}
			got, err := summarize(opt)
			if within := dies >= r.Start && dies < r.End; within && err == nil {
				t.Fatalf("%v: byte %d cannot be read, and there is a summary", r, dies)
			}
			if err == nil && got != whole {
				t.Fatalf("%v: byte %d cannot be read, and another summary was made", r, dies)
			}
			src.dies = int64(len(log)) + 1
			if again, err := summarize(opt); err != nil || again != whole {
				t.Fatalf("%v: tried again it is another one: %v", r, err)
			}
		}
	}
}

// dyingLog is a log of which nothing can be read from a byte on.
type dyingLog struct {
	io.ReaderAt
	size, dies int64
}

func (l *dyingLog) Size() int64 { return l.size }

func (l *dyingLog) ReadAt(b []byte, offset int64) (int, error) {
	if n := l.dies - offset; n < int64(len(b)) && l.dies < l.size {
		n, err := l.ReaderAt.ReadAt(b[:max(0, n)], offset)
		if err == nil {
			err = fmt.Errorf("byte %d: %w", l.dies, io.ErrClosedPipe)
		}
		return n, err
	}
	return l.ReaderAt.ReadAt(b, offset)
}
