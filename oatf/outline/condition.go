package outline

import (
	"strings"

	"github.com/cupel-dev/cupel/internal/say"
	"github.com/cupel-dev/cupel/oatf"
	"github.com/cupel-dev/cupel/oatf/model"
)

// mostNamed is the number of members of a list a condition names.
const mostNamed = 20

// conditionText describes a condition as the predicate of a sentence.
func conditionText(c *oatf.Condition) string {
	switch {
	case c == nil:
		return ""
	case c.Operators == nil:
		return "is " + quoted(c.Value)
	}
	return strings.Join(operatorTexts(c.Operators), " and ")
}

func operatorTexts(o *oatf.MatchCondition) (words []string) {
	for _, w := range []struct {
		word string
		text *string
	}{{"contains", o.Contains}, {"starts with", o.StartsWith}, {"ends with", o.EndsWith}, {"matches", o.Regex}} {
		if w.text != nil {
			words = append(words, w.word+" "+quoted(*w.text))
		}
	}
	if o.AnyOf != nil {
		words = append(words, "is one of "+anyOf(o.AnyOf))
	}
	for _, w := range []struct {
		sign   string
		number *oatf.Number
	}{{">", o.GT}, {"<", o.LT}, {"≥", o.GTE}, {"≤", o.LTE}} {
		if w.number != nil {
			words = append(words, "is "+w.sign+" "+say.Preview(string(*w.number), say.Usual))
		}
	}
	if o.Exists != nil {
		words = append(words, map[bool]string{true: "is there", false: "is not there"}[*o.Exists])
	}
	return words
}

func anyOf(list []model.Value) string {
	var members []string
	for i, v := range list {
		if i == mostNamed {
			members = append(members, say.Ellipsis)
			break
		}
		members = append(members, quoted(v))
	}
	return strings.Join(members, ", ")
}

// quoted returns a value as JSON, shortened.
func quoted(v model.Value) string {
	if s, ok := v.(string); ok {
		v = say.Preview(s, MostText)
	}
	return jsonText(v)
}
