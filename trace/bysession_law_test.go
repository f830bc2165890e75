package trace_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/cupel-dev/cupel/internal/racetest"
	"github.com/cupel-dev/cupel/internal/sessiontest"
	"github.com/cupel-dev/cupel/trace"
)

// sessionOf returns the session that a line names; ok is false for a line of none: one that
// cannot be read.
func sessionOf(line string) (id string, named, ok bool) {
	var members map[string]json.RawMessage
	if json.Unmarshal([]byte(line), &members) != nil || members == nil {
		return "", false, false
	}
	named = json.Unmarshal(members["session_id"], &id) == nil && string(members["session_id"]) != "null"
	return id, named, true
}

// apart are the lines of a log by session, in the order of first lines, and their numbers.
type apart struct {
	ids     []string
	lines   map[string][]string
	numbers map[string][]int
}

func takeApart(tb testing.TB, log string) apart {
	tb.Helper()
	a := apart{lines: map[string][]string{}, numbers: map[string][]int{}}
	for i, line := range strings.Split(log, "\n") {
		id, named, ok := sessionOf(line)
		if !ok {
			continue
		}
		if id = fmt.Sprint(named, id); a.lines[id] == nil {
			a.ids = append(a.ids, id)
		}
		a.lines[id] = append(a.lines[id], line)
		a.numbers[id] = append(a.numbers[id], i+1)
	}
	return a
}

// mapped is the report on the lines of one session as it is in the whole log.
func mapped(r *trace.Report, numbers []int) {
	line := func(n int) int {
		if n == 0 {
			return 0
		}
		return numbers[n-1]
	}
	for i := range r.Findings {
		f := &r.Findings[i]
		if f.Line = line(f.Line); f.Line == 0 {
			continue
		}
		if rule, cause, ok := strings.Cut(f.CausedBy, "@"); ok {
			n, _ := strconv.Atoi(cause)
			f.CausedBy = fmt.Sprintf("%s@%d", rule, line(n))
		}
		if m := lineWords.FindStringSubmatch(f.Message); m != nil && (f.Rule == "chain.broken" || f.Rule == "seal.not_last") {
			n, _ := strconv.Atoi(m[2])
			f.Message = strings.TrimSuffix(f.Message, m[2]) + strconv.Itoa(line(n))
		}
	}
	for i := range r.Damage {
		r.Damage[i].From, r.Damage[i].To = int64(line(int(r.Damage[i].From))), int64(line(int(r.Damage[i].To)))
	}
}

// alone formats a report as text, without the signs that it is about one of several sessions.
func alone(tb testing.TB, r *trace.Report) string {
	tb.Helper()
	c := *r
	c.Session, c.FirstLine = nil, 0
	c.Findings = slices.Clone(r.Findings)
	for i := range c.Findings {
		c.Findings[i].Detail = nil
	}
	text, err := json.Marshal(&c)
	if err != nil {
		tb.Fatal(err)
	}
	return fmt.Sprintf("%s\n%d %d %d", text, c.Errors, c.Warnings, c.Infos)
}

// interleaved mixes the lines of logs, each log's in their order.
func interleaved(random *rand.Rand, logs [][]string) (all []string) {
	for len(logs) > 0 {
		i := random.IntN(len(logs))
		n := min(1+random.IntN(3), len(logs[i]))
		all = append(all, logs[i][:n]...)
		if logs[i] = logs[i][n:]; len(logs[i]) == 0 {
			logs = slices.Delete(logs, i, i+1)
		}
	}
	return all
}

// inTurn concatenates logs, and moves some of their last lines to the end.
func inTurn(random *rand.Rand, logs [][]string) (all []string) {
	var late [][]string
	for _, lines := range logs {
		cut := len(lines) - random.IntN(1+len(lines)/2)
		all = append(all, lines[:cut]...)
		if cut < len(lines) {
			late = append(late, lines[cut:])
		}
	}
	return append(all, interleaved(random, late)...)
}

// withFewest verifies with the least room for sessions that allows for an answer.
func withFewest(t *testing.T, log string, opt trace.Options, block int) (r *trace.Report, fewest int) {
	t.Helper()
	for fewest = 1; ; fewest++ {
		opt.Limits.Sessions = fewest
		r, err := trace.VerifyInBlocks(t.Context(), strings.NewReader(log), opt, block)
		if limit, ok := errors.AsType[*trace.LimitError](err); ok && limit.Flag == "--max-sessions" {
			continue
		}
		if err != nil {
			t.Fatal(err)
		}
		return r, fewest
	}
}

// TestSessionsAreJudgedAlone compares the report on each session of a log with that on a log of its lines alone, for
// any interleaving of the sessions, and with the least possible memory.
func TestSessionsAreJudgedAlone(t *testing.T) {
	random := rand.New(rand.NewPCG(18, 3))
	judged, spared := map[trace.Verdict]int{}, 0
	for i := 0; i < 150; i += racetest.Step(t) {
		var logs [][]string
		for n := range 1 + random.IntN(6) {
			family := sessiontest.Families[random.IntN(len(sessiontest.Families))]
			if log := strings.Trim(damagedLog(random, family, fmt.Sprint("s", n)), "\n"); log != "" {
				logs = append(logs, strings.Split(log, "\n"))
			}
		}
		put := []func(*rand.Rand, [][]string) []string{interleaved, inTurn}[i%2]
		log := strings.Join(put(random, logs), "\n")
		if strings.HasPrefix(strings.TrimSpace(log), "[") {
			continue // damaged into an array
		}
		opt := trace.Options{Name: "log", Jobs: 1 + random.IntN(3), Inline: random.IntN(4) == 0, BySession: true}
		opt.Session.HMACKey = [][]byte{nil, []byte("k")}[random.IntN(2)]
		report, fewest := withFewest(t, log, opt, 200+random.IntN(20_000))
		got, a := slices.Collect(report.Sessions), takeApart(t, log)
		if len(got) != len(a.ids) {
			t.Fatalf("case %d: %d sessions, want %q", i, len(got), a.ids)
		}
		spared += len(got) - fewest
		opt.BySession = false
		for n, id := range a.ids {
			want, err := trace.Verify(t.Context(), strings.NewReader(strings.Join(a.lines[id], "\n")), opt)
			if err != nil {
				t.Fatal(err)
			}
			mapped(want, a.numbers[id])
			one := got[n]
			if named := one.Session != nil; one.FirstLine != a.numbers[id][0] || fmt.Sprint(named, value(one.Session)) != id {
				t.Fatalf("case %d: session %d is %q from line %d, want %s from %d", i, n, value(one.Session), one.FirstLine, id, a.numbers[id][0])
			}
			if x, y := alone(t, want), alone(t, one); x != y {
				t.Fatalf("case %d, session %s:\nalone %s\nmixed %s", i, id, x, y)
			}
			judged[one.Verdict]++
		}
	}
	for _, verdict := range []trace.Verdict{trace.Valid, trace.Invalid, trace.Rejected} {
		racetest.Met(t, "the verdict "+string(verdict), judged[verdict])
	}
	racetest.Met(t, "room for fewer sessions", spared)
	t.Log(judged, spared)
}

func value(s *string) string {
	if s == nil {
		return ""
	}
	return *s
}
