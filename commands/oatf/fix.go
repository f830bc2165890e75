package oatfcmd

import (
	"fmt"
	"slices"
	"strings"

	"github.com/urfave/cli/v2"

	"github.com/cupel-dev/cupel/commands/internal/cmdline"
	"github.com/cupel-dev/cupel/commands/internal/input"
	"github.com/cupel-dev/cupel/finding"
	"github.com/cupel-dev/cupel/oatf"
)

// fixes are the requested fixes and their results.
type fixes struct {
	write, diff, unsafe bool

	mended  int // findings whose fixes were applied, or would be
	guesses int // findings that stay, whose fixes rest on a guess
}

func readMending(c *cli.Context) (fixes, error) {
	m := fixes{write: c.Bool("fix"), diff: c.Bool("diff"), unsafe: c.Bool("unsafe-fixes")}
	return m, input.FixesAgree(c)
}

func (m *fixes) asked() bool { return m.write || m.diff }

func hasFix(list []finding.Finding) bool {
	return slices.ContainsFunc(list, func(f finding.Finding) bool { return f.Fix != nil })
}

// unaccepted returns the findings that are neither filtered nor in the baseline.
func (l *lintRun) unaccepted(list []finding.Finding) []finding.Finding {
	return slices.DeleteFunc(slices.Clone(list), func(f finding.Finding) bool { return !l.out.Keep(f) })
}

// mend applies the fixes for an input and returns the remaining findings. With --diff it only shows the changes.
func (l *lintRun) mend(in lintInput, c checkResult) (after checkResult, file lintedFile, err error) {
	fixed := oatf.Fix(c.text, oatf.FixOptions{CheckOptions: l.optionsFor(in), Unsafe: l.mending.unsafe, Keep: l.unaccepted})
	for _, f := range fixed.Findings {
		if f.Fix != nil && f.Fix.Unsafe && !l.mending.unsafe {
			l.mending.guesses++
		}
	}
	if len(fixed.Mended) == 0 {
		return c, file, nil
	}
	if l.mending.write {
		after = checkResult{Checked: fixed.Checked, text: fixed.Text}
		err = replaceDocument(l.env, in.Input, c.text, fixed.Edits, l.opt.Limits)
	} else {
		var diff strings.Builder
		after, err = c, showDiff(&diff, in.Name, "fixed", c.text, fixed.Edits)
		file.Diff = diff.String()
		l.out.No()
	}
	if err != nil {
		return c, lintedFile{}, err
	}
	file.Fixed = len(fixed.Mended)
	l.mending.mended += file.Fixed
	return after, file, nil
}

// text returns the end of the closing line.
func (m *fixes) text() (said string) {
	switch {
	case m.mended == 0:
	case m.write:
		said = "; " + cmdline.Counted(m.mended, "finding") + " fixed"
	default:
		said = "; --fix mends " + cmdline.Counted(m.mended, "finding")
	}
	if m.asked() && m.guesses > 0 {
		said += fmt.Sprintf("; --unsafe-fixes mends %d more", m.guesses)
	}
	return said
}
