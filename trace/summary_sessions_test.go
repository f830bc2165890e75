package trace_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/cupel-dev/cupel/internal/racetest"
	"github.com/cupel-dev/cupel/internal/sessiontest"
	"github.com/cupel-dev/cupel/trace"
)

// rotated returns the files of a log of many sessions, cut at lines; some are empty, and the
// last line of some has no end.
func rotated(random *rand.Rand) (files []string) {
	var logs [][]string
	for n := range 1 + random.IntN(5) {
		family := sessiontest.Families[random.IntN(len(sessiontest.Families))]
		if log := strings.Trim(damagedLog(random, family, fmt.Sprint("s", n)), "\n"); log != "" {
			logs = append(logs, strings.Split(log, "\n"))
		}
	}
	lines := interleaved(random, logs)
	for n := 1 + random.IntN(4); n > 0; n-- {
		cut := random.IntN(len(lines) + 1)
		if n == 1 {
			cut = len(lines)
		}
		text := strings.Join(lines[:cut], "\n")
		if cut > 0 && random.IntN(3) > 0 {
			text += "\n"
		}
		files = append(files, text)
		lines = lines[cut:]
	}
	return files
}

// parted is what the ranges of files say of their sessions.
type parted struct {
	account  trace.Account
	sessions map[[32]byte]*trace.SessionSummary
	order    [][32]byte
}

// take takes the summaries of one range.
func (p *parted) take(tb testing.TB, random *rand.Rand, file int, log string, r trace.Range, opt trace.Options) {
	tb.Helper()
	account, list, err := trace.SummarizeSessions(tb.Context(), strings.NewReader(log), file, r, opt)
	if err != nil {
		tb.Fatal(err)
	}
	text, err := account.MarshalBinary()
	if err == nil && random.IntN(2) == 0 {
		account = &trace.Account{}
		err = account.UnmarshalBinary(text)
	}
	if err == nil {
		err = p.account.Merge(account)
	}
	if err != nil {
		tb.Fatal(err)
	}
	for _, s := range list {
		s = sentSession(tb, random, s)
		if p.sessions[s.Key] == nil {
			p.sessions[s.Key] = &trace.SessionSummary{}
			p.order = append(p.order, s.Key)
		}
		if err := p.sessions[s.Key].Merge(s); err != nil {
			tb.Fatal(err)
		}
	}
}

// sentSession returns a summary that went to another process, its columns apart, or that did not.
func sentSession(tb testing.TB, random *rand.Rand, s *trace.SessionSummary) *trace.SessionSummary {
	tb.Helper()
	if random.IntN(2) == 0 {
		return s
	}
	text, err := s.MarshalBinary()
	if err != nil {
		tb.Fatal(err)
	}
	store := map[[32]byte][]byte{}
	other := &trace.SessionSummary{OpenColumn: stored(store)}
	if err := other.UnmarshalBinary(text); err != nil {
		tb.Fatal(err)
	}
	for digest, column := range s.Columns() {
		if other.Attach([]byte("of another")); random.IntN(2) == 0 {
			store[digest] = column
		} else {
			other.Attach(column)
		}
	}
	return other
}

func logFiles(files []string) (list []trace.LogFile, segments []trace.Segment) {
	for i, text := range files {
		name := fmt.Sprintf("log.%d", i)
		list = append(list, trace.LogFile{Name: name, Open: func() (io.ReaderAt, error) { return strings.NewReader(text), nil }})
		segments = append(segments, trace.Segment{Name: name, Open: func() (io.ReadCloser, error) { return io.NopCloser(strings.NewReader(text)), nil }})
	}
	return list, segments
}

// TestSessionsInParts: however the files of many sessions are cut, each session has the
// report that the files in one piece give.
func TestSessionsInParts(t *testing.T) {
	random := rand.New(rand.NewPCG(18, 7))
	compared := 0
	for i := 0; i < 100; i += racetest.Step(t) {
		texts := rotated(random)
		if strings.HasPrefix(strings.TrimSpace(texts[0]), "[") {
			continue // damaged into an array
		}
		compared += sameSessions(t, random, texts)
	}
	t.Logf("%d reports on sessions", compared)
}

// sameSessions holds that files in ranges give the reports on sessions of the files in one
// piece, and returns how many those are.
func sameSessions(t *testing.T, random *rand.Rand, texts []string) int {
	t.Helper()
	files, segments := logFiles(texts)
	opt := trace.Options{Name: "log", Jobs: 1 + random.IntN(2), Limits: trace.Limits{Findings: 5_000}}
	opt.Session.HMACKey = [][]byte{nil, []byte("k")}[random.IntN(2)]
	p := parted{sessions: map[[32]byte]*trace.SessionSummary{}}
	for file, text := range texts {
		for _, r := range cuts(random, len(text)) {
			p.take(t, random, file, text, r, opt)
		}
	}
	var got []string
	layout, err := p.account.Layout(files)
	if err != nil {
		t.Fatalf("%v\n%.4000q", err, texts)
	}
	listed, err := p.account.Sessions()
	if err != nil || len(listed) != len(p.order) || !slices.IsSorted(listed) {
		t.Fatalf("the account lists %x, %v, of %d sessions", listed, err, len(p.order))
	}
	for _, key := range p.order {
		if _, ok := slices.BinarySearch(listed, p.sessions[key].ShortKey()); !ok {
			t.Fatalf("the account lists %x, not %x", listed, p.sessions[key].ShortKey())
		}
		report, err := p.sessions[key].Report(t.Context(), layout, opt)
		if err != nil {
			t.Fatalf("session %q: %v\n%.4000q", p.sessions[key].ID, err, texts)
		}
		got = append(got, sessionText(t, report))
	}
	opt.BySession = true
	whole, err := trace.VerifyChain(t.Context(), segments, opt)
	if err != nil {
		t.Fatal(err)
	}
	var want []string
	for s := range whole.Sessions {
		want = append(want, sessionText(t, s))
	}
	slices.Sort(got)
	slices.Sort(want)
	if !slices.Equal(got, want) {
		for i := range min(len(got), len(want)) {
			if got[i] != want[i] {
				t.Errorf("%.3000s\nwant\n%.3000s", got[i], want[i])
				break
			}
		}
		t.Fatalf("%d reports, want %d; the files:\n%.4000q", len(got), len(want), texts)
	}
	return len(want)
}

// callsAmongOthers returns the lines of a few long interleaved sessions of tool calls: answers are repeated,
// stretches are moved, and some lines are blank or end in a carriage return.
func callsAmongOthers(random *rand.Rand) (text string) {
	var logs [][]string
	for n := range 1 + random.IntN(4) {
		l := sessiontest.NewLog(sessiontest.Families[random.IntN(len(sessiontest.Families))])
		l.Session = fmt.Sprint("s", n)
		var lines []string
		for i := range 50 + random.IntN(200) {
			if i%3 == 2 {
				lines = append(lines, l.Event("TOOL_RESULT", fmt.Sprintf(`{"tool_name":"t","tool_id":"i%d","result":"r","status":"success","duration_ms":1}`, i-1-random.IntN(20)/19)))
				continue
			}
			lines = append(lines, l.Event("TOOL_CALL", fmt.Sprintf(`{"tool_name":"t","tool_id":"i%d","args":{}}`, i)))
		}
		for range random.IntN(3) {
			from := random.IntN(len(lines))
			stretch := slices.Clone(lines[from:min(len(lines), from+1+random.IntN(99))])
			if random.IntN(3) > 0 {
				lines = slices.Delete(lines, from, from+len(stretch))
			}
			lines = slices.Insert(lines, random.IntN(len(lines)+1), stretch...)
		}
		logs = append(logs, append(lines, l.Seal()))
	}
	for _, line := range interleaved(random, logs) {
		text += line + []string{"\n", "\n", "\r\n", "\n \n"}[random.IntN(4)]
	}
	return text
}

// TestRunsAmongOthers checks that events that continue their session, between the lines of others, are stored in
// runs, and that a finding about one of them names and quotes its own line.
func TestRunsAmongOthers(t *testing.T) {
	random := rand.New(rand.NewPCG(18, 9))
	for i := 0; i < 12; i += racetest.Step(t) {
		first, second := callsAmongOthers(random), callsAmongOthers(random)
		sameSessions(t, random, []string{first, second})
	}
}

// TestSessionsAmongEachOtherAreSmall checks that the state of an intact session does not grow with it, wherever its
// lines are, and that its column takes a tenth of them.
func TestSessionsAmongEachOtherAreSmall(t *testing.T) {
	size := func(events int) (summaries, columns, text int) {
		var log strings.Builder
		if err := sessiontest.WorkingDaysInTurn(&log, events, 3, 3); err != nil {
			t.Fatal(err)
		}
		_, list, err := trace.SummarizeSessions(t.Context(), strings.NewReader(log.String()), 0, trace.Range{End: int64(log.Len())}, trace.Options{})
		if err != nil || len(list) != 3 {
			t.Fatalf("%d sessions, %v", len(list), err)
		}
		for _, s := range list {
			one, err := s.MarshalBinary()
			if err != nil {
				t.Fatal(err)
			}
			summaries += len(one)
			for _, column := range s.Columns() {
				columns += len(column)
			}
		}
		return summaries, columns, log.Len()
	}
	few, _, _ := size(100)
	if many, columns, text := size(900); many > few+60 || columns > text/8 {
		t.Errorf("%d bytes of 300 events, %d of 2,700; columns of %d bytes for %d", few, many, columns, text)
	}
}

func sessionText(tb testing.TB, r *trace.Report) string {
	tb.Helper()
	text, err := json.Marshal(r)
	if err != nil {
		tb.Fatal(err)
	}
	return fmt.Sprintf("%s %d %d %d", text, r.Errors, r.Warnings, r.Infos)
}

// TestMissingParts checks that a missing part of a session is reported with its place.
func TestMissingParts(t *testing.T) {
	line := func(session string, n int) string {
		return fmt.Sprintf(`{"event_type":"ERROR","session_id":%q,"sequence_number":%d,"payload":{"error_type":"e","message":"m"}}`+"\n", session, n)
	}
	texts := []string{line("a", 0) + line("b", 0) + line("a", 1), "", line("a", 2)}
	files, _ := logFiles(texts)
	cut := int64(len(line("a", 0)))
	ranges := []struct {
		file       int
		start, end int64
	}{{0, 0, cut}, {0, cut, 3 * cut}, {1, 0, 1}, {2, 0, cut}}
	opt := trace.Options{Name: "log"}
	report := func(withoutAccount, withoutSession int, files []trace.LogFile) string {
		var account trace.Account
		var a trace.SessionSummary
		for i, r := range ranges {
			one, list, err := trace.SummarizeSessions(t.Context(), strings.NewReader(texts[r.file]), r.file, trace.Range{Start: r.start, End: r.end}, opt)
			if err != nil {
				t.Fatal(err)
			}
			if i != withoutAccount {
				err = account.Merge(one)
			}
			for _, s := range list {
				if s.ID == "a" && i != withoutSession {
					err = errors.Join(err, a.Merge(s))
				}
			}
			if err != nil {
				t.Fatal(err)
			}
		}
		r, err := sessionReport(t, &a, &account, files, opt)
		if err != nil {
			return err.Error()
		}
		return fmt.Sprint(r.Verdict, r.Events)
	}
	for want, got := range map[string]string{
		"invalid3": report(-1, -1, files),
		`no summary covers the session's lines in bytes 0 to 103 of "log.0"`:   report(-1, 0, files),
		`no summary covers the session's lines in bytes 103 to 309 of "log.0"`: report(-1, 1, files),
		`no summary covers the session's lines in bytes 0 to 103 of "log.2"`:   report(-1, 3, files),
		`"log.0": no summary covers bytes 0 to 103 of the log`:                 report(0, -1, files),
		`"log.0": no summary covers the bytes from byte 103 on`:                report(1, -1, files),
		`"log.1": no summary covers the bytes from byte 0 on`:                  report(2, -1, files),
		"there are summaries of bytes 0 to 103 of file 3, but only 2 files":    report(-1, -1, files[:2]),
		`"x": no summary covers the bytes from byte 0 on`:                      report(-1, -1, append(slices.Clone(files), trace.LogFile{Name: "x"})),
	} {
		if got != want {
			t.Errorf("%s, want %s", got, want)
		}
	}
}
