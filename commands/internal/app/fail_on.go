package app

import (
	"fmt"
	"maps"
	"path/filepath"
	"slices"
	"strings"

	"github.com/urfave/cli/v2"

	"github.com/cupel-dev/cupel/commands/internal/cmdline"
	"github.com/cupel-dev/cupel/commands/internal/rulelist"
	"github.com/cupel-dev/cupel/finding"
	"github.com/cupel-dev/cupel/internal/config"
	"github.com/cupel-dev/cupel/internal/door"
	"github.com/cupel-dev/cupel/internal/suggest"
)

// ConfigFlags returns the flags of commands that use cupel.yaml.
func ConfigFlags(category string) []cli.Flag {
	return []cli.Flag{
		&cli.StringFlag{Name: "config", Category: category, Usage: "use `FILE` instead of the nearest cupel.yaml; --config= uses none"},
		&cli.BoolFlag{Name: TrustFlag, Category: category, Usage: "let configuration files of the checkout make classes public and name hosts of models"},
		&cli.BoolFlag{Name: "force-exclude", Category: category, Usage: "apply the excludes of cupel.yaml to named operands, too"},
	}
}

func isForceExclude(f cli.Flag) bool {
	b, ok := f.(*cli.BoolFlag) // asking a flag for its names costs the library an expression, for each flag of each command
	return ok && b.Name == "force-exclude"
}

// Weight selects which findings are reported, and from which severity they cause exit code 1.
type Weight struct {
	Choose choice
	failOn finding.Severity

	config  config.Config
	perFile []fileIgnores // of config

	ignores []map[string]bool // of config's ignore, for each entry; nil where a flag counts
	selects bool              // config's select counts
}

// fileIgnores are the rules ignored in files that match a pattern.
type fileIgnores struct {
	pattern config.Pattern
	rules   map[string]bool
}

// FileWeights returns the Weight for each file: that of the flags, completed by cupel.yaml.
type FileWeights struct {
	flags  Weight
	Given  map[string]bool   // the flags that were given: they win over the file
	Files  Origin            // whose they are that the findings are about
	Heeds  *Nearest          // nil: the command reads no cupel.yaml
	ByFile map[string]Weight // by cupel.yaml's path

	last struct { // findings of a file come together
		file   string
		weight Weight
	}
}

// NewWeighing reads the flags and the cupel.yaml of the operands, to report errors before the work starts.
func NewWeighing(c *cli.Context, rules func() []finding.Rule, files Origin) (FileWeights, error) {
	w := FileWeights{Given: map[string]bool{}, Files: files, ByFile: map[string]Weight{}}
	for _, name := range []string{"select", "ignore", "fail-on"} {
		w.Given[name] = c.IsSet(name)
	}
	level := c.String("fail-on")
	if w.flags.failOn.UnmarshalText([]byte(level)) != nil {
		return w, cmdline.BadValue("fail-on", level, cmdline.WordNames(cmdline.SeverityWords))
	}
	var err error
	if w.flags.Choose.only, err = flagRules(c, "select", rules); err != nil {
		return w, err
	}
	if w.flags.Choose.not, err = flagRules(c, "ignore", rules); err != nil {
		return w, err
	}
	if slices.Contains(cmdline.FlagNames(c.Command), "config") {
		w.Heeds = ConfiguredBy(c)
	}
	return w, w.look(c.Args().Slice())
}

// flagRules resolves the comma-separated rules in a flag.
func flagRules(c *cli.Context, flag string, rules func() []finding.Rule) (map[string]bool, error) {
	values := c.StringSlice(flag)
	if len(values) == 0 {
		return nil, nil
	}
	chosen, stray := resolve(strings.Split(strings.Join(values, ","), ","), rules())
	if chosen == nil {
		return nil, &cmdline.UsageError{Message: fmt.Sprintf("--%s %q matches no rule of this command", flag, stray), Hint: RuleHint(stray, rules())}
	}
	return chosen, nil
}

// look reads the configuration files that the operands need.
func (w *FileWeights) look(operands []string) error {
	if len(operands) == 0 {
		operands = []string{"."}
	}
	for _, op := range operands {
		name := op
		if info, err := door.Stat(op); err == nil && info.IsDir() {
			name = filepath.Join(op, config.Name)
		}
		if _, err := w.Of(name); err != nil {
			return err
		}
	}
	return nil
}

// Of returns the weight for findings in a file. It returns an error once per faulty cupel.yaml and then uses the
// flags alone.
func (w *FileWeights) Of(file string) (Weight, error) {
	all, err := w.ofFolder(file)
	if err != nil || len(all.perFile) == 0 {
		return all, err
	}
	if w.last.file != file {
		all.Choose.not = all.without(file)
		w.last.file, w.last.weight = file, all
	}
	return w.last.weight, nil
}

// without returns the rules ignored in a file.
func (w *Weight) without(file string) map[string]bool {
	not := maps.Clone(w.Choose.not)
	for _, f := range w.perFile {
		if !w.config.Covers(f.pattern, file, false) {
			continue
		}
		if not == nil {
			not = map[string]bool{}
		}
		maps.Copy(not, f.rules)
	}
	return not
}

// ofFolder is Of without per-file ignores.
func (w *FileWeights) ofFolder(file string) (Weight, error) {
	if w.Heeds == nil {
		return w.flags, nil
	}
	says, err := w.Heeds.ForFile(file, w.Files)
	if err != nil || says.Path == "" {
		return w.flags, err
	}
	if known, ok := w.ByFile[says.Path]; ok {
		return known, nil
	}
	w.ByFile[says.Path] = w.flags
	merged, err := w.Merge(says)
	if err != nil {
		return w.flags, err
	}
	w.ByFile[says.Path] = merged
	return merged, nil
}

// Merge completes the flags from a configuration file. For records, which are foreign files, it also applies the
// per-file ignores.
func (w *FileWeights) Merge(file config.Config) (Weight, error) {
	perFile := make([]fileIgnores, len(file.PerFileIgnores))
	for i, f := range file.PerFileIgnores {
		rules, err := fileRules(file.Path, f.Rules)
		if err != nil {
			return w.flags, err
		}
		perFile[i] = fileIgnores{f.Pattern, rules}
	}
	merged, err := w.mergeRules(file)
	if w.Files == ForeignFiles {
		merged = w.flags
	}
	merged.config, merged.perFile = file, perFile
	return merged, err
}

func (w *FileWeights) mergeRules(file config.Config) (merged Weight, err error) {
	merged = w.flags
	for _, from := range []struct {
		flag    string
		entries []config.Entry
		to      *map[string]bool
	}{{"select", file.Select, &merged.Choose.only}, {"ignore", file.Ignore, &merged.Choose.not}} {
		if from.entries == nil {
			continue
		}
		rules, err := fileRules(file.Path, from.entries)
		if err != nil {
			return merged, err
		}
		if w.Given[from.flag] {
			continue
		}
		*from.to = rules
		if merged.selects = merged.selects || from.flag == "select"; from.flag == "select" {
			continue
		}
		for _, e := range from.entries {
			one, _ := fileRules(file.Path, []config.Entry{e}) // resolved above
			merged.ignores = append(merged.ignores, one)
		}
	}
	if file.FailOn == nil {
		return merged, nil
	}
	var failOn finding.Severity
	if err := failOn.UnmarshalText([]byte(file.FailOn.Text)); err != nil {
		return merged, (&config.Error{
			Path: file.Path, Line: file.FailOn.Line, Column: file.FailOn.Column,
			Message: err.Error(), Hint: suggest.HintOrKnown(file.FailOn.Text, cmdline.WordNames(cmdline.SeverityWords)),
		}).Suggest(file.FailOn.Text, cmdline.WordNames(cmdline.SeverityWords))
	}
	if !w.Given["fail-on"] {
		merged.failOn = failOn
	}
	return merged, nil
}

// fileRules resolves the rules named in a configuration file.
func fileRules(path string, entries []config.Entry) (map[string]bool, error) {
	known := rulelist.AllRules()
	all := map[string]bool{}
	for _, e := range entries {
		chosen, stray := resolve([]string{e.Text}, known)
		if chosen == nil {
			wrong := &config.Error{Path: path, Line: e.Line, Column: e.Column, Message: fmt.Sprintf("%q matches no rule", stray)}
			return nil, wrong.Suggest(stray, ruleIDs(known))
		}
		for id := range chosen {
			all[id] = true
		}
	}
	return all, nil
}

// ignoredBy returns the configuration file and its line that ignore a finding, or "".
func (w *Weight) ignoredBy(f finding.Finding) (file, line string) {
	says := w.config
	if says.Path == "" {
		return "", ""
	}
	for i, ignores := range w.perFile {
		if ignores.rules[f.Rule] && says.Covers(ignores.pattern, f.File, false) {
			p := says.PerFileIgnores[i].Pattern
			return ShownPath(says.Path), LineIn(says, p.Entry, "per-file-ignores "+p.Text)
		}
	}
	if i := slices.IndexFunc(w.ignores, func(rules map[string]bool) bool { return rules[f.Rule] }); i >= 0 {
		return ShownPath(says.Path), LineIn(says, says.Ignore[i], "ignore "+says.Ignore[i].Text)
	}
	if w.selects && !w.Choose.only[f.Rule] {
		return ShownPath(says.Path), LineIn(says, says.Select[0], "select")
	}
	return "", ""
}
