package try

import (
	"fmt"
	"strings"
	"unicode/utf8"

	"github.com/cupel-dev/cupel/internal/say"
	"github.com/cupel-dev/cupel/oatf"
	"github.com/cupel-dev/cupel/oatf/internal/primitive"
	"github.com/cupel-dev/cupel/oatf/internal/profile"
	"github.com/cupel-dev/cupel/oatf/internal/vocabulary"
)

// Condition evaluates a condition (YAML or JSON) on a value (§5.3) and explains each operator.
func (r Revised) Condition(text string, v oatf.Value) (*Answer, error) {
	read, err := readValue("condition", text)
	if err != nil {
		return nil, err
	}
	c, err := r.public.ConditionOf(read)
	if err != nil {
		return nil, ofParse("condition", text, err)
	}
	a := &Answer{}
	a.Holds, a.Why, err = r.explainCondition(c, v)
	return a, inExpression("condition", text, err)
}

// Predicate evaluates a predicate (YAML or JSON) on a message (§5.4) and explains each entry.
func (r Revised) Predicate(text string, message oatf.Value) (*Answer, error) {
	read, err := readValue("predicate", text)
	if err != nil {
		return nil, err
	}
	p, err := r.public.PredicateOf(read)
	if err != nil {
		return nil, ofParse("predicate", text, err)
	}
	for i := range p {
		if path := p[i].Path; !oatf.CheckSimplePath(path) {
			e := syntaxAt("predicate", text, max(0, strings.Index(text, path)), vocabulary.NotSimple(path))
			e.Help = vocabulary.SimplePathHint
			return nil, e
		}
	}
	a := &Answer{}
	a.Holds, a.Why, err = r.explainPredicate(p, message)
	return a, inExpression("predicate", text, err)
}

// inExpression returns an error of evaluating that is due to the expression.
func inExpression(what, text string, err error) error {
	if err == nil {
		return nil
	}
	return &SyntaxError{What: what, Text: text, Line: 1, Column: 1, Message: err.Error()}
}

// explainPredicate explains each entry's result for a message.
func (r Revised) explainPredicate(p oatf.MatchPredicate, message oatf.Value) (holds bool, why []string, err error) {
	if len(p) == 0 {
		why = []string{"a predicate without entries always matches"}
	}
	for i := range p {
		path := p[i].Path
		v, found := oatf.ResolveSimplePath(path, message)
		one, err := r.public.EvaluatePredicate(p[i:i+1], message)
		if err != nil {
			return false, nil, err
		}
		switch {
		case !found && one:
			why = append(why, say.Quoted(path)+": exists: false holds")
		case !found:
			why = append(why, say.Quoted(path)+": does not hold, there is no value:")
			why = append(why, indented(stops(path, message))...)
		case found && isExists(p[i].Operators, false):
			why = append(why, say.Quoted(path)+": exists: false does not hold: there is "+described(v))
		default:
			_, lines, err := r.explainCondition(&p[i].Condition, v)
			if err != nil {
				return false, nil, err
			}
			for _, line := range lines {
				why = append(why, say.Quoted(path)+": "+line)
			}
		}
	}
	holds, err = r.public.EvaluatePredicate(p, message)
	return holds, why, err
}

func isExists(o *oatf.MatchCondition, wanted bool) bool {
	return o != nil && o.Exists != nil && *o.Exists == wanted
}

func indented(lines []string) []string {
	for i := range lines {
		lines[i] = "  " + lines[i]
	}
	return lines
}

// explainCondition explains each operator's result for a value.
func (r Revised) explainCondition(c *oatf.Condition, v oatf.Value) (holds bool, why []string, err error) {
	if c.Operators == nil {
		holds, err = r.public.EvaluateCondition(c, v)
		if holds {
			return true, []string{"the value equals " + described(c.Value)}, nil
		}
		return false, []string{fmt.Sprintf("the value is %s, expected %s", described(v), described(c.Value))}, err
	}
	for _, o := range operators(c.Operators) {
		line, err := o.explain(r.as, v)
		if err != nil {
			return false, nil, err
		}
		why = append(why, line)
	}
	holds, err = r.public.EvaluateCondition(c, v)
	return holds, why, err
}

type operator struct {
	text  string // as it is written
	on    string // the type that it is about; "" for any
	alone oatf.MatchCondition
}

// operators returns a condition's operators, in the order of §5.3.
func operators(c *oatf.MatchCondition) (list []operator) {
	add := func(there bool, on string, text func() string, alone oatf.MatchCondition) {
		if there {
			list = append(list, operator{text(), on, alone})
		}
	}
	texts := func(name string, operand *string, alone oatf.MatchCondition) {
		add(operand != nil, "strings", func() string { return name + " " + say.Quoted(*operand) }, alone)
	}
	numbers := func(name string, operand *oatf.Number, alone oatf.MatchCondition) {
		add(operand != nil, "numbers", func() string { return name + " " + say.Preview(string(*operand), say.Usual) }, alone)
	}
	texts("contains", c.Contains, oatf.MatchCondition{Contains: c.Contains})
	texts("starts_with", c.StartsWith, oatf.MatchCondition{StartsWith: c.StartsWith})
	texts("ends_with", c.EndsWith, oatf.MatchCondition{EndsWith: c.EndsWith})
	texts("regex", c.Regex, oatf.MatchCondition{Regex: c.Regex})
	add(c.AnyOf != nil, "", func() string { return fmt.Sprintf("any_of %d values", len(c.AnyOf)) }, oatf.MatchCondition{AnyOf: c.AnyOf})
	numbers("gt", c.GT, oatf.MatchCondition{GT: c.GT})
	numbers("lt", c.LT, oatf.MatchCondition{LT: c.LT})
	numbers("gte", c.GTE, oatf.MatchCondition{GTE: c.GTE})
	numbers("lte", c.LTE, oatf.MatchCondition{LTE: c.LTE})
	add(c.Exists != nil, "", func() string { return fmt.Sprintf("exists: %t", *c.Exists) }, oatf.MatchCondition{Exists: c.Exists})
	return list
}

func (o *operator) explain(as *profile.Profile, v oatf.Value) (string, error) {
	compiled, err := primitive.CompileCondition(as, &oatf.Condition{Operators: &o.alone})
	if err != nil {
		return "", err
	}
	text, isText := compiled.Text(v)
	_, isNumber := v.(oatf.Number)
	ofJSON, andJSON := "", ""
	if _, isString := v.(string); isText && !isString {
		seen := "its JSON " + say.Quoted(text)
		ofJSON, andJSON = " of "+seen, ", "+seen
	}
	switch holds := compiled.Match(v); {
	case holds && isText && o.on == "strings":
		_, start, end := compiled.Why(v)
		return o.text + " holds " + between(text, start, end) + ofJSON, nil
	case holds:
		return o.text + " holds", nil
	case o.on == "strings" && !isText, o.on == "numbers" && !isNumber:
		return fmt.Sprintf("%s does not hold: it applies to %s, but the value is %s", o.text, o.on, described(v)), nil
	case o.alone.Exists != nil:
		return o.text + " does not hold: the value exists", nil
	}
	return o.text + " does not hold: the value is " + described(v) + andJSON, nil
}

// between describes the position of a part of a text in characters, from 1.
func between(text string, start, end int) string {
	first := utf8.RuneCountInString(text[:start]) + 1
	last := first + utf8.RuneCountInString(text[start:end]) - 1
	switch {
	case last < first:
		return fmt.Sprintf("before character %d", first)
	case first == last:
		return fmt.Sprintf("at character %d", first)
	}
	return fmt.Sprintf("at characters %d to %d", first, last)
}
