package commands

import (
	"bufio"
	"cmp"
	"fmt"
	"io"
	"strings"

	"github.com/urfave/cli/v2"

	"github.com/cupel-dev/cupel/finding"
	"github.com/cupel-dev/cupel/internal/report"
	"github.com/cupel-dev/cupel/internal/suggest"
	"github.com/cupel-dev/cupel/oatf"
)

// explainForms are the formats of explain.
var explainForms = forms[[]finding.Rule]{
	{"text", func(w *bufio.Writer, rules []finding.Rule) error { return explainAll(w, rules, false) }},
	{"json", explainJSON},
	{"markdown", func(w *bufio.Writer, rules []finding.Rule) error { return explainAll(w, rules, true) }},
}

func explainCommand(env Env) *cli.Command {
	return showing(env, shown{"cupel.rules/1", []string{"rules"}}, explainForms, &cli.Command{
		Name:      "explain",
		Usage:     "say what a rule checks, why, and show a bad and a good example",
		ArgsUsage: "RULE…",
		UsageText: "cupel explain hash.evidence\ncupel explain V-033 --revision 2026-03\ncupel explain --all --format json",
		Flags: []cli.Flag{
			&cli.StringFlag{Name: "format", Category: "Output", Value: "text", Usage: "`FORMAT`: text, json or markdown"},
			&cli.BoolFlag{Name: "all", Usage: "explain every rule"},
			revisionFlag("", "shows the rules of an id in each"),
		},
	}, func(c *cli.Context) ([]finding.Rule, error) {
		revision, err := givenRevision(c)
		if err != nil {
			return nil, err
		}
		return rulesAsked(c.Args().Slice(), c.Bool("all"), revision)
	})
}

// rulesAsked finds the rules that the operands name: of those of several revisions of OATF only
// the named one's, if one is.
func rulesAsked(ids []string, all bool, revision oatf.Revision) ([]finding.Rule, error) {
	known := rulesOfRevision(revision)
	switch {
	case all && len(ids) > 0:
		return nil, &usageError{"--all explains every rule; name none", ""}
	case all:
		return known, nil
	case len(ids) == 0:
		return nil, &usageError{"no rule named", everyRuleHint}
	}
	var found []finding.Rule
	for _, id := range ids {
		rules := rulesNamed(id, known)
		if other := rulesNamed(id, allRules()); len(rules) == 0 && len(other) > 0 {
			return nil, &usageError{fmt.Sprintf("rule %q is none of revision %s", id, revision), "it is one of " + other[0].Revision}
		}
		if name, ok := strings.CutPrefix(id, secretPrefix); ok && len(rules) == 0 {
			var err error
			if rules, err = secretRule(name); err != nil {
				return nil, err
			}
		}
		if len(rules) == 0 {
			return nil, &usageError{fmt.Sprintf("unknown rule %q", id), ruleHint(id, known)}
		}
		found = append(found, rules...)
	}
	return found, nil
}

// explainAll writes rules for a person, as plain text or as markdown.
func explainAll(w *bufio.Writer, rules []finding.Rule, markdown bool) error {
	var b strings.Builder
	for i, r := range rules {
		if i > 0 {
			b.WriteString("\n")
		}
		if markdown {
			report.ExplainMarkdown(&b, r)
		} else {
			report.ExplainText(&b, r)
		}
	}
	_, err := io.WriteString(w, b.String())
	return err
}

// explainJSON writes the rules as one document.
func explainJSON(w *bufio.Writer, rules []finding.Rule) error {
	return writeJSON(w, struct {
		Schema string         `json:"schema"`
		Status string         `json:"status"`
		Rules  []finding.Rule `json:"rules"`
	}{"cupel.rules/1", "ok", rules})
}

// ruleHint names the rule that may be meant.
func ruleHint(id string, known []finding.Rule) string {
	return cmp.Or(suggest.Hint(id, ruleIDs(known)), everyRuleHint)
}

// everyRuleHint leads to the rules that there are.
const everyRuleHint = "`cupel explain --all` lists every rule"
