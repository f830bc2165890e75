package jsonschema

import (
	"slices"
	"strings"

	"github.com/santhosh-tekuri/jsonschema/v6"
	"github.com/santhosh-tekuri/jsonschema/v6/kind"
)

// maxAlternatives limits the alternatives of anyOf or oneOf that a message explains.
const maxAlternatives = 3

// inWords formats a violation. For anyOf or oneOf it lists each alternative's expectation; nested
// alternatives are only named. show returns the value at a place, "" for objects and arrays.
func inWords(v *jsonschema.ValidationError, source any, show func(location []string) string) string {
	shown := show(v.InstanceLocation)
	keyword := alternativesOf(v)
	if keyword == "" {
		return describe(v, source, shown)
	}
	firsts := firstOfEach(v.Causes)
	if types := expectedTypes(v, firsts); types != nil {
		return describe(types, source, shown)
	}
	what := subject(v.InstanceLocation, shown)
	var clauses []string
	more := 0
	for _, first := range firsts {
		clause := describe(first, source, show(first.InstanceLocation))
		if rest, same := strings.CutPrefix(clause, what+" "); same {
			clause = "it " + rest
		}
		switch {
		case slices.Contains(clauses, clause):
		case len(clauses) < maxAlternatives:
			clauses = append(clauses, clause)
		default:
			more++
		}
	}
	return what + " matches no schema of " + keyword + ": " + strings.Join(clauses, ", or ") + andMore(more)
}

// alternativesOf returns the keyword whose alternatives all fail, or "".
func alternativesOf(v *jsonschema.ValidationError) string {
	if len(v.Causes) == 0 {
		return ""
	}
	switch k := v.ErrorKind.(type) {
	case *kind.AnyOf:
		return "anyOf"
	case *kind.OneOf:
		if len(k.Subschemas) == 0 {
			return "oneOf"
		}
	}
	return ""
}

// firstOfEach returns the first violation of every alternative.
func firstOfEach(alternatives []*jsonschema.ValidationError) []*jsonschema.ValidationError {
	firsts := make([]*jsonschema.ValidationError, len(alternatives))
	for i, a := range alternatives {
		firsts[i], _ = firstViolation(a)
	}
	return firsts
}

// expectedTypes combines alternatives that differ only in the type into one violation, or returns nil.
func expectedTypes(v *jsonschema.ValidationError, firsts []*jsonschema.ValidationError) *jsonschema.ValidationError {
	all := &kind.Type{}
	for _, first := range firsts {
		k, ok := first.ErrorKind.(*kind.Type)
		if !ok || !slices.Equal(first.InstanceLocation, v.InstanceLocation) {
			return nil
		}
		all.Got = k.Got
		for _, want := range k.Want {
			if !slices.Contains(all.Want, want) {
				all.Want = append(all.Want, want)
			}
		}
	}
	return &jsonschema.ValidationError{InstanceLocation: v.InstanceLocation, ErrorKind: all}
}
