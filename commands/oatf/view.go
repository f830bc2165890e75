package oatfcmd

import (
	"slices"
	"strings"

	"github.com/urfave/cli/v2"

	"github.com/cupel-dev/cupel/commands/internal/app"
	"github.com/cupel-dev/cupel/commands/internal/cmdline"
	"github.com/cupel-dev/cupel/commands/internal/input"
	"github.com/cupel-dev/cupel/internal/page"
	"github.com/cupel-dev/cupel/internal/report"
	"github.com/cupel-dev/cupel/internal/walk"
	"github.com/cupel-dev/cupel/oatf"
	"github.com/cupel-dev/cupel/oatf/outline"
)

// ViewCommand is `cupel oatf view`.
func ViewCommand(env cmdline.Env) *cli.Command {
	run := report.Run{
		Command: "oatf view", Schema: "cupel.view/1", Lists: []string{"documents"},
		Formats: []string{"text", "json", "jsonl", "html", "markdown"},
		NotProved: []string{
			"whether the attack works: nothing is sent to an agent; use cupel oatf simulate for a dry run, cupel oatf eval to judge a recorded run",
			"whether everything shown can happen: check with cupel oatf lint --strict",
		},
	}
	const category = "Document"
	return app.Reporting(env, run, &cli.Command{
		Name:      "view",
		Usage:     "show an attack over time: actors, phases, triggers, captured values, indicators",
		ArgsUsage: "DOC…",
		UsageText: strings.Join([]string{
			"cupel oatf view attack.yaml",
			"cupel oatf view --format html attack.yaml > attack.html",
			"cupel oatf view --format json library/",
		}, "\n"),
		Flags: slices.Concat([]cli.Flag{
			app.RevisionFlag(category, app.ByMarks),
			unknownFieldsFlag(category),
		}, documentLimitFlags(category), input.InputFlags()),
	}, func(c *cli.Context, out *app.Output) (report.Summary, error) {
		v := &viewRun{env: env, out: out}
		err := v.run(c)
		return v.counts.summary(), err
	})
}

// viewRun is one run of `cupel oatf view`.
type viewRun struct {
	env    cmdline.Env
	out    *app.Output
	parse  oatf.ParseOptions
	counts viewCounts
}

// viewedDocument is an element of "documents".
type viewedDocument struct {
	Document string `json:"document"`
	*outline.Outline
	Error string `json:"error,omitempty"` // why it cannot be shown
}

type viewCounts struct {
	Documents  int `json:"documents"`
	Invalid    int `json:"invalid_documents"` // they are not shown
	Actors     int `json:"actors"`
	Phases     int `json:"phases"`
	Indicators int `json:"indicators"`
}

func (v *viewRun) run(c *cli.Context) (err error) {
	if v.parse.UnknownFields, err = unknownFields(c); err != nil {
		return err
	}
	if v.parse.Limits, err = documentLimits(c); err != nil {
		return err
	}
	known, err := app.ReadRevisions(c, app.ConfiguredBy(c))
	if err != nil {
		return err
	}
	inputs, err := input.OpenInputs(v.env, c, oatfReads())
	if err != nil {
		return err
	}
	for _, in := range inputs {
		if err := v.env.Context.Err(); err != nil {
			return err
		}
		if v.parse.Revision, err = known.Of(in.Name); err != nil {
			return err
		}
		if err := v.show(in); err != nil {
			return err
		}
	}
	return nil
}

// show shows one document. It must be valid.
func (v *viewRun) show(in walk.Input) error {
	shown, err := v.read(in)
	if err != nil {
		v.counts.Invalid++
		if failed := v.out.Fail(err); failed != nil {
			return failed
		}
		return v.out.Answer(report.Answer{
			List: "documents", Value: viewedDocument{Document: in.Name, Error: err.Error()},
			Subject: in.Name, Outcome: report.Outcome{Weight: report.Unanswered, Word: "cannot be shown"},
		})
	}
	v.counts.add(shown)
	return v.out.Answer(report.Answer{
		List: "documents", Value: viewedDocument{Document: in.Name, Outline: shown},
		Subject: in.Name, Outcome: report.Outcome{Word: shown.Name}, Scope: viewScope(shown), Facts: viewFacts(shown),
		View: func() (page.View, error) { return timelineOf(shown), nil },
	})
}

func (v *viewRun) read(in walk.Input) (*outline.Outline, error) {
	text, err := readDocument(in, v.parse.Limits.WithDefaults().Bytes)
	if err != nil {
		return nil, err
	}
	document, err := v.parse.Parse(text)
	if err != nil {
		return nil, app.FaultIn(in.Name, err)
	}
	if result := oatf.Validate(document); !result.Valid() {
		return nil, app.FaultIn(in.Name, result.Errors)
	}
	for _, w := range document.Warnings() {
		v.out.Warn(app.Placed(in.Name, w.Position, w.String()))
	}
	return outline.Of(document), nil
}

func (n *viewCounts) add(o *outline.Outline) {
	n.Documents++
	n.Actors += len(o.Actors)
	n.Phases += phasesOf(o)
	n.Indicators += len(o.Indicators)
}

func phasesOf(o *outline.Outline) (n int) {
	for _, a := range o.Actors {
		n += len(a.Phases)
	}
	return n
}

func (n *viewCounts) summary() report.Summary {
	text := cmdline.Counted(n.Documents, "document")
	if n.Invalid > 0 {
		text += "; " + cmdline.Counted(n.Invalid, "document") + " that cannot be shown"
	}
	return report.Summary{Value: n, Text: text}
}
