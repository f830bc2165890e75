package reportcmd

import (
	"bytes"
	"errors"
	"fmt"
	"slices"

	"github.com/urfave/cli/v2"

	"github.com/cupel-dev/cupel/commands/internal/app"
	"github.com/cupel-dev/cupel/commands/internal/cmdline"
	"github.com/cupel-dev/cupel/commands/internal/input"
	"github.com/cupel-dev/cupel/internal/door"
)

// expectFile lists the names of inputs.
var expectFile = app.SideFile{From: "--expect-inputs", Limit: 64 << 20, Less: "merge the reports in parts, each with a separate list", Opener: door.NamedText, Role: "list of inputs"}

// shownNames is the maximum number of names of a kind that are listed.
const shownNames = 100

// readExpected reads the list of --expect-inputs, or returns nil without the flag.
func readExpected(c *cli.Context) ([]string, error) {
	name := c.String("expect-inputs")
	if name == "" {
		return nil, nil
	}
	text, err := expectFile.Read(c.Context, name)
	if err != nil {
		return nil, err
	}
	names := listedNames(text)
	if len(names) == 0 {
		return nil, &cmdline.Hinted{Err: fmt.Errorf("--expect-inputs %q lists no input", name), Hint: "write the name of an input on each line"}
	}
	return names, nil
}

// expect compares the reports' inputs with --expect-inputs: unreported and unexpected inputs cause exit code 2.
func (m *mergeJob) expect(out *app.Output) error {
	if m.expected == nil {
		return nil
	}
	reported, others := m.reported(m.kind.mainList(m.lists)), m.reported(input.PassedOverList)
	if m.kind.Parts {
		reported, others = m.checkedFiles(), append(others, m.checkedSuites()...)
	}
	missing := without(m.expected, slices.Sorted(slices.Values(slices.Concat(reported, others))))
	strays := without(reported, m.expected)
	return errors.Join(
		sayNames(out, missing, "no report is about %q", "run what reads it once more"),
		sayNames(out, strays, "%q is reported, but not expected", "write the names as the reports show them, and leave out old reports"),
	)
}

// listedNames returns the sorted distinct names in a list, one per line or terminated by NUL as by find -print0.
func listedNames(text []byte) (names []string) {
	separator, trim := "\n", "\r"
	if bytes.IndexByte(text, 0) >= 0 {
		separator, trim = "\x00", ""
	}
	for name := range bytes.SplitSeq(text, []byte(separator)) {
		if name = bytes.TrimSuffix(name, []byte(trim)); len(name) > 0 {
			names = append(names, string(name))
		}
	}
	slices.Sort(names)
	return slices.Compact(names)
}

// reported returns the names of the inputs that a list is about, sorted, each once.
func (m *mergeJob) reported(list string) (names []string) {
	for _, run := range m.runs {
		if run.list == list {
			names = append(names, run.about)
		}
	}
	return slices.Compact(names)
}

// without returns the names that are not in others, which is sorted.
func without(names, others []string) []string {
	return slices.DeleteFunc(slices.Clone(names), func(name string) bool {
		_, found := slices.BinarySearch(others, name)
		return found
	})
}

// sayNames reports an error about some names, with the number of the rest.
func sayNames(out *app.Output, names []string, wrong, advice string) error {
	shown := names[:min(len(names), shownNames)]
	for _, name := range shown {
		if err := out.Fail(&cmdline.Hinted{Err: fmt.Errorf(wrong, name), Hint: advice}); err != nil {
			return err
		}
	}
	if more := len(names) - len(shown); more > 0 {
		return out.Fail(fmt.Errorf("… and %d more such inputs", more))
	}
	return nil
}
