package check

import (
	"context"
	"slices"

	"github.com/cupel-dev/cupel/attest/internal/regex"
	"github.com/cupel-dev/cupel/attest/internal/search"
)

// expression is a compiled regular expression with words that every match contains.
type expression struct {
	*regex.Expression
	needs [][]needle // of each, a text that matches has one
}

// needle is a word in the form to search for.
type needle struct {
	form search.Form
	word string
}

func newExpression(pattern string) (*expression, error) {
	compiled, err := regex.Compile(pattern)
	if err != nil {
		return nil, err
	}
	re := &expression{Expression: compiled}
	for _, need := range compiled.Needs {
		needles := make([]needle, len(need))
		for i, l := range need {
			form := search.Form{SimpleFold: l.AnyCase}
			needles[i] = needle{form, form.Apply(l.Text)}
		}
		re.needs = append(re.needs, needles)
	}
	return re, nil
}

// seek registers the words that find needs.
func (re *expression) seek(x *search.Text) {
	for _, need := range re.needs {
		for _, n := range need {
			x.In(n.form).Seek(n.word)
		}
	}
}

// ruledOut reports whether the text lacks a word that every match contains.
func (re *expression) ruledOut(x *search.Text) bool {
	return slices.ContainsFunc(re.needs, func(need []needle) bool {
		return !slices.ContainsFunc(need, func(n needle) bool { return x.In(n.form).Has(n.word) })
	})
}

// find returns the position of a match, or nil (see regex.Expression.Find).
func (re *expression) find(ctx context.Context, x *search.Text) []int {
	if re.ruledOut(x) {
		return nil
	}
	return re.Find(ctx, x.Value)
}
