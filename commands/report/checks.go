package reportcmd

import (
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"slices"

	"github.com/cupel-dev/cupel/commands/internal/app"
	"github.com/cupel-dev/cupel/commands/internal/cmdline"
	"github.com/cupel-dev/cupel/commands/internal/input"
	"github.com/cupel-dev/cupel/commands/internal/rulelist"
	"github.com/cupel-dev/cupel/internal/report"
	"github.com/cupel-dev/cupel/internal/strictjson"
)

// A report of check contains other commands' reports, each joined with its kind: per command, and
// attest eval per suite.

const documentsList = "documents"

// mergedPart is the reports of one command or on one suite.
type mergedPart struct {
	*mergeJob
	suite string // "": it is of none
	files int
}

// rankOf returns a rank to sort list elements by before their name: check lists models first.
func rankOf(list string, element strictjson.Node) int {
	if list != "findings" {
		return 0
	}
	if rule, _ := element.Get("rule").Text(); rule == rulelist.ModelRule {
		return 0
	}
	return 1
}

// partOrder returns the rank of a command's report in a report of check, or -1.
func (m *mergeJob) partOrder(schema string) int {
	for kind := range m.checkers.Records {
		if m.checkers.Records[kind].Run.Schema == schema {
			return kind
		}
	}
	if schema == m.checkers.Evaluates.Schema {
		return len(m.checkers.Records)
	}
	return -1
}

func (m *mergeJob) takeDocuments(name string, x *reportIndex) error {
	if !m.kind.Parts {
		return nil
	}
	var says input.CheckTotals
	if err := json.Unmarshal(x.summary, &says); err != nil {
		return fmt.Errorf("the summary does not have the form of %s: %w", m.kind.Command, err)
	}
	if len(says.Commands) != len(x.documents) {
		return miscounted(cmdline.Counted(len(says.Commands), "command"), cmdline.Counted(len(x.documents), "document"))
	}
	for i, document := range x.documents {
		by := says.Commands[i]
		if by.Schema != document.schema || m.partOrder(by.Schema) < 0 {
			return fmt.Errorf("the summary has %q for a document with the schema %q: the report was changed", by.Schema, document.schema)
		}
		part := m.part(by)
		part.files += by.Files
		if err := part.take(name, document); err != nil {
			return err
		}
	}
	m.checked.Passed += says.Passed
	m.checked.Unknown += says.Unknown
	return m.bounded()
}

// part returns a document's part, independent of report-specific data.
func (m *mergeJob) part(by input.CheckedBy) *mergedPart {
	i := slices.IndexFunc(m.parts, func(p *mergedPart) bool { return p.kind.Schema == by.Schema && p.suite == by.Suite })
	if i < 0 {
		i = len(m.parts)
		m.parts = append(m.parts, &mergedPart{suite: by.Suite, mergeJob: &mergeJob{env: m.env, c: m.c, kinds: m.kinds, checkers: m.checkers, sources: m.sources, repeated: map[string]bool{}}})
	}
	m.parts[i].known = map[[sha256.Size]byte]bool{}
	return m.parts[i]
}

// bounded returns an error if there are too many parts or elements.
func (m *mergeJob) bounded() error {
	elements, names := 0, 0
	for _, p := range m.parts {
		elements, names = elements+len(p.runs), names+p.names+len(p.suite)
	}
	if elements > maxElements || names > maxNames || len(m.parts) > maxDocuments {
		return errManyInputs
	}
	return nil
}

func (m *mergeJob) joinParts(out *app.Output) error {
	if !m.kind.Parts {
		return nil
	}
	slices.SortFunc(m.parts, func(a, b *mergedPart) int {
		return cmp.Or(cmp.Compare(m.partOrder(a.kind.Schema), m.partOrder(b.kind.Schema)), cmp.Compare(a.suite, b.suite))
	})
	for _, p := range m.parts {
		m.failures = slices.DeleteFunc(m.failures, func(why string) bool { return slices.Contains(p.failures, why) })
	}
	if err := m.repeat(out); err != nil {
		return err
	}
	for _, p := range m.parts {
		section := out.Part(p.run(), out.Filter.Weigh)
		sum, err := p.join(section)
		err = section.End(sum, err)
		m.checked.Add(&input.Checker{Run: p.run(), Suite: p.suite}, p.files, section)
		if errors.Is(err, context.Canceled) {
			return err
		}
		if section.Broken != nil {
			return section.Broken
		}
	}
	return nil
}

func (p *mergedPart) join(out *app.Output) (report.Summary, error) {
	for _, step := range []func(*app.Output) error{p.order, p.write, p.repeat} {
		if err := step(out); err != nil {
			return report.Summary{}, err
		}
	}
	return p.mergeJob.summary(out), nil
}

// checkedFiles returns the names of the files that the parts are about, sorted, each once.
func (m *mergeJob) checkedFiles() (names []string) {
	for _, p := range m.parts {
		names = append(names, p.reported(p.kind.mainList(p.lists))...)
	}
	slices.Sort(names)
	return slices.Compact(names)
}

func (m *mergeJob) checkedSuites() (names []string) {
	for _, p := range m.parts {
		if p.suite != "" {
			names = append(names, p.suite)
		}
	}
	return names
}

// miscounted returns the error for a report whose elements do not match its summary.
func miscounted(counts, lists string) error {
	return fmt.Errorf("the summary counts %s, but the report lists %s: the report was changed", counts, lists)
}
