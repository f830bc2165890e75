package oatfcmd

import (
	"cmp"
	"fmt"
	"strings"

	"github.com/cupel-dev/cupel/internal/report"
	"github.com/cupel-dev/cupel/oatf/eval"
)

// selectionJSON is what --explain-selection reports about an indicator: which messages it examines, and where in
// them.
type selectionJSON struct {
	Protocol string   `json:"protocol"`
	Surface  string   `json:"surface"`
	Kinds    []string `json:"message_kinds"`       // empty: of any kind
	Actor    string   `json:"actor,omitempty"`     // absent: of any
	Side     string   `json:"direction,omitempty"` // "request" or "response"; absent: both
	Target   *string  `json:"target"`              // null for expressions, which say so themselves
	Envelope string   `json:"envelope,omitempty"`  // "params" or "result": also examine the message in that envelope
}

// selections returns the selections of a document's indicators, if requested.
func (j *evalRun) selections(d *judgedDocument) (list []selectionJSON) {
	if !j.explain {
		return nil
	}
	for _, s := range d.evaluator.Selection() {
		list = append(list, newSelectionJSON(s))
	}
	return list
}

func newSelectionJSON(s eval.Selection) selectionJSON {
	x := selectionJSON{Protocol: string(s.Protocol), Surface: string(s.Surface), Kinds: []string{}, Actor: s.Actor, Side: string(s.Direction), Target: s.Target, Envelope: s.Envelope}
	for _, kind := range s.Kinds {
		x.Kinds = append(x.Kinds, kind.String())
	}
	return x
}

// selectionFacts returns the selections for text output.
func selectionFacts(list []selectionJSON, v eval.AttackVerdict) (facts []report.Fact) {
	for i, s := range list {
		facts = append(facts, report.Fact{Name: v.IndicatorVerdicts[i].IndicatorID, Members: s.facts()})
	}
	return facts
}

func (s selectionJSON) facts() []report.Fact {
	kinds := "of any kind, where the capture does not tell otherwise"
	switch {
	case len(s.Kinds) > 0:
		kinds = strings.Join(s.Kinds, ", ")
	case s.Surface == "":
		kinds = "of every operation"
	}
	facts := []report.Fact{{Name: "surface", Value: cmp.Or(s.Surface, "any")}, {Name: "protocol", Value: cmp.Or(s.Protocol, "any")}, {Name: "messages", Value: kinds}}
	for _, f := range []report.Fact{{Name: "actor", Value: s.Actor}, {Name: "direction", Value: s.Side}} {
		if f.Value != "" {
			facts = append(facts, f)
		}
	}
	if s.Target == nil {
		return facts
	}
	target := *s.Target
	if target == "" {
		target = "the whole message"
	}
	if s.Envelope != "" {
		target += fmt.Sprintf(", in the message and in {%q: the message}", s.Envelope)
	}
	return append(facts, report.Fact{Name: "target", Value: target})
}
