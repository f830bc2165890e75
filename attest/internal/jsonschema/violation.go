package jsonschema

import (
	"cmp"
	"encoding/json"
	"fmt"
	"maps"
	"math/big"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"github.com/santhosh-tekuri/jsonschema/v6"
	"github.com/santhosh-tekuri/jsonschema/v6/kind"

	"github.com/cupel-dev/cupel/attest/internal/decimal"
	"github.com/cupel-dev/cupel/attest/internal/wording"
	"github.com/cupel-dev/cupel/internal/say"
	"github.com/cupel-dev/cupel/internal/strictjson"
)

// explain formats the first violation in document order with its position. n is the validated value.
func (s *Schema) explain(violations *jsonschema.ValidationError, n strictjson.Node) (j Judgement) {
	first, more := firstViolation(violations)
	place, ok := n, true
	for _, token := range first.InstanceLocation {
		below := below(place, token)
		if ok = below.Exists(); !ok {
			break
		}
		place = below
	}
	show := nothingShown
	if ok {
		show = func(location []string) string { return showBelow(n, location) }
	}
	return Judgement{Place: place, Sentence: inWords(first, s.source, show) + andMore(more), Wanted: wanted(first, s.source), Found: wording.ShowValue(place)}
}

// wanted returns the violated keyword and its value.
func wanted(v *jsonschema.ValidationError, source any) string {
	if _, none := v.ErrorKind.(*kind.FalseSchema); none {
		return "no value here"
	}
	name, value := keyword(v), sourceOf(source, v)
	if name == "" {
		return "a value that fits the schema"
	}
	text, err := json.Marshal(value)
	if value == nil || err != nil {
		return name
	}
	return name + ": " + wording.PreviewRaw(text)
}

// showBelow formats the scalar at a position below n, "" for anything else.
func showBelow(n strictjson.Node, location []string) string {
	for _, token := range location {
		n = below(n, token)
	}
	if !n.Exists() || n.Kind() >= strictjson.Array {
		return ""
	}
	return wording.ShowValue(n)
}

func nothingShown([]string) string { return "" }

// below returns the member or element of n that a location's token names, or a missing node.
func below(n strictjson.Node, token string) strictjson.Node {
	if !n.Is(strictjson.Array) {
		return n.Last(token)
	}
	i, err := strconv.Atoi(token)
	if err != nil || i < 0 || i >= n.Len() {
		return strictjson.Node{}
	}
	return n.At(i)
}

// andMore returns how many violations are not shown.
func andMore(n int) string {
	if n == 0 {
		return ""
	}
	return fmt.Sprintf(" (and %d more)", n)
}

// firstViolation returns the first violation and the number of others. The library's order is random.
func firstViolation(v *jsonschema.ValidationError) (first *jsonschema.ValidationError, more int) {
	more = -1
	eachViolation(v, func(leaf *jsonschema.ValidationError) {
		more++
		if first == nil || compareViolations(leaf, first) < 0 {
			first = leaf
		}
	})
	return first, more
}

// eachViolation calls visit for violations, without groups and without the branches of an alternative.
func eachViolation(v *jsonschema.ValidationError, visit func(*jsonschema.ValidationError)) {
	switch v.ErrorKind.(type) {
	case *kind.Schema, *kind.Group, *kind.Reference, *kind.AllOf:
		for _, cause := range v.Causes {
			eachViolation(cause, visit)
		}
	default:
		visit(v)
	}
}

func compareViolations(a, b *jsonschema.ValidationError) int {
	if c := slices.CompareFunc(a.InstanceLocation, b.InstanceLocation, compareTokens); c != 0 {
		return c
	}
	return cmp.Or(cmp.Compare(a.SchemaURL, b.SchemaURL), cmp.Compare(keyword(a), keyword(b)),
		cmp.Compare(describe(a, nil, ""), describe(b, nil, "")))
}

// compareTokens orders array indexes by number, names as strings.
func compareTokens(a, b string) int {
	i, err1 := strconv.Atoi(a)
	j, err2 := strconv.Atoi(b)
	if err1 == nil && err2 == nil {
		return cmp.Compare(i, j)
	}
	return cmp.Compare(a, b)
}

func keyword(v *jsonschema.ValidationError) string {
	return strings.Join(v.ErrorKind.KeywordPath(), "/")
}

// describe formats a violation: "confidence = 1.23 exceeds maximum 1.0". source is the schema, for
// numbers as written; shown is the value, "" for objects and arrays.
func describe(v *jsonschema.ValidationError, source any, shown string) string {
	name := placeName(v.InstanceLocation)
	what := subject(v.InstanceLocation, shown)
	limit := func(value *big.Rat) string { return written(source, v, value) }
	switch k := v.ErrorKind.(type) {
	case *kind.Type:
		return fmt.Sprintf("%s is %s, expected %s", what, say.Article(k.Got), strings.Join(k.Want, " or "))
	case *kind.Required:
		return missingFields(v.InstanceLocation, name, k.Missing, "")
	case *kind.DependentRequired:
		return missingFields(v.InstanceLocation, name, k.Missing, ", which "+wording.Quote(k.Prop)+" asks for")
	case *kind.Dependency:
		return missingFields(v.InstanceLocation, name, k.Missing, ", which "+wording.Quote(k.Prop)+" asks for")
	case *kind.Minimum:
		return what + " is below minimum " + limit(k.Want)
	case *kind.Maximum:
		return what + " exceeds maximum " + limit(k.Want)
	case *kind.ExclusiveMinimum:
		return what + " is not above exclusiveMinimum " + limit(k.Want)
	case *kind.ExclusiveMaximum:
		return what + " is not below exclusiveMaximum " + limit(k.Want)
	case *kind.MultipleOf:
		return what + " is not a multiple of " + limit(k.Want)
	case *kind.Pattern:
		return fmt.Sprintf("%s does not match pattern %s", what, wording.Quote(k.Want))
	case *kind.Enum:
		return fmt.Sprintf("%s is not one of %s", what, showList(k.Want))
	case *kind.Const:
		return fmt.Sprintf("%s is not the constant %s", what, showAny(k.Want))
	case *kind.Format:
		return fmt.Sprintf("%s is not a valid %s", what, k.Want)
	case *kind.AdditionalProperties:
		fields := slices.Sorted(slices.Values(k.Properties))
		return fmt.Sprintf("%s has unexpected %s %s", name, plural("field", len(fields)), joinQuoted(fields))
	case *kind.FalseSchema:
		return what + " is not allowed"
	case *kind.Not:
		return what + " matches the schema that is excluded by not"
	case *kind.AnyOf:
		return what + " matches none of the schemas of anyOf"
	case *kind.OneOf:
		if len(k.Subschemas) > 1 {
			return fmt.Sprintf("%s matches the schemas %d and %d of oneOf, expected exactly one", what, k.Subschemas[0], k.Subschemas[1])
		}
		return what + " matches none of the schemas of oneOf"
	case *kind.PropertyNames:
		return fmt.Sprintf("%s has field %s, whose name is not allowed", name, wording.Quote(k.Property))
	case *kind.UniqueItems:
		return fmt.Sprintf("%s has equal items at %d and %d", name, k.Duplicates[0], k.Duplicates[1])
	case *kind.RefCycle:
		return "the $ref at " + name + " leads back to itself"
	case *kind.Contains:
		return name + " has no item that matches the schema of contains"
	}
	return describeSize(v, name)
}

// subject returns the place of a violation and, if shown, the value.
func subject(location []string, shown string) string {
	switch {
	case shown == "":
		return placeName(location)
	case len(location) == 0:
		return "value " + shown
	}
	return placeName(location) + " = " + shown
}

// describeSize formats violations of limits on lengths and counts.
func describeSize(v *jsonschema.ValidationError, name string) string {
	size := func(got int, unit string, relation, keyword string, want int) string {
		return fmt.Sprintf("%s has %d %s, %s %s %d", name, got, plural(unit, got), relation, keyword, want)
	}
	const under, over = "fewer than", "more than"
	switch k := v.ErrorKind.(type) {
	case *kind.MinLength:
		return size(k.Got, "character", under, "minLength", k.Want)
	case *kind.MaxLength:
		return size(k.Got, "character", over, "maxLength", k.Want)
	case *kind.MinItems:
		return size(k.Got, "item", under, "minItems", k.Want)
	case *kind.MaxItems:
		return size(k.Got, "item", over, "maxItems", k.Want)
	case *kind.AdditionalItems:
		return fmt.Sprintf("%s has %d %s more than allowed", name, k.Count, plural("item", k.Count))
	case *kind.MinProperties:
		return size(k.Got, "field", under, "minProperties", k.Want)
	case *kind.MaxProperties:
		return size(k.Got, "field", over, "maxProperties", k.Want)
	case *kind.MinContains:
		return size(len(k.Got), "matching item", under, "minContains", k.Want)
	case *kind.MaxContains:
		return size(len(k.Got), "matching item", over, "maxContains", k.Want)
	}
	return name + " violates " + wording.Quote(keyword(v))
}

// placeName names the position of a violation: a field by name, deeper ones by JSON pointer.
func placeName(location []string) string {
	switch len(location) {
	case 0:
		return "the value"
	case 1:
		return wording.Preview(location[0])
	}
	var b strings.Builder
	for _, token := range location {
		b.WriteByte('/')
		b.WriteString(strictjson.PointerToken(token))
	}
	return wording.Preview(b.String())
}

func missingFields(location []string, name string, missing []string, why string) string {
	fields := fmt.Sprintf("required %s %s", plural("field", len(missing)), joinQuoted(missing))
	if len(location) == 0 {
		return "missing " + fields + why
	}
	return name + " is missing " + fields + why
}

func joinQuoted(names []string) string {
	list := wording.QuoteList(names)
	return list[1 : len(list)-1]
}

func plural(unit string, n int) string {
	if n == 1 {
		return unit
	}
	return unit + "s"
}

// written returns a limit as written in the schema, or else as a plain decimal.
func written(source any, v *jsonschema.ValidationError, value *big.Rat) string {
	if n, ok := sourceOf(source, v).(json.Number); ok {
		return wording.Preview(n.String())
	}
	text := value.FloatString(decimal.MaxExponent)
	return strings.TrimRight(strings.TrimRight(text, "0"), ".")
}

// sourceOf returns the schema's value at the violated keyword, or nil if it is in a referenced schema.
func sourceOf(source any, v *jsonschema.ValidationError) any {
	pointer, err := url.PathUnescape(fragment(v.SchemaURL))
	if err != nil {
		return nil
	}
	tokens := strings.Split(pointer, "/")[1:]
	for i, token := range tokens {
		tokens[i] = strictjson.PointerName(token)
	}
	return valueAt(source, append(tokens, v.ErrorKind.KeywordPath()...))
}

// valueAt returns the value at a position in a decoded value, or nil.
func valueAt(v any, location []string) any {
	for _, token := range location {
		switch container := v.(type) {
		case map[string]any:
			v = container[token]
		case []any:
			i, err := strconv.Atoi(token)
			if err != nil || i < 0 || i >= len(container) {
				return nil
			}
			v = container[i]
		default:
			return nil
		}
	}
	return v
}

// showAny returns a decoded value in an explanation.
func showAny(v any) string {
	switch v := v.(type) {
	case string:
		return wording.Quote(v)
	case nil:
		return "null"
	case map[string]any:
		return "an object"
	case []any:
		return "an array"
	}
	return wording.Preview(fmt.Sprint(v))
}

func showList(values []any) string {
	var b strings.Builder
	b.WriteByte('[')
	wording.WriteList(&b, len(values), func(i int) string { return showAny(values[i]) })
	b.WriteByte(']')
	return b.String()
}

func sortedKeys(m map[string]any) []string {
	return slices.Sorted(maps.Keys(m))
}
