package check

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/cupel-dev/cupel/attest/internal/decimal"
	"github.com/cupel-dev/cupel/attest/internal/target"
	"github.com/cupel-dev/cupel/attest/internal/wording"
	"github.com/cupel-dev/cupel/internal/say"
	"github.com/cupel-dev/cupel/internal/strictjson"
	"github.com/cupel-dev/cupel/internal/suggest"
)

// Problem explains why an assertion cannot be evaluated: reason and guidance of error 1002, and position.
type Problem struct {
	Reason string
	Detail string
	Node   strictjson.Node
	Meant  string // suggestion for the string at Node, or ""
}

// spec reads a spec's members. It keeps the first problem; later reads return zero values, so that callers check
// once.
type spec struct {
	resources *resources
	node      strictjson.Node
	problem   *Problem
	room      Room
	weight    int // bytes that the compiled spec keeps alive, by estimate
}

// Room reserves memory, possibly after waiting. It returns a problem if there is not enough.
type Room func(bytes int) *Problem

func anyRoom(int) *Problem { return nil }

// keep counts memory of shared objects, which is already reserved.
func (s *spec) keep(bytes int) { s.weight += bytes }

// take reserves memory before it is allocated. ok is false if the limit is reached.
func (s *spec) take(bytes int) (ok bool) {
	s.keep(bytes)
	if s.problem == nil {
		s.problem = s.room(bytes)
	}
	return s.problem == nil
}

// fail records a problem unless there is one.
func (s *spec) fail(n strictjson.Node, detail, format string, args ...any) {
	if s.problem == nil {
		if !n.Exists() {
			n = s.node
		}
		s.problem = &Problem{Reason: fmt.Sprintf(format, args...), Detail: detail, Node: n}
	}
}

// unknown records a problem with an invalid string, and suggests one from known.
func (s *spec) unknown(n strictjson.Node, what, value, detail string, known []string) {
	if s.problem == nil {
		s.fail(n, detail, "unknown %s '%s'%s", what, wording.Preview(value), wording.DidYouMean(value, known))
		s.problem.Meant = suggest.Nearest(value, known)
	}
}

// member returns a member of the given kind; null counts as absent.
func (s *spec) member(name string, kind strictjson.Kind) (strictjson.Node, bool) {
	n := s.node.Last(name)
	if n.Missing() {
		return n, false
	}
	if n.Is(kind) || kind == strictjson.True && n.Is(strictjson.False) {
		return n, true
	}
	s.fail(n, fmt.Sprintf("Send %q as %s.", name, say.Article(kind.String())),
		"spec field '%s' must be %s, got %s", name, kind, n.Kind())
	return n, false
}

func (s *spec) text(name string) string {
	n, _ := s.member(name, strictjson.String)
	v, _ := n.Text()
	return v
}

// need returns a required, nonempty string member.
func (s *spec) need(name string) string {
	v := s.text(name)
	if v == "" {
		s.required(name, "a non-empty string")
	}
	return v
}

// required records the problem of a missing member.
func (s *spec) required(name, what string) {
	if twin := twins[name]; twin != "" && !s.node.Last(twin).Missing() {
		s.fail(s.node.Last(twin), fmt.Sprintf("Rename %q to %q, and give it %s.", twin, name, what), "%s is required, and %s is not used here", name, twin)
		return
	}
	s.fail(s.node.Last(name), fmt.Sprintf("Add %q (%s) to the assertion's spec.", name, what), "%s is required", name)
}

// twins are members that are often given in place of each other.
var twins = map[string]string{"value": "values", "values": "value", "tool": "tools", "tools": "tool"}

func (s *spec) flag(name string) bool {
	n, _ := s.member(name, strictjson.True)
	v, _ := n.Bool()
	return v
}

func (s *spec) number(name string) (v decimal.Number, ok bool) {
	n, present := s.member(name, strictjson.Number)
	if !present {
		return decimal.Number{}, false
	}
	if v, ok = decimal.Parse(n.Raw()); !ok {
		s.fail(n, fmt.Sprintf("Write a number with at most %d digits and an exponent within ±%d.", decimal.MaxDigits, decimal.MaxExponent),
			"spec field '%s' is out of range: %s", name, wording.Preview(string(n.Raw())))
	}
	return v, ok
}

func (s *spec) needNumber(name string) decimal.Number {
	v, ok := s.number(name)
	if !ok {
		s.required(name, "a number")
	}
	return v
}

// needTexts returns a required, nonempty list of nonempty strings.
func (s *spec) needTexts(name string) []string {
	n, ok := s.member(name, strictjson.Array)
	if !ok || n.Len() == 0 {
		s.required(name, "a list of strings with at least one element")
		return nil
	}
	list := make([]string, 0, n.Len())
	for element := range n.Children() {
		v, ok := element.Text()
		if !ok || v == "" {
			s.fail(element, fmt.Sprintf("Fill %q with non-empty names or words.", name),
				"%s[%d] must be a non-empty string", name, len(list))
			return nil
		}
		list = append(list, v)
	}
	return list
}

// choose returns the value of a member with a closed set of values.
func (s *spec) choose(name, what string, known []string) string {
	v := s.need(name)
	for _, k := range known {
		if v == k {
			return v
		}
	}
	s.unknown(s.node.Last(name), what, v, fmt.Sprintf("Use one of %s.", strings.Join(known, ", ")), known)
	return ""
}

func (s *spec) target(name string) target.Target {
	text := s.need(name)
	if s.problem != nil {
		return target.Target{}
	}
	t, err := target.Parse(text)
	if e := (*target.Error)(nil); errors.As(err, &e) {
		s.fail(s.node.Last(name), e.Caret()+"\n"+targetHelp, "%s", e.Error())
		s.problem.Meant = e.Meant
		if first, _, _ := strings.Cut(text, "."); slices.Contains(metadataNames, first) {
			s.problem.Reason, s.problem.Meant = e.Error()+wording.Meant("metadata."+text), "metadata."+text
		}
	}
	return t
}

// metadataNames are the members of a trace's metadata that the protocol names.
var metadataNames = []string{"total_tokens", "cost_usd", "latency_ms", "model", "timestamp"}

// targetHelp is the guidance for an invalid target.
const targetHelp = "Supported targets: output, output.<field>, input.<field>, metadata.<field>, agent_id, steps[0], steps[?name=='<name>'].args, steps[?name=='<name>'].result.<field>, steps[?type=='<type>'][-1].metadata.<field>."
