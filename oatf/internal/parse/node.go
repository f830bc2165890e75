package parse

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"go.yaml.in/yaml/v4"

	"github.com/cupel-dev/cupel/internal/say"
	"github.com/cupel-dev/cupel/internal/suggest"
	"github.com/cupel-dev/cupel/oatf/internal/place"
	"github.com/cupel-dev/cupel/oatf/internal/profile"
	"github.com/cupel-dev/cupel/oatf/internal/rules"
	"github.com/cupel-dev/cupel/oatf/internal/yamltext"
	"github.com/cupel-dev/cupel/oatf/model"
)

// parser is the state shared by a document's parse.
type parser struct {
	faults  *yamltext.Faults
	unknown model.UnknownFields
	profile *profile.Profile
}

// warn keeps the diagnostic of a key that is tolerated.
func (r *parser) warn(d model.Diagnostic) {
	source := r.faults.Source
	if len(source.Tolerated) >= source.Limits.Errors {
		source.Untold++
		return
	}
	source.Tolerated = append(source.Tolerated, d)
}

// node is a node of the text with its path. For an absent node, all methods return zero values and report nothing.
type node struct {
	*parser
	yaml   *yaml.Node  // nil: absent
	around *place.Path // parent
	key    string      // of a member; "" for a list's element
	index  int
}

// whole is the index of a node whose path is completely in around.
const whole = -1

// at returns the node's path. Most nodes never need theirs.
func (n node) at() *place.Path {
	switch {
	case n.key != "":
		return n.around.Field(n.key)
	case n.index >= 0:
		return n.around.Element(n.index)
	}
	return n.around
}

func (n node) isThere() bool { return n.yaml != nil }

func (n node) wrongType(want string) { _ = n.faults.WrongType(n.yaml, n.at(), want) }

// notMapping returns the fault of a root that is not a mapping.
func (n node) notMapping() *model.ParseError {
	if n.yaml.Kind == yaml.ScalarNode && yamltext.IsNull(n.yaml) {
		return yamltext.EmptyDocument(n.faults.Source.Span(n.yaml))
	}
	e := n.faults.Add(model.ParseTypeMismatch, n.yaml, nil, "the document must be a mapping, found %s", yamltext.Describe(n.yaml))
	e.Help = `begin with oatf: "0.1" and attack:`
	return e
}

func (n node) text() string {
	if n.yaml.Kind == yaml.ScalarNode {
		if v, _ := yamltext.Scalar(n.yaml); v != nil {
			if s, ok := v.(string); ok {
				return s
			}
		}
	}
	e := n.faults.WrongType(n.yaml, n.at(), "a string")
	if n.yaml.Kind == yaml.ScalarNode {
		e.Help = fmt.Sprintf("write it in quotes: %q", say.Preview(n.yaml.Value, say.Usual))
		if !strings.ContainsAny(n.yaml.Value, "\"\\") {
			e.Found, e.Meant = n.yaml.Value, `"`+n.yaml.Value+`"`
		}
	}
	return ""
}

func (n node) integer(to *int64) (ok bool) {
	if number, isNumber := yamltext.Value(n.yaml).(model.Number); isNumber {
		if *to, ok = number.Int64(); ok {
			return true
		}
	}
	e := n.faults.WrongType(n.yaml, n.at(), "an integer of 64 bits")
	if strings.HasSuffix(n.at().String(), "confidence") {
		e.Help = "confidence is an integer from 0 to 100"
	}
	if v, err := strconv.ParseInt(n.yaml.Value, 10, 64); err == nil && n.yaml.Kind == yaml.ScalarNode && strconv.FormatInt(v, 10) == n.yaml.Value {
		e.Help = "write it without quotes: " + n.yaml.Value
		e.Found, e.Meant = `"`+n.yaml.Value+`"`, n.yaml.Value
	}
	return false
}

// number reads a number as spelled.
func (n node) number(to *model.Number) (ok bool) {
	if *to, ok = yamltext.Value(n.yaml).(model.Number); !ok {
		n.wrongType("a number")
	}
	return ok
}

// float reads a double.
func (n node) float(to *float64) bool {
	var number model.Number
	if !n.number(&number) {
		return false
	}
	*to = number.Float64()
	if math.IsInf(*to, 0) && number != model.Inf && number != model.NegInf {
		n.wrongType("a number that a double can hold")
		return false
	}
	return true
}

func (n node) boolean(to *bool) (ok bool) {
	if *to, ok = yamltext.Value(n.yaml).(bool); !ok {
		n.wrongType("true or false")
	}
	return ok
}

// pairs parses a mapping with author-defined keys.
func pairs[T any](n node, want string, read func(key string, value node) T) []T {
	if n.yaml.Kind != yaml.MappingNode {
		n.wrongType(want)
		return nil
	}
	at, list := n.at(), make([]T, 0, len(n.yaml.Content)/2)
	for i := 0; i+1 < len(n.yaml.Content); i += 2 {
		key := n.yaml.Content[i].Value
		list = append(list, read(key, node{n.parser, n.yaml.Content[i+1], at.Field(key), "", whole}))
	}
	return list
}

// member parses a member of a closed enumeration. An unknown one is reported, and kept for editors.
func (n node) member(members []string) string {
	if n.yaml.Kind != yaml.ScalarNode {
		n.wrongType("one of " + strings.Join(members, ", "))
		return ""
	}
	word := n.yaml.Value
	if v, _ := yamltext.Scalar(n.yaml); v == any(word) && slices.Contains(members, word) {
		return word
	}
	e := n.faults.Add(model.ParseUnknownVariant, n.yaml, n.at(), "%q is not one of %s", say.Preview(word, say.Usual), strings.Join(members, ", "))
	e.Rule = n.profile.Rules.ID(rules.EnumMember)
	if !n.faults.Full() {
		suggestWord(e, word, members)
	}
	return word
}

// suggestWord adds a suggestion to an error about a word.
func suggestWord(e *model.ParseError, word string, candidates []string) {
	if e.Help = suggest.Hint(word, candidates); e.Help != "" {
		e.Found, e.Meant = word, suggest.Nearest(word, candidates)
	}
}

func isExtension(key string) bool { return strings.HasPrefix(key, "x-") }
