package try

import (
	"context"
	"errors"
	"fmt"
	"regexp/syntax"
	"strings"

	"github.com/cupel-dev/cupel/internal/say"
	"github.com/cupel-dev/cupel/oatf"
	"github.com/cupel-dev/cupel/oatf/eval"
	"github.com/cupel-dev/cupel/oatf/internal/cel"
	"github.com/cupel-dev/cupel/oatf/internal/expression"
	"github.com/cupel-dev/cupel/oatf/internal/jsonpath"
	"github.com/cupel-dev/cupel/oatf/internal/profile"
	"github.com/cupel-dev/cupel/oatf/internal/value"
)

// Regex searches a message with a regular expression, as extractors do (§5.6): strings unchanged, other values as
// compact JSON. In sdk-0.1 conditions search only strings.
func (r Revised) Regex(pattern string, message oatf.Value) (*Answer, error) {
	compiled, _, err := expression.CompileRegex(pattern)
	if err != nil {
		e := regexFault(pattern, err)
		e.Help = expression.RegexHelp(pattern)
		return nil, e
	}
	a := &Answer{}
	text, isText := message.(string)
	if !isText {
		text = string(value.Text(nil, message))
		condition := "a condition does not match"
		if r.as.Evaluation.Texts == profile.CompactJSON {
			condition = "a condition in its JSON with sorted keys"
		}
		a.because("the message is %s: an extractor searches in its JSON, %s", described(message), condition)
	}
	for _, at := range compiled.FindAllStringSubmatchIndex(text, MaxFound+1) {
		a.add(strings.TrimPrefix(between(text, at[0], at[1]), "at "), text[at[0]:at[1]])
	}
	a.Holds = len(a.Found) > 0
	first := compiled.FindStringSubmatchIndex(text)
	switch {
	case first == nil:
		a.because("it matches nowhere in %s", described(text))
	case len(first) == 2:
		a.because("the expression has no group, so an extractor would capture nothing")
	case first[2] < 0:
		a.because("group 1 is not part of the first match, so an extractor would capture nothing")
	default:
		a.because("an extractor captures group 1 of the first match: %s", say.Quoted(text[first[2]:first[3]]))
	}
	return a, nil
}

const regularExpression = "regular expression"

func regexFault(pattern string, err error) *SyntaxError {
	fault := &SyntaxError{What: regularExpression, Text: pattern, Line: 1, Column: 1, Message: err.Error()}
	_, err = syntax.Parse(pattern, syntax.Perl)
	if own, ok := errors.AsType[*syntax.Error](err); ok {
		fault = syntaxAt(regularExpression, pattern, max(0, strings.Index(pattern, own.Expr)), fault.Message)
	}
	return fault
}

// JSONPath returns the nodes of a query (RFC 9535) in a message. An extractor would take the first (§5.6).
func JSONPath(query string, message oatf.Value) (*Answer, error) {
	compiled, err := jsonpath.Compile(query)
	if err != nil {
		return nil, placed("JSONPath", query, err)
	}
	a := &Answer{}
	if err := compiled.Each(message, func(v oatf.Value) bool {
		a.add(fmt.Sprintf("node %d", len(a.Found)+1), v)
		return a.More == 0
	}); err != nil {
		return nil, err
	}
	if a.Holds = len(a.Found) > 0; !a.Holds {
		a.because("no node: the message is %s", described(message))
		return a, nil
	}
	a.because("an extractor captures the first node: %s", say.Quoted(string(value.Text(nil, a.Found[0].Value))))
	return a, nil
}

// CEL evaluates an expression on a message (§4.3). Variables are bound to the values at simple dot-paths, or null.
// Results that are not boolean are returned, although an indicator would fail. A missing key is an error in 2026-03
// and a note in sdk-0.1. The error is a SyntaxError or an EvaluationError.
func (r Revised) CEL(ctx context.Context, text string, message oatf.Value, variables []oatf.Variable) (*Answer, error) {
	if err := cel.Check(text); err != nil {
		return nil, placed("CEL expression", text, err)
	}
	a := &Answer{}
	bound := map[string]oatf.Value{"message": message}
	for _, v := range variables {
		if err := checkPath(v.Path, oatf.CheckSimplePath); err != nil {
			return nil, err
		}
		found := false
		if bound[v.Name], found = oatf.ResolveSimplePath(v.Path, message); !found {
			a.because("variable %s is null: %s", v.Name, strings.Join(stops(v.Path, message), "; "))
		}
	}
	result, err := eval.NewCEL(eval.CELOptions{AnyType: true, StrictMissing: true}).Evaluate(ctx, text, bound)
	if err != nil {
		if r.as.Evaluation.StrictMissing {
			return nil, err
		}
		absent := err
		if result, err = eval.NewCEL(eval.CELOptions{AnyType: true}).Evaluate(ctx, text, bound); err != nil {
			return nil, err
		}
		a.because("%s: an indicator does not match; --strict-missing makes it an error", textOf(absent))
	}
	truth, isBool := result.(bool)
	if a.Holds = truth || !isBool; !isBool {
		a.because("an indicator needs true or false, so this is the error type_error")
	}
	a.add("", result)
	return a, nil
}

func textOf(err error) string {
	if own, ok := errors.AsType[*oatf.EvaluationError](err); ok {
		return own.Message
	}
	return err.Error()
}
