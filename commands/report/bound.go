package reportcmd

import (
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/cupel-dev/cupel/commands/internal/cmdline"
	"github.com/cupel-dev/cupel/internal/report"
)

// mergedBound is the bound that all reports share: the same options, and all versions. It has no options if the
// reports do not list them.
type mergedBound struct {
	report.Bound
	first string // the report that it is from, or ""
}

// add adds the bound of a report. It returns an error if the options differ.
func (m *mergedBound) add(name string, bound report.Bound) error {
	if m.first == "" {
		m.Bound, m.first = bound, name
		return nil
	}
	if differs := differences(m.Options, bound.Options); differs != "" {
		return &cmdline.Hinted{
			Err:  fmt.Errorf("the report was made with other options than %q: %s", m.first, differs),
			Hint: "give every run the same options",
		}
	}
	versions := append(strings.Split(m.Version, ", "), strings.Split(bound.Version, ", ")...)
	slices.Sort(versions)
	m.Version = strings.Join(slices.Compact(versions), ", ")
	return nil
}

func (m *mergedBound) several() bool { return strings.Contains(m.Version, ", ") }

// differences names the options that two reports do not share, or returns "".
func differences(first, other any) string {
	was, is := optionsOf(first), optionsOf(other)
	switch {
	case was == nil && is == nil:
		return ""
	case was == nil:
		return "only this report lists its options"
	case is == nil:
		return "only the other report lists its options"
	}
	all := maps.Clone(was)
	maps.Copy(all, is)
	var list []string
	for _, name := range slices.Sorted(maps.Keys(all)) {
		if a, b := was[name], is[name]; a != b {
			list = append(list, fmt.Sprintf("--%s is %s in this report, %s in the other", name, cmp.Or(b, "not set"), cmp.Or(a, "not set")))
		}
	}
	return strings.Join(list, "; ")
}

// optionsOf returns the options in a report as JSON, or nil.
func optionsOf(options any) map[string]string {
	raw, _ := options.(json.RawMessage)
	var members map[string]json.RawMessage
	if raw == nil || json.Unmarshal(raw, &members) != nil {
		return nil
	}
	values := map[string]string{}
	for name, value := range members {
		var b bytes.Buffer
		_ = json.Compact(&b, value) // it was decoded
		values[name] = b.String()
	}
	return values
}
