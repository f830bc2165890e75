package trace_test

import (
	"encoding/json"
	"fmt"
	"io"
	"math/rand/v2"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/cupel-dev/cupel/internal/racetest"
	"github.com/cupel-dev/cupel/internal/sessiontest"
	"github.com/cupel-dev/cupel/trace"
)

// segmentsOf makes segments of texts.
func segmentsOf(texts ...string) (list []trace.Segment) {
	for i, text := range texts {
		list = append(list, trace.Segment{Name: fmt.Sprintf("log.%d", i+1), Open: func() (io.ReadCloser, error) {
			return io.NopCloser(strings.NewReader(text)), nil
		}})
	}
	return list
}

// standing lists the places of a log's lines in its segments.
type standing []struct {
	name string
	line int
}

func (p standing) of(line int) (string, int) {
	if line == 0 {
		return "", 0
	}
	return p[line-1].name, p[line-1].line
}

// from names a line as seen from another.
func (p standing) from(here, line int) string {
	name, number := p.of(line)
	if own, _ := p.of(here); own == name {
		return strconv.Itoa(number)
	}
	return name + ":" + strconv.Itoa(number)
}

var (
	lineWords = regexp.MustCompile(`(, on|CHAIN_SEAL of) line ([0-9]+)$`)
	gapWords  = regexp.MustCompile(`(: it follows line [0-9]+ of "[^"]*")?(, and a segment between the two may be missing)?$`)
)

// located is the report on a log as that on its segments must be.
func (p standing) located(r *trace.Report) {
	for i := range r.Findings {
		f := &r.Findings[i]
		here := f.Line
		if here == 0 {
			continue
		}
		if rule, line, ok := strings.Cut(f.CausedBy, "@"); ok {
			n, _ := strconv.Atoi(line)
			f.CausedBy = rule + "@" + p.from(here, n)
		}
		if m := lineWords.FindStringSubmatch(f.Message); m != nil && (f.Rule == "chain.broken" || f.Rule == "seal.not_last") {
			n, _ := strconv.Atoi(m[2])
			f.Message = strings.TrimSuffix(f.Message, m[2])
			if name, number := p.of(n); strings.Contains(p.from(here, n), ":") {
				f.Message += fmt.Sprintf("%d of %q", number, name)
			} else {
				f.Message += strconv.Itoa(number)
			}
		}
		f.File, f.Line = p.of(here)
	}
	for i := range r.Damage {
		d := &r.Damage[i]
		var from, to int
		d.FromFile, from = p.of(int(d.From))
		d.ToFile, to = p.of(int(d.To))
		d.From, d.To = int64(from), int64(to)
	}
}

// cutLog cuts a log at random line ends. Segments but the last may lack their last line
// end.
func cutLog(random *rand.Rand, log string) (texts []string, where standing) {
	lines := strings.SplitAfter(log, "\n")
	if lines[len(lines)-1] == "" {
		lines = lines[:len(lines)-1]
	}
	text, name, n := "", "log.1", 0
	end := func() {
		if whole := strings.TrimSuffix(text, "\n"); json.Valid([]byte(whole[strings.LastIndexByte(whole, '\n')+1:])) && random.IntN(3) == 0 {
			text = whole
		}
		texts = append(texts, text)
		text, name, n = "", fmt.Sprintf("log.%d", len(texts)+1), 0
	}
	for _, line := range lines {
		for random.IntN(5) == 0 {
			end()
		}
		n++
		text += line
		where = append(where, struct {
			name string
			line int
		}{name, n})
	}
	return append(texts, text), where
}

// damagedLog returns a random log of a family, as a rule with faults.
func damagedLog(random *rand.Rand, family, session string) string {
	lines := sessiontest.Arbitrary(random, family, session)
	if random.IntN(4) > 0 {
		lines = sessiontest.Damage(random, lines, sessiontest.Arbitrary(random, family, session+"-other"))
	}
	return strings.Join(lines, "\n") + []string{"\n", ""}[random.IntN(2)]
}

// comparable returns a report without what chains have of their own.
func comparable(tb testing.TB, r *trace.Report) string {
	tb.Helper()
	c := *r
	c.Findings = nil
	for _, f := range r.Findings {
		switch f.Rule {
		case "segment.empty":
			c.Warnings--
			continue
		case "sequence.gap", "chain.broken":
			f.Message = gapWords.ReplaceAllString(f.Message, "")
		}
		c.Findings = append(c.Findings, f)
	}
	text, err := json.Marshal(&c)
	if err != nil {
		tb.Fatal(err)
	}
	return fmt.Sprintf("%s\n%d %d %d, %d bytes, %s", text, c.Errors, c.Warnings, c.Infos, c.Bytes, c.SHA256)
}

// TestChainIsTheLog checks that the cuts between segments change only the names of places in the report.
func TestChainIsTheLog(t *testing.T) {
	random := rand.New(rand.NewPCG(18, 2))
	gaps := 0
	for i := 0; i < 200; i += racetest.Step(t) {
		log := damagedLog(random, sessiontest.Families[i%len(sessiontest.Families)], "s")
		texts, where := cutLog(random, log)
		opt := trace.Options{Name: "log", Jobs: 1 + random.IntN(3), Inline: random.IntN(4) == 0}
		want, err := trace.Verify(t.Context(), strings.NewReader(log), opt)
		if err != nil {
			t.Fatal(err)
		}
		got, err := trace.VerifyChain(t.Context(), segmentsOf(texts...), opt)
		if strings.HasPrefix(strings.TrimSpace(log), "[") && err != nil {
			continue // damaged into an array
		}
		if err != nil {
			t.Fatal(err)
		}
		for _, f := range got.Findings {
			if strings.Contains(f.Message, "may be missing") {
				gaps++
			}
		}
		where.located(want)
		if a, b := comparable(t, want), comparable(t, got); a != b {
			t.Fatalf("case %d, %d segments:\nlog   %s\nchain %s\n%s", i, len(texts), a, b, strings.Join(texts, "\n=====\n"))
		}
	}
	if gaps == 0 {
		t.Error("no gap between two segments")
	}
}
