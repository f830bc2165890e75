package page

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/cupel-dev/cupel/finding"
	"github.com/cupel-dev/cupel/internal/say"
)

// shownTop is the template data of the page's top.
type shownTop struct {
	Top
	Headline string
	Only     *headline
	First    *Finding
	Done     []string // damage to the subject of First
	Unproved []unprovedGroup
	Failures []string

	Errors, Warnings, Infos int
	Searches                bool
	Mixed                   bool // some answers fail, others do not
	FirstSection            string
	ByRule                  []shownRule
	// The parts of the page.
	Overview, Sessions, Answers, Rows, Several bool
	Judged                                     bool // there are answers
	Left                                       leftOut
	LeftFindings                               int
}

func (p *Page) shownTop(top Top) shownTop {
	top.Mark = p.mark(top)
	return shownTop{
		Top: top, Headline: p.word(top), Only: p.only, First: p.first, Done: p.done, Unproved: p.notProved(top.NotProved), Failures: p.failures,
		ByRule: p.rulesByCount(top.Rules), Rows: p.rows > 0, FirstSection: cmp.Or(p.leads[1], p.leads[0]),
		Mixed:  len(p.sections.failed)+len(p.index.failed) > 0 && len(p.sections.others)+len(p.index.others) > 0,
		Errors: p.counts[finding.Error], Warnings: p.counts[finding.Warning], Infos: p.counts[finding.Info],
		Searches: p.found()+p.rows > 1 || p.answers > 1 || slices.Contains(p.kinds, (*Conversation)(nil).Kind()), Judged: p.answers+p.rows > 0, Left: p.left, LeftFindings: sum(p.left.Findings[:]...),
	}
}

// mark returns the result of the run. A failure outweighs everything; a neutral result with
// warnings is not shown as clean.
func (p *Page) mark(top Top) Mark {
	switch {
	case len(p.failures) > 0:
		return Unanswered
	case top.Mark == Plain && p.counts[finding.Warning]+p.counts[finding.Error] > 0:
		return Caution
	}
	return top.Mark
}

// OnlySubject returns the subject of the only answer, else "".
func (t shownTop) OnlySubject() string {
	if t.Only == nil {
		return ""
	}
	return t.Only.Subject
}

// Exit returns the exit code and its meaning.
func (t shownTop) Exit() string {
	switch {
	case t.Mark == Unanswered:
		return ExitUnanswered
	case t.No:
		return ExitNo
	}
	return ExitGood
}

// word returns the verdict of the only subject, or the mark's word.
func (p *Page) word(top Top) string {
	if p.only != nil && p.only.Word != "" && top.Mark != Unanswered {
		return p.only.Word
	}
	if top.Mark == Unanswered {
		return top.Mark.Word()
	}
	return cmp.Or(top.Word, top.Mark.Word())
}

func (p *Page) title(top Top) string {
	top.Mark = p.mark(top)
	title := p.word(top) + " - cupel " + top.Command
	if p.only != nil {
		title += " " + p.only.Subject
	}
	return value(title)
}

// unprovedGroup lists limitations of answers about the same subjects.
type unprovedGroup struct {
	About string // subjects; "" for all
	Texts []string
}

// notProved returns what the run, or some of its answers, does not prove.
func (p *Page) notProved(always []string) (groups []unprovedGroup) {
	add := func(about string, texts ...string) {
		i := slices.IndexFunc(groups, func(g unprovedGroup) bool { return g.About == about })
		if i < 0 {
			i, groups = len(groups), append(groups, unprovedGroup{About: about})
		}
		groups[i].Texts = append(groups[i].Texts, texts...)
	}
	if len(always) > 0 {
		add("", always...)
	}
	for _, u := range p.unproved {
		if u.Subjects == p.answers || u.Subject == "" {
			add("", u.Text)
		} else {
			add(u.about(), u.Text)
		}
	}
	return groups
}

// about names the subjects of a limitation: their kinds and the first one.
func (u *unproved) about() string {
	about := strings.TrimPrefix(strings.Join(u.kinds, ", ")+": "+u.Subject, ": ")
	if u.Subjects > 1 {
		about += say.More(u.Subjects - 1)
	}
	return about
}

type shownRule struct {
	finding.Rule
	Anchor string
	Counts [3]int // errors, warnings, info
}

// rulesByCount returns the rules with the most findings, of each severity before the next.
func (p *Page) rulesByCount(known []finding.Rule) []shownRule {
	list := p.shownRules(known)
	slices.SortStableFunc(list, func(a, b shownRule) int { return slices.Compare(b.Counts[:], a.Counts[:]) })
	return list[:min(len(list), maxList)]
}

// shownRules returns the rules of the page's findings. Unknown rules have only an id.
func (p *Page) shownRules(known []finding.Rule) (list []shownRule) {
	for n, key := range p.rules {
		i := slices.IndexFunc(known, func(r finding.Rule) bool { return r.ID == key.id && r.Revision == key.revision })
		if i < 0 {
			i = slices.IndexFunc(known, func(r finding.Rule) bool { return r.ID == key.id })
		}
		rule := finding.Rule{ID: key.id}
		if i >= 0 {
			rule = known[i]
		}
		list = append(list, shownRule{rule, fmt.Sprintf("r%d", n+1), [3]int{p.byRule[n][finding.Error], p.byRule[n][finding.Warning], p.byRule[n][finding.Info]}})
	}
	return list
}

// The exit codes and their meanings.
const (
	ExitGood       = "exit code 0"
	ExitNo         = "exit code 1: problems found"
	ExitUnanswered = "exit code 2: could not answer"
)
