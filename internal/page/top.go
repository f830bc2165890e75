package page

import (
	"fmt"
	"slices"

	"github.com/cupel-dev/cupel/finding"
)

// shownTop is what stands on top of a page.
type shownTop struct {
	Top
	Headline string
	Only     *headline
	First    *Finding
	Unproved []string
	Failures []string

	Errors, Warnings, Infos int
	Searches                bool
	Judged                  bool // there are answers
	Left                    leftOut
	LeftFindings            int
}

func (p *Page) shownTop(top Top) shownTop {
	top.Mark = p.mark(top)
	return shownTop{
		Top: top, Headline: p.word(top), Only: p.only, First: p.first, Unproved: p.notProved(top.NotProved), Failures: p.failures,
		Errors: p.counts[finding.Error], Warnings: p.counts[finding.Warning], Infos: p.counts[finding.Info],
		Searches: p.found()+p.rows > 1 || p.answers > 1, Judged: p.answers+p.rows > 0, Left: p.left, LeftFindings: sum(p.left.Findings[:]...),
	}
}

// mark is how the run came out: a failure outweighs all else, and what is neither good nor bad
// is no clean answer beside warnings.
func (p *Page) mark(top Top) Mark {
	switch {
	case len(p.failures) > 0:
		return Unanswered
	case top.Mark == Plain && p.counts[finding.Warning]+p.counts[finding.Error] > 0:
		return Caution
	}
	return top.Mark
}

// OnlySubject is that of the only answer, "" when there are others.
func (t shownTop) OnlySubject() string {
	if t.Only == nil {
		return ""
	}
	return t.Only.Subject
}

// Exit is the exit code and what it means.
func (t shownTop) Exit() string {
	switch {
	case t.Mark == Unanswered:
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
	top.Mark = p.mark(top)
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

// shownRules are the rules that findings of the page name. One that is not known has an id
// alone.
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
