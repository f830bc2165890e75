// Package naive checks whole logs in the simplest way: in memory, decoded by encoding/json into maps, one rule after
// another. It cross-checks the streaming checkers and shares only rule ids with them.
//
// It covers every rule except the values of payload members, which the reference engine's JSON Schemas check.
package naive

import (
	"bytes"
	"cmp"
	"encoding/json"
	"io"
	"math"
	"slices"
	"strconv"
	"strings"
	"unicode/utf16"
	"unicode/utf8"

	"github.com/gowebpki/jcs"
)

// Statement is a finding without text: rule, severity ("error", "warning" or "info") and line, 0 for the whole log.
type Statement struct {
	Rule     string
	Severity string
	Line     int
}

// Answer is the result for a log.
type Answer struct {
	Family     string // "reasoning" or the family of session logs
	Integrity  string // "rejected", "invalid", "valid", or "absent" for a log without hashes
	Class      string // evidence class of a session log, or ""
	Statements []Statement
}

// Unreadable replaces the rules of unreadable lines, because this parser may find another fault first.
const Unreadable = "line"

// Limits limits a line; lines beyond are unreadable. Zero means unlimited.
type Limits struct{ LineBytes, Depth, Keys int }

func exceeded(n, limit int) bool { return limit > 0 && n > limit }

// record is a non-blank line.
type record struct {
	line    int
	raw     []byte
	members map[string]any // decoded, numbers as json.Number; nil for an unreadable line
}

// readLines decodes the lines of a log. Lines without a canonical form are unreadable.
func readLines(log []byte, limits Limits) (list []record) {
	for i, line := range bytes.Split(log, []byte{'\n'}) {
		line = bytes.TrimSuffix(line, []byte{'\r'})
		if len(bytes.Trim(line, " \t\r")) == 0 && !exceeded(len(line), limits.LineBytes) {
			continue
		}
		members := decode(line, limits)
		if _, err := jcs.Transform(line); err != nil {
			members = nil
		}
		list = append(list, record{i + 1, line, members})
	}
	return list
}

func firstReadable(records []record) int {
	return slices.IndexFunc(records, func(r record) bool { return r.members != nil })
}

// decode parses a JSON object as I-JSON (RFC 7493), or returns nil.
func decode(text []byte, limits Limits) map[string]any {
	if exceeded(len(text), limits.LineBytes) || !utf8.Valid(text) || !json.Valid(text) || loneSurrogate(text) || !plain(text, limits) {
		return nil
	}
	var members map[string]any
	d := json.NewDecoder(bytes.NewReader(text))
	d.UseNumber()
	if d.Decode(&members) != nil {
		return nil
	}
	return members
}

// plain reports whether valid JSON has no duplicate members, only doubles, and no more members and nesting than the
// limits.
func plain(text []byte, limits Limits) bool {
	type level struct {
		names map[string]bool // nil for an array
		name  bool            // the next string is a name
	}
	var stack []level
	d := json.NewDecoder(bytes.NewReader(text))
	d.UseNumber()
	for {
		token, err := d.Token()
		if err == io.EOF {
			return true
		}
		if err != nil {
			return false
		}
		top := len(stack) - 1
		switch token := token.(type) {
		case json.Delim:
			switch token {
			case '{', '[':
				inner := level{}
				if token == '{' {
					inner = level{map[string]bool{}, true}
				}
				if stack = append(stack, inner); exceeded(len(stack), limits.Depth) {
					return false
				}
				continue
			}
			stack = stack[:top]
			top--
		case json.Number:
			if f, err := token.Float64(); err != nil || math.IsInf(f, 0) {
				return false
			}
		case string:
			if top >= 0 && stack[top].name {
				if stack[top].names[token] {
					return false
				}
				stack[top].names[token] = true
				stack[top].name = false
				if exceeded(len(stack[top].names), limits.Keys) {
					return false
				}
				continue
			}
		}
		if top >= 0 && stack[top].names != nil {
			stack[top].name = true
		}
	}
}

// loneSurrogate reports whether a text has an escape of an unpaired surrogate, which encoding/json replaces.
func loneSurrogate(text []byte) bool {
	s := string(text)
	for {
		i := strings.IndexByte(s, '\\')
		if i < 0 {
			return false
		}
		if s[i+1] != 'u' {
			s = s[i+2:]
			continue
		}
		first := unit(s[i:])
		s = s[i+6:]
		switch {
		case !utf16.IsSurrogate(first):
		case first >= 0xdc00 || !strings.HasPrefix(s, `\u`) || unit(s) < 0xdc00 || unit(s) > 0xdfff:
			return true
		default:
			s = s[6:]
		}
	}
}

// unit returns the code unit of an escape like \u0041.
func unit(s string) rune {
	n, _ := strconv.ParseUint(s[2:6], 16, 16)
	return rune(n)
}

func text(members map[string]any, name string) (string, bool) {
	s, ok := members[name].(string)
	return s, ok
}

// object returns a member that is an object, or nil.
func object(members map[string]any, name string) map[string]any {
	m, _ := members[name].(map[string]any)
	return m
}

// statements collects rejections and, separately, all else, which a rejection drops.
type statements struct {
	structure, rest []Statement
}

func (s *statements) reject(rule string, line int) {
	s.structure = append(s.structure, Statement{rule, "error", line})
}

func (s *statements) fault(rule string, line int) {
	s.rest = append(s.rest, Statement{rule, "error", line})
}

func (s *statements) warn(rule string, line int) {
	s.rest = append(s.rest, Statement{rule, "warning", line})
}

func (s *statements) note(rule string, line int) {
	s.rest = append(s.rest, Statement{rule, "info", line})
}

// all returns the final statements in order.
func (s *statements) all() []Statement {
	list := s.structure
	if len(list) == 0 {
		list = s.rest
	}
	return Sorted(list)
}

// Sorted sorts statements by line and rule. It keeps duplicates.
func Sorted(list []Statement) []Statement {
	list = slices.Clone(list)
	slices.SortFunc(list, func(a, b Statement) int {
		return cmp.Or(cmp.Compare(a.Line, b.Line), cmp.Compare(a.Rule, b.Rule), cmp.Compare(a.Severity, b.Severity))
	})
	return list
}

// isHash reports whether s is 64 lower-case hexadecimal digits.
func isHash(s string) bool { return len(s) == 64 && strings.Trim(s, "0123456789abcdef") == "" }
