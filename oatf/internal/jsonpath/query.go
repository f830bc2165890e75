// Package jsonpath evaluates JSONPath queries (RFC 9535) on values with ordered objects. A library validates
// queries. Because it evaluates on unordered maps and doubles and hides filters, this package parses the text
// again. It also rejects text that the library accepts contrary to RFC 9535, such as !'a' as a negated test.
package jsonpath

import (
	"errors"
	"fmt"
	"strings"

	"github.com/theory/jsonpath"

	"github.com/cupel-dev/cupel/internal/say"
)

// maxQuery limits queries, in bytes, because parsing can take more than linear time and memory.
const maxQuery = 16 << 10

// Check reports whether a text is a JSONPath query.
func Check(query string) error {
	_, err := Compile(query)
	return err
}

// Query is a compiled JSONPath query. It is safe for concurrent use.
type Query struct{ query }

// Compile reads a query.
func Compile(text string) (*Query, error) {
	if len(text) > maxQuery {
		return nil, errors.New(say.TooLong(len(text), maxQuery))
	}
	if _, err := jsonpath.Parse(text); err != nil {
		return nil, errors.New(strings.TrimPrefix(err.Error(), "jsonpath: "))
	}
	r := reader{text: text}
	q := r.query()
	if r.failed || r.at < len(text) {
		return nil, fmt.Errorf("unexpected input at position %d", r.at+1)
	}
	return &Query{q}, nil
}

// query is a query from the root of the value, or from the current node of a filter.
type query struct {
	relative bool
	segments []segment
}

// segment selects children of a node, or of the node and all its descendants.
type segment struct {
	descendant bool
	selectors  []selector
}

type selector struct {
	kind   selectorKind
	name   string
	index  int64
	slice  slice
	filter logical
}

type selectorKind uint8

const (
	selectName selectorKind = iota
	selectWildcard
	selectIndex
	selectSlice
	selectFilter
)

// slice is a slice selector; nil means omitted.
type slice struct{ start, end, step *int64 }

// bounds returns the first index of a slice and the index to stop at (RFC 9535 §2.3.4.2.2); step is not 0.
func (s slice) bounds(length int64) (first, stop, step int64) {
	step = 1
	if s.step != nil {
		step = *s.step
	}
	lowest, highest := int64(0), length
	first, stop = 0, length
	if step < 0 {
		lowest, highest = -1, length-1
		first, stop = highest, lowest
	}
	bound := func(value int64, given *int64) int64 {
		if given == nil {
			return value
		}
		if value = *given; value < 0 {
			value += length
		}
		return min(max(value, lowest), highest)
	}
	return bound(first, s.start), bound(stop, s.end), step
}
