package format_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

// TestIndentationLaw draws YAML whose lists, mappings and texts go on over many lines,
// each indented as far as it must be or further. Linting and formatting take it; they
// refuse it with any of those lines too far left, or indented by a tab, or with a blank
// line that is too wide before a block of text.
func TestIndentationLaw(t *testing.T) {
	texts, spoilt := 0, 0
	rapid.Check(t, func(t *rapid.T) {
		s := &sheet{T: t, least: map[int]int{}, most: map[int]int{}, text: map[int]bool{}}
		s.mapping(0, 2)
		end := s.pick("line end", "\n", "\r\n")
		text := strings.Join(append(s.lines, ""), end)
		if linted, formatted := layoutFaults(text); len(linted)+len(formatted) > 0 {
			t.Fatalf("%s\n%q %q", text, linted, formatted)
		}
		texts++
		for i := range s.lines {
			line, ok := s.spoil(i)
			if !ok {
				continue
			}
			spoilt++
			text := strings.Join(slices.Concat(s.lines[:i], []string{line}, s.lines[i+1:], []string{""}), end)
			linted, formatted := layoutFaults(text)
			if len(linted) == 0 || !slices.Equal(linted, formatted) {
				t.Fatalf("line %d\n%s\n%q %q", i+1, text, linted, formatted)
			}
			if strings.Contains(linted[0], "continues the") && !strings.HasPrefix(linted[0], fmt.Sprintf("%d:", i+1)) {
				t.Fatalf("line %d\n%s\n%q", i+1, text, linted)
			}
		}
	})
	t.Logf("%d texts, %d spoilt ones", texts, spoilt)
}

// sheet is a text that is being drawn.
type sheet struct {
	*rapid.T
	lines []string
	least map[int]int  // of a line that goes on with something: the spaces it needs
	most  map[int]int  // of a blank line before a block of text: the spaces it may have
	text  map[int]bool // a line in a text, which also counts if it is blank
	block bool         // the last line is in a block of text
}

// spoil changes a line so that the text is not valid YAML any more. ok is false for a line with free indentation.
func (s *sheet) spoil(i int) (line string, ok bool) {
	if most, ok := s.most[i]; ok {
		return spaces(s.number("right", most+1, most+3)), true
	}
	least, ok := s.least[i]
	words := strings.TrimLeft(s.lines[i], " \t")
	if !s.text[i] && (words == "" || words[0] == '#') {
		return "", false
	}
	line = spaces(s.number("left", 0, max(least-1, 0))) + s.pick("then", "", "\t", "\t  ")
	if words == "" {
		line += "\t" // a blank line needs no indentation unless it has a tab
	}
	return line + words, ok
}

func spaces(n int) string { return strings.Repeat(" ", n) }

func (s *sheet) pick(label string, from ...string) string {
	return rapid.SampledFrom(from).Draw(s.T, label)
}

func (s *sheet) number(label string, from, to int) int {
	return rapid.IntRange(from, to).Draw(s.T, label)
}

func (s *sheet) yes(label string) bool { return rapid.Bool().Draw(s.T, label) }

// line begins a line; put goes on with it.
func (s *sheet) line(text string) {
	s.lines = append(s.lines, text)
	s.block = false
}

func (s *sheet) put(text string) { s.lines[len(s.lines)-1] += text }

// goOn begins a line of something that is in a collection in a column.
func (s *sheet) goOn(column int) {
	s.line(spaces(s.number("indent", column+1, column+4)) + s.pick("more", "", "", "\t", " \t"))
	s.least[len(s.lines)-1] = column + 1
}

// goOnText is goOn inside of a text.
func (s *sheet) goOnText(column int) {
	s.goOn(column)
	s.text[len(s.lines)-1] = true
}

// between draws lines without content. Right after a block of text, that is a comment further left.
func (s *sheet) between() {
	for s.number("blank lines", 0, 3) == 3 {
		if s.block {
			s.line("# x")
			continue
		}
		s.line(s.pick("blank line", "", " ", "\t", "   \t", "# x", "  # [", "\t# \"", "      # x"))
	}
}

// mapping draws a block mapping in a column.
func (s *sheet) mapping(column, depth int) {
	for i := range s.number("keys", 1, 3) {
		s.between()
		s.line(spaces(column))
		s.entry(fmt.Sprintf("k%d", i), column, depth)
	}
}

// entry draws a key and its value on a line that is begun.
func (s *sheet) entry(key string, column, depth int) {
	switch s.number("key", 0, 6) {
	case 6:
		s.put("? ")
		s.quoted(column, key)
		s.line(spaces(column) + ":")
	case 5:
		s.put("!!str " + key + s.pick("colon", ":", " :"))
	default:
		s.put(key + s.pick("colon", ":", " :"))
	}
	s.value(column, depth)
}

// sequence draws a block sequence in a column.
func (s *sheet) sequence(column, depth int) {
	for range s.number("items", 1, 3) {
		s.between()
		s.line(spaces(column) + "-")
		if depth > 0 && s.number("item", 0, 3) == 3 {
			s.put(" ")
			s.entry("k", column+2, depth-1)
			continue
		}
		s.value(column, depth)
	}
}

// value draws what follows the colon or the dash of a collection in a column.
func (s *sheet) value(column, depth int) {
	kind := s.number("value", 0, 6)
	switch {
	case kind == 0 && depth > 0:
		s.put(s.pick("tag", "", " !!map"))
		s.mapping(s.number("column", column+1, column+3), depth-1)
		return
	case kind == 1 && depth > 0:
		s.put(s.pick("tag", "", " !!seq"))
		s.sequence(s.number("column", column+1, column+3), depth-1)
		return
	case kind == 2:
		s.literal(column)
		return
	}
	separators := []string{" ", "  ", "\t"}
	if strings.TrimLeft(s.lines[len(s.lines)-1], " ") == ":" {
		separators = separators[:2] // the library takes no tab there, though YAML does
	}
	s.put(s.pick("separator", separators...))
	if s.number("below", 0, 4) == 4 {
		s.between()
		s.goOn(column)
	}
	switch kind {
	case 3:
		s.quoted(column, "a")
	case 4:
		s.plain(column)
	default:
		s.flow(column, 2)
	}
	s.put(s.pick("end", "", " ", "\t", " # x", "\t# \"["))
}

// literal draws a block of text.
func (s *sheet) literal(column int) {
	s.put(" ")
	if s.number("below", 0, 4) == 4 {
		s.between()
		s.line(spaces(s.number("indent", column+1, column+3)))
		s.least[len(s.lines)-1] = column + 1
	}
	step := s.number("step", 1, 4)
	s.put(s.pick("style", "|", ">") + s.pick("chomping", "", "-", "+"))
	told := s.yes("told")
	if told {
		s.put(fmt.Sprint(step))
	}
	s.put(s.pick("end", "", " ", " # 1"))
	for s.number("blank lines", 0, 2) == 2 {
		s.line(spaces(s.number("spaces", 0, column+step)))
		if !told {
			s.most[len(s.lines)-1] = column + step
		}
	}
	for range s.number("lines", 1, 2) {
		s.line(spaces(column+step) + s.pick("text", "a", "# b", "- c", "d: e", "\"", "["))
	}
	s.block = true
}

// quoted draws a text in quotes.
func (s *sheet) quoted(column int, first string) {
	quote := s.pick("quote", `"`, "'")
	escapes := map[string][]string{`"`: {"", `\"`, `\\`, `\`}, "'": {"", "''"}}[quote]
	s.put(quote + first)
	for range s.number("lines", 0, 2) {
		for s.number("empty", 0, 3) == 3 {
			if s.goOnText(column); s.yes("short") {
				delete(s.least, len(s.lines)-1)
				s.lines[len(s.lines)-1] = spaces(s.number("spaces", 0, column+3))
			}
		}
		s.goOnText(column)
		s.put(s.pick("text", "b", "- b", "c: d", "# e", "]", "? f", "é", "{ g,") + s.pick("escape", escapes...))
	}
	if text := s.lines[len(s.lines)-1]; strings.HasSuffix(text, `\`) && !strings.HasSuffix(text, `\\`) {
		s.goOnText(column)
	}
	s.put(quote)
}

// plain draws a text without quotes.
func (s *sheet) plain(column int) {
	s.put(s.pick("word", "a", "it's", `b"c`, "é:f", "g#h"))
	for range s.number("lines", 0, 2) {
		if s.number("empty", 0, 3) == 3 {
			s.goOnText(column)
		}
		s.goOnText(column)
		s.put(s.pick("word", "b", "c d", `"e"`, "f]", "g,h"))
	}
}

// flow draws a list or a mapping in brackets. Lines between its tokens may hold anything
// that means nothing.
func (s *sheet) flow(column, depth int) {
	list := s.yes("list")
	s.put(map[bool]string{true: "[", false: "{"}[list])
	for i := range s.number("members", 0, 3) {
		s.gap(column)
		if !list {
			s.put(fmt.Sprintf(s.pick("key", "k%d: ", `"k%d":`, "k%d :\t"), i))
			s.gap(column)
		}
		switch kind := s.number("member", 0, 3); {
		case kind == 0 && depth > 0:
			s.flow(column, depth-1)
		case kind == 1:
			s.quoted(column, "[")
		default:
			s.put("w")
			for range s.number("lines", 0, 1) {
				s.goOn(column)
				s.put(s.pick("word", "x", "'y", `z"`))
			}
		}
		s.gap(column)
		s.put(",")
	}
	s.gap(column)
	s.put(map[bool]string{true: "]", false: "}"}[list])
}

// gap draws the space between two tokens of a flow collection.
func (s *sheet) gap(column int) {
	s.put(s.pick("gap", "", "", " ", "\t"))
	if s.number("break", 0, 4) == 4 {
		s.put(s.pick("end", "", " # ]", "\t# '"))
		s.between()
		s.goOn(column)
	}
}
