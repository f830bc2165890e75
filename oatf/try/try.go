// Package try evaluates a single path, condition, predicate, regular expression, JSONPath query, CEL expression,
// template or trigger on a message and explains the result (SDK specification §4.3, §5). Results equal those of
// package oatf's primitives. Functions that depend on the revision are methods of Revised.
package try

import (
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/cupel-dev/cupel/internal/say"
	"github.com/cupel-dev/cupel/oatf"
	"github.com/cupel-dev/cupel/oatf/internal/profile"
	"github.com/cupel-dev/cupel/oatf/internal/revision"
	"github.com/cupel-dev/cupel/oatf/model"
)

// Revised evaluates under a revision of the format.
type Revised struct {
	as     *profile.Profile
	public oatf.Profile
}

// Under selects a revision; "" is sdk-0.1.
func Under(r oatf.Revision) Revised { return Revised{revision.Of(r), oatf.Under(r)} }

// Revision returns the revision.
func (r Revised) Revision() oatf.Revision { return r.as.Revision }

// MaxFound limits the values listed in an answer.
const MaxFound = 100

// Answer is the result of a trial.
type Answer struct {
	Holds    bool    // it holds, matches or finds something
	Found    []Found // up to MaxFound
	More     int     // number of omitted results
	Why      []string
	Warnings []oatf.Diagnostic
}

// Found is a value that was found.
type Found struct {
	At    string // where; "" when there is nothing to say, or the message itself
	Value oatf.Value
}

func (a *Answer) add(at string, v oatf.Value) {
	if len(a.Found) == MaxFound {
		a.More++
		return
	}
	a.Found = append(a.Found, Found{at, v})
}

func (a *Answer) because(format string, args ...any) {
	a.Why = append(a.Why, fmt.Sprintf(format, args...))
}

// SyntaxError is the error for a malformed expression.
type SyntaxError struct {
	What         string // "path", "regular expression"
	Text         string // the expression
	Line, Column int    // 1-based, in code points
	Message      string
	Help         string // suggested replacement, or ""
}

// Error returns the message and position.
func (e *SyntaxError) Error() string {
	place := fmt.Sprintf("column %d", e.Column)
	if strings.Contains(e.Text, "\n") {
		place = fmt.Sprintf("line %d, column %d", e.Line, e.Column)
	}
	return fmt.Sprintf("%s of the %s: %s", place, e.What, e.Message)
}

// syntaxAt returns the error at a byte of an expression.
func syntaxAt(what, text string, offset int, message string) *SyntaxError {
	before := text[:max(0, min(offset, len(text)))]
	line := strings.Count(before, "\n") + 1
	column := utf8.RuneCountInString(before[strings.LastIndexByte(before, '\n')+1:]) + 1
	return &SyntaxError{What: what, Text: text, Line: line, Column: column, Message: message}
}

// placed returns the error of a message that includes its position.
func placed(what, text string, err error) *SyntaxError {
	message := err.Error()
	e := &SyntaxError{What: what, Text: text, Line: 1, Column: 1, Message: message}
	for _, form := range placeForms {
		m := form.FindStringSubmatch(message)
		if m == nil {
			continue
		}
		numbers := m[1:]
		if len(numbers) == 2 {
			e.Line, _ = strconv.Atoi(numbers[0]) // the form has digits
			numbers = numbers[1:]
		}
		e.Column, _ = strconv.Atoi(numbers[0])
		e.Message = strings.TrimSpace(strings.Replace(message, m[0], "", 1))
		break
	}
	return e
}

// placeForms match positions in expression parsers' errors.
var placeForms = []*regexp.Regexp{
	regexp.MustCompile(` \(line (\d+), column (\d+) of the expression\)`),
	regexp.MustCompile(` at position (\d+)`),
}

// readValue parses a part of a document from YAML or JSON.
func readValue(what, text string) (oatf.Value, error) {
	v, err := oatf.ParseValue([]byte(text))
	if err != nil {
		return nil, ofParse(what, text, err)
	}
	return v, nil
}

func ofParse(what, text string, err error) error {
	e := &SyntaxError{What: what, Text: text, Line: 1, Column: 1, Message: err.Error()}
	faults, ok := err.(oatf.ParseErrors) //nolint:errorlint // it is what Parse returns
	if !ok || len(faults) == 0 {
		return e
	}
	first := faults[0]
	if e.Message = first.Message; first.Path != "" {
		e.Message = first.Path + ": " + first.Message
	}
	if e.Help = first.Help; first.Line > 0 {
		e.Line, e.Column = first.Line, first.Column
	}
	if key := first.Path[strings.LastIndexByte(first.Path, '.')+1:]; first.Line == 0 && key != "" {
		if at := strings.Index(text, key); at >= 0 {
			e.Line, e.Column = syntaxAt(what, text, at, "").Line, syntaxAt(what, text, at, "").Column
		}
	}
	return e
}

func described(v oatf.Value) string {
	switch v := v.(type) {
	case nil:
		return "null"
	case bool:
		return fmt.Sprintf("the boolean %t", v)
	case string:
		return "the string " + say.Quoted(v)
	case model.Number:
		return "the number " + say.Preview(string(v), say.Usual)
	case []oatf.Value:
		return fmt.Sprintf("a list of %d", len(v))
	case model.Object:
		return "an object" + keysOf(v)
	}
	return "nothing"
}

// mostKeys is the number of keys of an object a sentence lists.
const mostKeys = 8

func keysOf(o model.Object) string {
	if len(o) == 0 {
		return " without members"
	}
	keys := make([]string, 0, mostKeys)
	for _, m := range o[:min(len(o), mostKeys)] {
		keys = append(keys, say.Quoted(m.Key))
	}
	text := " with " + strings.Join(keys, ", ")
	if more := len(o) - mostKeys; more > 0 {
		text += say.More(more)
	}
	return text
}

// keys returns the names of up to most members of an object.
func keys(o model.Object, most int) []string {
	var list []string
	for _, m := range o[:min(len(o), most)] {
		list = append(list, m.Key)
	}
	return slices.Clip(list)
}
