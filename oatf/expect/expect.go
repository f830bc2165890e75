// Package expect reads the tests of an OATF document, the captures on which it must and must not find
// its attack, and compares them with verdicts.
//
//	attack:                  # the verdict must be exploited
//	  - complied.jsonl
//	benign:                  # it must be not_exploited, or the document not applicable
//	  - ordinary/*.jsonl
//	expected:                # it must be exactly this
//	  - capture: half.jsonl
//	    result: partial
//	    indicators: {ACME-001-01: matched, ACME-001-02: not_matched}
package expect

import (
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"go.yaml.in/yaml/v4"

	"github.com/cupel-dev/cupel/internal/keyfile"
	"github.com/cupel-dev/cupel/internal/say"
	"github.com/cupel-dev/cupel/internal/suggest"
	"github.com/cupel-dev/cupel/oatf/eval"
)

// Suffix replaces the extension of a document in the name of its test file.
const Suffix = ".test.yaml"

// Tests are the tests of a document.
type Tests struct {
	Cases []Case // in the order of the file
}

// Case is a capture, or a pattern for several, and the expected verdict.
type Case struct {
	Capture keyfile.Entry // a path below the document's folder, perhaps with * and **
	Results []eval.AttackResult
	Attack  bool // the capture shows the attack

	Indicators []Indicator // those with expected results as well
}

// Indicator is the expected result of an indicator.
type Indicator struct {
	ID     keyfile.Entry
	Result eval.IndicatorResult
}

type file struct {
	attack, benign []keyfile.Entry
	expected       []Case
}

var fileKeys = []keyfile.Key[file]{
	{Name: "attack", Read: func(f *file, n *yaml.Node) (err *keyfile.Error) { f.attack, err = keyfile.Words(n); return err }},
	{Name: "benign", Read: func(f *file, n *yaml.Node) (err *keyfile.Error) { f.benign, err = keyfile.Words(n); return err }},
	{Name: "expected", Read: func(f *file, n *yaml.Node) (err *keyfile.Error) {
		f.expected, err = keyfile.List(n, "expected verdicts", readCase)
		return err
	}},
}

var caseKeys = []keyfile.Key[Case]{
	{Name: "capture", Read: func(c *Case, n *yaml.Node) *keyfile.Error { return readWord(&c.Capture, n) }},
	{Name: "result", Read: func(c *Case, n *yaml.Node) *keyfile.Error {
		result, err := oneOf(n, []eval.AttackResult{eval.Exploited, eval.Partial, eval.NotExploited, eval.NotApplicable, eval.AttackError})
		c.Results, c.Attack = []eval.AttackResult{result}, result == eval.Exploited || result == eval.Partial
		return err
	}},
	{Name: "indicators", Read: readIndicators},
}

// Parse reads the tests of a document. The error is a [keyfile.Error].
func Parse(path string, text []byte) (*Tests, error) {
	read, err := keyfile.Parse(path, text, fileKeys)
	if err != nil {
		return nil, err
	}
	t := &Tests{}
	for _, e := range read.attack {
		t.Cases = append(t.Cases, Case{Capture: e, Results: []eval.AttackResult{eval.Exploited}, Attack: true})
	}
	for _, e := range read.benign {
		t.Cases = append(t.Cases, Case{Capture: e, Results: []eval.AttackResult{eval.NotExploited, eval.NotApplicable}})
	}
	t.Cases = append(t.Cases, read.expected...)
	for i := range t.Cases {
		if at := t.Cases[i].Capture; !filepath.IsLocal(filepath.FromSlash(at.Text)) {
			return nil, &keyfile.Error{
				Path: path, Line: at.Line, Column: at.Column, Message: fmt.Sprintf("capture %s is not below the folder of the document", say.Quoted(at.Text)),
				Hint: "name it by a relative path without ..",
			}
		}
	}
	if len(t.Cases) == 0 {
		return nil, &keyfile.Error{Path: path, Message: "the file names no captures", Hint: "list captures under attack, benign or expected"}
	}
	return t, nil
}

func readCase(c *Case, n *yaml.Node) *keyfile.Error {
	if err := keyfile.Mapping(c, n, caseKeys); err != nil {
		return err
	}
	switch {
	case c.Capture.Text == "":
		return keyfile.Fault(n, "key capture is missing")
	case c.Results == nil:
		return keyfile.Fault(n, "key result is missing")
	}
	return nil
}

func readWord(e *keyfile.Entry, n *yaml.Node) *keyfile.Error {
	word, err := keyfile.Word(n)
	if err == nil {
		*e = *word
	}
	return err
}

// readIndicators reads a mapping of ids to results.
func readIndicators(c *Case, n *yaml.Node) *keyfile.Error {
	if n.Kind != yaml.MappingNode {
		return keyfile.Fault(n, "expected a mapping of indicator ids to results")
	}
	for i := 0; i+1 < len(n.Content); i += 2 {
		x := Indicator{}
		err := readWord(&x.ID, n.Content[i])
		if err == nil {
			x.Result, err = oneOf(n.Content[i+1], []eval.IndicatorResult{eval.Matched, eval.NotMatched, eval.Error, eval.Skipped})
		}
		if err != nil {
			return err
		}
		c.Indicators = append(c.Indicators, x)
	}
	return nil
}

func oneOf[E ~string](n *yaml.Node, known []E) (E, *keyfile.Error) {
	names := make([]string, len(known))
	for i, k := range known {
		names[i] = string(k)
	}
	word, err := keyfile.Word(n)
	if err != nil {
		return "", err
	}
	if !slices.Contains(names, word.Text) {
		return "", keyfile.Fault(n, fmt.Sprintf("%s is not one of %s", say.Quoted(word.Text), strings.Join(names, ", "))).Suggest(word.Text, names)
	}
	return E(word.Text), nil
}

// Known returns the mistake of the first case that expects a result of an unknown indicator, or nil.
func (t *Tests) Known(path string, ids []string) error {
	for i := range t.Cases {
		for _, x := range t.Cases[i].Indicators {
			if slices.Contains(ids, x.ID.Text) {
				continue
			}
			hint := suggest.Hint(x.ID.Text, ids)
			if hint == "" {
				hint = "known: " + strings.Join(ids, ", ")
			}
			return &keyfile.Error{
				Path: path, Line: x.ID.Line, Column: x.ID.Column, Hint: hint,
				Message: fmt.Sprintf("the document has no indicator %s", say.Quoted(x.ID.Text)),
			}
		}
	}
	return nil
}

// Expected describes the expected verdict.
func (c *Case) Expected() string {
	words := make([]string, len(c.Results))
	for i, r := range c.Results {
		words[i] = string(r)
	}
	text := strings.Join(words, " or ")
	for _, x := range c.Indicators {
		text += fmt.Sprintf(", %s %s", x.ID.Text, x.Result)
	}
	return text
}

// Judge compares a verdict with the expected one. If they differ, ok is false and found describes the verdict.
func (c *Case) Judge(v *eval.AttackVerdict) (found string, ok bool) {
	ok, found = slices.Contains(c.Results, v.Result), string(v.Result)
	if v.Baseless() {
		ok, found = false, found+": no indicator can match any message"
	}
	for _, x := range c.Indicators {
		for i := range v.IndicatorVerdicts {
			if is := &v.IndicatorVerdicts[i]; is.IndicatorID == x.ID.Text {
				ok = ok && is.Result == x.Result
				found += fmt.Sprintf(", %s %s", is.IndicatorID, is.Result)
			}
		}
	}
	return found, ok
}
