package commands_test

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/cupel-dev/cupel/commands"
	"github.com/cupel-dev/cupel/internal/racetest"
)

// cuttable are logs that are read in ranges: good and damaged, with lines of every ending.
func cuttable(t *testing.T) (logs []string) {
	t.Helper()
	for _, name := range []string{"session/refund.jsonl", "session/refund-edited.jsonl", "session/refund-removed.jsonl", "session/signed-1.0.jsonl", "trace/incident-flat/trace.jsonl"} {
		text := string(read(t, filepath.Join("../testdata/examples", name)))
		lines := strings.SplitAfter(text, "\n")
		logs = append(logs, text, strings.ReplaceAll(text, "\n", "\r\n"), strings.TrimSuffix(text, "\n"),
			strings.Join(slices.Concat(lines[:3], []string{"\n", " \n", "not JSON\n", "\xff\n"}, lines[2:]), "\n"))
	}
	return append(logs, "", "\n\n\n", "one line", `{"a":"`+strings.Repeat("x", 5000)+"\"}\n")
}

// quietly runs cupel, which must say nothing and end well.
func quietly(t *testing.T, args ...string) {
	t.Helper()
	var out bytes.Buffer
	env := commands.Env{Context: t.Context(), Stdin: strings.NewReader(""), Stdout: &out, Stderr: &out, Getenv: func(string) string { return "" }}
	if code := commands.Main(env, append([]string{"cupel"}, args...)); code != 0 || out.Len() > 0 {
		t.Fatalf("cupel %s: exit code %d\n%s", strings.Join(args, " "), code, out.String())
	}
}

// damages are the places of damage in a report.
var damages = regexp.MustCompile(`"damage":\[.+?\](,"signatures")`)

// unread is why the cause was not looked for.
var unread = regexp.MustCompile(`,"undiagnosed":"the log was checked in ranges"|,?"the cause of the damage: it was not looked for, because the log was checked in ranges"`)

// bound are the options, the version and the digest of a run over a whole log. Ranges have neither the bytes of the
// whole nor one run's options.
var bound = regexp.MustCompile(`(?m)^  "(?:cupel_version|options)": .*\n|,"sha256":"[0-9a-f]{64}","bytes":[0-9]+`)

var refusals = regexp.MustCompile(`"errors": .*`)

// ofRanges is what ranges and the whole have in common in a report.
func ofRanges(report string) string {
	report = unread.ReplaceAllString(report, "")
	return bound.ReplaceAllString(damages.ReplaceAllString(report, `"damage":[…]$1`), "")
}

// TestRanges checks that a log that is read in ranges, with any cuts, whose summaries are joined in any order, some
// of them twice, has the report and exit code of a run over the whole. Only a run over the whole reports the causes
// of damage, because they are in the text. Either both report damage, or neither.
func TestRanges(t *testing.T) {
	logs := cuttable(t)
	t.Chdir(t.TempDir())
	random := rand.New(rand.NewPCG(18, 4))
	flags := [][]string{nil, {"--strict"}, {"--max-findings", "1"}, {"--integrity-only"}, {"--strict-payload", "--canonicalization", "strict"}}
	cut := 0
	for number, log := range racetest.Some(t, logs) {
		if err := os.WriteFile("log.jsonl", []byte(log), 0o600); err != nil {
			t.Fatal(err)
		}
		under := append([]string{"trace", "verify"}, flags[number%len(flags)]...)
		want, code := reported(t, append(under, "--no-evidence", "log.jsonl")...)
		for range 2 {
			sums := summaries(t, random, under, int64(len(log)))
			cut += len(sums)
			got, joined := reported(t, append([]string{"report", "merge", "--no-evidence"}, sums...)...)
			if code == 2 { // no answer: the reasons are compared
				got, want = refusals.FindString(got), refusals.FindString(want)
			}
			if ofRanges(got) != ofRanges(want) || joined != code {
				t.Errorf("log %d in %d ranges: exit code %d, expected %d\n got %s\nwant %s", number, len(sums), joined, code, got, want)
			}
		}
	}
	t.Logf("%d ranges", cut)
}

// summaries writes the summaries of a log of size bytes, cut anywhere.
func summaries(t *testing.T, random *rand.Rand, under []string, size int64) (names []string) {
	t.Helper()
	cuts := []int64{0, size}
	for range random.IntN(6) {
		cuts = append(cuts, random.Int64N(size+1))
	}
	slices.Sort(cuts)
	for i, start := range cuts[:len(cuts)-1] {
		name := fmt.Sprintf("%d.cupelsum", i)
		quietly(t, append(under, "--range", fmt.Sprintf("%d:%d", start, cuts[i+1]), "--summary", name, "log.jsonl")...)
		names = append(names, name)
	}
	random.Shuffle(len(names), func(i, j int) { names[i], names[j] = names[j], names[i] })
	return append(names, names[0])
}

// TestDamagedSummary: a file of --summary with a byte that is another, or with fewer bytes or
// more, is refused, or says what it said.
func TestDamagedSummary(t *testing.T) {
	log := read(t, "../testdata/examples/session/signed-1.0.jsonl")
	t.Chdir(t.TempDir())
	if err := os.WriteFile("log.jsonl", log, 0o600); err != nil {
		t.Fatal(err)
	}
	want, code := reported(t, "trace", "verify", "log.jsonl")
	quietly(t, "trace", "verify", "--range", "0:", "--summary", "whole.cupelsum", "log.jsonl")
	whole := read(t, "whole.cupelsum")
	refused := 0
	judge := func(what string, text []byte) {
		if err := os.WriteFile("damaged.cupelsum", text, 0o600); err != nil {
			t.Fatal(err)
		}
		switch got, joined := reported(t, "report", "merge", "damaged.cupelsum"); {
		case joined == 2:
			refused++
		case ofRanges(got) != ofRanges(want) || joined != code:
			t.Errorf("%s: exit code %d\n got %s\nwant %s", what, joined, got, want)
		}
	}
	step := 3 * racetest.Step(t)
	for i := 0; i < len(whole); i += step {
		changed := bytes.Clone(whole)
		changed[i] ^= 1 << (i % 8)
		judge(fmt.Sprintf("byte %d", i), changed)
		judge(fmt.Sprintf("cut at %d", i), whole[:i])
	}
	judge("a byte more", append(bytes.Clone(whole), 0))
	if refused < len(whole)/step {
		t.Errorf("%d refused", refused)
	}
}
