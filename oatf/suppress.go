package oatf

import (
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"go.yaml.in/yaml/v4"

	"github.com/cupel-dev/cupel/internal/say"
	"github.com/cupel-dev/cupel/internal/suggest"
	"github.com/cupel-dev/cupel/oatf/internal/place"
	"github.com/cupel-dev/cupel/oatf/internal/profile"
	"github.com/cupel-dev/cupel/oatf/internal/revision"
	"github.com/cupel-dev/cupel/oatf/internal/rules"
	"github.com/cupel-dev/cupel/oatf/internal/yamltext"
	"github.com/cupel-dev/cupel/oatf/model"
)

// suppressionMark begins a comment that suppresses findings.
const suppressionMark = "# cupel:ignore"

// suppression is one comment that leaves findings out.
type suppression struct {
	line   int // of the comment
	column int
	target int // the line whose findings it is about
	rule   string
	reason string
	used   bool
}

// suppressor finds the suppressions in the comments of a text.
type suppressor struct {
	*place.Source
	*profile.Profile // of the document
}

// suppress leaves out what the document's comments suppress, and adds what is wrong
// with the comments. Unless all lint rules ran, a comment about one is left in peace.
func (s suppressor) suppress(list []Finding, linted bool) []Finding {
	comments := s.suppressions()
	if len(comments) == 0 {
		return list
	}
	byLine := map[int][]*suppression{}
	for _, c := range comments {
		byLine[c.target] = append(byLine[c.target], c)
		c.used = !linted && strings.HasPrefix(strings.ToUpper(c.rule), "L-")
	}
	kept := list[:0:0]
	for _, f := range list {
		kept = append(kept, keepUnsuppressed(byLine[f.Line], f)...)
	}
	room, more, ids := s.Limits.Errors, 0, ruleIDs(s.Rules)
	for _, c := range comments {
		switch f := s.fault(c, ids); {
		case f == nil:
		case room == 0:
			more++
		default:
			kept = append(kept, *f)
			room--
		}
	}
	if more > 0 {
		kept = append(kept, untold(kept[len(kept)-1], more, "suppression", s.Limits.Errors))
	}
	return kept
}

// keepUnsuppressed returns what the comments of a line leave of a finding. One that names
// the finding's own rule leaves nothing.
func keepUnsuppressed(comments []*suppression, f Finding) []Finding {
	if len(comments) == 0 {
		return []Finding{f}
	}
	whole := !suppressed(comments, f.Rule)
	return model.Narrow(f, func(e Finding) bool { return !suppressed(comments, e.Rule) && whole })
}

// suppressed says whether a comment with a reason names the rule, and marks those that do
// as used.
func suppressed(comments []*suppression, rule string) bool {
	hit := false
	for _, c := range comments {
		if c.reason != "" && strings.EqualFold(c.rule, rule) {
			c.used, hit = true, true
		}
	}
	return hit
}

// fault says what is wrong with a suppression, nil when nothing is. ids are the rules that
// there are.
func (s suppressor) fault(c *suppression, ids []string) *Finding {
	var f Finding
	switch {
	case c.rule == "" || c.reason == "":
		f = s.Rules.New(rules.Reason, "the suppression has no reason and is ignored")
		f.Help = "write " + suppressionMark + " V-018 and why"
	case !c.used:
		f = s.Rules.New(rules.Needed, fmt.Sprintf("the suppression of %s is not needed: nothing is found there", say.Quoted(c.rule)))
		id := strings.ToUpper(c.rule)
		switch f.Help = s.otherMeaning(id); {
		case f.Help != "":
		case slices.Contains(ids, id):
			f.Help = "remove it"
		default:
			f.Help = suggest.Hint(c.rule, ids)
		}
	default:
		return nil
	}
	f.Detail = Detail{Kind: model.KindWarning}
	f.Line, f.Column, f.EndLine, f.EndColumn = c.line, c.column, c.line, c.column+len(suppressionMark)
	return &f
}

// otherMeaning says what an id means in the revision that a comment may have been written for:
// an earlier one, in which it is another rule's, or one that has it while the document's has
// not. "" when there is none.
func (s suppressor) otherMeaning(id string) string {
	_, known := s.Rules.Lookup(id)
	earlier := true
	for _, p := range revision.All {
		earlier = earlier && p != s.Profile
		rule, ok := p.Rules.Lookup(id)
		now := s.Rules.ID(rule)
		switch {
		case !ok || known && !earlier || now == id:
		case now == "":
			return fmt.Sprintf("the rule %s of revision %s is none of %s, by which the document is read", id, p.Revision, s.Revision)
		default:
			return fmt.Sprintf("the rule %s of revision %s is %s in %s, by which the document is read", id, p.Revision, now, s.Revision)
		}
	}
	return ""
}

// ruleIDs are the ids of all rules of a revision.
func ruleIDs(set *rules.Set) (ids []string) {
	for _, r := range set.Table() {
		ids = append(ids, r.ID)
	}
	return ids
}

// suppressions lists the comments of the text, in order.
func (s suppressor) suppressions() []*suppression {
	var list []*suppression
	var scalars *scalarLines
	if !strings.Contains(s.Lines.Text, suppressionMark) {
		return nil
	}
	for i := range s.Lines.Count() {
		line := s.Lines.Line(i + 1)
		at := commentStart(line)
		if at < 0 {
			continue
		}
		if scalars == nil {
			scalars = s.indexScalars()
		}
		column := utf8.RuneCountInString(line[:at]) + 1
		if scalars.inside[i] || s.quoted(scalars.quoted[i+1], column) {
			continue
		}
		fields := strings.Fields(line[at+len(suppressionMark):])
		c := &suppression{line: i + 1, column: column, target: i + 1}
		if strings.TrimSpace(line[:at]) == "" {
			c.target++
		}
		if len(fields) > 0 {
			c.rule, c.reason = fields[0], strings.Join(fields[1:], " ")
		}
		list = append(list, c)
	}
	return list
}

// commentStart returns where a line's suppression comment begins, -1 when there is
// none. A comment stands at the start of a line or after white space.
func commentStart(line string) int {
	at := strings.Index(line, suppressionMark)
	if at < 0 || at > 0 && line[at-1] != ' ' && line[at-1] != '\t' {
		return -1
	}
	return at
}

// scalarLines tells comments from text that looks like them.
type scalarLines struct {
	inside []bool               // per line, from 0: it lies inside a scalar of several lines
	quoted map[int][]*yaml.Node // per line, from 1: the quoted scalars that begin there
}

func (s suppressor) indexScalars() *scalarLines {
	index := &scalarLines{inside: make([]bool, s.Lines.Count()), quoted: map[int][]*yaml.Node{}}
	yamltext.EachScalar(s.Root, func(n *yaml.Node) {
		if n.Line < 1 || n.Line > s.Lines.Count() {
			return
		}
		switch {
		case n.Style&(yaml.LiteralStyle|yaml.FoldedStyle) != 0:
			s.markBlock(index.inside, n)
		case n.Style&(yaml.DoubleQuotedStyle|yaml.SingleQuotedStyle) != 0:
			s.markQuoted(index.inside, n)
			index.quoted[n.Line] = append(index.quoted[n.Line], n)
		}
	})
	return index
}

// markBlock marks the content of a block scalar: the lines after its header that are
// indented at least like the first of them.
func (s suppressor) markBlock(inside []bool, n *yaml.Node) {
	if strings.Trim(n.Value, "\n") == "" {
		return // no content: the next indented line is something else
	}
	indent := -1
	for i := n.Line; i < s.Lines.Count(); i++ {
		line := s.Lines.Line(i + 1)
		body := strings.TrimLeft(line, " ")
		if body == "" {
			continue
		}
		if indent < 0 {
			indent = len(line) - len(body)
		}
		if len(line)-len(body) < indent {
			return
		}
		inside[i] = true
	}
}

// markQuoted marks the lines that a quoted scalar goes on to, up to its closing quote.
func (s suppressor) markQuoted(inside []bool, n *yaml.Node) {
	quote := byte('\'')
	if n.Style&yaml.DoubleQuotedStyle != 0 {
		quote = '"'
	}
	rest := s.Lines.From(place.NodeStart(n))
	if !strings.HasPrefix(rest, string(quote)) {
		return // a tag or an anchor stands before it; both are refused
	}
	rest = rest[1:]
	for i := n.Line; ; i++ {
		if place.ClosingQuote(rest, quote) >= 0 || i >= s.Lines.Count() {
			return
		}
		rest = s.Lines.Line(i + 1)
		end := place.ClosingQuote(rest, quote)
		inside[i] = end < 0 || strings.Contains(rest[:end], suppressionMark)
	}
}

// quoted says whether a column lies in one of the quoted scalars.
func (s suppressor) quoted(scalars []*yaml.Node, column int) bool {
	for _, n := range scalars {
		if n.Column <= column && column < s.Span(n).EndColumn {
			return true
		}
	}
	return false
}
