package attestcmd

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"path"
	"slices"
	"strings"

	"github.com/cupel-dev/cupel/attest"
	"github.com/cupel-dev/cupel/attest/suite"
	"github.com/cupel-dev/cupel/commands/internal/app"
	"github.com/cupel-dev/cupel/commands/internal/cmdline"
	"github.com/cupel-dev/cupel/commands/internal/input"
	"github.com/cupel-dev/cupel/commands/internal/recognize"
	"github.com/cupel-dev/cupel/finding"
	"github.com/cupel-dev/cupel/internal/walk"
)

// suites are a run's suites in the order of --assertions. Each is evaluated independently and has a separate
// max_soft.
type suites struct {
	list    []countedSuite
	maxSoft *int // of --max-soft, for all suites together; nil: not given

	forbids bool            // an assertion forbids a tool
	tools   []string        // that traces call, where one is forbidden
	known   map[string]bool // of tools
}

// mostTools limits the names of called tools that are kept, to find misspelled ones.
const mostTools = 10_000

// calledStep is the part of a step that names tools.
type calledStep struct {
	Type     string `json:"type"`
	Name     string `json:"name"`
	SubTrace *struct {
		Steps []calledStep `json:"steps"`
	} `json:"sub_trace"`
}

// called returns the names of the tools that a trace calls, or nil if no assertion forbids a tool.
func (s *suites) called(text []byte) (names []string) {
	var t struct {
		Steps []calledStep `json:"steps"`
	}
	if !s.forbids || json.Unmarshal(text, &t) != nil {
		return nil
	}
	for list := t.Steps; len(list) > 0; list = list[1:] {
		if list[0].Type == "tool_call" {
			names = append(names, list[0].Name)
		}
		if sub := list[0].SubTrace; sub != nil {
			list = append(list, sub.Steps...)
		}
	}
	slices.Sort(names)
	return slices.Compact(names)
}

// meet stores the tools that a trace calls.
func (s *suites) meet(names []string) {
	if s.known == nil {
		s.known = map[string]bool{}
	}
	for _, name := range names {
		if !s.known[name] && len(s.tools) < mostTools {
			s.known[name] = true
			s.tools = append(s.tools, name)
		}
	}
}

type countedSuite struct {
	*suite.File
	soft     int
	results  map[int]int // of each case
	estimate estimate    // of a dry run
}

// readSuites reads the suites in --assertions. tracesFromStdin means that standard input contains traces.
func readSuites(env cmdline.Env, out *app.Output, engine *attest.Engine, names []string, tracesFromStdin bool) (list []*suite.File, err error) {
	if err := checkSuiteNames(names, tracesFromStdin); err != nil {
		return nil, err
	}
	for _, name := range names {
		read, err := readSuite(env, out, engine, name)
		if err != nil {
			return nil, err
		}
		list = append(list, read)
	}
	return list, nil
}

// checkSuiteNames returns an error for missing and duplicate suites, and for a suite given as traces.
func checkSuiteNames(names []string, tracesFromStdin bool) error {
	if len(names) == 0 {
		return &cmdline.UsageError{Message: "no suite given", Hint: "--assertions FILE names it; `cupel help attest-suite` shows its format"}
	}
	if tracesFromStdin && slices.Contains(names, "-") {
		return &cmdline.UsageError{Message: walk.ErrStdinTwice.Error(), Hint: ""}
	}
	for i, name := range names {
		if slices.Contains(names[:i], name) {
			return &cmdline.UsageError{Message: fmt.Sprintf("--assertions names %q twice", name), Hint: "give each suite once"}
		}
	}
	return nil
}

// readSuite reads a suite from a file, or from standard input for "-". It reports faults, which make the suite
// unusable.
func readSuite(env cmdline.Env, out *app.Output, engine *attest.Engine, name string) (*suite.File, error) {
	list, err := walk.Expand(env.Context, []string{name}, walk.Options{Stdin: env.Stdin, Patterns: []string{"*"}})
	if err != nil {
		return nil, err
	}
	files := len(list)
	if list[0].Empty() {
		files = 0
	}
	if files != 1 {
		return nil, &cmdline.UsageError{Message: fmt.Sprintf("--assertions %q matches %s, expected one", name, cmdline.Counted(files, "file")), Hint: "--assertions is repeatable; each names one suite"}
	}
	return readSuiteFile(env.Context, out, engine, name, list[0])
}

func readSuiteFile(ctx context.Context, out *app.Output, engine *attest.Engine, name string, in walk.Input) (*suite.File, error) {
	file, err := out.Digests().Input(in).Open()
	if err != nil {
		return nil, app.SuiteFile.Unread(err)
	}
	defer func() { _ = file.Close() }()
	data, err := app.SuiteFile.ReadAll(file, name)
	if err != nil {
		return nil, err
	}
	read, findings := suite.Parse(engine, in.Name, data, app.Beside(ctx, in.Path, "suite data"))
	for _, f := range findings {
		if err := out.Fault(f); err != nil {
			return nil, err
		}
	}
	if len(findings) > 0 {
		what, first := fmt.Sprintf("the suite %q has %s", name, cmdline.Counted(len(findings), "fault")), findings[0]
		return nil, &cmdline.Hinted{
			Err:  &cmdline.InFindings{Err: fmt.Errorf("%s, the first in line %d: %s", what, first.Line, first.Message), What: what},
			Hint: input.Hint(recognize.Text(recognize.Head{Text: data[:min(len(data), recognize.HeadBytes)], Cut: len(data) > recognize.HeadBytes}), name, input.KindSuite),
		}
	}
	return read, nil
}

// reportDoubts reports assertions that can never fail, as errors if strict.
func reportDoubts(out *app.Output, list []*suite.File, strict bool) error {
	for _, one := range list {
		for _, f := range one.Doubts() {
			if strict {
				f.Severity = finding.Error
			}
			if err := out.Finding(f); err != nil {
				return err
			}
		}
	}
	return nil
}

// unavailable reports assertions without a configured model, which are errors of the run.
func (s *suites) unavailable(out *app.Output) error {
	var first finding.Finding
	number := 0
	for _, one := range s.list {
		for _, f := range one.Unavailable() {
			if number++; number == 1 {
				first = f
			}
			if err := out.Fault(f); err != nil {
				return err
			}
		}
	}
	if number == 0 {
		return nil
	}
	what := "cannot evaluate " + cmdline.Counted(number, "assertion")
	return &cmdline.Hinted{Err: &cmdline.InFindings{Err: fmt.Errorf("%s, the first in %s:%d: %s; %s", what, first.File, first.Line, first.Message, first.Help), What: what}, Hint: first.Help}
}

// leaveOut removes the assertions without a configured model.
func (s *suites) leaveOut(tell func(finding.Finding)) {
	kept := s.list[:0]
	for _, one := range s.list {
		for _, f := range one.Unavailable() {
			tell(f)
		}
		if one.File = one.Available(); one.Len() > 0 {
			kept = append(kept, one)
		}
	}
	s.list = kept
}

// selectAssertions applies --tag and --filter and returns the nonempty suites. Selecting nothing is an error.
func selectAssertions(whole []*suite.File, tags []string, filter string) (list []countedSuite, err error) {
	if _, err := path.Match(filter, ""); err != nil {
		return nil, &cmdline.UsageError{Message: fmt.Sprintf("invalid value %q for --filter: %v", filter, err), Hint: "for example --filter 'refund-*'"}
	}
	keep := func(a attest.Assertion) bool {
		fits, _ := path.Match(filter, a.AssertionID)
		wanted := func(tag string) bool { return slices.Contains(tags, tag) }
		return (filter == "" || fits) && (len(tags) == 0 || slices.ContainsFunc(a.Tags, wanted))
	}
	all, names := 0, make([]string, len(whole))
	for i, file := range whole {
		all += file.Len()
		names[i] = fmt.Sprintf("%q", file.Path)
		if selected := file.Select(keep); selected.Len() > 0 {
			list = append(list, countedSuite{File: selected, results: map[int]int{}})
		}
	}
	if len(list) == 0 {
		return nil, &cmdline.UsageError{
			Message: fmt.Sprintf("--tag and --filter select no assertion of %s (%s)", strings.Join(names, ", "), cmdline.Counted(all, "assertion")),
			Hint:    "give --tag a word from the list \"tags\" of an assertion, and --filter a glob such as 'refund-*'",
		}
	}
	return list, nil
}

// evaluate returns each suite's results on a trace, and adds model requests to asked. The error is an
// *attest.Error. It is safe for concurrent use, also while counts grow.
func (s *suites) evaluate(ctx context.Context, name string, text attest.TraceText, asked []modelRequests) ([][]suite.Result, error) {
	results := make([][]suite.Result, len(s.list))
	for i := range s.list { // no copy of an element: its count is being written
		var err error
		if asked != nil {
			ctx = context.WithValue(ctx, askedKey{}, &asked[i])
		}
		if results[i], err = s.list[i].Evaluate(ctx, name, text); err != nil {
			return nil, err
		}
	}
	return results, nil
}

// unmet reports cases without a trace, and returns the error for a run in which no suite selected a trace.
func (s *suites) unmet(out *app.Output) error {
	cases, results := 0, 0
	for _, one := range s.list {
		for _, n := range one.results {
			results += n
		}
		for _, f := range one.Unmet(one.results) {
			cases++
			if err := out.Fault(f); err != nil {
				return err
			}
		}
	}
	switch {
	case cases > 0:
		what := cmdline.Counted(cases, "case") + " without a trace"
		return out.Fail(&cmdline.InFindings{Err: errors.New(what), What: what})
	case results == 0 && slices.ContainsFunc(s.list, func(one countedSuite) bool { return one.Selective() }):
		err := errors.New("nothing was evaluated: no suite selects any of the traces")
		return out.Fail(&cmdline.Hinted{Err: err, Hint: "compare \"traces\" of the suite with the paths, trace ids and metadata of the traces"})
	}
	return nil
}

// unbounded returns an error for suites that have to see all traces: with a limit on soft failures, or with cases.
func (s *suites) unbounded() error {
	for _, one := range s.list {
		if one.Selective() {
			return &cmdline.UsageError{Message: fmt.Sprintf("the suite %q selects traces, but --shard reads a part of the traces", one.Path), Hint: "leave out --shard, or the members traces and cases"}
		}
		if one.Suite.MaxSoft != nil {
			return &cmdline.UsageError{Message: fmt.Sprintf("the suite %q counts soft failures of all traces (max_soft), but --shard reads a part of the traces", one.Path), Hint: "leave out --shard, or max_soft"}
		}
	}
	return nil
}

// overSoft returns findings on exceeded limits of soft failures: --max-soft for all suites, or each suite's
// max_soft.
func (s *suites) overSoft() (list []finding.Finding) {
	all := 0
	for _, one := range s.list {
		all += one.soft
		if f, over := one.OverSoft(one.soft); over && s.maxSoft == nil {
			list = append(list, f)
		}
	}
	if s.maxSoft != nil {
		if f, over := suite.OverSoft(all, *s.maxSoft); over {
			list = append(list, f)
		}
	}
	return list
}
