package page

import (
	"fmt"
	"slices"

	"github.com/cupel-dev/cupel/finding"
)

// shownTop is what stands on top of a page.
type shownTop struct {
	Top
	Headline  string
	Only      *headline
	First     *Finding
	Unproved  []string
	Missing   int // sentences on what is not proved
	Errors    int
	Warnings  int
	Infos     int
	Answers   int
	Left      leftOut
	LeftOut   int // findings
	Searches  bool
	Failed    []string
	NotFailed int // failures that are left out
}

func (p *Page) shownTop(top Top) shownTop {
	return shownTop{
		Top: top, Headline: p.word(top), Only: p.only, First: p.first, Unproved: p.notProved(top.NotProved), Missing: p.left.Unproved,
		Errors: p.counts[finding.Error], Warnings: p.counts[finding.Warning], Infos: p.counts[finding.Info], Answers: p.answers,
		Left: p.left, LeftOut: sum(p.left.Findings[:]...), Searches: p.found()+p.rows > 1 || p.answers > 1,
		Failed: top.Failures[:min(len(top.Failures), maxList)], NotFailed: max(0, len(top.Failures)-maxList),
	}
}

// Exit is the exit code and what it means.
func (t shownTop) Exit() string {
	switch {
	case len(t.Failures) > 0:
		return "exit code 2: could not answer"
	case t.No:
		return "exit code 1: the answer is no"
	}
	return "exit code 0"
}

// word is the verdict in a word: that of the only subject, or the mark's.
func (p *Page) word(top Top) string {
	if p.only != nil && p.only.Word != "" && top.Mark != Unanswered {
		return p.only.Word
	}
	return top.Mark.Word()
}

// title is the document's, for the browser's tab and history.
func (p *Page) title(top Top) string {
	title := p.word(top) + " - cupel " + top.Command
	if p.only != nil {
		title += " " + p.only.Subject
	}
	return value(title)
}

// notProved are the sentences on what the run, or one of its answers, does not prove.
func (p *Page) notProved(always []string) (list []string) {
	list = slices.Clone(always)
	for _, u := range p.unproved {
		text := u.Text
		switch {
		case u.Subjects == p.answers || u.Subject == "":
		case u.Subjects == 1:
			text += " (" + u.Subject + ")"
		default:
			text += fmt.Sprintf(" (%s and %d more)", u.Subject, u.Subjects-1)
		}
		list = append(list, text)
	}
	return list
}

// shownRule is a rule that findings of the page name.
type shownRule struct {
	finding.Rule
	Anchor string
}

// shownRules are the rules of the page, as far as cupel has a text for them.
func (p *Page) shownRules(known []finding.Rule) (list []shownRule) {
	for _, key := range p.rules {
		i := slices.IndexFunc(known, func(r finding.Rule) bool { return r.ID == key.id && r.Revision == key.revision })
		if i < 0 {
			i = slices.IndexFunc(known, func(r finding.Rule) bool { return r.ID == key.id })
		}
		rule := finding.Rule{ID: key.id}
		if i >= 0 {
			rule = known[i]
		}
		list = append(list, shownRule{rule, p.ruleID(key.id, key.revision)})
	}
	return list
}
