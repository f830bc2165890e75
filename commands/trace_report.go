package commands

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"

	"github.com/urfave/cli/v2"

	"github.com/cupel-dev/cupel/internal/walk"
	"github.com/cupel-dev/cupel/trace"
	"github.com/cupel-dev/cupel/trace/reasoning"
)

// groundingSchema names the JSON form of `trace report`.
const groundingSchema = "cupel.grounding/1"

var groundingFormats = []string{"text", "json", "dot"}

// traceReportCommand is `cupel trace report`.
func traceReportCommand(env Env) *cli.Command {
	return &cli.Command{
		Name:      "report",
		Usage:     "show what each claim of a reasoning trace rests on",
		ArgsUsage: "[PATH]",
		UsageText: strings.Join([]string{
			"cupel trace report run/",
			"cupel trace report --format json run/trace.jsonl",
			"cupel trace report --format dot run/ | dot -Tsvg > run.svg",
		}, "\n"),
		Description: "For each claim: the bytes that it cites and whether they hold, and whether it rests\non evidence at all or only on other claims; and the evidence that nothing cites.\nThe exit code is that of `cupel trace verify`, whose verdict is shown too.",
		Flags: append([]cli.Flag{
			&cli.StringFlag{Name: "format", Category: "Output", Value: "text", Usage: "`FORMAT`: text, json or dot"},
			&cli.StringFlag{Name: "evidence-root", Category: "Input", Usage: "`DIR` that content_path is relative to (default: the trace's own)"},
		}, inputFlags()...),
		Action: func(c *cli.Context) error { return traceReport(env, c) },
	}
}

func traceReport(env Env, c *cli.Context) error {
	format := c.String("format")
	if !slices.Contains(groundingFormats, format) {
		return badValue("format", format, groundingFormats)
	}
	inputs, err := openInputs(env, c, reads{Patterns: jsonLines, Runs: true})
	if err != nil {
		return err
	}
	if len(inputs) != 1 {
		return &usageError{fmt.Sprintf("a report is of one trace, but there are %d inputs", len(inputs)), ""}
	}
	verdict, grounding, err := ground(env, c, inputs[0])
	if err != nil {
		return err
	}
	if verdict.Family != trace.Reasoning && verdict.Family != trace.Unknown {
		return &hinted{fmt.Errorf("%q is a session log, which makes no claims", inputs[0].Name), "`cupel trace verify` checks it"}
	}
	out := bufio.NewWriter(env.Stdout)
	switch format {
	case "json":
		err = groundingJSON(out, verdict, grounding)
	case "dot":
		groundingDOT(out, grounding)
	default:
		groundingText(out, verdict, grounding)
	}
	if err := errors.Join(err, out.Flush()); err != nil {
		return err
	}
	if verdict.Verdict != trace.Valid {
		return errNo
	}
	return nil
}

// ground reads the trace once, for its verdict and for what its claims rest on.
func ground(env Env, c *cli.Context, in walk.Input) (*trace.Report, *reasoning.Grounding, error) {
	r, err := in.Open()
	if err != nil {
		return nil, nil, err
	}
	defer func() { _ = r.Close() }() // opened for reading: nothing can be lost
	opt := trace.Options{Name: in.Name}
	v := &verifying{env: env, c: c}
	around, err := v.surroundings(in, &opt)
	defer around.close()
	if err != nil {
		return nil, nil, err
	}
	copied, copying := io.Pipe()
	type answer struct {
		*reasoning.Grounding
		error
	}
	done := make(chan answer, 1)
	go func() {
		g, err := reasoning.Ground(env.Context, copied, opt.Reasoning.Evidence, opt.Limits)
		copied.CloseWithError(errors.Join(err, io.ErrClosedPipe))
		done <- answer{g, err}
	}()
	verdict, err := trace.Verify(env.Context, io.TeeReader(r, copying), opt)
	copying.CloseWithError(err) // nil: the end of the trace
	g := <-done
	switch {
	case env.Context.Err() != nil:
		return nil, nil, env.Context.Err()
	case g.error != nil:
		err = g.error
	}
	if err != nil {
		return nil, nil, v.explained(in, err)
	}
	return verdict, g.Grounding, nil
}

func groundingJSON(w io.Writer, verdict *trace.Report, g *reasoning.Grounding) error {
	text, err := json.MarshalIndent(struct {
		Schema  string        `json:"schema"`
		Status  string        `json:"status"`
		Input   string        `json:"input"`
		Verdict trace.Verdict `json:"verdict"`
		*reasoning.Grounding
		Summary map[string]int `json:"summary"`
	}{groundingSchema, "ok", verdict.Input, verdict.Verdict, g, groundingCounts(g)}, "", "  ")
	if err == nil {
		_, err = w.Write(append(text, '\n'))
	}
	return err
}

func groundingCounts(g *reasoning.Grounding) map[string]int {
	counts := map[string]int{"claims": len(g.Claims), "evidence": g.Evidence, "unused_evidence": len(g.Unused), "only_claims": 0, "without_evidence": 0, "broken_citations": 0}
	for _, c := range g.Claims {
		if c.RestsOn == "claims" {
			counts["only_claims"]++
		}
		if !c.Reaches {
			counts["without_evidence"]++
		}
		for _, s := range c.Supports {
			if s.Holds != nil && !*s.Holds {
				counts["broken_citations"]++
			}
		}
	}
	return counts
}

func groundingText(w io.Writer, verdict *trace.Report, g *reasoning.Grounding) {
	for _, c := range g.Claims {
		_, _ = fmt.Fprintf(w, "%s:%d: claim %s (%s): %s\n", printable(verdict.Input), c.Line, printable(c.ID), printable(c.Type), reachText(c))
		if c.Statement != "" {
			_, _ = fmt.Fprintf(w, "  %s\n", printable(c.Statement))
		}
		for _, s := range c.Supports {
			_, _ = fmt.Fprintf(w, "  - %s\n", printable(citationText(s)))
		}
	}
	for _, e := range g.Unused {
		_, _ = fmt.Fprintf(w, "%s:%d: evidence %s is cited by no claim\n", printable(verdict.Input), e.Line, printable(e.ID))
	}
	n := groundingCounts(g)
	_, _ = fmt.Fprintf(w, "%s: %s, %s without evidence, %s resting only on claims, %s unused, %s broken; the trace is %s\n",
		printable(verdict.Input), counted(n["claims"], "claim"), strconv.Itoa(n["without_evidence"]), strconv.Itoa(n["only_claims"]),
		fmt.Sprintf("%d of %d pieces of evidence", n["unused_evidence"], n["evidence"]), counted(n["broken_citations"], "citation"), verdict.Verdict)
}

func reachText(c *reasoning.GroundedClaim) string {
	switch {
	case c.RestsOn == "evidence" && c.Reaches:
		return "rests on evidence"
	case c.RestsOn == "evidence":
		return "rests on evidence that does not hold"
	case c.Reaches:
		return "rests only on " + c.RestsOn + ", which lead to evidence"
	}
	return "rests only on " + c.RestsOn + ", which lead to no evidence"
}

func citationText(s reasoning.Citation) string {
	what := s.Kind + " " + s.Ref
	if s.Ref == "" {
		what = s.Kind + " that nothing names"
	}
	if s.Span != nil && s.Kind == "evidence" {
		what += fmt.Sprintf(" [%d,%d]", s.Span[0], s.Span[1])
	}
	switch {
	case s.Kind != "evidence":
		return what
	case s.Holds == nil:
		return what + ": not read"
	case *s.Holds:
		return what + ": " + strconv.Quote(s.Text)
	}
	return what + ": other bytes than were cited: " + strconv.Quote(s.Text)
}

// groundingDOT draws claims as ellipses, evidence as boxes and citations as arrows;
// what does not hold is dashed.
func groundingDOT(w io.Writer, g *reasoning.Grounding) {
	line := func(format string, args ...any) { _, _ = fmt.Fprintf(w, format+"\n", args...) }
	line("digraph grounding {")
	line("  rankdir=LR;")
	drawn := map[string]bool{}
	node := func(kind, id, style string) string {
		name := dotQuote(kind + " " + id)
		if !drawn[name] {
			drawn[name] = true
			line("  %s [label=%s%s];", name, dotQuote(id), style)
		}
		return name
	}
	for _, c := range g.Claims {
		style := ""
		if !c.Reaches {
			style = ", style=dashed"
		}
		node("claim", c.ID, style)
	}
	for _, c := range g.Claims {
		for _, s := range c.Supports {
			shape := map[string]string{"evidence": ", shape=box", "tool_call": ", shape=hexagon"}[s.Kind]
			label, style := "", ""
			if s.Span != nil && s.Kind == "evidence" {
				label = fmt.Sprintf("%d-%d", s.Span[0], s.Span[1])
			}
			if s.Holds != nil && !*s.Holds {
				style = ", style=dashed"
			}
			line("  %s -> %s [label=%s%s];", dotQuote("claim "+c.ID), node(s.Kind, s.Ref, shape), dotQuote(label), style)
		}
	}
	for _, e := range g.Unused {
		node("evidence", e.ID, ", shape=box, style=dotted")
	}
	line("}")
}

// dotQuote makes a DOT string of any text.
func dotQuote(s string) string {
	return `"` + strings.NewReplacer(`\`, `\\`, `"`, `\"`).Replace(printable(s)) + `"`
}
