package importer

import (
	"github.com/cupel-dev/cupel/attest/internal/coverage"
	"github.com/cupel-dev/cupel/internal/strictjson"
)

// spanContent is the content of a span in terms of the attest protocol.
type spanContent struct {
	node  strictjson.Node // all of it
	name  strictjson.Node // of the step: a string
	as    string          // the name, without a node
	scope string          // who wrote the span

	// For a model answer.
	settings   []namedNode
	messages   strictjson.Node // input of the model
	in, out    speech
	said       text
	thought    text
	calls      []*askedCall // that it asks for
	earlier    []*askedCall // asked for by an answer before that is not recorded
	finish     strictjson.Node
	responseID string

	// For a tool call or a retrieval.
	args, result strictjson.Node
	members      []namedNode // of the args, instead of them
	callID       strictjson.Node

	// For an agent.
	agent        strictjson.Node // its name
	user, system text
	inputs       strictjson.Node // an object, for the trace's input
	outputs      strictjson.Node // an object, for the trace's output
	status       string

	usage  usage
	model  strictjson.Node
	cost   strictjson.Node
	failed strictjson.Node // says what went wrong

	lost []loss
}

// askedCall is a call that an answer requests, and the span that ran it.
type askedCall struct {
	callPart
	by     *span // nil without a span
	result resultPart
}

type namedNode struct {
	name string
	node strictjson.Node
}

// loss is data that a span lacks.
type loss struct {
	what lossKind
	why  string
	node strictjson.Node // where
	span *span           // the span, without a node
}

type lossKind = coverage.What

const (
	lostCalls      = coverage.Calls
	lostSpans      = coverage.Spans
	lostModelCalls = coverage.ModelCalls
	lostArgs       = coverage.Args
	lostResults    = coverage.Results
	lostMessages   = coverage.Messages
	lostTimes      = coverage.Times
)

func (t *spanContent) asks(calls []callPart) {
	for _, c := range calls {
		t.calls = append(t.calls, &askedCall{callPart: c, result: resultPart{result: c.result, failed: c.failed}})
	}
}

// answered reports whether the model's answer is recorded.
func (t *spanContent) answered() bool {
	return len(t.said) > 0 || len(t.calls) > 0 || len(t.thought) > 0
}
