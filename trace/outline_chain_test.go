package trace_test

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/cupel-dev/cupel/internal/racetest"
	"github.com/cupel-dev/cupel/internal/sessiontest"
	"github.com/cupel-dev/cupel/trace"
)

// outlineOf verifies a log and returns the report with its outline.
func outlineOf(tb testing.TB, log string, opt trace.Options) (*trace.Report, *trace.Outline) {
	tb.Helper()
	report, err := trace.Verify(tb.Context(), strings.NewReader(log), opt)
	if err != nil {
		tb.Fatal(err)
	}
	outline, err := trace.OutlineLog(tb.Context(), strings.NewReader(log), report, opt)
	if err != nil {
		tb.Fatal(err)
	}
	return report, outline
}

// strip returns a chain in one line for each block.
func strip(c *trace.Chain) string {
	var b strings.Builder
	for i := range c.Blocks {
		block := &c.Blocks[i]
		fmt.Fprintf(&b, "%s %d-%d: %d\n", block.State, block.From, block.To, block.Count)
	}
	for _, m := range c.Marks {
		fmt.Fprintf(&b, "%s @%d\n", m.Kind, m.Line)
	}
	return b.String()
}

// TestChainOutlines are the outlines of the examples.
func TestChainOutlines(t *testing.T) {
	for name, want := range map[string]string{
		"refund":         "intact 1-10: 10\nstart @1\nend @9\nseal @10\n",
		"refund-cut":     "intact 1-6: 6\nstart @1\n",
		"refund-edited":  "intact 1-6: 6\nedited 7-7: 1\nintact 8-10: 3\nstart @1\nend @9\nseal @10\n",
		"refund-removed": "intact 1-5: 5\nremoved 6-5: 2\nfollows 6-6: 1\nintact 7-8: 2\nstart @1\nend @7\nseal @8\n",
		"signed-1.0":     "intact 1-4: 4\nstart @1\nend @4\n",
	} {
		log, err := os.ReadFile(filepath.Join("..", "testdata", "examples", "session", name+".jsonl"))
		if err != nil {
			t.Fatal(err)
		}
		report, outline := outlineOf(t, string(log), trace.Options{Name: name})
		if len(outline.Chains) != 1 || outline.Changed != "" {
			t.Fatalf("%s: %d chains, changed %q", name, len(outline.Chains), outline.Changed)
		}
		if got := strip(&outline.Chains[0]); got != want {
			t.Errorf("%s, %v:\n%s\nwant\n%s", name, report.Damage, got, want)
		}
	}
}

// TestChainOutlineTellsAll compares the outline of any log, damaged in any way, with a naive reading of its lines and
// with the report: each record is in one block, in file order; each damage is visible, and records without findings
// are intact.
func TestChainOutlineTellsAll(t *testing.T) {
	random := rand.New(rand.NewPCG(19, 2))
	states := map[trace.BlockState]int{}
	for i := 0; i < 300; i += racetest.Step(t) {
		log := damagedLog(random, sessiontest.Families[random.IntN(len(sessiontest.Families))], "s")
		if strings.HasPrefix(strings.TrimSpace(log), "[") {
			continue // damaged into an array
		}
		opt := trace.Options{Name: "log", Jobs: 1 + random.IntN(3)}
		report, outline := outlineOf(t, log, opt)
		if len(outline.Chains) == 0 {
			continue // no line of it can be read
		}
		chain := &outline.Chains[0]
		for n := range chain.Blocks {
			states[chain.Blocks[n].State]++
		}
		if problem := inFileOrder(chain, log); problem != "" {
			t.Fatalf("case %d: %s\n%s%s", i, problem, strip(chain), log)
		}
		if problem := showsReport(chain, report); problem != "" {
			t.Fatalf("case %d: %s\n%s%v\n%s", i, problem, strip(chain), report.Damage, log)
		}
	}
	t.Log(states)
	for _, kind := range []trace.DamageKind{trace.DamageEdited, trace.DamageRemoved, trace.DamageInserted, trace.DamageSwapped, trace.DamageRepeated} {
		if states[trace.BlockState(kind)] == 0 {
			t.Errorf("no block was %s", kind)
		}
	}
}

// inFileOrder says where the records of a chain are not the lines of a log.
func inFileOrder(chain *trace.Chain, log string) string {
	var lines []int
	for i, line := range strings.Split(log, "\n") {
		if strings.TrimSpace(line) != "" && strings.TrimSpace(line) != "\ufeff" {
			lines = append(lines, i+1)
		}
	}
	text := strings.Split(log, "\n")
	var seen []int
	for i := range chain.Blocks {
		b := &chain.Blocks[i]
		if b.Gap() {
			continue
		}
		if int64(len(b.Listed)) != b.Count || b.From != b.Listed[0].Line || b.To != b.Listed[len(b.Listed)-1].Line {
			return fmt.Sprintf("block %d does not hold its records", i)
		}
		for _, l := range b.Listed {
			seen = append(seen, l.Line)
			var record struct {
				Type any `json:"event_type"`
			}
			err := json.Unmarshal([]byte(text[l.Line-1]), &record)
			if name, ok := record.Type.(string); l.Lost == "" && (err != nil || ok && name != l.Type) {
				return fmt.Sprintf("line %d is of type %q", l.Line, l.Type)
			}
		}
	}
	if !slices.Equal(seen, lines) {
		return fmt.Sprintf("the records are those of lines %v, want %v", seen, lines)
	}
	return ""
}

// showsReport says what of a report a chain does not show.
func showsReport(chain *trace.Chain, report *trace.Report) string {
	stateOf := map[int]trace.BlockState{}
	damages := map[int]bool{}
	for i := range chain.Blocks {
		b := &chain.Blocks[i]
		damages[b.Damage] = true
		for _, l := range b.Listed {
			stateOf[l.Line] = b.State
		}
	}
	bad := map[int]bool{}
	for _, f := range report.Findings {
		if f.Severity == trace.SeverityError && f.Line > 0 {
			bad[f.Line] = true
		}
	}
	for i, d := range report.Damage {
		hidden := false // covered by other damage
		for line := d.From; line <= d.To; line++ {
			state, there := stateOf[int(line)]
			hidden = hidden || there && state != trace.BlockIntact
		}
		if !damages[i] && (d.Kind == trace.DamageRemoved || !hidden) {
			return fmt.Sprintf("damage %v is not to be seen", d)
		}
	}
	for line, state := range stateOf {
		switch {
		case state == trace.BlockIntact && bad[line]:
			return fmt.Sprintf("line %d is shown as intact", line)
		case (state == trace.BlockFaulty || state == trace.BlockFollows) && !bad[line]:
			return fmt.Sprintf("line %d is shown as %s", line, state)
		}
	}
	return ""
}

// links returns the records of a chain and their states, in order, whatever its blocks.
func links(c *trace.Chain) (list []string) {
	for i := range c.Blocks {
		b := &c.Blocks[i]
		if b.Gap() {
			list = append(list, fmt.Sprintf("%d missing", b.Count))
		}
		for _, l := range b.Listed {
			number := uint64(0)
			if l.Number != nil {
				number = *l.Number
			}
			list = append(list, fmt.Sprint(b.State, b.Damage, l.Nth, number, l.Type, l.Time, l.Hash, l.Payload, l.Lost, l.Wrong, l.Worst))
		}
	}
	return list
}

// TestChainOutlineOfSegments holds the outline of a log that was cut into segments to that of
// the log as a whole.
func TestChainOutlineOfSegments(t *testing.T) {
	random := rand.New(rand.NewPCG(19, 3))
	for i := 0; i < 100; i += racetest.Step(t) {
		log := damagedLog(random, sessiontest.Families[random.IntN(len(sessiontest.Families))], "s")
		if strings.HasPrefix(strings.TrimSpace(log), "[") {
			continue
		}
		opt := trace.Options{Name: "log"}
		_, whole := outlineOf(t, log, opt)
		texts, _ := cutLog(random, log)
		report, err := trace.VerifyChain(t.Context(), segmentsOf(texts...), opt)
		if err != nil {
			t.Fatal(err)
		}
		cut, err := trace.OutlineChain(t.Context(), segmentsOf(texts...), report, opt)
		if err != nil {
			t.Fatal(err)
		}
		if len(whole.Chains) != len(cut.Chains) {
			t.Fatalf("case %d: %d chains, want %d", i, len(cut.Chains), len(whole.Chains))
		}
		for n := range whole.Chains {
			if x, y := links(&whole.Chains[n]), links(&cut.Chains[n]); !slices.Equal(x, y) {
				t.Fatalf("case %d:\nwhole %s\ncut   %s\n%v", i, strings.Join(x, "\n"), strings.Join(y, "\n"), report.Damage)
			}
		}
	}
}

// TestChainOutlineOfSessions compares the outlines of interleaved sessions with those of each alone.
func TestChainOutlineOfSessions(t *testing.T) {
	random := rand.New(rand.NewPCG(19, 4))
	for i := 0; i < 60; i += racetest.Step(t) {
		var logs [][]string
		for n := range 1 + random.IntN(5) {
			family := sessiontest.Families[random.IntN(len(sessiontest.Families))]
			if log := strings.Trim(damagedLog(random, family, fmt.Sprint("s", n)), "\n"); log != "" {
				logs = append(logs, strings.Split(log, "\n"))
			}
		}
		log := strings.Join(interleaved(random, logs), "\n")
		if strings.HasPrefix(strings.TrimSpace(log), "[") {
			continue
		}
		opt := trace.Options{Name: "log", Jobs: 2, BySession: true}
		_, mixed := outlineOf(t, log, opt)
		a := takeApart(t, log)
		if len(mixed.Chains) != len(a.ids) {
			t.Fatalf("case %d: %d chains, want %d", i, len(mixed.Chains), len(a.ids))
		}
		opt.BySession = false
		for n, id := range a.ids {
			_, alone := outlineOf(t, strings.Join(a.lines[id], "\n"), opt)
			if len(alone.Chains) == 0 {
				continue
			}
			if x, y := links(&alone.Chains[0]), links(&mixed.Chains[n]); !slices.Equal(x, y) {
				t.Fatalf("case %d, session %s:\nalone %s\nmixed %s", i, id, strings.Join(x, "\n"), strings.Join(y, "\n"))
			}
		}
	}
}

// TestChainOutlineIsBounded outlines a log in little room: what is not listed is counted, and
// what is wrong is listed all the same.
func TestChainOutlineIsBounded(t *testing.T) {
	var log strings.Builder
	if err := sessiontest.WorkingDay(&log, 500); err != nil {
		t.Fatal(err)
	}
	lines := strings.Split(log.String(), "\n")
	lines = slices.Delete(lines, 400, 403)
	lines[300] = strings.Replace(lines[300], `"payload_hash":"`, `"payload_hash":"f`, 1)
	text := strings.Join(lines, "\n")
	opt := trace.Options{Name: "log"}
	report, _ := outlineOf(t, text, opt)
	outline, err := trace.OutlineWithin(t.Context(), strings.NewReader(text), report, opt, trace.OutlineRoom{Events: 10, Beyond: 5, Blocks: 20, Marks: 2, Text: 3_000})
	if err != nil {
		t.Fatal(err)
	}
	chain := &outline.Chains[0]
	if len(chain.Marks) > 2 || chain.Listed > 15 || chain.Listed < 12 || chain.Events != report.Events {
		t.Errorf("%d marks, %d records listed, %d events", len(chain.Marks), chain.Listed, chain.Events)
	}
	shown, counted := 0, int64(0)
	for i := range chain.Blocks {
		b := &chain.Blocks[i]
		if b.State != trace.BlockIntact && !b.Gap() && len(b.Listed) == 0 {
			t.Errorf("nothing is listed of block %d, which is %s", i, b.State)
		}
		if !b.Gap() {
			counted += b.Count
		}
		for _, l := range b.Listed {
			shown += len(l.Payload.Text)
		}
	}
	if shown > 3_000 || counted != report.Events {
		t.Errorf("%d bytes are shown, %d records are counted", shown, counted)
	}
	outline, err = trace.OutlineWithin(t.Context(), strings.NewReader(text), report, opt, trace.OutlineRoom{Blocks: 1})
	if err != nil {
		t.Fatal(err)
	}
	if got := strip(&outline.Chains[0]); !strings.HasPrefix(got, "intact 1-300: 300\nmixed 301-497: 197\n") {
		t.Errorf("with room for one block:\n%s", got)
	}
}

// TestChainOutlineOfArray outlines a log that is one array on one line, where records differ only in columns: records
// with an error are not intact, and all others are.
func TestChainOutlineOfArray(t *testing.T) {
	random := rand.New(rand.NewPCG(19, 5))
	faulty := 0
	for i := 0; i < 100; i += racetest.Step(t) {
		log := strings.TrimSpace(damagedLog(random, "session-v0", "s"))
		lines := strings.Split(log, "\n")
		if slices.ContainsFunc(lines, func(line string) bool { return !json.Valid([]byte(line)) || line[0] != '{' }) {
			continue
		}
		array := "[" + strings.Join(lines, ", ") + "]"
		report, outline := outlineOf(t, array, trace.Options{Name: "log"})
		if len(outline.Chains) == 0 {
			continue
		}
		bad := make([]bool, len(lines))
		for _, f := range report.Findings {
			end := 1
			for n, line := range lines {
				if end += len([]rune(line)) + 2; f.Line > 0 && f.Severity == trace.SeverityError && f.Column < end {
					bad[n], faulty = true, faulty+1
					break
				}
			}
		}
		n := 0
		for b := range outline.Chains[0].Blocks {
			block := &outline.Chains[0].Blocks[b]
			for range block.Listed {
				if intact := block.State == trace.BlockIntact; intact == bad[n] {
					t.Fatalf("case %d: record %d is %s, with an error: %t\n%s\n%s", i, n, block.State, bad[n], strip(&outline.Chains[0]), array)
				}
				n++
			}
		}
		if n != len(lines) {
			t.Fatalf("case %d: %d records, want %d", i, n, len(lines))
		}
	}
	if faulty == 0 {
		t.Error("no record was faulty")
	}
}
