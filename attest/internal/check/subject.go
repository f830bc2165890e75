package check

import (
	"github.com/cupel-dev/cupel/attest/internal/coverage"
	"github.com/cupel-dev/cupel/attest/internal/jsonschema"
	"github.com/cupel-dev/cupel/attest/internal/search"
	"github.com/cupel-dev/cupel/attest/internal/target"
	"github.com/cupel-dev/cupel/attest/internal/trace"
	"github.com/cupel-dev/cupel/attest/internal/tree"
)

// Subject is a trace under evaluation, with cached reads. It is not safe for concurrent use.
type Subject struct {
	Trace   *trace.Trace
	Targets target.Resolver

	coverage        *coverage.Record // of an import; nil: the trace is complete
	allowIncomplete bool
	texts           search.Texts
	schemas         jsonschema.Judgements
	told            promptTexts
	repeated        *string             // no_duplicates: the repeated tools; nil until asked
	tree            *tree.Tree          // nil until asked
	embedded        map[string]*vectors // by model; questions that wait may outlive the request
}

// Reset sets the trace, which can be nil, and reuses memory.
func (x *Subject) Reset(t *trace.Trace) {
	x.Trace, x.told, x.repeated, x.tree, x.embedded = t, promptTexts{}, nil, nil, nil
	x.coverage, x.allowIncomplete = nil, false
	x.Targets.Reset(t)
	x.texts.Reset()
	x.schemas.Reset()
}

// Imported sets the coverage of an imported trace. With allow, losses do not make assertions unanswerable.
func (x *Subject) Imported(account *coverage.Record, allow bool) {
	x.coverage, x.allowIncomplete = account, allow
}

// Tree returns the trace with its sub-traces.
func (x *Subject) Tree() *tree.Tree {
	if x.tree == nil {
		x.tree = tree.New(x.Trace)
	}
	return x.tree
}
