// Package rules is the rule table of package oatf but for the lint rules: the faults
// that Parse finds (P), the conformance rules (V) and warnings (W) of the specification,
// and the rules about suppression comments (S).
package rules

import (
	"slices"
	"strings"

	"github.com/cupel-dev/cupel/finding"
)

// Handle names a rule: its place in Table. It is spelled like the rule's id.
type Handle uint8

// The handles of Table.
const (
	P001 Handle = iota
	P002
	P003

	V001
	V002
	V003
	V004
	V005
	V006
	V007
	V008
	V009
	V010
	V011
	V012
	V013
	V014
	V015
	V016
	V017
	V018
	V019
	V020
	V021
	V022
	V023
	V024
	V025
	V026
	V027
	V028
	V029
	V030
	V031
	V032
	V033
	V034
	V035
	V036
	V037
	V038
	V039
	V040
	V041
	V042
	V043

	W001
	W002
	W003
	W004
	W005

	S001
	S002
)

// New makes a finding of the rule, without a place.
func (h Handle) New(message string) finding.Finding { return Table[h].New(message) }

// ID is the rule's id, as findings carry it.
func (h Handle) ID() string { return Table[h].ID }

// Lookup returns the handle of a rule's id.
func Lookup(id string) (h Handle, ok bool) {
	i := slices.IndexFunc(Table, func(r finding.Rule) bool { return r.ID == id })
	return Handle(max(i, 0)), i >= 0
}

// SpecRef is the clause that a conformance rule or a warning rests on, without the name
// of its document: "§5.7"; "" for other rules.
func (h Handle) SpecRef() string {
	if h < V001 || h > W005 {
		return ""
	}
	_, clause, _ := strings.Cut(Table[h].Clause, ", ")
	return clause
}

// Complete returns the rows of a table with examples that are whole documents: one that
// is the inside of an attack gets what surrounds it.
func Complete(t finding.Table) []finding.Rule {
	list := make([]finding.Rule, len(t))
	for i, r := range t {
		r.Bad, r.Good = WholeDocument(r.Bad), WholeDocument(r.Good)
		list[i] = r
	}
	return list
}

// WholeDocument completes an example: one that is not a document is the inside of an
// attack, and an attack without execution gets the smallest one.
func WholeDocument(example string) string {
	example = strings.TrimLeft(example, "\n")
	if strings.Contains(example, "attack:") || example == "" {
		return example
	}
	var b strings.Builder
	b.WriteString("oatf: \"0.1\"\nattack:\n")
	if !strings.Contains("\n"+example, "\nexecution:") {
		b.WriteString("  execution: {mode: mcp_server, state: {tools: []}}\n")
	}
	for line := range strings.Lines(example) {
		b.WriteString("  " + line)
	}
	return b.String()
}
