package check

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strconv"

	"github.com/cupel-dev/cupel/attest/internal/decimal"
	"github.com/cupel-dev/cupel/attest/internal/jsonschema"
	"github.com/cupel-dev/cupel/internal/strictjson"
)

// expectation is an element of "expect" in a check of calls: which calls it matches, and how many are required.
type expectation struct {
	name    string // "": pattern counts
	pattern string // with * and ?
	args    *values
	result  *values
	status  string // ok or error; "": either
	min     int
	max     int  // -1: any number
	each    bool // every call of the name has to satisfy the rest
}

type values struct {
	mode   string
	want   any
	schema *jsonschema.Schema
}

// valueModes are the comparisons of arguments: equal, at least these members, at most these members, at least these
// at every depth, or valid by a JSON Schema.
var valueModes = []string{"exact", "superset", "subset", "partial", "schema"}

// maxExpected limits the elements of "expect" and the counts in them.
const maxExpected = 1000

func compileExpectation(s *spec, n strictjson.Node) (e expectation) {
	inner := &spec{resources: s.resources, node: n, room: s.room}
	defer func() {
		if s.problem == nil {
			s.problem = inner.problem
		}
	}()
	if !n.Is(strictjson.Object) {
		s.fail(n, `Write every element as an object with "name" or "pattern".`, "expect holds %s, expected objects", n.Kind())
		return e
	}
	for member := range n.Children() {
		switch key := member.Key(); key {
		case "name", "pattern", "args", "args_mode", "result", "result_mode", "status", "min", "max", "each":
		default:
			inner.unknown(member, "member of expect", key, "Use name or pattern, args, args_mode, result, result_mode, status, min, max and each.",
				[]string{"name", "pattern", "args", "args_mode", "result", "result_mode", "status", "min", "max", "each"})
		}
	}
	e.name, e.pattern = inner.text("name"), inner.text("pattern")
	if (e.name == "") == (e.pattern == "") {
		inner.fail(n, `Give the name of a tool, or a pattern such as "refund_*".`, "an element of expect needs either name or pattern")
	}
	e.args, e.result = inner.values("args", "exact"), inner.values("result", "partial")
	if !n.Last("status").Missing() {
		e.status = inner.choose("status", "status", []string{"ok", "error"})
	}
	e.each = inner.flag("each")
	e.min, e.max = inner.count("min", 1), inner.count("max", -1)
	if e.each && n.Last("min").Missing() {
		e.min = 0
	}
	if e.max >= 0 && n.Last("min").Missing() {
		e.min = min(e.min, e.max)
	}
	if e.max >= 0 && e.min > e.max {
		inner.minAboveMax(strconv.Itoa(e.min), strconv.Itoa(e.max))
	}
	return e
}

func (s *spec) values(name, fallback string) *values {
	n := s.node.Last(name)
	v := &values{mode: fallback}
	if !s.node.Last(name + "_mode").Missing() {
		v.mode = s.choose(name+"_mode", "mode", valueModes)
	}
	if n.Missing() {
		return nil
	}
	if v.mode != "schema" {
		v.want = decoded(n)
		return v
	}
	var err error
	if v.schema, err = cachedSchema(s, n, false); err != nil {
		if bad := (*jsonschema.Error)(nil); errors.As(err, &bad) {
			s.fail(n, bad.Detail, "invalid JSON Schema: %s", bad.Reason)
		}
	}
	return v
}

func (s *spec) count(name string, fallback int) int {
	n, ok := s.member(name, strictjson.Number)
	if !ok {
		return fallback
	}
	i, whole := n.Int()
	if !whole || i < 0 || i > maxExpected {
		s.fail(n, fmt.Sprintf("Use a whole number from 0 to %d.", maxExpected), "%s must be a whole number from 0 to %d", name, maxExpected)
		return fallback
	}
	return int(i)
}

// label describes the calls that an expectation matches.
func (e *expectation) label() string {
	if e.name != "" {
		return e.name
	}
	return e.pattern
}

// means reports whether an expectation matches calls of a tool.
func (e *expectation) means(name string) bool {
	if e.name != "" {
		return e.name == name
	}
	return globMatches(e.pattern, name)
}

func globMatches(pattern, name string) bool {
	p, n := []rune(pattern), []rune(name)
	i, j, star, mark := 0, 0, -1, 0
	for j < len(n) {
		switch {
		case i < len(p) && (p[i] == '?' || p[i] == n[j] && p[i] != '*'):
			i, j = i+1, j+1
		case i < len(p) && p[i] == '*':
			star, mark = i, j
			i++
		case star >= 0:
			mark++
			i, j = star+1, mark
		default:
			return false
		}
	}
	for i < len(p) && p[i] == '*' {
		i++
	}
	return i == len(p)
}

// decoded decodes a JSON value. Numbers are kept as written.
func decoded(n strictjson.Node) (v any) {
	d := json.NewDecoder(bytes.NewReader(n.Raw()))
	d.UseNumber()
	_ = d.Decode(&v) // it has been scanned
	return v
}

// equalValues compares JSON values; numbers by value.
func equalValues(a, b any) bool {
	switch x := a.(type) {
	case map[string]any:
		y, ok := b.(map[string]any)
		return ok && len(x) == len(y) && membersIn(x, y, equalValues)
	case []any:
		y, ok := b.([]any)
		if !ok || len(x) != len(y) {
			return false
		}
		for i := range x {
			if !equalValues(x[i], y[i]) {
				return false
			}
		}
		return true
	case json.Number:
		y, ok := b.(json.Number)
		if !ok {
			return false
		}
		m, fine := decimal.Parse([]byte(x))
		n, too := decimal.Parse([]byte(y))
		return fine && too && m.Compare(n) == 0 || x == y
	}
	return a == b
}

// membersIn reports whether each member of part is in whole, with a value that same accepts.
func membersIn(part, whole map[string]any, same func(a, b any) bool) bool {
	for key, value := range part {
		if other, ok := whole[key]; !ok || !same(value, other) {
			return false
		}
	}
	return true
}

// partly reports whether got contains want: members of objects at every depth, lists element by element.
func partly(want, got any) bool {
	switch x := want.(type) {
	case map[string]any:
		y, ok := got.(map[string]any)
		return ok && membersIn(x, y, partly)
	case []any:
		y, ok := got.([]any)
		if !ok || len(x) != len(y) {
			return false
		}
		for i := range x {
			if !partly(x[i], y[i]) {
				return false
			}
		}
		return true
	}
	return equalValues(want, got)
}

// hold reports whether a value matches the expectation.
func (v *values) hold(ctx context.Context, x *Subject, n strictjson.Node) bool {
	if v == nil {
		return true
	}
	if v.schema != nil {
		return n.Exists() && x.schemas.Judge(ctx, v.schema, n).Valid
	}
	var got any = map[string]any{}
	if !n.Missing() {
		got = decoded(n)
	}
	want, ok := v.want.(map[string]any)
	have, too := got.(map[string]any)
	switch {
	case v.mode == "superset" && ok && too:
		return membersIn(want, have, equalValues)
	case v.mode == "subset" && ok && too:
		return membersIn(have, want, equalValues)
	case v.mode == "partial":
		return partly(v.want, got)
	}
	return equalValues(v.want, got)
}
