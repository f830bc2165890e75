package metacmd

import (
	"bufio"
	"cmp"
	"context"
	"fmt"
	"strings"

	"github.com/urfave/cli/v2"

	"github.com/cupel-dev/cupel/commands/internal/app"
	"github.com/cupel-dev/cupel/commands/internal/cmdline"
	"github.com/cupel-dev/cupel/commands/internal/rulelist"
	"github.com/cupel-dev/cupel/finding"
	"github.com/cupel-dev/cupel/oatf"
)

var explainForms = app.Forms[[]finding.Rule]{
	{Name: "text", Write: func(w *bufio.Writer, rules []finding.Rule) error { return cmdline.ExplainAll(w, rules, false) }},
	{Name: "json", Write: explainJSON},
	{Name: "markdown", Write: func(w *bufio.Writer, rules []finding.Rule) error { return cmdline.ExplainAll(w, rules, true) }},
}

type explainOptions struct {
	app.FormatOption
	all      bool
	revision app.RevisionOption
}

// Explain is `cupel explain`.
var Explain = app.Spec[explainOptions]{
	Name:     "explain",
	Usage:    "explain a rule, with a bad and a good example",
	Operands: "RULE…",
	Examples: []string{"cupel explain hash.evidence", "cupel explain V-033 --revision 2026-03", "cupel explain --all --format json"},
	About: cmdline.About{
		Docs:  []string{"rules"},
		Words: func(*cli.App) []cmdline.Word { return cmdline.RulesAsWords(rulelist.AllRules()) },
	},
	Shows: app.Shown{Schema: "cupel.rules/1", Lists: []string{"rules"}},
	Flags: func(o *explainOptions) []cli.Flag {
		return []cli.Flag{
			o.Flag("`FORMAT`: text, json or markdown", explainForms.Words()),
			&cli.BoolFlag{Name: "all", Destination: &o.all, Usage: "explain every rule"},
			o.revision.Flag("", "shows the rules of an id in each"),
		}
	},
	Run: app.Answer(explainForms, func(_ context.Context, r *app.Run, o explainOptions) ([]finding.Rule, error) {
		revision, err := o.revision.Given()
		if err != nil {
			return nil, err
		}
		return rulesAsked(r.Operands, o.all, revision)
	}),
}

// rulesAsked returns the rules named by operands. A revision limits the rules of OATF.
func rulesAsked(ids []string, all bool, revision oatf.Revision) ([]finding.Rule, error) {
	known := rulelist.RulesOfRevision(revision)
	switch {
	case all && len(ids) > 0:
		return nil, &cmdline.UsageError{Message: "--all explains every rule; name none", Hint: ""}
	case all:
		return known, nil
	case len(ids) == 0:
		return nil, &cmdline.UsageError{Message: "no rule named", Hint: app.EveryRuleHint}
	}
	var found []finding.Rule
	for _, id := range ids {
		rules := rulelist.RulesNamed(id, known)
		if other := rulelist.RulesNamed(id, rulelist.AllRules()); len(rules) == 0 && len(other) > 0 {
			return nil, &cmdline.UsageError{Message: fmt.Sprintf("rule %q is not a rule of revision %s", id, revision), Hint: "write one of " + other[0].Revision}
		}
		hint, err := "", error(nil)
		if name, ok := strings.CutPrefix(id, secretPrefix); ok && len(rules) == 0 {
			if rules, hint, err = secretRule(name); err != nil {
				return nil, err
			}
		}
		if len(rules) == 0 {
			return nil, &cmdline.UsageError{Message: fmt.Sprintf("unknown rule %q", id), Hint: cmp.Or(hint, app.RuleHint(id, known))}
		}
		found = append(found, rules...)
	}
	return found, nil
}

func explainJSON(w *bufio.Writer, rules []finding.Rule) error {
	return app.WriteJSON(w, struct {
		Schema string         `json:"schema"`
		Status string         `json:"status"`
		Rules  []finding.Rule `json:"rules"`
	}{"cupel.rules/1", "ok", rules})
}
