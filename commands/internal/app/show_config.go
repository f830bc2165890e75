package app

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/urfave/cli/v2"

	"github.com/cupel-dev/cupel/commands/internal/cmdline"
	"github.com/cupel-dev/cupel/internal/config"
	"github.com/cupel-dev/cupel/internal/decided"
	"github.com/cupel-dev/cupel/internal/keyfile"
	"github.com/cupel-dev/cupel/internal/report"
	"github.com/cupel-dev/cupel/internal/say"
	"github.com/cupel-dev/cupel/internal/walk"
)

func showConfigFlag() cli.Flag {
	return &cli.BoolFlag{Name: "show-config", Category: "Input", Usage: "print the effective configuration and where each value comes from, then exit"}
}

// configSchema is the schema of --show-config.
const configSchema = "cupel.config/1"

func configRun(run report.Run) report.Run {
	return report.Run{
		Command: run.Command, Schema: configSchema, Lists: []string{"configs", "inputs"}, Rules: run.Rules,
		Formats: []string{"text", "short", "json", "jsonl"},
	}
}

// Configured returns the error that ends a run with --show-config.
func Configured(list []walk.Input, files Origin) *ConfiguredInputs {
	found := make(ConfiguredInputs, len(list))
	for i, in := range list {
		found[i] = ConfiguredName{in.Name, files, in.Failed()}
	}
	return &found
}

func (*ConfiguredInputs) Error() string { return "no inputs need to be read" }

// ShowingConfig adds --show-config to a command without a report.
func ShowingConfig(env cmdline.Env, cmd *cli.Command) *cli.Command {
	cmd.Flags = append(cmd.Flags, showConfigFlag())
	once := cmd.Action
	cmd.Action = func(c *cli.Context) error {
		err := once(c)
		found, asked := errors.AsType[*ConfiguredInputs](err)
		if !asked {
			return err
		}
		run := report.Run{Command: strings.TrimPrefix(c.Command.HelpName, "cupel "), Formats: []string{"text"}}
		out, err := OpenReport(env, c, configRun(run))
		if err != nil {
			return err
		}
		sum, err := showConfig(c, out, run, found)
		return out.End(sum, err)
	}
	return cmd
}

type shownConfig struct {
	Config   *string         `json:"config"` // null: no file counts
	Settings []configSetting `json:"settings"`
}

type configSetting struct {
	Key    string `json:"key"`
	Value  any    `json:"value"`
	From   string `json:"from"`   // a flag, FILE:LINE:COLUMN, or default
	Heeded bool   `json:"heeded"` // by this command

	Withheld []string `json:"withheld,omitempty"` // settings ignored because the file was not named by the user
}

type configuredInput struct {
	Input   string   `json:"input"`
	Config  *string  `json:"config"`
	Ignores []string `json:"per_file_ignores,omitempty"` // what per-file-ignores leaves out in it
}

// showConfig prints the configuration of each input.
func showConfig(c *cli.Context, out *Output, run report.Run, found *ConfiguredInputs) (report.Summary, error) {
	heeds, shown, files := ConfiguredBy(c), map[string]bool{}, 0
	var inputs []report.Answer
	for _, in := range *found {
		if in.err != nil {
			if err := out.Fail(in.err); err != nil {
				return report.Summary{}, err
			}
			continue
		}
		says, err := heeds.ForFile(in.Name, in.Files)
		if err == nil && !shown[says.Path] {
			err = mistaken(c, run, out, says)
		}
		if err != nil {
			return report.Summary{}, err
		}
		name, path := "no "+config.Name, (*string)(nil)
		if says.Path != "" {
			text := ShownPath(says.Path)
			name, path = text, &text
		}
		if !shown[says.Path] {
			shown[says.Path] = true
			if path != nil {
				files++
			}
			value := shownConfig{path, settingsOf(c, run.Command, says)}
			a := report.Answer{List: "configs", Value: value, Subject: name, Outcome: report.Outcome{Word: "what holds"}, Facts: value.facts()}
			if err := out.Answer(a); err != nil {
				return report.Summary{}, err
			}
		}
		value := configuredInput{in.Name, path, ignoredIn(says, in.Name)}
		a := report.Answer{List: "inputs", Value: value, Subject: in.Name, Outcome: report.Outcome{Word: name}}
		if value.Ignores != nil {
			a.Facts = []report.Fact{{Name: "per-file-ignores", Value: strings.Join(value.Ignores, ", ")}}
		}
		inputs = append(inputs, a)
	}
	for _, a := range inputs {
		if err := out.Answer(a); err != nil {
			return report.Summary{}, err
		}
	}
	form := struct {
		Inputs  int `json:"inputs"`
		Configs int `json:"configs"`
	}{len(*found), files}
	return report.Summary{Value: form, Text: fmt.Sprintf("%s, %d %s", cmdline.Counted(form.Inputs, "input"), files, config.Name)}, nil
}

// mistaken returns an error that the configuration would cause in a run: an unknown rule, severity or revision.
func mistaken(c *cli.Context, run report.Run, out *Output, says config.Config) error {
	if run.Formats == nil {
		if _, err := out.Filter.Weigh.Merge(says); err != nil {
			return err
		}
	}
	if !slices.Contains(cmdline.AboutOf(c.App, run.Command).Heeds, revisionKey) {
		return nil
	}
	_, err := RevisionOf(says)
	return err
}

func ignoredIn(says config.Config, file string) (rules []string) {
	for _, f := range says.PerFileIgnores {
		if says.Covers(f.Pattern, file, false) {
			rules = append(rules, texts(f.Rules)...)
		}
	}
	slices.Sort(rules)
	return slices.Compact(rules)
}

// emptyLists describes empty lists that do not mean none.
var emptyLists = map[string]string{"select": "all rules"}

// facts returns the settings for text output.
func (s shownConfig) facts() []report.Fact {
	facts := make([]report.Fact, len(s.Settings))
	for i, e := range s.Settings {
		value := fmt.Sprint(e.Value)
		if list, ok := e.Value.([]string); ok {
			value = cmp.Or(strings.Join(list, ", "), emptyLists[e.Key], "none")
		}
		heeded := ""
		if !e.Heeded {
			heeded = ", not heeded by this command"
		}
		if e.Withheld != nil {
			heeded += "; withheld, see --" + TrustFlag + ": " + strings.Join(e.Withheld, ", ")
		}
		facts[i] = report.Fact{Name: e.Key, Value: fmt.Sprintf("%s (%s%s)", value, e.From, heeded)}
	}
	return facts
}

// revisionKey is the key in cupel.yaml for the OATF revision.
const revisionKey = "oatf.revision"

// classesKey is the key in cupel.yaml for privacy classes.
const classesKey = "evidence.classes"

// settingsOf returns a command's effective settings: flags override the file, which overrides defaults.
func settingsOf(c *cli.Context, command string, says config.Config) (list []configSetting) {
	has, heeds := cmdline.FlagNames(c.Command), cmdline.AboutOf(c.App, command).Heeds
	weighs := slices.Contains(has, "select")
	documents := weighs && (strings.HasPrefix(command, "oatf ") || command == "check")
	word := func(e *config.Entry) *config.Entry { return e }
	for _, k := range []struct {
		key, flag string
		heeded    bool
		value     any           // of the file
		at        *config.Entry // its place; nil: the file has no such key
		otherwise any
	}{
		{"exclude", "", true, patternTexts(says.Exclude), placeOf(says.Exclude, func(p *config.Pattern) *config.Entry { return &p.Entry }), []string{}},
		{"per-file-ignores", "", weighs, ignoreTexts(says.PerFileIgnores), placeOf(says.PerFileIgnores, func(f *config.FileIgnores) *config.Entry { return &f.Pattern.Entry }), []string{}},
		{"strict", "strict", slices.Contains(heeds, "strict"), says.Strict != nil && says.Strict.On, strictPlace(says.Strict), false},
		{"select", "select", documents, texts(says.Select), placeOf(says.Select, word), []string{}},
		{"ignore", "ignore", documents, texts(says.Ignore), placeOf(says.Ignore, word), []string{}},
		{"fail-on", "fail-on", documents, wordOf(says.FailOn), says.FailOn, "error"},
		{requireKey, "", slices.Contains(has, requireKey), texts(says.Require), placeOf(says.Require, word), []string{}},
		{revisionKey, "revision", slices.Contains(heeds, revisionKey), wordOf(says.Revision), says.Revision, AutoRevision},
		{classesKey, "policy", slices.Contains(has, "policy") && !slices.Contains(has, "checkpoint"), classTexts(says.Classes), placeOf(says.Classes, func(c *keyfile.Class) *config.Entry { return &c.At }), []string{}},
		{"attest.pairs", "", command == "check", pairTexts(says.Pairs), placeOf(says.Pairs, func(p *config.Pair) *config.Entry { return &p.At }), []string{}},
	} {
		switch {
		case k.flag != "" && slices.Contains(has, k.flag) && c.IsSet(k.flag):
			list = append(list, configSetting{k.key, flagValue(c, k.flag), "--" + k.flag, true, nil})
		case k.at != nil:
			list = append(list, configSetting{k.key, k.value, PlaceIn(says, *k.at), k.heeded, nil})
		case k.heeded || k.key == classesKey && says.Withheld != nil:
			list = append(list, configSetting{k.key, k.otherwise, "default", k.heeded, nil})
		}
	}
	for i := range list {
		if list[i].Key == requireKey && slices.Contains(has, requireKey) && c.IsSet(requireKey) {
			list[i].Value = append(flagValue(c, requireKey).([]string), texts(says.Require)...)
			list[i].From = strings.TrimSuffix("--"+requireKey+" and "+list[i].From, " and default")
		}
		if list[i].Key == classesKey && !strings.HasPrefix(list[i].From, "--") {
			list[i].Withheld = classTexts(says.Withheld)
		}
	}
	return list
}

func flagValue(c *cli.Context, flag string) any {
	switch value := c.Value(flag).(type) {
	case bool, string:
		return value
	}
	return strings.Split(strings.Join(c.StringSlice(flag), ","), ",")
}

func wordOf(e *config.Entry) string {
	if e == nil {
		return ""
	}
	return e.Text
}

func texts(entries []config.Entry) (list []string) {
	for _, e := range entries {
		list = append(list, e.Text)
	}
	return list
}

func patternTexts(patterns []config.Pattern) (list []string) {
	for _, p := range patterns {
		list = append(list, p.Text)
	}
	return list
}

func ignoreTexts(ignores []config.FileIgnores) (list []string) {
	for _, f := range ignores {
		list = append(list, f.Pattern.Text+": "+strings.Join(texts(f.Rules), " "))
	}
	return list
}

func strictPlace(f *config.Flag) *config.Entry {
	if f == nil {
		return nil
	}
	return &config.Entry{Line: f.Line, Column: f.Column}
}

func classTexts(classes []keyfile.Class) (list []string) {
	for _, class := range classes {
		var parts []string
		for _, p := range []struct {
			name string
			word *config.Entry
		}{{"type", class.Type}, {"pointer", class.Pointer}, {"pattern", class.Pattern}, {"class", class.Class}} {
			if p.word != nil {
				parts = append(parts, p.name+" "+p.word.Text)
			}
		}
		list = append(list, strings.Join(parts, " "))
	}
	return list
}

func pairTexts(pairs []config.Pair) (list []string) {
	for _, p := range pairs {
		list = append(list, p.Suite.Text+": "+strings.Join(texts(p.Traces), " "))
	}
	return list
}

// placeOf returns the position of a list, or nil if it is empty.
func placeOf[T any](list []T, at func(*T) *config.Entry) *config.Entry {
	if len(list) == 0 {
		return nil
	}
	return at(&list[0])
}

// noteSettings logs which settings come from configuration files.
func noteSettings(c *cli.Context, command string) {
	counted := []string{"exclude", "per-file-ignores", "select", "ignore"} // what these do is counted
	for _, says := range ConfiguredBy(c).ByPath {
		file := ShownPath(says.Path)
		for _, set := range settingsOf(c, command, says) {
			if says.Path == "" || !set.Heeded || !strings.HasPrefix(set.From, file+":") || slices.Contains(counted, set.Key) {
				continue
			}
			value := fmt.Sprint(set.Value)
			if list, ok := set.Value.([]string); ok {
				value = strings.Join(list, ", ")
			}
			by := set.From + " (" + set.Key + ": " + say.Visible(value) + ")"
			decided.Of(c.Context).Did(decided.Configuration, file, decided.Sets, by, 0)
		}
	}
}
