package app

import (
	"fmt"
	"slices"
	"strings"

	"github.com/urfave/cli/v2"

	"github.com/cupel-dev/cupel/commands/internal/cmdline"
	"github.com/cupel-dev/cupel/commands/internal/rulelist"
	"github.com/cupel-dev/cupel/finding"
	"github.com/cupel-dev/cupel/internal/config"
	"github.com/cupel-dev/cupel/internal/suggest"
	"github.com/cupel-dev/cupel/trace"
)

// requireKey is the key in cupel.yaml for requirements.
const requireKey = "require"

// demandWords are the values of --require, for completion and messages.
var demandWords = []cmdline.Word{
	{Name: "chain", Means: "a valid chain of hashes"},
	{Name: "seal", Means: "a complete seal at the end"},
	{Name: "signature", Means: "a valid signature"},
	{Name: "anchor", Means: "compared with a value that was kept elsewhere"},
	{Name: "end", Means: "a mark of the end"},
	{Name: "class=", Means: "an evidence class, or a higher one"},
	{Name: "family=", Means: "a family, such as session-v1"},
	{Name: "format=", Means: "a format, such as bundle or claude-code"},
	{Name: "attestation", Means: "a verified attestation"},
}

// classOrder are the evidence classes, strongest first.
var classOrder = []string{
	string(trace.AuthoritativeEvidence), string(trace.PartialAuthoritativeEvidence), string(trace.NonAuthoritativeEvidence), string(trace.UnknownEvidence),
}

func RequireFlag(category string) cli.Flag {
	return cmdline.SuggestAll(&cli.StringSliceFlag{Name: requireKey, Category: category, Usage: "fail each log and evidence input that does not meet these `DEMANDS`: chain, seal, signature, anchor, end, class=…, family=…, format=…, attestation; repeatable"}, func() []cmdline.Word { return demandWords })
}

// Demands are the requirements of --require and of require in cupel.yaml. The file can add requirements but not
// remove those of flags.
type Demands []demand

type demand struct{ name, value, from string }

// ReadDemands reads the requirements of a run.
func ReadDemands(c *cli.Context) (list Demands, err error) {
	for word := range strings.SplitSeq(strings.Join(c.StringSlice(requireKey), ","), ",") {
		if word == "" && !c.IsSet(requireKey) {
			continue
		}
		d, wrong := parseDemand(strings.TrimSpace(word))
		if wrong != "" {
			return nil, &cmdline.UsageError{Message: "--require: " + wrong, Hint: demandHint(word)}
		}
		d.from = "--require"
		list = append(list, d)
	}
	says, err := ConfiguredBy(c).Here()
	if err != nil {
		return nil, err
	}
	for _, e := range says.Require {
		d, wrong := parseDemand(e.Text)
		if wrong != "" {
			return nil, &config.Error{Path: says.Path, Line: e.Line, Column: e.Column, Message: wrong, Hint: demandHint(e.Text)}
		}
		d.from = PlaceIn(says, e)
		list = append(list, d)
	}
	return list, nil
}

// parseDemand parses a requirement. wrong describes an error, or is "".
func parseDemand(word string) (d demand, wrong string) {
	name, value, valued := strings.Cut(word, "=")
	known := cmdline.WordNames(demandWords)
	switch {
	case valued && value == "" && slices.Contains(known, name+"="):
		return d, name + "= has no value"
	case name == "class" && valued && !slices.Contains(classOrder, value):
		return d, fmt.Sprintf("unknown evidence class %q", value)
	case valued && slices.Contains(known, name+"="), !valued && slices.Contains(known, name):
		return demand{name: name, value: value}, ""
	}
	return d, fmt.Sprintf("unknown demand %q", word)
}

func demandHint(word string) string {
	if class, ok := strings.CutPrefix(word, "class="); ok {
		return suggest.HintOrKnown(class, classOrder)
	}
	return suggest.HintOrKnown(word, cmdline.WordNames(demandWords))
}

// Met holds what is known about an input to compare with requirements.
type Met struct {
	Chain, Seal, Signature, Anchor, End, Attestation bool
	Class, Family, Format                            string
	Hints                                            map[string]string // what to do about an unmet demand, by its name
}

// Unmet returns findings for the requirements that an input does not meet.
func (l Demands) Unmet(file string, m Met) (list []finding.Finding) {
	for _, d := range l {
		rule := rulelist.RequireRules[slices.IndexFunc(rulelist.RequireRules, func(r finding.Rule) bool { return r.ID == "require."+d.name })]
		message, is := rule.Title, ""
		met := false
		switch d.name {
		case "chain":
			met = m.Chain
		case "seal":
			met = m.Seal
		case "signature":
			met = m.Signature
		case "anchor":
			met, message = m.Anchor, "the input was not compared with an anchor"
		case "end":
			met, message = m.End, "the input has no end marker, so later events can be missing"
		case "attestation":
			met = m.Attestation
		case "class":
			at := slices.Index(classOrder, m.Class)
			met, message, is = at >= 0 && at <= slices.Index(classOrder, d.value), "the evidence class is too low", m.Class
		case "family":
			met, message, is = m.Family == d.value, "the input is of another family", m.Family
		case "format":
			met, message, is = m.Format == d.value, "the input is of another format", m.Format
		}
		if met {
			continue
		}
		f := rule.New(message + ", which " + d.from + " demands")
		f.File, f.Help = file, m.Hints[d.name]
		if d.value != "" {
			f.Expected, f.Found = d.value, is
			if is == "" {
				f.Found = "none"
			}
		}
		list = append(list, f)
	}
	return list
}
