package fault

import (
	"github.com/cupel-dev/cupel/finding"
	"github.com/cupel-dev/cupel/internal/source"
	"github.com/cupel-dev/cupel/trace/internal/reasoning/rule"
)

// Companion is a file next to the trace: its plan or manifest.
type Companion struct {
	Name   string // for findings
	Source []byte // nil: it could not be read

	line source.Line // all of Source
}

// At returns a finding at a position in the file.
func (c *Companion) At(id rule.ID, at Place, path, message string) finding.Finding {
	f := id.New(message)
	f.File, f.Path = c.Name, path
	if c.Source == nil {
		return f
	}
	if c.line.Bytes == nil {
		c.line = source.Line{Number: 1, Bytes: c.Source}.Indexed()
	}
	source.Point(&f, c.line, int(at.Start), int(at.End))
	return f
}
