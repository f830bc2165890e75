package check

import (
	"github.com/cupel-dev/cupel/attest/internal/coverage"
	"github.com/cupel-dev/cupel/attest/internal/jsonschema"
	"github.com/cupel-dev/cupel/attest/internal/search"
	"github.com/cupel-dev/cupel/attest/internal/target"
	"github.com/cupel-dev/cupel/attest/internal/trace"
	"github.com/cupel-dev/cupel/attest/internal/tree"
)

// Subject is one trace under evaluation, with what the checks of a request have read of
// it so far. One goroutine at a time uses it.
type Subject struct {
	Trace   *trace.Trace
	Targets target.Resolver

	coverage        *coverage.Record // of an import; nil: the trace is complete
	allowIncomplete bool
	texts           search.Texts
	schemas         jsonschema.Judgements
	told            told
	repeated        *string             // no_duplicates: the repeated tools; nil until asked
	tree            *tree.Tree          // nil until asked
	embedded        map[string]*vectors // by model; questions that wait may outlive the request
}

// Reset makes s the subject of a trace, or of none, in the memory that it has.
func (s *Subject) Reset(t *trace.Trace) {
	s.Trace, s.told, s.repeated, s.tree, s.embedded = t, told{}, nil, nil, nil
	s.coverage, s.allowIncomplete = nil, false
	s.Targets.Reset(t)
	s.texts.Reset()
	s.schemas.Reset()
}

// Imported says how much of what the trace was made of was read. allow: what is lost makes nothing unanswerable.
func (s *Subject) Imported(account *coverage.Record, allow bool) {
	s.coverage, s.allowIncomplete = account, allow
}

// Tree is the trace with its sub-traces.
func (s *Subject) Tree() *tree.Tree {
	if s.tree == nil {
		s.tree = tree.New(s.Trace)
	}
	return s.tree
}
