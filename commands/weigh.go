package commands

import (
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"github.com/urfave/cli/v2"

	"github.com/cupel-dev/cupel/finding"
	"github.com/cupel-dev/cupel/internal/config"
	"github.com/cupel-dev/cupel/internal/door"
	"github.com/cupel-dev/cupel/internal/suggest"
)

// configFlags belong to the commands that check a project's own documents: those read
// cupel.yaml. What verifies other people's records never does, because a file beside a
// record could then hide what is wrong with it.
func configFlags() []cli.Flag {
	return []cli.Flag{&cli.StringFlag{
		Name: "config", Category: "Output",
		Usage: "heed `FILE` instead of the nearest cupel.yaml; empty: heed none",
	}}
}

// weight says which findings count, and from which severity on they make the answer no.
type weight struct {
	choose choice
	failOn finding.Severity
}

// weighing finds the weight for each file: the flags', completed by cupel.yaml.
type weighing struct {
	flags  weight
	given  map[string]bool   // the flags that were given: they win over the file
	heeds  *nearest          // nil: the command reads no cupel.yaml
	byFile map[string]weight // by cupel.yaml's path
}

// newWeighing reads the flags, and cupel.yaml where the operands lie, so that a
// mistake in it is said before the work.
func newWeighing(c *cli.Context, rules func() []finding.Rule) (weighing, error) {
	w := weighing{given: map[string]bool{}, byFile: map[string]weight{}}
	for _, name := range []string{"select", "ignore", "fail-on"} {
		w.given[name] = c.IsSet(name)
	}
	level := c.String("fail-on")
	if w.flags.failOn.UnmarshalText([]byte(level)) != nil {
		return w, badValue("fail-on", level, severities)
	}
	var err error
	if w.flags.choose.only, err = flagRules(c, "select", rules); err != nil {
		return w, err
	}
	if w.flags.choose.not, err = flagRules(c, "ignore", rules); err != nil {
		return w, err
	}
	if slices.Contains(flagNames(c.Command), "config") {
		w.heeds = newNearest(c)
	}
	return w, w.look(c.Args().Slice())
}

var severities = []string{"error", "warning", "info"}

// flagRules resolves the comma-separated values of a flag.
func flagRules(c *cli.Context, flag string, rules func() []finding.Rule) (map[string]bool, error) {
	values := c.StringSlice(flag)
	if len(values) == 0 {
		return nil, nil
	}
	chosen, stray := resolve(strings.Split(strings.Join(values, ","), ","), rules())
	if chosen == nil {
		return nil, &usageError{fmt.Sprintf("--%s %q fits no rule of this command", flag, stray), suggest.Hint(stray, ruleIDs(rules()))}
	}
	return chosen, nil
}

// look reads the files that the operands will need.
func (w *weighing) look(operands []string) error {
	if len(operands) == 0 {
		operands = []string{"."}
	}
	for _, op := range operands {
		name := op
		if info, err := door.Stat(op); err == nil && info.IsDir() {
			name = filepath.Join(op, config.Name)
		}
		if _, err := w.of(name); err != nil {
			return err
		}
	}
	return nil
}

// of is the weight for the findings of a file. An error is returned once for each
// cupel.yaml; then the flags alone count.
func (w *weighing) of(file string) (weight, error) {
	if w.heeds == nil {
		return w.flags, nil
	}
	says, err := w.heeds.of(file)
	if err != nil || says.Path == "" {
		return w.flags, err
	}
	if known, ok := w.byFile[says.Path]; ok {
		return known, nil
	}
	w.byFile[says.Path] = w.flags
	merged, err := w.merge(says)
	if err != nil {
		return w.flags, err
	}
	w.byFile[says.Path] = merged
	return merged, nil
}

// merge completes the flags by what a file says.
func (w *weighing) merge(file config.Config) (merged weight, err error) {
	merged = w.flags
	if file.Select != nil && !w.given["select"] {
		if merged.choose.only, err = fileRules(file.Path, file.Select); err != nil {
			return merged, err
		}
	}
	if file.Ignore != nil && !w.given["ignore"] {
		if merged.choose.not, err = fileRules(file.Path, file.Ignore); err != nil {
			return merged, err
		}
	}
	if file.FailOn != nil && !w.given["fail-on"] && merged.failOn.UnmarshalText([]byte(file.FailOn.Text)) != nil {
		return merged, &config.Error{
			Path: file.Path, Line: file.FailOn.Line, Column: file.FailOn.Column,
			Message: fmt.Sprintf("unknown severity %q", file.FailOn.Text), Hint: knownHint(file.FailOn.Text, severities),
		}
	}
	return merged, nil
}

// fileRules resolves the entries of a file against the rules of every command.
func fileRules(path string, entries []config.Entry) (map[string]bool, error) {
	known := allRules()
	all := map[string]bool{}
	for _, e := range entries {
		chosen, stray := resolve([]string{e.Text}, known)
		if chosen == nil {
			return nil, &config.Error{
				Path: path, Line: e.Line, Column: e.Column,
				Message: fmt.Sprintf("%q fits no rule", stray), Hint: suggest.Hint(stray, ruleIDs(known)),
			}
		}
		for id := range chosen {
			all[id] = true
		}
	}
	return all, nil
}
