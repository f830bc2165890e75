package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/cupel-dev/cupel/internal/sessiontest"
)

// mixed writes three files that the lines of sessions lie in, in turn: one session is valid,
// five are damaged, and a line names none. One file has no line feed at its end.
func mixed(t *testing.T) (names []string) {
	t.Helper()
	t.Chdir(t.TempDir())
	var day bytes.Buffer
	if err := sessiontest.WorkingDay(&day, 30); err != nil {
		t.Fatal(err)
	}
	var head struct {
		ID string `json:"session_id"`
	}
	if err := json.Unmarshal(day.Bytes()[:bytes.IndexByte(day.Bytes(), '\n')], &head); err != nil || head.ID == "" {
		t.Fatal(head, err)
	}
	lines := strings.Split(strings.TrimSpace(day.String()), "\n")
	var all []string
	for i, line := range lines {
		all = append(all, line)
		for k := range 5 {
			if k != 2 || i != 7 { // the third lacks an event
				all = append(all, strings.ReplaceAll(line, head.ID, fmt.Sprintf("%s-%d", head.ID, k)))
			}
		}
	}
	all = append(all, `{"event_type":"ERROR"}`)
	for i, text := range []string{
		strings.Join(all[:50], "\n") + "\n", strings.Join(all[50:90], "\n"), strings.Join(all[90:], "\n") + "\n",
	} {
		name := fmt.Sprintf("log.%d.jsonl", i)
		if err := os.WriteFile(name, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
		names = append(names, name)
	}
	return names
}

// plainSessions returns the reports on sessions of one run, in the order of sessions.
func plainSessions(t *testing.T, names []string) []string {
	t.Helper()
	text := plain(t, append([]string{"--chain", "--by", "session_id", "--"}, names...)...)
	var doc struct {
		Inputs []struct{ Sessions []json.RawMessage }
	}
	if err := json.Unmarshal(text, &doc); err != nil || len(doc.Inputs) != 1 {
		t.Fatalf("%v\n%s", err, text)
	}
	return ordered(doc.Inputs[0].Sessions)
}

func ordered(list []json.RawMessage) (texts []string) {
	for _, one := range list {
		texts = append(texts, string(withoutCauses(one)))
	}
	slices.Sort(texts)
	return texts
}

// sessionsOf returns the reports on sessions that a job wrote, and its errors.
func sessionsOf(t *testing.T, folder string) (texts, faults []string) {
	t.Helper()
	fitting(t, folder)
	for _, text := range reports(t, folder) {
		var doc struct {
			Schema   string
			Errors   []string
			Sessions []json.RawMessage
		}
		if err := json.Unmarshal(text, &doc); err != nil || doc.Schema != sessionsSchema {
			t.Fatalf("%v\n%s", err, text)
		}
		byID := ""
		for _, one := range doc.Sessions {
			var head struct {
				ID string `json:"session_id"`
			}
			if err := json.Unmarshal(one, &head); err != nil || head.ID < byID {
				t.Errorf("%v: %q after %q", err, head.ID, byID)
			}
			byID = head.ID
			texts = append(texts, string(withoutCauses(one)))
		}
		faults = append(faults, doc.Errors...)
	}
	slices.Sort(texts)
	return texts, faults
}

// TestSameSessions: the report on each session is the one that one run gives, byte for byte,
// however the files are cut.
func TestSameSessions(t *testing.T) {
	names := mixed(t)
	want := plainSessions(t, names)
	if len(want) != 7 {
		t.Fatalf("%d sessions", len(want))
	}
	for i, c := range []struct {
		split  size
		shards int
	}{{1 << 20, 1}, {shortRange, 3}, {400, 1}} {
		out := fmt.Sprint("out-", i)
		j := newJob(out, names[2], "log.*.jsonl")
		j.mode, j.split, j.shards = modeSessions, c.split, c.shards
		got, err := finish(t, j)
		if err != nil || got.Inputs != 7 || got.Valid != 1 || got.verdict() != errNo {
			t.Fatalf("%v: %v, %v", c, got, err)
		}
		texts, faults := sessionsOf(t, out)
		if !slices.Equal(texts, want) || len(faults) > 0 {
			t.Errorf("%v: %q\n%s\nwant\n%s", c, faults, strings.Join(texts, "\n"), strings.Join(want, "\n"))
		}
		if left, err := os.ReadDir(out); err != nil || len(left) != c.shards+1 {
			t.Errorf("the folder holds %v, %v", left, err)
		}
	}
}

// TestNoSessionIsSilentlyGreen checks that an unreadable file leaves no report, and that an unreadable line is an
// error in addition to the reports.
func TestNoSessionIsSilentlyGreen(t *testing.T) {
	names := mixed(t)
	if err := errors.Join(
		os.WriteFile("a.gz", []byte("\x1f\x8b\x08\x00"), 0o666), os.WriteFile("a.array", []byte("[{}]\n"), 0o666),
		os.WriteFile("a.noise", []byte("<html>\n"), 0o666), os.WriteFile("a.empty", nil, 0o666),
	); err != nil {
		t.Fatal(err)
	}
	for name, c := range map[string]struct {
		want     string
		sessions int
	}{
		"a.gz":    {`cannot verify "a.gz": the input is compressed with gzip, and cannot be read in ranges; unpack it with gzip -dc`, 0},
		"a.array": {`cannot verify "a.array": `, 0},
		"a.none":  {"no such file", 0},
		"a.noise": {`1 line of "a.noise" cannot be read`, 7},
		"a.empty": {"", 7},
	} {
		out := t.TempDir()
		j := newJob(out, append([]string{name}, names...)...)
		j.mode = modeSessions
		got, err := finish(t, j)
		texts, faults := sessionsOf(t, out)
		if err != nil || len(texts) != c.sessions || !strings.Contains(strings.Join(faults, "\n"), c.want) || (got.Failures > 0) != (c.want != "") {
			t.Errorf("%s: %v, %v, %d sessions, %q", name, got, err, len(texts), faults)
		}
	}
}

// divided is what workers know of the files in ranges of a size, each piece after its way to
// another worker.
func divided(t *testing.T, names []string, split int64) (lakes []logFacts, parts map[string][]sessionPart) {
	t.Helper()
	return dividedUnder(t, newJob("out").terms, names, split)
}

// dividedUnder is divided for workers with some flags.
func dividedUnder(t *testing.T, flags terms, names []string, split int64) (lakes []logFacts, parts map[string][]sessionPart) {
	t.Helper()
	parts = map[string][]sessionPart{}
	know := func(l logFacts) {
		text, err := encodeLake(l)
		if err == nil {
			l, err = decodeLake(text)
		}
		if err != nil {
			t.Fatal(err)
		}
		lakes = append(lakes, l)
	}
	emit := func(key string, p sessionPart) {
		text, err := encodeSession(p)
		if err == nil {
			p, err = decodeSession(text)
		}
		if err != nil {
			t.Fatal(err)
		}
		parts[key] = append(parts[key], p)
	}
	divide := &divideFn{Terms: flags, Output: "out"}
	var failed error
	err := (&listFn{Inputs: names}).ProcessElement(t.Context(), nil, func(f logFile) {
		failed = errors.Join(failed, (&cutFn{Terms: flags, Split: split}).ProcessElement(t.Context(), f, func(r fileRange) {
			failed = errors.Join(failed, divide.ProcessElement(t.Context(), r, emit, know))
		}, know))
	}, know)
	if err = errors.Join(err, failed); err != nil {
		t.Fatal(err)
	}
	return lakes, parts
}

// session is what comes of parts that are merged in any order.
func session(t *testing.T, key string, lakes []logFacts, parts []sessionPart) (got result, err error) {
	t.Helper()
	lakes, parts = slices.Clone(lakes), slices.Clone(parts)
	rand.Shuffle(len(lakes), func(i, k int) { lakes[i], lakes[k] = lakes[k], lakes[i] })
	rand.Shuffle(len(parts), func(i, k int) { parts[i], parts[k] = parts[k], parts[i] })
	var all logFacts
	for _, l := range lakes {
		all = (&joinLakeFn{}).MergeAccumulators(all, l)
	}
	take := func(r result) { got = r }
	told := map[string][]string{}
	err = (&keepFn{Output: "out"}).ProcessElement(t.Context(), all, func(group, name string) { told[group] = append(told[group], name) }, take)
	if err == nil {
		err = (&sessionFn{Terms: newJob("out").terms}).ProcessElement(t.Context(), key, eachOf(parts), eachOf(told[key]), take)
	}
	return got, err
}

// eachOf yields elements as an engine does.
func eachOf[T any](list []T) func(*T) bool {
	return func(one *T) bool {
		if len(list) == 0 {
			return false
		}
		*one, list = list[0], list[1:]
		return true
	}
}

// TestFaultsOfSessions: parts that come twice and in any order change nothing; one that is
// missing and a file that changed are never a report.
func TestFaultsOfSessions(t *testing.T) {
	names := mixed(t)
	lakes, parts := divided(t, names, shortRange)
	key := ""
	for k, list := range parts {
		if id := list[0].sum.ID; id != "" && strings.Count(id, "-") == 4 { // the session that is valid
			key = k
		}
	}
	if len(parts[key]) < 3 {
		t.Fatalf("%q has %d parts", key, len(parts[key]))
	}
	whole, err := session(t, key, lakes, parts[key])
	if err != nil || whole.Report == nil {
		t.Fatalf("%q, %v", whole.Failure, err)
	}
	for range 20 {
		got, err := session(t, key, append(slices.Clone(lakes), lakes[1], lakes[2]), append(slices.Clone(parts[key]), parts[key][1]))
		if err != nil || !bytes.Equal(got.Report, whole.Report) {
			t.Fatalf("another report, %q, %v", got.Failure, err)
		}
	}
	expect := func(what, want string, lakes []logFacts, list []sessionPart) {
		t.Helper()
		got, err := session(t, key, lakes, list)
		if err != nil || got.Report != nil || !strings.Contains(got.Failure, want) {
			t.Errorf("%s: %q, %v, expected %q", what, got.Failure, err, want)
		}
	}
	expect("a missing part", "no summary covers the session's lines in bytes ", lakes, slices.Delete(slices.Clone(parts[key]), 1, 2))
	expect("no part", "the summaries of a session of the group "+key+" are missing", lakes, nil)
	expect("no account", "no account tells of it", lakes[len(lakes)-1:], parts[key])
	expect("a missing account", "no summary covers ", slices.Delete(slices.Clone(lakes), len(lakes)-2, len(lakes)-1), parts[key])
	strict := newJob("out").terms
	strict.StrictPayload = true
	others, theirs := dividedUnder(t, strict, names, shortRange)
	expect("parts under other options", "made under other options, or by another version of cupel", lakes, slices.Concat(parts[key][:1], theirs[key][1:]))
	expect("accounts under other options", "made under another --strict-payload", slices.Concat(lakes[:3], others[3:]), parts[key])
	expect("a part beside others", "summarized under other options than the files", lakes, theirs[key])
	others, theirs = divided(t, names, shortRange/2)
	expect("ranges that overlap", "overlap: cut the log into ranges once", lakes, slices.Concat(parts[key], theirs[key]))
	expect("accounts that overlap", "overlap: cut the log into ranges once", slices.Concat(lakes, others), parts[key])
	text, err := os.ReadFile(names[0])
	if err == nil {
		err = os.WriteFile(names[0], bytes.Replace(text, []byte("TOOL_CALL"), []byte("TOOL_CALX"), 1), 0o666)
	}
	if err != nil {
		t.Fatal(err)
	}
	others, theirs = divided(t, names, shortRange)
	expect("a file that changed", "differ: the log changed", slices.Concat(lakes, others), slices.Concat(parts[key], theirs[key]))
	expect("a file that one worker read before and one after it changed", "differ: the log changed", others, parts[key])
}

// TestSessionsOfOneGroup: sessions that come together under one key have the reports that they have
// apart.
func TestSessionsOfOneGroup(t *testing.T) {
	names := mixed(t)
	want := plainSessions(t, names)
	lakes, parts := divided(t, names, shortRange)
	var all logFacts
	for _, l := range lakes {
		all = (&joinLakeFn{}).MergeAccumulators(all, l)
	}
	var told, got []string
	var together []sessionPart
	for _, list := range parts {
		together = append(together, list...)
	}
	rand.Shuffle(len(together), func(i, k int) { together[i], together[k] = together[k], together[i] })
	tell := func(_, name string) { told = append(told, name) }
	err := (&keepFn{Output: "out"}).ProcessElement(t.Context(), all, tell, func(r result) { t.Error(r.Failure) })
	if err == nil {
		join := &sessionFn{Terms: newJob("out").terms}
		err = join.ProcessElement(t.Context(), "", eachOf(together), eachOf(told), func(r result) { got = append(got, string(withoutCauses(r.Report))) })
	}
	if slices.Sort(got); err != nil || !slices.Equal(got, want) {
		t.Errorf("%d reports, want %d, or another one: %v", len(got), len(want), err)
	}
}

// TestLostLake: what is known of the files may be there for the next try when it cannot be read.
func TestLostLake(t *testing.T) {
	_, parts := divided(t, mixed(t), shortRange)
	for group, list := range parts {
		join := &sessionFn{Terms: newJob("out").terms}
		err := join.ProcessElement(t.Context(), group, eachOf(list), eachOf([]string{"out/none.lake"}), func(r result) { t.Error(r) })
		if err == nil || !strings.Contains(err.Error(), `cannot read "out/none.lake": `) {
			t.Error(err)
		}
	}
}

// TestLostColumnOfSessions checks that missing columns of sessions are an error that a retry can avoid, and not a
// report.
func TestLostColumnOfSessions(t *testing.T) {
	lakes, parts := divided(t, []string{longLog(t)}, longRange)
	if n := columnFiles(t); n != 2 || len(parts) != 1 {
		t.Fatalf("%d columns of %d sessions", n, len(parts))
	}
	for key, list := range parts {
		if got, err := session(t, key, lakes, list); err != nil || got.Report == nil {
			t.Fatalf("%q, %v", got.Failure, err)
		}
		if err := os.RemoveAll("out/" + columnsFolder); err != nil {
			t.Fatal(err)
		}
		if got, err := session(t, key, lakes, list); err == nil || !strings.Contains(err.Error(), "no such file") {
			t.Errorf("without its columns: %v, %v", got, err)
		}
	}
}

// TestMaxSessions: --max-sessions bounds the sessions of each range, not those of the log; more
// are a fault, and no report on any session.
func TestMaxSessions(t *testing.T) {
	names := mixed(t)
	want := plainSessions(t, names)
	for _, c := range []struct {
		split size
		most  int
		fault bool
	}{{1 << 20, 7, false}, {1 << 20, 5, true}, {300, 1, false}} { // the last ones have at most one line
		out := t.TempDir()
		j := newJob(out, names...)
		j.mode, j.split, j.terms.MaxSessions = modeSessions, c.split, c.most
		got, err := finish(t, j)
		texts, faults := sessionsOf(t, out)
		switch {
		case err != nil:
			t.Fatal(err)
		case c.fault && (len(texts) > 0 || got.Failures == 0 || !strings.Contains(strings.Join(faults, "\n"), "raise the limit with --max-sessions")):
			t.Errorf("%v: %d sessions, %q", c, len(texts), faults)
		case !c.fault && (!slices.Equal(texts, want) || len(faults) > 0):
			t.Errorf("%v: %d sessions, want %d, %q", c, len(texts), len(want), faults)
		}
	}
}
