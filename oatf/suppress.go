package oatf

import (
	"fmt"
	"regexp"
	"slices"
	"strings"

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

// suppressionMark starts a comment that suppresses findings on its line or, in a comment by itself, on the next
// line after such comments. With fileMark, it suppresses them in the whole document. Spaces after # are optional.
const (
	suppressionMark = "# cupel:ignore"
	fileMark        = "-file"
)

// mark matches a suppression comment. looksLikeMark matches a comment that is probably meant as one.
var (
	mark          = regexp.MustCompile(`(?:^|[ \t])(#[ \t]*cupel:ignore)`)
	looksLikeMark = regexp.MustCompile(`(?i)(?:^|[ \t])(#[ \t]*cupel(?::[ \t]*|[-_])ignore)`)
)

// mayHoldMark quickly excludes most texts, which have no suppression comment.
func mayHoldMark(lines *place.Lines) bool {
	ignores := func(text string) bool {
		return strings.Contains(text, "ignore") || strings.Contains(text, "Ignore") || strings.Contains(text, "IGNORE")
	}
	if !ignores(lines.Text) {
		return false
	}
	for i := range lines.Count() {
		if line := lines.Line(i + 1); ignores(line) && looksLikeMark.MatchString(line) {
			return true
		}
	}
	return false
}

// wholeFile is an aim that covers all lines.
const wholeFile = -1

type aim struct {
	line int
	rule string // id
}

type suppression struct {
	line   int // of the comment
	column int
	size   int
	used   *bool // shared by all of the same aim
	rule   string
}

// suppressor finds the suppression comments of a text.
type suppressor struct {
	*place.Source
	*profile.Profile // of the document

	list  []suppression
	aims  map[aim]*bool // whether it has been of use
	wrong []Finding     // about the comments, up to the limit
	more  int           // beyond it
}

// suppress removes suppressed findings and adds findings about faulty comments. Comments about lint rules are
// ignored unless all lint rules ran.
func (s *suppressor) suppress(list []Finding, linted bool) []Finding {
	if !mayHoldMark(s.Lines) {
		return list
	}
	s.aims = map[aim]*bool{}
	s.readComments(linted)
	kept := list[:0:0]
	for _, f := range list {
		kept = append(kept, s.keepUnsuppressed(f)...)
	}
	for _, c := range s.list {
		if !*c.used {
			s.report(func() Finding { return s.unneeded(c) })
		}
	}
	kept = append(kept, s.wrong...)
	if s.more > 0 {
		kept = append(kept, summarize(kept[len(kept)-1], s.more, "suppression", s.Limits.Errors))
	}
	return kept
}

// keepUnsuppressed returns the unsuppressed part of a finding, or nothing if its own rule is suppressed.
func (s *suppressor) keepUnsuppressed(f Finding) []Finding {
	whole := !s.suppressed(f.Line, f.Rule)
	return model.Narrow(f, func(e Finding) bool { return !s.suppressed(e.Line, e.Rule) && whole })
}

// suppressed reports whether a rule is suppressed on a line, and records that the comment was needed.
func (s *suppressor) suppressed(line int, rule string) (hit bool) {
	for _, at := range []int{line, wholeFile} {
		if used := s.aims[aim{at, rule}]; used != nil {
			*used, hit = true, true
		}
	}
	return hit
}

func (s *suppressor) report(wrong func() Finding) {
	if len(s.wrong) >= s.Limits.Errors {
		s.more++
		return
	}
	s.wrong = append(s.wrong, wrong())
}

func (s *suppressor) about(rule rules.Handle, c comment, message, help string) Finding {
	f := s.Rules.New(rule, message)
	f.Help, f.Detail = help, Detail{Kind: model.KindWarning}
	f.Line, f.Column, f.EndLine, f.EndColumn = c.line, c.column, c.line, c.column+c.size
	return f
}

// unneeded returns the finding about a suppression without effect.
func (s *suppressor) unneeded(c suppression) Finding {
	help := s.otherMeaning(c.rule)
	if help == "" {
		help = "remove it"
	}
	message := fmt.Sprintf("the suppression of %s is not needed: the rule finds nothing there", say.Quoted(c.rule))
	return s.about(rules.Needed, comment{line: c.line, column: c.column, size: c.size}, message, help)
}

type comment struct {
	line, column int
	size         int    // of the mark, in code points
	target       int    // the line that it is about, unless it is about the file
	alone        bool   // alone on its line
	mark, text   string // its prefix, and the rest
}

func (s *suppressor) readComments(linted bool) {
	comments := s.comments()
	for i := len(comments) - 1; i >= 0; i-- {
		c := &comments[i]
		if c.target = c.line; c.alone {
			c.target++
			if i+1 < len(comments) && comments[i+1].alone && comments[i+1].line == c.target {
				c.target = comments[i+1].target // the comments above a line are all about it
			}
		}
	}
	for _, c := range comments {
		s.readComment(c, linted)
	}
}

func (s *suppressor) comments() (list []comment) {
	for _, c := range yamltext.Comments(s.Lines, s.Root) {
		found := looksLikeMark.FindStringSubmatchIndex(s.Lines.Text[c.Start:c.End])
		if found == nil {
			continue
		}
		start, end := c.Start+found[2], c.Start+found[3]
		at := s.Lines.Position(start)
		list = append(list, comment{
			line: at.Line, column: at.Column, size: end - start,
			alone: strings.TrimSpace(s.Lines.Text[s.Lines.In(at.Line, 1):start]) == "",
			mark:  s.Lines.Text[start:end], text: s.Lines.Text[end:c.End],
		})
	}
	return list
}

func (s *suppressor) readComment(c comment, linted bool) {
	text, file := strings.CutPrefix(c.text, fileMark)
	target := c.target
	if file {
		target = wholeFile
	}
	list, reason := cutRules(text)
	switch {
	case !mark.MatchString(c.mark), text != "" && strings.Trim(text[:1], " \t") != "":
		word, _, _ := strings.Cut(strings.ReplaceAll(c.text, "\t", " "), " ")
		s.report(func() Finding {
			return s.about(rules.Form, c, fmt.Sprintf("%s is not a known comment, and is ignored", say.Quoted(strings.TrimLeft(c.mark, "# \t")+word)), "write "+suppressionMark+" or "+suppressionMark+fileMark)
		})
	case file && (!c.alone || c.line >= s.beginning()):
		s.report(func() Finding {
			return s.about(rules.Form, c, "the suppression of a whole file is not at the top of the file and is ignored", "write it on a separate line, above the first key")
		})
	case len(list) == 0 || reason == "":
		s.report(func() Finding {
			return s.about(rules.Reason, c, "the suppression has no reason and is ignored", "write "+suppressionMark+" V-018 and why")
		})
	default:
		for _, rule := range list {
			s.take(c, target, rule, linted)
		}
	}
}

func (s *suppressor) take(c comment, target int, rule string, linted bool) {
	id := strings.ToUpper(rule)
	if !knownAnywhere(id) {
		s.report(func() Finding {
			ids := ruleIDs(s.Rules)
			return s.about(rules.Known, c, fmt.Sprintf("the suppression names %s, which is not a rule", say.Quoted(rule)), suggest.Hint(rule, ids))
		})
		return
	}
	at := aim{target, id}
	if s.aims[at] == nil {
		s.aims[at] = new(bool)
		*s.aims[at] = !linted && s.needsStrict(id)
	} else if n := len(s.list); n > 0 && s.list[n-1].line == c.line && s.list[n-1].rule == id {
		return // twice in a row
	}
	s.list = append(s.list, suppression{c.line, c.column, c.size, s.aims[at], id})
}

// needsStrict reports whether a rule of the revision, or of another one, needs --strict.
func (s *suppressor) needsStrict(id string) bool {
	h, ok := s.Rules.Lookup(id)
	return !ok && strings.HasPrefix(id, "L-") || ok && s.Rules.NeedsStrict(h)
}

// cutRules splits a comment into rules and reason. Spaces can surround the commas. The reason starts with the first
// word that is not an id.
func cutRules(text string) (list []string, reason string) {
	for {
		text = strings.TrimLeft(text, " \t,")
		end := strings.IndexAny(text, " \t,")
		if end < 0 {
			end = len(text)
		}
		word := text[:end]
		if word == "" || len(list) > 0 && !likeID.MatchString(word) {
			return list, text
		}
		list, text = append(list, word), text[end:]
		if rest := strings.TrimLeft(text, " \t"); !strings.HasPrefix(rest, ",") {
			return list, rest
		}
	}
}

// likeID matches text that is probably meant as a rule id.
var likeID = regexp.MustCompile(`^\pL-\S*\d`)

// beginning returns the first line that is not a comment.
func (s *suppressor) beginning() int {
	first := s.Root
	for first.Kind == yaml.DocumentNode && len(first.Content) > 0 {
		first = first.Content[0]
	}
	return first.Line
}

// knownAnywhere reports whether any revision has a rule with the id.
func knownAnywhere(id string) bool {
	return slices.ContainsFunc(revision.All, func(p *profile.Profile) bool {
		_, ok := p.Rules.Lookup(id)
		return ok
	})
}

// otherMeaning describes the meaning of an id in another revision, or returns "". It looks at an earlier revision,
// or at one that has the id if the document's does not.
func (s *suppressor) otherMeaning(id string) string {
	_, known := s.Rules.Lookup(id)
	earlier := true
	for _, p := range revision.All {
		earlier = earlier && p != s.Profile
		rule, ok := p.Rules.Lookup(id)
		now := s.Rules.ID(rule)
		switch {
		case !ok || known && !earlier || now == id:
		case now == "":
			return fmt.Sprintf("the rule %s of revision %s is not in %s, the document's revision", id, p.Revision, s.Revision)
		default:
			return fmt.Sprintf("the rule %s of revision %s is %s in %s, the document's revision", id, p.Revision, now, s.Revision)
		}
	}
	return ""
}

func ruleIDs(set *rules.Set) (ids []string) {
	for _, r := range set.Table() {
		ids = append(ids, r.ID)
	}
	return ids
}
