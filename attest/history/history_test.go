//go:build unix

package history_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/cupel-dev/cupel/attest"
	"github.com/cupel-dev/cupel/attest/history"
	"github.com/cupel-dev/cupel/internal/door"
	"github.com/cupel-dev/cupel/internal/doortest"
)

const firstLine = `{"schema":"cupel.history/1"}` + "\n"

func check(t interface{ Fatal(...any) }, err error) {
	if err != nil {
		t.Fatal(err)
	}
}

func open(t interface{ Fatal(...any) }, name string, max int64) *history.Store {
	s, err := history.Open(context.Background(), name, history.Options{MaxBytes: max})
	check(t, err)
	return s
}

func read(t interface{ Fatal(...any) }, name string) string {
	text, err := os.ReadFile(name)
	check(t, err)
	return string(text)
}

// naive is what the lines of a text say of an assertion, by another reader of JSON.
func naive(text, id string, n int) (scores []float64) {
	for line := range strings.Lines(text) {
		var r struct {
			ID    *string  `json:"assertion_id"`
			Score *float64 `json:"score"`
		}
		if json.Unmarshal([]byte(line), &r) == nil && r.ID != nil && *r.ID == id && r.Score != nil && *r.Score >= 0 && *r.Score <= 1 {
			scores = append(scores, *r.Score)
		}
	}
	return scores[max(0, len(scores)-n):]
}

func anyScores() *rapid.Generator[[]attest.Score] {
	id := rapid.OneOf(rapid.SampledFrom([]string{"a", "b", "a\nb\"\\", "é\u2028", strings.Repeat("long ", 300)}), rapid.StringN(1, 8, -1))
	score := rapid.OneOf(rapid.Float64Range(0, 1), rapid.SampledFrom([]float64{0, 1, 0.1, 0.91, 5e-324, 1e-7}))
	return rapid.SliceOfN(rapid.Custom(func(t *rapid.T) attest.Score {
		return attest.Score{AssertionID: id.Draw(t, "id"), Score: score.Draw(t, "score")}
	}), 1, 40)
}

// TestOnlyTheOrderMatters: the file, and what it answers, are the same however many stores
// have written it, and how many scores each has written at once.
func TestOnlyTheOrderMatters(t *testing.T) {
	dir := t.TempDir()
	rapid.Check(t, func(t *rapid.T) {
		one, many := filepath.Join(dir, "one"), filepath.Join(dir, "many")
		_, _ = os.Remove(one), os.Remove(many)
		limit := rapid.Int64Range(400, 4000).Draw(t, "limit")
		scores := anyScores().Draw(t, "scores")
		alone := open(t, one, limit)
		defer alone.Close()
		stores := []*history.Store{open(t, many, limit), open(t, many, limit), open(t, many, limit)}
		for rest := scores; len(rest) > 0; {
			n := rapid.IntRange(1, len(rest)).Draw(t, "batch")
			for _, s := range rest[:n] {
				check(t, alone.Record(t.Context(), []attest.Score{s}))
			}
			writer := rapid.SampledFrom(stores).Draw(t, "writer")
			check(t, writer.Record(t.Context(), rest[:n]))
			asked := rapid.SampledFrom(scores).Draw(t, "asked").AssertionID
			window := rapid.IntRange(1, 60).Draw(t, "window")
			text := read(t, one)
			if diff := cmp.Diff(text, read(t, many)); diff != "" {
				t.Fatal(diff)
			}
			for _, s := range append(stores, alone) {
				got, err := s.Scores(t.Context(), asked, window)
				check(t, err)
				if want := naive(text, asked, window); len(asked) < 1024 && !slices.Equal(got, want) {
					t.Fatalf("the last %d of %q are %v, want %v", window, asked, got, want)
				}
			}
			rest = rest[n:]
		}
		for _, s := range stores {
			s.Close()
		}
		if size := int64(len(read(t, one))); size > limit {
			t.Fatalf("%d bytes, and at most %d were to be kept", size, limit)
		}
	})
}

// TestNothingIsForgotten below the limit: all scores come back, in their order.
func TestNothingIsForgotten(t *testing.T) {
	dir := t.TempDir()
	rapid.Check(t, func(t *rapid.T) {
		name := filepath.Join(dir, "file")
		_ = os.Remove(name)
		s := open(t, name, 0)
		defer s.Close()
		want := map[string][]float64{}
		scores := anyScores().Draw(t, "scores")
		for _, r := range scores {
			id := strings.ToValidUTF8(r.AssertionID, "\uFFFD")
			want[id] = append(want[id], r.Score)
		}
		check(t, s.Record(t.Context(), scores))
		for id := range want {
			got, err := s.Scores(t.Context(), id, 1000)
			check(t, err)
			if !slices.Equal(got, want[id]) {
				t.Fatalf("%q: %v, want %v", id, got, want[id])
			}
		}
	})
}

// TestTorn cuts a file after each of its bytes, as a killed process or a full disk does: the next line is whole and
// follows the remains, and only an incomplete line is lost.
func TestTorn(t *testing.T) {
	dir := t.TempDir()
	whole := firstLine + `{"assertion_id":"a","score":0.1}` + "\n" + `{"assertion_id":"é","score":0.2}` + "\n"
	for size := range len(whole) + 1 {
		name := filepath.Join(dir, fmt.Sprint(size))
		left := whole[:size]
		check(t, os.WriteFile(name, []byte(left), 0o600))
		s := open(t, name, 0)
		check(t, s.Record(t.Context(), []attest.Score{{AssertionID: "a", Score: 0.3}}))
		want := append(naive(left, "a", 9), 0.3)
		if got, err := s.Scores(t.Context(), "a", 9); err != nil || !slices.Equal(got, want) {
			t.Errorf("after %q: %v (%v), want %v", left, got, err, want)
		}
		if text := read(t, name); !strings.HasPrefix(text, firstLine) || !strings.HasSuffix(text, "\n"+`{"assertion_id":"a","score":0.3}`+"\n") {
			t.Errorf("after %q: %q", left, text)
		}
		s.Close()
	}
}

// TestForeign files are left as they are.
func TestForeign(t *testing.T) {
	dir := t.TempDir()
	for i, text := range []string{"notes\n", "{", `{"schema":"cupel.eval/1"}` + "\n", " " + firstLine, "\n", "\x00\x00", strings.Repeat("x", 1<<20), firstLine[1:]} {
		name := filepath.Join(dir, fmt.Sprint(i))
		check(t, os.WriteFile(name, []byte(text), 0o600))
		_, err := history.Open(t.Context(), name, history.Options{})
		if text == "{" { // the beginning of a first line
			check(t, err)
			continue
		}
		var at *fs.PathError
		if !errors.Is(err, history.ErrForeign) || !errors.As(err, &at) || at.Path != name {
			t.Errorf("%.20q: %v", text, err)
		}
		if got := read(t, name); got != text {
			t.Errorf("%.20q has become %.60q", text, got)
		}
	}
}

// TestBecomesAnother: the file is removed, emptied, cut, or replaced while a store is open.
func TestBecomesAnother(t *testing.T) {
	name := filepath.Join(t.TempDir(), "file")
	s := open(t, name, 0)
	defer s.Close()
	score := func(id string) (scores []float64, err error) { return s.Scores(t.Context(), id, 9) }
	record := func() { check(t, s.Record(t.Context(), []attest.Score{{AssertionID: "a", Score: 0.5}})) }
	for title, change := range map[string]func() error{
		"removed":  func() error { return os.Remove(name) },
		"emptied":  func() error { return os.Truncate(name, 0) },
		"replaced": func() error { return errors.Join(os.WriteFile(name+".new", nil, 0o600), os.Rename(name+".new", name)) },
	} {
		record()
		check(t, change())
		if got, err := score("a"); len(got) > 0 || err != nil {
			t.Errorf("%s: %v, %v", title, got, err)
		}
		record()
		if got, err := score("a"); len(got) != 1 || err != nil {
			t.Errorf("%s, and written: %v, %v", title, got, err)
		}
	}
	check(t, os.WriteFile(name, []byte("notes, and more than there was before, so that it is none of a history\n"), 0o600))
	if err := s.Record(t.Context(), []attest.Score{{AssertionID: "a", Score: 0.5}}); !errors.Is(err, history.ErrForeign) {
		t.Error(err)
	}
	check(t, os.Remove(name))
	check(t, os.Mkdir(name, 0o700))
	var refused *door.RefusedError
	if _, err := score("a"); !errors.As(err, &refused) {
		t.Error(err)
	}
}

// TestHostile checks that lines that are not scores are skipped, even if they resemble scores.
func TestHostile(t *testing.T) {
	name := filepath.Join(t.TempDir(), "file")
	lines := []string{
		"", "{", "[]", "null", `"a"`, `{"assertion_id":"a"}`, `{"score":0.5}`, `{"assertion_id":1,"score":0.5}`, `{"assertion_id":"a","score":"0.5"}`,
		`{"assertion_id":"a","score":7}`, `{"assertion_id":"a","score":-0.1}`, `{"assertion_id":"a","score":NaN}`, `{"assertion_id":"a","score":1e400}`,
		`{"assertion_id":"a","score":0.5}{}`, strings.Repeat("[", 10000), `{"assertion_id":"` + strings.Repeat("a", 1<<20) + `","score":0.5}`, "\xff\xfe", firstLine[:len(firstLine)-1],
		`{"assertion_id":"a","score":0.25,"x":[1,{}]}`, "{\"score\":0.75,\"assertion_id\":\"\\u0061\"}\r",
	}
	check(t, os.WriteFile(name, []byte(firstLine+strings.Join(lines, "\n")+"\n"), 0o600))
	var log strings.Builder
	s, err := history.Open(t.Context(), name, history.Options{Logger: logTo(&log)})
	check(t, err)
	defer s.Close()
	if got, err := s.Scores(t.Context(), "a", 99); err != nil || !slices.Equal(got, []float64{0.25, 0.75}) {
		t.Errorf("%v, %v", got, err)
	}
	if want := fmt.Sprintf("count=%d", len(lines)-4); strings.Count(log.String(), want) != 1 {
		t.Errorf("no %s in %q", want, log.String())
	}
}

// TestGigantic: of a file beyond the limit, which nothing of this package has made, the
// newest lines count, and the next score cuts it.
func TestGigantic(t *testing.T) {
	name := filepath.Join(t.TempDir(), "file")
	const limit = 4096
	var text strings.Builder
	text.WriteString(firstLine)
	for i := range 10_000 {
		fmt.Fprintf(&text, "{\"assertion_id\":\"a\",\"score\":0.%04d}\n", i)
	}
	check(t, os.WriteFile(name, []byte(text.String()), 0o600))
	s := open(t, name, limit)
	defer s.Close()
	got, err := s.Scores(t.Context(), "a", 1000)
	check(t, err)
	if want := naive(text.String(), "a", len(got)); len(got) < 50 || len(got) > 200 || !slices.Equal(got, want) {
		t.Errorf("%d scores to %v", len(got), got[len(got)-1])
	}
	check(t, s.Record(t.Context(), []attest.Score{{AssertionID: "a", Score: 1}}))
	if size := len(read(t, name)); size > limit {
		t.Errorf("%d bytes", size)
	}
	if got, err := s.Scores(t.Context(), "a", 2); err != nil || !slices.Equal(got, []float64{0.9999, 1}) {
		t.Errorf("%v, %v", got, err)
	}
}

// TestFreeze: what is recorded afterwards is not seen, and is in the file.
func TestFreeze(t *testing.T) {
	name := filepath.Join(t.TempDir(), "file")
	s := open(t, name, 300)
	defer s.Close()
	record := func(score float64) {
		check(t, s.Record(t.Context(), []attest.Score{{AssertionID: "a", Score: score}}))
	}
	record(0.5)
	check(t, s.Freeze(t.Context()))
	for range 50 { // the file is cut meanwhile
		record(0.25)
	}
	if got, err := s.Scores(t.Context(), "a", 9); err != nil || !slices.Equal(got, []float64{0.5}) {
		t.Errorf("%v, %v", got, err)
	}
	if got := naive(read(t, name), "a", 1); !slices.Equal(got, []float64{0.25}) {
		t.Errorf("%v", got)
	}
}

// TestFaultAtN makes every call of the system fail in turn, with half of its work done: what
// was recorded without an error is there, and the next record goes well.
func TestFaultAtN(t *testing.T) {
	errDisk := errors.New("the disk is full")
	for n := 1; ; n++ {
		name := filepath.Join(t.TempDir(), "file")
		faults := &doortest.Faults{At: n, Err: errDisk, Short: true}
		restore := door.Use(faults.Disk(door.System()))
		recorded, err := recordSome(name)
		restore()
		if faults.Failed() == "" {
			check(t, err)
			break
		}
		s := open(t, name, faultLimit)
		check(t, s.Record(t.Context(), []attest.Score{{AssertionID: "a", Score: 1}}))
		got, err := s.Scores(t.Context(), "a", 99)
		check(t, err)
		if !holdsAll(got, append(recorded, 1)) {
			t.Errorf("%s fails: %v, and recorded were %v", faults.Failed(), got, recorded)
		}
		s.Close()
	}
}

const faultLimit = 400

// recordSome records until the file was cut, and goes on after an error. It returns what was
// recorded without one.
func recordSome(name string) (recorded []float64, err error) {
	s, err := history.Open(context.Background(), name, history.Options{MaxBytes: faultLimit})
	if err != nil {
		return nil, err
	}
	defer s.Close()
	for i := range 15 {
		score := float64(i) / 100
		failed := s.Record(context.Background(), []attest.Score{{AssertionID: "a", Score: score}})
		if failed == nil {
			recorded = append(recorded, score)
		}
		err = errors.Join(err, failed)
		if _, failed := s.Scores(context.Background(), "a", 9); failed != nil {
			err = errors.Join(err, failed)
		}
	}
	return recorded, err
}

// holdsAll reports whether the last of the recorded scores are all there, in their order: those
// before may have gone when the file was cut.
func holdsAll(got, recorded []float64) bool {
	for _, want := range recorded[max(0, len(recorded)-4):] {
		i := slices.Index(got, want)
		if i < 0 {
			return false
		}
		got = got[i+1:]
	}
	return true
}

// TestRefusedScores are those that no result has.
func TestRefusedScores(t *testing.T) {
	name := filepath.Join(t.TempDir(), "file")
	s := open(t, name, 0)
	defer s.Close()
	for _, score := range []float64{-0.1, 1.1, nan} {
		if err := s.Record(t.Context(), []attest.Score{{AssertionID: "a", Score: 0.5}, {AssertionID: "b", Score: score}}); err == nil {
			t.Errorf("%v is taken", score)
		}
	}
	if got := read(t, name); got != firstLine {
		t.Errorf("%q", got)
	}
}

// TestEndedContext checks that a call returns when its context ends.
func TestEndedContext(t *testing.T) {
	s := open(t, filepath.Join(t.TempDir(), "file"), 0)
	defer s.Close()
	ended, end := context.WithCancel(context.Background())
	end()
	if err := s.Freeze(t.Context()); err != nil {
		t.Error(err)
	}
	for range 10 { // of a choice between the end and the lock, both come
		_, errScores := s.Scores(ended, "a", 9)
		for _, err := range []error{errScores, s.Freeze(ended)} {
			if err != nil && !errors.Is(err, context.Canceled) {
				t.Error(err)
			}
		}
	}
}
