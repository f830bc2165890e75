package session_test

import (
	"bytes"
	"crypto/ed25519"
	"encoding/json"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/cupel-dev/cupel/internal/racetest"
	"github.com/cupel-dev/cupel/internal/sessiontest"
	"github.com/cupel-dev/cupel/internal/strictjson"
	"github.com/cupel-dev/cupel/trace/internal/session"
	"github.com/cupel-dev/cupel/trace/internal/stream"
	"github.com/cupel-dev/cupel/trace/internal/wire"
)

// summary is what a range is remembered by.
type summary struct {
	core, column, findings []byte
}

// summarized summarizes lines.
func summarized(t testing.TB, family string, key ed25519.PublicKey, hashes bool, lines []string) summary {
	t.Helper()
	limits := stream.Limits{}.WithDefaults()
	findings := stream.NewFindings(limits.Findings)
	s, err := session.NewSummarizer(findings, limits, family, key, hashes, session.Options{})
	if err != nil {
		t.Fatal(err)
	}
	runner := &stream.Runner{Findings: findings, Limits: limits, Inline: true, Checker: finisher{s}, Beginning: &stream.LogStart{Opens: 0, Record: 0}}
	if err := runner.Run(t.Context(), stream.Lines(strings.NewReader(textOf(lines)), limits, 0)); err != nil {
		t.Fatal(err)
	}
	var made summary
	if made.core, made.column, err = s.Summary(); err != nil {
		t.Fatal(err)
	}
	w := wire.Writer{}
	findings.Encode(&w)
	made.findings = w.Bytes
	return made
}

// finisher is a summarizer as a checker.
type finisher struct{ stream.Summarizer }

func (finisher) Finish() (stream.Outcome, error) { return stream.Outcome{}, nil }

func textOf(lines []string) string {
	if len(lines) == 0 {
		return ""
	}
	return strings.Join(lines, "\n") + "\n"
}

// keyOf returns the key that a log's first record brings.
func keyOf(lines []string) ed25519.PublicKey {
	doc, err := strictjson.NewScanner(strictjson.Limits{}).Scan([]byte(lines[firstRecord(lines)]))
	if err != nil {
		return nil
	}
	return session.KeyOf(doc.Root())
}

// replayed returns the state after a log of which ranges were summarized that end after the
// given numbers of lines, and what was found.
func replayed(t testing.TB, s sample, hashes bool, ends []int) (outcome stream.Outcome, errors []string, state *session.State) {
	t.Helper()
	limits := stream.Limits{}.WithDefaults()
	findings, key, text := stream.NewFindings(limits.Findings), keyOf(s.lines), textOf(s.lines)
	checker, err := session.NewReplayer(findings, limits, s.family, key, session.Options{Growing: true, Keys: fixedKeys})
	if err != nil {
		t.Fatal(err)
	}
	start, offset, lead := 0, 0, limits.Findings
	for _, end := range ends {
		made := summarized(t, s.family, key, hashes, s.lines[start:end])
		again := stream.Replay{
			Core: made.core, Column: bytes.NewReader(made.column), Lines: start, Offset: int64(offset),
			Recall: func(offset int64, size int) ([]byte, error) { return []byte(text[offset : offset+int64(size)]), nil },
		}
		if start <= firstRecord(s.lines) {
			again.Lead = &lead
		}
		findings.MergeEncoded(wire.NewReader(made.findings), start)
		if err := checker.Replay(again); err != nil {
			t.Fatal(err)
		}
		offset += len(textOf(s.lines[start:end]))
		start = end
	}
	if outcome, err = checker.Finish(); err != nil {
		t.Fatal(err)
	}
	if state, err = checker.State(); err != nil {
		t.Fatal(err)
	}
	a := answer{}
	a.findings, _, _, _ = findings.Close()
	return outcome, append(a.errors(), a.warnings()...), roundTrip(t, state)
}

// TestReplayedState: what the parts remember of a log that was summarized in ranges is what
// they remember of its lines, whatever runs it falls into, and whether their hashes are kept or
// read again. Their ids have other keys.
func TestReplayedState(t *testing.T) {
	check := func(s sample, random *rand.Rand) {
		n := len(s.lines)
		if firstRecord(s.lines) == n {
			return
		}
		at := check(t, s.family, s.lines, 0, session.Options{Growing: true, Keys: fixedKeys})
		for _, hashes := range []bool{false, true} {
			ends := []int{random.IntN(n), random.IntN(n), n}
			slices.Sort(ends)
			outcome, said, state := replayed(t, s, hashes, ends)
			if len(state.EventIDs) != len(at.state.EventIDs) {
				t.Fatalf("%s: %d bytes of event ids, want %d", s.name, len(state.EventIDs), len(at.state.EventIDs))
			}
			state.EventIDs = at.state.EventIDs
			state.ToolIDs, at.state.ToolIDs = withoutKeys(state.ToolIDs), withoutKeys(at.state.ToolIDs)
			if diff := cmp.Diff(conclude(t, at.Outcome, append(at.errors(), at.warnings()...), at.state), conclude(t, outcome, said, state)); diff != "" {
				t.Fatalf("%s, in ranges up to the lines %d (-lines +ranges):\n%.4000s", s.name, ends, diff)
			}
		}
	}
	samples(120/racetest.Step(t), func(s sample) { check(s, rand.New(rand.NewPCG(uint64(len(s.lines)), 4))) })
	for i, family := range sessiontest.Families {
		lines, other := toolLog(family, "5e551017", 400), toolLog(family, "07e20000", 300)
		for k := range 8 / racetest.Step(t) {
			random := rand.New(rand.NewPCG(uint64(i), uint64(k)))
			check(sample{family, family, moved(random, lines, other)}, random)
		}
	}
}

// withoutKeys returns the memory of tool calls without their ids: the tools, and which were answered.
func withoutKeys(calls []byte) []byte {
	calls = bytes.Clone(calls)
	for call := range slices.Chunk(calls, 16) {
		clear(call[:12])
	}
	return calls
}

// conclude is what must be the same.
func conclude(t testing.TB, outcome stream.Outcome, said []string, state *session.State) conclusion {
	t.Helper()
	if state.Rejected {
		said = nil // the driver words what cannot be read in its own way, and has one rule for it
	}
	state.ToolIDs = sortedIDs(state.ToolIDs)
	text, err := json.MarshalIndent(state, "", " ")
	if err != nil {
		t.Fatal(err)
	}
	named := strings.NewReplacer("line.not_object@", "line.json@", "line.utf8@", "line.json@", "line.duplicate_key@", "line.json@").Replace(string(text))
	return conclusion{Outcome: outcome, Errors: said, State: named}
}

// FuzzReplay: whatever a summary says, nothing but an error comes of it.
func FuzzReplay(f *testing.F) {
	for _, family := range sessiontest.Families {
		made := summarized(f, family, nil, true, toolLog(family, "5e551017", 80))
		f.Add(family, made.core, made.column)
		samples(20, func(s sample) {
			if s.family == family && firstRecord(s.lines) < len(s.lines) {
				made := summarized(f, family, keyOf(s.lines), false, s.lines)
				f.Add(family, made.core, made.column)
			}
		})
	}
	line := strings.Repeat(toolLog(session.V0, "5e551017", 2)[1]+"\n", 200)
	f.Fuzz(func(t *testing.T, family string, core, column []byte) {
		checker, err := session.NewReplayer(stream.NewFindings(10), stream.Limits{}.WithDefaults(), family, nil, session.Options{})
		if err != nil {
			t.Fatal(err)
		}
		recall := func(offset int64, size int) ([]byte, error) {
			if offset < 0 || size < 0 || size > 17<<20 {
				t.Fatalf("%d bytes at %d are asked for", size, offset)
			}
			return []byte(line[:min(size, len(line))]), nil
		}
		_ = checker.Replay(stream.Replay{Core: core, Column: bytes.NewReader(column), Recall: recall})
		_, _ = checker.Finish()
	})
}
