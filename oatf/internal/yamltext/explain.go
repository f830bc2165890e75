package yamltext

import (
	"fmt"
	"regexp"
	"strings"
	"unicode/utf16"
	"unicode/utf8"

	"github.com/cupel-dev/cupel/internal/say"
	"github.com/cupel-dev/cupel/internal/yamlfault"
	"github.com/cupel-dev/cupel/oatf/internal/place"
	"github.com/cupel-dev/cupel/oatf/model"
)

// explain replaces a parser error by the probable mistake, which is often on another line.
func explain(e *model.ParseError, input []byte) *model.ParseError {
	text := place.SplitLines(string(input))
	if e.Line < 1 || e.Line > text.Count() {
		return e
	}
	for _, cause := range causes {
		if line, column, message, help := cause(e, text); message != "" {
			e.Position = model.Position{Line: line, Column: column}
			e.Message, e.Help = yamlfault.Invalid+message, help
			return e
		}
	}
	return e
}

// causes are the detected mistakes in order. Each returns an empty message if it does not apply.
var causes = []func(e *model.ParseError, text *place.Lines) (line, column int, message, help string){
	jsonLines, openQuote, innerQuote, blockText, strangeSpace, tab, alias, reserved, escape, surrogateEscape, template, unclosed, strayBracket, colon, listItem, emptyItem,
}

func jsonLines(e *model.ParseError, text *place.Lines) (line, column int, message, help string) {
	if e.Line > 1 && strings.HasPrefix(text.Line(e.Line), "{") && strings.HasPrefix(text.Line(1), "{") {
		return e.Line, 1, "a second JSON value begins here", "the input looks like JSON lines, but a document is one mapping"
	}
	return 0, 0, "", ""
}

// keyed matches a line with a key or a list item, and its value.
var keyed = regexp.MustCompile(`^(\s*(?:- +)*)(?:([\w./-]+):\s+|- +)(.*)$`)

func valueOf(line string) (value string, column int) {
	m := keyed.FindStringSubmatch(line)
	if m == nil {
		return "", 0
	}
	return m[3], utf8.RuneCountInString(line[:len(line)-len(m[3])]) + 1
}

// openQuote detects an unclosed quoted value before a line with a key.
func openQuote(e *model.ParseError, text *place.Lines) (line, column int, message, help string) {
	for n := 1; n < e.Line; n++ {
		value, column := valueOf(text.Line(n))
		if value == "" || value[0] != '"' && value[0] != '\'' || place.ClosingQuote(value[1:], value[0]) >= 0 || !keyed.MatchString(text.Line(n+1)) {
			continue
		}
		return n, column, fmt.Sprintf("the quoted text that begins in line %d does not end in it", n), "close the quote at the end of the text: " + shown(strings.TrimRight(value, " \t\r")+value[:1])
	}
	return 0, 0, "", ""
}

// quoted returns a value in single quotes, as it has to be written. Comments are part of it.
func quoted(value string) string {
	return shown("'" + strings.ReplaceAll(strings.TrimRight(value, " \t\r"), "'", "''") + "'")
}

// shown returns the beginning of a text of the document.
func shown(text string) string { return say.Visible(say.Preview(text, say.Usual)) }

// innerQuote detects a quoted value that ends at a quote in its text.
func innerQuote(e *model.ParseError, text *place.Lines) (line, column int, message, help string) {
	value, column := valueOf(text.Line(e.Line))
	if value == "" || value[0] != '\'' && value[0] != '"' {
		return 0, 0, "", ""
	}
	end := place.ClosingQuote(value[1:], value[0]) + 2
	rest := strings.TrimSpace(value[min(end, len(value)):])
	whole, more := strings.CutSuffix(strings.TrimRight(value, " \t\r"), value[:1])
	if end < 2 || rest == "" || rest[0] == '#' || !more {
		return 0, 0, "", ""
	}
	inner := strings.ReplaceAll(whole[1:], "'", "''")
	if value[0] == '"' {
		inner = whole[1:]
	}
	column += utf8.RuneCountInString(value[:end-1])
	return e.Line, column, "the quoted text ends at this quote, and more text follows", "a single quote in single quotes is written twice: " + shown("'"+inner+"'")
}

// blockText detects text in the line of | or >.
func blockText(e *model.ParseError, text *place.Lines) (line, column int, message, help string) {
	value, column := valueOf(text.Line(e.Line))
	if !strings.Contains(e.Message, "scanning a block scalar") || value == "" || value[0] != '|' && value[0] != '>' {
		return 0, 0, "", ""
	}
	return e.Line, column, fmt.Sprintf("the text of %s must begin in the next line", value[:1]),
		"move it there and indent it further than the key, or put it in quotes: " + quoted(strings.TrimLeft(value[1:], " "))
}

// strangeSpace detects a non-YAML space at a key.
func strangeSpace(e *model.ParseError, text *place.Lines) (line, column int, message, help string) {
	for n := e.Line; n >= max(1, e.Line-1); n-- {
		content := text.Line(n)
		for _, space := range []string{"\u00a0", "\u202f", "\u2007", "\u3000"} {
			at := strings.Index(content, space)
			if at < 0 {
				continue
			}
			before := strings.TrimSpace(content[:at])
			if before == "" || strings.HasSuffix(before, ":") || before == "-" {
				r, _ := utf8.DecodeRuneInString(space)
				return n, utf8.RuneCountInString(content[:at]) + 1, fmt.Sprintf("the no-break space (%U) here counts as a letter in YAML", r),
					"replace it with a normal space: " + shown(strings.TrimSpace(content[:at]+" "+strings.TrimLeft(content[at+len(space):], " ")))
			}
		}
	}
	return 0, 0, "", ""
}

func tab(e *model.ParseError, text *place.Lines) (line, column int, message, help string) {
	content := text.Line(e.Line)
	if indent := content[:len(content)-len(strings.TrimLeft(content, " \t"))]; strings.Contains(indent, "\t") {
		return e.Line, strings.IndexByte(indent, '\t') + 1, "a tab indents the line", tabsDoNotIndent
	}
	return 0, 0, "", ""
}

func alias(e *model.ParseError, text *place.Lines) (line, column int, message, help string) {
	if !strings.Contains(e.Message, "unknown anchor") {
		return 0, 0, "", ""
	}
	value, column := valueOf(text.Line(e.Line))
	if !strings.HasPrefix(value, "*") {
		value, column = "*", e.Column
		if rest := []rune(text.Line(e.Line)); 0 < column && column <= len(rest) && rest[column-1] == '*' {
			value = string(rest[column-1:])
		}
	}
	word := value[:1+strings.IndexAny(value[1:]+" ", " ,]}")]
	return e.Line, column, fmt.Sprintf("%q is a YAML alias, and an OATF document has no aliases", say.Preview(word, say.Usual)), "write the value in full, or put a text that begins with * in quotes: " + quoted(value)
}

// reserved finds a value that begins with a character reserved by YAML.
func reserved(e *model.ParseError, text *place.Lines) (line, column int, message, help string) {
	value, column := valueOf(text.Line(e.Line))
	if strings.Contains(e.Message, "cannot start any token") && value != "" && strings.ContainsRune("@`%", rune(value[0])) {
		return e.Line, column, fmt.Sprintf("a text without quotes cannot begin with %s", value[:1]), quoteIt + quoted(value)
	}
	return 0, 0, "", ""
}

func escape(e *model.ParseError, text *place.Lines) (line, column int, message, help string) {
	if !strings.Contains(e.Message, "unknown escape") {
		return 0, 0, "", ""
	}
	value, column := valueOf(text.Line(e.Line))
	help = `use single quotes, where \ is an ordinary character, or double the backslash: \\`
	if value == "" {
		column = e.Column
	} else if end := place.ClosingQuote(value[1:], '"'); value[0] == '"' && end >= 0 {
		help = `use single quotes, where \ is an ordinary character: ` + quoted(value[1:end+1])
	}
	return e.Line, column, `a backslash in double quotes begins an escape, but this escape does not exist`, help
}

// halfPair matches an escape of half a pair of surrogates, with the other half.
var halfPair = regexp.MustCompile(`(?i)\\u(d[89a-f][[:xdigit:]]{2})(?:\\u(d[c-f][[:xdigit:]]{2}))?`)

// surrogateEscape detects an escape of a surrogate, which only JSON has.
func surrogateEscape(e *model.ParseError, text *place.Lines) (line, column int, message, help string) {
	content := text.Line(e.Line)
	at := halfPair.FindStringSubmatchIndex(content)
	if !strings.Contains(e.Message, "invalid Unicode character escape") || at == nil {
		return 0, 0, "", ""
	}
	m := halfPair.FindStringSubmatch(content)
	help = "write the character itself"
	if r := utf16.DecodeRune(surrogate([]byte(m[1])), surrogate([]byte(m[2]))); r != utf8.RuneError {
		help += fmt.Sprintf(", or \\U%08X", r)
	}
	column = utf8.RuneCountInString(content[:at[0]]) + 1
	return e.Line, column, m[0][:6] + " is half of a character (a surrogate), which YAML does not allow", help
}

const quoteIt = "put the text in quotes: "

// template finds an unquoted template, because YAML reads {{ as a mapping in a mapping.
func template(e *model.ParseError, text *place.Lines) (line, column int, message, help string) {
	if value, column := valueOf(text.Line(e.Line)); strings.HasPrefix(value, "{{") {
		return e.Line, column, "in YAML, a value that begins with {{ is a mapping", quoteIt + quoted(value)
	}
	return 0, 0, "", ""
}

var beginsIn = regexp.MustCompile(`flow (sequence|mapping) that begins in line (\d+)`)

// unclosed finds a list or a mapping in brackets that is not closed.
func unclosed(e *model.ParseError, text *place.Lines) (line, column int, message, help string) {
	if !strings.Contains(e.Message, "did not find expected ','") {
		return 0, 0, "", ""
	}
	begins, bracket, closing := e.Line, "[", "]"
	if m := beginsIn.FindStringSubmatch(e.Message); m != nil {
		_, _ = fmt.Sscan(m[2], &begins)
	}
	if strings.Contains(e.Message, "'}'") {
		bracket, closing = "{", "}"
	}
	if begins > text.Count() || begins == e.Line {
		return e.Line, e.Column, fmt.Sprintf("expected , or %s: the part that begins with %s is not closed", closing, bracket), "add " + closing + ", or put a text with special characters in quotes"
	}
	at := strings.LastIndex(text.Line(begins), bracket)
	return begins, max(at, 0) + 1, fmt.Sprintf("the %s that begins in line %d is not closed", bracket, begins), "add " + closing + " at the end"
}

func strayBracket(e *model.ParseError, text *place.Lines) (line, column int, message, help string) {
	content := strings.TrimSpace(text.Line(e.Line))
	if strings.Contains(e.Message, "did not find expected") && content != "" && strings.ContainsRune("}]", rune(content[0])) {
		return e.Line, e.Column, fmt.Sprintf("%s does not close an open bracket", content[:1]), "remove " + content[:1]
	}
	return 0, 0, "", ""
}

// colon finds a value with a colon and a space, which starts a mapping.
func colon(e *model.ParseError, text *place.Lines) (line, column int, message, help string) {
	if !strings.Contains(e.Message, "mapping values are not allowed") {
		return 0, 0, "", ""
	}
	if value, column := valueOf(text.Line(e.Line)); strings.Contains(value, ": ") || strings.HasSuffix(value, ":") {
		return e.Line, column, "the value contains a colon and a space, which begins a mapping", quoteIt + quoted(value)
	}
	return e.Line, e.Column, "a key is not allowed here", "indent it like its neighbors, or put the text in quotes"
}

// listItem finds a list item with an indentation that differs from the others.
func listItem(e *model.ParseError, text *place.Lines) (line, column int, message, help string) {
	if !strings.Contains(e.Message, "did not find expected '-'") && !strings.Contains(e.Message, "did not find expected key") {
		return 0, 0, "", ""
	}
	return e.Line, e.Column, "the indentation does not match any line before it", "align it with the keys that it belongs to: the same column, with spaces"
}

// emptyItem finds a line with only a dash whose next line is not indented further.
func emptyItem(e *model.ParseError, text *place.Lines) (line, column int, message, help string) {
	if !strings.Contains(e.Message, "did not find expected node content") || e.Line < 2 || strings.TrimSpace(text.Line(e.Line-1)) != "-" {
		return 0, 0, "", ""
	}
	owner := "the key above"
	for n := e.Line - 1; n > 0; n-- {
		content := strings.TrimSpace(text.Line(n))
		if key, is := strings.CutSuffix(content, ":"); is {
			owner = key
			break
		}
		if content != "-" && content != "" {
			break
		}
	}
	return e.Line - 1, 1, "- makes " + owner + " a list, and the next line is not part of its item", "remove -, or indent the lines of the item further"
}
