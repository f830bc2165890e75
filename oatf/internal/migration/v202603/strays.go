package v202603

import (
	"slices"

	"github.com/cupel-dev/cupel/internal/say"
	"github.com/cupel-dev/cupel/oatf/internal/expression"
	"github.com/cupel-dev/cupel/oatf/internal/migration"
	"github.com/cupel-dev/cupel/oatf/internal/vocabulary"
	"github.com/cupel-dev/cupel/oatf/model"
)

// list is a list of responses that 2026-03 validates in any state. The earlier revision validates it only for one
// protocol.
type list struct {
	owners   string // lists whose items contain it; "": the state
	member   string
	protocol model.Protocol // in whose states the earlier revision looks at it; "": in none
	word     string         // a member of its items that is one of some words
	words    []string
	mode     model.Mode // mode in which the earlier revision validates it, or ""
}

var lists = []list{
	{owners: "tools", member: several, protocol: "mcp"},
	{owners: "prompts", member: several, protocol: "mcp"},
	{member: "sampling_responses", protocol: "mcp"},
	{member: "elicitation_responses", protocol: "mcp", word: "action", words: vocabulary.ElicitationOutcomes, mode: "mcp_client"},
	{member: "elicitations", word: "mode", words: vocabulary.Names(vocabulary.ElicitationModes)},
	{member: "task_responses", protocol: "a2a"},
	{member: "tool_responses"},
}

func (l *list) each(state migration.Object, do func(migration.Object)) {
	if l.owners == "" {
		do(state)
		return
	}
	state.Each(l.owners, do)
}

// upStrays keeps lists that the earlier revision ignores and that violate a rule of 2026-03.
func upStrays(ph migration.Phase, state migration.Object) {
	protocol := vocabulary.ExtractProtocol(ph.Mode)
	for i := range lists {
		l := &lists[i]
		l.each(state, func(owner migration.Object) {
			if l.protocol != protocol && l.isFaulty(owner) || ph.Mode != l.mode && l.hasOtherWord(owner) {
				owner.Lose(l.member, "%s, which %s passes through in the mode %s, are not answers in %s", l.member, earlier, say.Quoted(string(ph.Mode)), later)
			}
		})
	}
}

// isFaulty reports whether two entries have no predicate, or one has an invalid predicate.
func (l *list) isFaulty(owner migration.Object) bool {
	if l.member == "elicitations" {
		return false // requests are not answers
	}
	defaults, wrong := 0, false
	owner.Each(l.member, func(entry migration.Object) {
		if isNone(entry.Value("when")) {
			defaults++
			return
		}
		wrong = wrong || isWrongPredicate(entry.Child("when"))
	})
	return defaults > 1 || wrong
}

func isWrongPredicate(when migration.Object) bool {
	return slices.ContainsFunc(when.Keys(), func(key string) bool {
		pattern, is := when.Child(key).Text("regex")
		return !vocabulary.CheckSimplePath(key) || is && expression.CheckRegex(pattern) != nil
	})
}

// hasOtherWord reports whether an item has a word that is not in the enumeration.
func (l *list) hasOtherWord(owner migration.Object) (other bool) {
	if l.word == "" {
		return false
	}
	owner.Each(l.member, func(item migration.Object) {
		word, _ := item.Text(l.word)
		other = other || !isNone(item.Value(l.word)) && !slices.Contains(l.words, word)
	})
	return other
}
