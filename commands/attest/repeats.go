package attestcmd

import (
	"bytes"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/urfave/cli/v2"

	"github.com/cupel-dev/cupel/attest"
	"github.com/cupel-dev/cupel/attest/suite"
	"github.com/cupel-dev/cupel/commands/internal/app"
	"github.com/cupel-dev/cupel/commands/internal/cmdline"
	"github.com/cupel-dev/cupel/internal/report"
)

// maxRepeated limits the cases whose runs are counted.
const maxRepeated = 100_000

// repeats counts how often each case passes, over several runs of it. A nil *repeats does nothing.
type repeats struct {
	by string // --repeats: what runs of a case have in common
	k  int    // --k; 0: the smallest number of runs

	order []string
	known map[string]*repeated
	left  int // runs without that member, or of cases beyond the limit
}

// repeated is one case with its runs.
type repeated struct {
	Case    string  `json:"case"`
	Runs    int     `json:"runs"`
	Passed  int     `json:"passed"` // runs in which every assertion passes or fails softly
	K       int     `json:"k"`
	PassAt  float64 `json:"pass_at_k"`    // chance that at least one of k runs passes
	PassAll float64 `json:"pass_power_k"` // chance that all of k runs pass
	Flips   float64 `json:"flip_rate"`    // share of consecutive runs with different outcomes

	Unstable []unstable `json:"unstable,omitempty"` // assertions that pass in some of the runs

	outcomes []bool
	results  map[string]*unstable
	ids      []string
}

// unstable is an assertion that passes in some runs of a case and fails in others.
type unstable struct {
	ID     string              `json:"assertion_id"`
	Passed int                 `json:"passed"`
	Runs   int                 `json:"runs"`
	Class  attest.FailureClass `json:"failure_class"`
}

func (g *repeats) flag(category string) cli.Flag {
	return &cli.StringFlag{
		Name: "repeats", Category: category, Destination: &g.by,
		Usage: "count how many runs of a case pass; runs with the same `MEMBER` are one case: input, agent_id, trace_id, or metadata.NAME",
	}
}

func (g *repeats) runsFlag(category string) cli.Flag {
	return &cli.IntFlag{Name: "k", Category: category, Destination: &g.k, Usage: "`RUNS` for pass@k and pass^k of --repeats (default: the fewest runs of a case)"}
}

// started returns counters for the flags of a run, or nil without --repeats.
func (g *repeats) started() *repeats {
	if g.by == "" && g.k == 0 {
		return nil
	}
	return &repeats{by: g.by, k: g.k, known: map[string]*repeated{}}
}

// valid returns the error in the values of the flags.
func (g *repeats) valid(withK bool) error {
	switch {
	case g == nil && withK:
		return &cmdline.UsageError{Message: "--k is 0, expected 1 or more"}
	case g == nil:
		return nil
	case g.by == "":
		return &cmdline.UsageError{Message: "--k has no effect without --repeats", Hint: "for example --repeats input --k 3"}
	case withK && g.k < 1:
		return &cmdline.UsageError{Message: fmt.Sprintf("--k is %d, expected 1 or more", g.k)}
	case !slices.Contains([]string{"input", "agent_id", "trace_id"}, g.by) && !strings.HasPrefix(g.by, "metadata."):
		return &cmdline.UsageError{Message: fmt.Sprintf("unknown value %q for --repeats", g.by), Hint: "known: input, agent_id, trace_id, metadata.NAME"}
	}
	return nil
}

// caseOf returns the value that names the case of a trace, or "".
func (g *repeats) caseOf(t namedTrace) string {
	var members map[string]json.RawMessage
	_ = json.Unmarshal(t.Raw, &members) // the engine has accepted it
	name, inner, nested := strings.Cut(g.by, ".")
	value := members[name]
	if nested {
		var below map[string]json.RawMessage
		_ = json.Unmarshal(value, &below) // not an object: there is no such member
		value = below[inner]
	}
	var decoded any
	exact := json.NewDecoder(bytes.NewReader(value))
	exact.UseNumber()
	if exact.Decode(&decoded) != nil || decoded == nil {
		return ""
	}
	if text, ok := decoded.(string); ok {
		return text
	}
	sorted, _ := json.Marshal(decoded) // it was decoded from JSON
	return string(sorted)
}

// add counts a run with its results in all suites. A run without results does not count.
func (g *repeats) add(t namedTrace, results [][]suite.Result) {
	if g == nil || !slices.ContainsFunc(results, func(list []suite.Result) bool { return len(list) > 0 }) {
		return
	}
	name := g.caseOf(t)
	if name == "" || g.known[name] == nil && len(g.known) == maxRepeated {
		g.left++
		return
	}
	c := g.known[name]
	if c == nil {
		c = &repeated{Case: name, results: map[string]*unstable{}}
		g.known[name] = c
		g.order = append(g.order, name)
	}
	passes := true
	for _, list := range results {
		for _, r := range list {
			passes = passes && (r.Status == attest.Pass || r.Status == attest.SoftFail)
			key := r.Place.File + "\x00" + r.AssertionID
			if c.results[key] == nil {
				c.results[key] = &unstable{ID: r.AssertionID, Class: attest.StochasticVariance}
				c.ids = append(c.ids, key)
			}
			c.results[key].Runs++
			if r.Status == attest.Pass {
				c.results[key].Passed++
			}
		}
	}
	c.outcomes = append(c.outcomes, passes)
}

// sumUp computes the figures of every case.
func (g *repeats) sumUp() {
	fewest := 0
	for _, c := range g.known {
		if fewest == 0 || len(c.outcomes) < fewest {
			fewest = len(c.outcomes)
		}
	}
	for _, c := range g.known {
		c.Runs, c.K = len(c.outcomes), g.k
		if c.K == 0 {
			c.K = fewest
		}
		flips := 0
		for i, passes := range c.outcomes {
			if passes {
				c.Passed++
			}
			if i > 0 && passes != c.outcomes[i-1] {
				flips++
			}
		}
		if c.Runs > 1 {
			c.Flips = float64(flips) / float64(c.Runs-1)
		}
		c.PassAt, c.PassAll = 1-chooses(c.Runs-c.Passed, c.Runs, c.K), chooses(c.Passed, c.Runs, c.K)
		for _, key := range c.ids {
			if a := c.results[key]; a.Passed > 0 && a.Passed < a.Runs {
				c.Unstable = append(c.Unstable, *a)
			}
		}
	}
}

// chooses returns the chance that k runs, drawn from all without putting one back, are all among some of them.
func chooses(some, all, k int) float64 {
	chance := 1.0
	for i := range k {
		if some-i <= 0 {
			return 0
		}
		chance *= float64(some-i) / float64(all-i)
	}
	return chance
}

func (g *repeats) cases() (list []*repeated) {
	if g == nil {
		return nil
	}
	for _, name := range g.order {
		list = append(list, g.known[name])
	}
	return list
}

// end reports the cases. It returns an error if no run could be counted, or a case has fewer than k runs.
func (g *repeats) end(out *app.Output) error {
	if g == nil {
		return nil
	}
	g.sumUp()
	short := 0
	for _, c := range g.cases() {
		if c.Runs < c.K {
			short++
		}
		a := report.Answer{
			Subject: c.Case, Title: "case", Total: true,
			Outcome: report.Outcome{Weight: report.Good, Word: fmt.Sprintf("%d of %s pass", c.Passed, cmdline.Counted(c.Runs, "run"))},
			Facts: []report.Fact{
				{Name: fmt.Sprintf("pass@%d", c.K), Value: decimals(c.PassAt)},
				{Name: fmt.Sprintf("pass^%d", c.K), Value: decimals(c.PassAll)},
				{Name: "flip rate", Value: decimals(c.Flips)},
			},
		}
		if c.Passed < c.Runs {
			a.Weight = report.Caution
		}
		for _, u := range c.Unstable {
			a.Facts = append(a.Facts, report.Fact{Name: u.ID, Value: fmt.Sprintf("passes in %d of %s", u.Passed, cmdline.Counted(u.Runs, "run"))})
		}
		if err := out.Answer(a); err != nil {
			return err
		}
	}
	switch {
	case len(g.order) == 0:
		err := fmt.Errorf("no trace has the member %q that --repeats groups by", g.by)
		return out.Fail(&cmdline.Hinted{Err: err, Hint: "for example --repeats input, or --repeats metadata.case"})
	case g.left > 0:
		return out.Fail(fmt.Errorf("%s without the member %q, or beyond %d cases: not counted for --repeats", cmdline.Counted(g.left, "run"), g.by, maxRepeated))
	case short > 0:
		return out.Fail(fmt.Errorf("%s with fewer than %d runs: pass@k and pass^k are unknown", cmdline.Counted(short, "case"), g.k))
	}
	return nil
}
