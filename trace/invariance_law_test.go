package trace_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/cupel-dev/cupel/internal/racetest"
	"github.com/cupel-dev/cupel/internal/sessiontest"
	"github.com/cupel-dev/cupel/internal/strictjson"
	"github.com/cupel-dev/cupel/trace"
)

// respelled returns a log of lines that says the same in another spelling: characters
// escaped, members in another order, white space between tokens, lines that end in CR LF.
// Lines that cannot be read stay as they are: which of their faults is the first depends on
// the order of members.
func respelled(random *rand.Rand, log string) string {
	scanner := strictjson.NewScanner(strictjson.Limits{})
	lines := strings.Split(log, "\n")
	for i, line := range lines {
		if _, err := scanner.Scan([]byte(line)); err != nil || strings.Contains(line, `\u`) {
			continue
		}
		lines[i] = string(respell(random, nil, []byte(line)))
		if i < len(lines)-1 && random.IntN(3) == 0 {
			lines[i] += "\r"
		}
	}
	return strings.Join(lines, "\n")
}

// respell rewrites a value. Numbers and repeated member names stay.
func respell(random *rand.Rand, out []byte, raw json.RawMessage) []byte {
	raw = bytes.TrimSpace(raw)
	space := func() { out = append(out, []string{"", "", " ", "\t"}[random.IntN(4)]...) }
	if raw[0] == '"' {
		return respellText(random, out, raw)
	}
	if raw[0] != '[' && raw[0] != '{' {
		return append(out, raw...)
	}
	parts := partsOf(raw)
	if raw[0] == '{' && namesDiffer(parts) {
		random.Shuffle(len(parts), func(i, j int) { parts[i], parts[j] = parts[j], parts[i] })
	}
	out = append(out, raw[0])
	for i, p := range parts {
		if i > 0 {
			out = append(out, ',')
		}
		space()
		if p.name != nil {
			out = respellText(random, out, p.name)
			space()
			out = append(out, ':')
			space()
		}
		out = respell(random, out, p.value)
		space()
	}
	return append(out, raw[len(raw)-1])
}

// part is an element of an array, or a member of an object with its name as it is spelled.
type part struct{ name, value json.RawMessage }

func partsOf(raw json.RawMessage) (parts []part) {
	d := json.NewDecoder(bytes.NewReader(raw))
	_, _ = d.Token() // the bracket; the text is valid
	for d.More() {
		var p part
		if raw[0] == '{' {
			from := d.InputOffset()
			_, _ = d.Token()
			p.name = bytes.TrimLeft(raw[from:d.InputOffset()], ", \t\r\n")
		}
		_ = d.Decode(&p.value)
		parts = append(parts, p)
	}
	return parts
}

func namesDiffer(parts []part) bool {
	names := map[string]bool{}
	for _, p := range parts {
		var name string
		_ = json.Unmarshal(p.name, &name) // it is valid
		names[name] = true
	}
	return len(names) == len(parts)
}

// respellText escapes some of a string's characters.
func respellText(random *rand.Rand, out, quoted []byte) []byte {
	for i := 0; i < len(quoted); i++ {
		switch c := quoted[i]; {
		case c == '\\':
			out = append(out, c, quoted[i+1])
			i++
		case c == '/' && random.IntN(2) == 0:
			out = append(out, `\/`...)
		case c >= ' ' && c < 0x7f && c != '"' && random.IntN(9) == 0:
			out = fmt.Appendf(out, []string{`\u%04x`, `\u%04X`}[random.IntN(2)], c)
		default:
			out = append(out, c)
		}
	}
	return out
}

// sameSpelled demands one judgement on a log in any spelling. The profiles of real logs,
// some of which hash what a line says in its own spelling, are left out.
func sameSpelled(tb testing.TB, s subject, random *rand.Rand) {
	tb.Helper()
	if records, ok := recordsOf(s.log); ok && isLayoutOfAnArray(records) || strings.HasPrefix(strings.TrimLeft(s.log, " \t\r\n\ufeff"), "[") {
		return
	}
	s.opt.Session.Canonicalization = "strict"
	want := fmt.Sprintf("%+v", judgementOf(tb, s))
	other := s
	other.log = respelled(random, s.log)
	if got := fmt.Sprintf("%+v", judgementOf(tb, other)); got != want {
		tb.Fatalf("%s:\nas it is  %.3000s\nrespelled %.3000s\n%.2000q\n%.2000q", s.name, want, got, s.log, other.log)
	}
}

// TestSpelling: escapes, the order of members, white space and the ends of lines change no
// verdict and no set of findings.
func TestSpelling(t *testing.T) {
	compared := 0
	for i, s := range racetest.Some(t, wholeLogs(t)) {
		whole := s.log
		for round := range 5 {
			random := rand.New(rand.NewPCG(uint64(i), uint64(round)))
			if s.log = whole; round > 1 {
				s.log = strings.Join(alteredLines(random, strings.Split(strings.TrimSpace(whole), "\n")), "\n")
			}
			sameSpelled(t, s, random)
			compared++
		}
	}
	t.Logf("%d logs compared", compared)
}

// flat returns a wrapped trace in the flat shape: the events are the lines. ok is false
// when a line is neither header nor event of the wrapped shape and version 1, or has more
// members.
func flat(log string) (text string, ok bool) {
	var lines []string
	for i, line := range strings.Split(strings.Trim(log, " \t\r\n"), "\n") {
		record, ok := members(line)
		if !ok {
			return "", false
		}
		name := string(record["record"])
		switch {
		case i == 0 && name == `"trace_header"` && string(record["schema_version"]) == "1":
			lines = append(lines, `{"trace_schema_version":1}`)
		case i > 0 && name == `"trace_event"` && len(record) == 2 && bytes.HasPrefix(record["event"], []byte("{")):
			lines = append(lines, string(record["event"]))
		default:
			return "", false
		}
	}
	return strings.Join(lines, "\n"), true
}

// members returns the members of the object that a line is, unless one is repeated: what is
// wrong with the wrapper itself has no counterpart in the flat shape.
func members(line string) (of map[string]json.RawMessage, ok bool) {
	if json.Unmarshal([]byte(line), &of) != nil {
		return nil, false
	}
	tokens := json.NewDecoder(strings.NewReader(line))
	for n := -1; ; n++ {
		token, err := tokens.Token()
		if err != nil || token == json.Delim('}') {
			return of, err == nil && n == len(of)
		}
		if n >= 0 && tokens.Decode(new(json.RawMessage)) != nil {
			return nil, false
		}
	}
}

// TestFlatAndWrapped: a trace has one judgement in both shapes, the wrapper and what only a
// header of the wrapped shape says apart.
func TestFlatAndWrapped(t *testing.T) {
	compared := 0
	for i, s := range wholeLogs(t) {
		whole := s.log
		for round := range 5 {
			random := rand.New(rand.NewPCG(uint64(i), uint64(round)))
			if s.log = whole; round > 0 {
				lines := strings.Split(strings.TrimSpace(whole), "\n")
				s.log = strings.Join(slices.Concat(lines[:1], alteredLines(random, lines[min(1, len(lines)-1):])), "\n")
			}
			if sameInBothShapes(t, s) {
				compared++
			}
		}
	}
	if compared < 30 {
		t.Errorf("only %d traces were compared", compared)
	}
	t.Logf("%d traces compared", compared)
}

// sameInBothShapes reports whether the trace has a flat shape at all.
func sameInBothShapes(tb testing.TB, s subject) bool {
	tb.Helper()
	text, ok := flat(s.log)
	if !ok {
		return false
	}
	header, _, _ := strings.Cut(s.log, "\n")
	if judgementOf(tb, subject{log: header}).Verdict != trace.Valid {
		return false // the shapes differ in what a header must say
	}
	s.opt.Reasoning.CheckIDs = false // only the wrapped header states an id
	other := s
	other.log = text
	want, got := judgementOf(tb, s), judgementOf(tb, other)
	if strings.Contains(strings.Join(slices.Concat(want.Findings, got.Findings), " "), "line.limit") {
		return false // the wrapper is one level of nesting
	}
	for _, j := range []*judgement{&want, &got} {
		j.Profiles = nil // of the trace's id, which only the wrapped header states
		j.Findings = slices.DeleteFunc(j.Findings, func(f string) bool {
			return strings.HasPrefix(f, "id.") || strings.HasPrefix(f, "plan.id") || strings.HasPrefix(f, "field.unknown") || strings.HasPrefix(f, "version.")
		})
		for i, f := range j.Findings {
			f = strings.Replace(f+" ", " event.", " ", 1)
			j.Findings[i] = strings.TrimSpace(strings.Replace(f, " event ", " ", 1))
		}
		slices.Sort(j.Findings)
	}
	if fmt.Sprint(want.Verdict, want.Findings, want.Counts) != fmt.Sprint(got.Verdict, got.Findings, got.Counts) {
		tb.Fatalf("%s:\nwrapped %+v\nflat    %+v\n%.3000s", s.name, want, got, s.log)
	}
	return true
}

// inSteps verifies a growing log in runs, each from the state of the one before, and
// returns all that must not depend on them; "" when a run met no record to go on from.
func inSteps(tb testing.TB, log string, ends []int) string {
	tb.Helper()
	opt := trace.Options{Name: "x", Growing: true, Jobs: 1, Limits: trace.Limits{Findings: 1 << 20}}
	var rules []string
	var last *trace.Report
	for _, end := range ends {
		start := int64(0)
		if opt.Resume != nil {
			start = opt.Resume.Start()
		}
		r, err := trace.Verify(tb.Context(), strings.NewReader(log[start:end]), opt)
		if err != nil {
			tb.Fatal(err)
		}
		for _, f := range r.Findings {
			if f.Severity.String() == "error" {
				rules = append(rules, fmt.Sprint(f.Line, " ", f.Rule))
			}
		}
		if last = r; r.State == nil {
			return ""
		}
		opt.Resume = r.State
	}
	if opt.Resume.Rejected {
		rules = nil // each run says what it sees, and a rejection hides the rest
	}
	slices.Sort(rules)
	return fmt.Sprint(last.Integrity, last.Head, opt.Resume.Offset, opt.Resume.Rejected, last.Damage, rules)
}

// sameInSteps demands one conclusion on a growing session log, in however many runs.
func sameInSteps(tb testing.TB, log string, random *rand.Rand) {
	tb.Helper()
	first := strings.IndexByte(log, '\n') + 1
	if first == 0 || !strings.Contains(log[:first], `"event_type"`) || !json.Valid([]byte(log[:first])) {
		return
	}
	want := inSteps(tb, log, []int{len(log)})
	for range 3 {
		ends := []int{first + random.IntN(len(log)-first+1), first + random.IntN(len(log)-first+1), len(log)}
		slices.Sort(ends)
		if got := inSteps(tb, log, ends); got != "" && got != want {
			tb.Fatalf("up to the bytes %d:\nin steps %s\nat once  %s\n%.3000q", ends, got, want, log)
		}
	}
}

// TestStepsOfALog: runs over a growing log that end at any byte come to the conclusion of
// one run.
func TestStepsOfALog(t *testing.T) {
	for i := range 200 {
		random := rand.New(rand.NewPCG(uint64(i), 23))
		family := sessiontest.Families[i%len(sessiontest.Families)]
		lines := sessiontest.Arbitrary(random, family, "5e551017")
		lines = sessiontest.Damage(random, lines, sessiontest.Arbitrary(random, family, "07e20000"))
		sameInSteps(t, strings.Join(lines, "\n")+"\n", random)
	}
}

// FuzzInvariance: no spelling, shape or number of runs changes what is said of a log.
func FuzzInvariance(f *testing.F) { // slow: runs several engines
	for i, s := range racetest.Some(f, wholeLogs(f)) {
		if len(s.log) < 16<<10 {
			f.Add(s.log, uint64(i))
			f.Add(strings.TrimSpace(s.log)+"\f", uint64(i)) // white space, though not JSON's
		}
	}
	for _, n := range []int{40, 1_100} {
		for _, log := range manyFindings(n) {
			f.Add(log, uint64(n))
		}
	}
	f.Fuzz(func(t *testing.T, log string, seed uint64) {
		if len(log) > 512<<10 {
			return
		}
		random := rand.New(rand.NewPCG(seed, 5))
		s := subject{name: "fuzzed", log: log, opt: options(random)}
		s.opt.Sum, s.opt.ExpectSHA256 = false, ""
		sameSpelled(t, s, random)
		sameInBothShapes(t, s)
		sameInSteps(t, log, random)
	})
}
