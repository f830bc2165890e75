package reportcmd

import (
	"io"

	"github.com/cupel-dev/cupel/internal/walk"
)

func (m *mergeJob) summaryFile(number int, in walk.Input, r io.Reader) error {
	name, first, err := m.logs.Add(in.Name, r, in.Size, func(from, to int64) (io.Reader, error) { return m.sources.section(number, from, to) })
	if err != nil {
		return err
	}
	kind, err := m.kinds.named("cupel.trace/1")
	switch {
	case err != nil:
		return err
	case m.kind == nil:
		m.kind, m.first, m.lists = kind, in.Name, kind.Lists
	case m.kind != kind:
		return m.anotherKind(kind)
	}
	if first {
		m.runs = append(m.runs, elementRun{list: kind.Main, about: name, source: int32(number), report: m.reports, log: name})
		m.reports++
	}
	return nil
}
