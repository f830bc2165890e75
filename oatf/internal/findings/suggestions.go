package findings

import (
	"strings"

	"go.yaml.in/yaml/v4"

	"github.com/cupel-dev/cupel/finding"
	"github.com/cupel-dev/cupel/internal/suggest"
	"github.com/cupel-dev/cupel/oatf/internal/place"
	"github.com/cupel-dev/cupel/oatf/internal/yamltext"
)

// suggestions searches for similar words, up to a limit.
type suggestions struct {
	left  int          // of the findings beyond the limit nothing is shown
	lines *place.Lines // nil when the document has no source
}

// Hint suggests the candidate most similar to a word, or returns "".
func (s *suggestions) Hint(word string, candidates []string) string {
	if s.left--; s.left < 0 {
		return ""
	}
	return suggest.Hint(word, candidates)
}

// Suggest adds a hint and a fix to a finding about a wrong word. For words that can be correct, such as an author's
// own mode, use only Hint.
func (s *suggestions) Suggest(f *finding.Finding, word string, candidates []string) {
	if f.Help = s.Hint(word, candidates); f.Help != "" {
		near := suggest.Nearest(word, candidates)
		f.Fix = guessed(replacement(f, s.lines, word, near), word, near)
	}
}

// guessed marks a fix as unsafe if it changes the word; nil stays nil.
func guessed(fix *finding.Fix, word, meant string) *finding.Fix {
	if fix != nil {
		fix.Unsafe = !suggest.Alike(word, meant)
	}
	return fix
}

// Guess marks a finding's fix as unsafe.
func Guess(f *finding.Finding) {
	if f.Fix != nil {
		f.Fix.Unsafe = true
	}
}

// Replace adds only the fix, for a certain replacement.
func (s *suggestions) Replace(f *finding.Finding, word, by string) {
	f.Fix = replacement(f, s.lines, word, by)
}

// RenameKeys adds a fix that renames keys, unless one of them is not in the source.
func (l *List) RenameKeys(f *finding.Finding, keys []*place.Path, name string) {
	if f.Line == 0 || len(keys) == 0 {
		return
	}
	fix := &finding.Fix{Title: suggest.Title(keys[0].Key(), name)}
	for _, path := range keys {
		var key finding.Finding
		setPlace(&key, l.locator.KeyPosition(path.String()))
		one := replacement(&key, l.lines, path.Key(), name)
		if one == nil {
			return
		}
		fix.Edits = append(fix.Edits, one.Edits...)
	}
	f.Fix = fix
}

// replacement returns the fix that replaces a word, quoted or not, at a finding, or nil if the source does not
// contain the word.
func replacement(f *finding.Finding, lines *place.Lines, old, word string) *finding.Fix {
	if lines == nil || f.Line < 1 || f.Line > lines.Count() || f.EndLine != f.Line || f.EndColumn <= f.Column || !isPlainWord(word) {
		return nil
	}
	start, end := lines.Byte(f.Line, f.Column), lines.Byte(f.Line, f.EndColumn)
	switch text := lines.Slice(start, end); text {
	case old:
	case `"` + old + `"`, "'" + old + "'":
		start, end = start+1, end-1
	default:
		if !strings.HasPrefix(text, old+":") {
			return nil
		}
		end = start + len(old) // an event before its qualifier
	}
	return &finding.Fix{Title: suggest.Title(old, word), Edits: []finding.Edit{{Start: start, End: end, Text: word}}}
}

// rewritten returns the fix that adds or removes a scalar's double quotes; nil unless the source
// has the old spelling.
func rewritten(f *finding.Finding, lines *place.Lines, old, by string) *finding.Fix {
	if lines == nil || f.Line < 1 || f.Line > lines.Count() || f.EndLine != f.Line || f.EndColumn <= f.Column {
		return nil
	}
	start, end := lines.Byte(f.Line, f.Column), lines.Byte(f.Line, f.EndColumn)
	if text := lines.Slice(start, end); text != old && text != "'"+by+"'" {
		return nil
	}
	return &finding.Fix{Title: "write " + by, Edits: []finding.Edit{{Start: start, End: end, Text: by}}}
}

// MoveFirst adds the fix that moves a key's line to the top of the document, if key and value are the whole line.
func (l *List) MoveFirst(f *finding.Finding, key string) {
	if f.Line == 0 || l.locator == nil {
		return
	}
	from, to, ok := yamltext.LineOf(l.locator.Source, key)
	if !ok || from <= to {
		return
	}
	line, start, at := l.lines.Line(from), l.lines.Byte(from, 1), l.lines.Byte(to, 1)
	end := start + len(line)
	ending := l.lines.Slice(at+len(l.lines.Line(to)), l.lines.Byte(to+1, 1))
	if from < l.lines.Count() {
		end = l.lines.Byte(from+1, 1)
	}
	f.Fix = &finding.Fix{
		Title: "move " + key + " to the top",
		Edits: []finding.Edit{{Start: at, End: at, Text: line + ending}, {Start: start, End: end}},
	}
}

// isPlainWord reports whether a word never needs quotes in YAML.
func isPlainWord(word string) bool {
	const letters = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
	if word == "" || !strings.Contains(letters, word[:1]) || strings.Trim(word, letters+"0123456789_/.-") != "" {
		return false
	}
	n := &yaml.Node{Kind: yaml.ScalarNode, Value: word}
	v, _ := yamltext.Scalar(n)
	return v == any(word) && !yamltext.IsRetyped(n)
}
