package primitive

import (
	"errors"
	"regexp"
	"strings"

	"github.com/cupel-dev/cupel/internal/say"
	"github.com/cupel-dev/cupel/oatf/internal/expression"
	"github.com/cupel-dev/cupel/oatf/internal/jsonpath"
	"github.com/cupel-dev/cupel/oatf/internal/value"
	"github.com/cupel-dev/cupel/oatf/model"
)

// Extractor is a compiled extractor (§5.6).
type Extractor struct {
	source model.ExtractorSource
	regex  *regexp.Regexp // nil for a query
	size   int            // of the regular expression, in instructions
	query  *jsonpath.Query
}

// CompileExtractor compiles an extractor. It returns an error of kind type_error for an invalid regular expression,
// path_resolution for an invalid JSONPath query, and unsupported_method for another type of extractor.
func CompileExtractor(e *model.Extractor) (*Extractor, error) {
	if e == nil {
		return nil, fault(model.EvaluationUnsupportedMethod, "there is no extractor")
	}
	compiled := &Extractor{source: e.Source}
	var err error
	switch e.Type {
	case model.ExtractorRegex:
		compiled.regex, compiled.size, err = compileRegex(e.Selector)
	case model.ExtractorJSONPath:
		if compiled.query, err = jsonpath.Compile(e.Selector); err != nil {
			err = fault(model.EvaluationPathResolution, "invalid JSONPath %s: %v", say.Quoted(e.Selector), err)
		}
	default:
		err = fault(model.EvaluationUnsupportedMethod, "there is no extractor of type %s", say.Quoted(string(e.Type)))
	}
	if err != nil {
		return nil, err
	}
	return compiled, nil
}

// Extract captures a value of a message in the extractor's direction: a query's first node or the first group of the
// first match, as spelled by Text. found is false without one or in the other direction. A query beyond package
// jsonpath's limits is an error of kind path_resolution, a search beyond expression.MaxSteps of kind regex_timeout.
// take takes the steps of a search from those of a run; if it returns false, the error is ErrSteps.
func (e *Extractor) Extract(message model.Value, direction model.ExtractorSource, take func(int64) bool) (text string, found bool, err error) {
	if e.source != direction {
		return "", false, nil
	}
	if e.regex != nil {
		return e.firstGroup(message, take)
	}
	node, found, steps, err := e.query.First(message)
	if !take(int64(steps)) {
		return "", false, ErrSteps
	}
	if err != nil {
		return "", false, fault(model.EvaluationPathResolution, "%v", err)
	}
	if !found {
		return "", false, nil
	}
	if text, isText := node.(string); isText {
		return text, true, nil
	}
	return string(value.Text(nil, node)), true, nil
}

// ErrSteps is the error of a search for which a run has no steps left.
var ErrSteps = errors.New("no steps are left")

// firstGroup returns the first capture group's match, if any.
func (e *Extractor) firstGroup(message model.Value, take func(int64) bool) (text string, found bool, err error) {
	text, isText := message.(string)
	if !isText {
		text = string(value.Text(nil, message))
	}
	if err := expression.CheckSearch(e.size, len(text)); err != nil {
		return "", false, fault(model.EvaluationRegexTimeout, "%v", err)
	}
	if !take(int64(e.size) * int64(len(text))) {
		return "", false, ErrSteps
	}
	at := e.regex.FindStringSubmatchIndex(text)
	if len(at) < 4 || at[2] < 0 {
		return "", false, nil
	}
	return strings.Clone(text[at[2]:at[3]]), true, nil
}
