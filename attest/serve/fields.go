package serve

import (
	"fmt"
	"math"
	"strings"

	"github.com/cupel-dev/cupel/attest/internal/wording"
	"github.com/cupel-dev/cupel/internal/strictjson"
)

// fields reads required members of an object. It keeps the first problem.
type fields struct {
	node    strictjson.Node
	method  string
	path    string // of the object within params, "result."
	problem string
}

func (f *fields) fail(problem string) {
	if f.problem == "" {
		f.problem = f.method + ": " + problem
	}
}

func (f *fields) wrong(name, want string, got strictjson.Node) {
	if !got.Exists() {
		f.fail(fmt.Sprintf("missing field %q", f.path+name))
		return
	}
	f.fail(fmt.Sprintf("field %q must be %s, got %s", f.path+name, want, got.Kind()))
}

func (f *fields) text(name string) string {
	member := f.node.Last(name)
	text, ok := member.Text()
	if !ok {
		f.wrong(name, "a string", member)
	}
	return text
}

// name reads a string that is not blank.
func (f *fields) name(name string) string {
	text := f.text(name)
	if strings.TrimSpace(text) == "" {
		f.fail(fmt.Sprintf("field %q must not be empty", f.path+name))
	}
	return text
}

// count reads a number; if missing or 0, it is byDefault.
func (f *fields) count(name string, byDefault int) int {
	member := f.node.Last(name)
	if member.Missing() {
		return byDefault
	}
	i, ok := member.Int()
	switch {
	case !ok:
		f.wrong(name, "an integer", member)
	case i < 0:
		f.fail(fmt.Sprintf("field %q must not be negative, got %s", f.path+name, wording.Preview(string(member.Raw()))))
	case i > 0:
		return int(min(i, math.MaxInt32))
	}
	return byDefault
}

func (f *fields) integer(name string) int64 {
	member := f.node.Last(name)
	i, ok := member.Int()
	if !ok {
		f.wrong(name, "an integer", member)
	}
	return i
}

// score reads a number from 0 to 1.
func (f *fields) score(name string) float64 {
	member := f.node.Last(name)
	score, ok := member.Float()
	switch {
	case !ok:
		f.wrong(name, "a number", member)
	case score < 0 || score > 1:
		f.fail(fmt.Sprintf("field %q must be between 0.0 and 1.0, got %s", f.path+name, wording.Preview(string(member.Raw()))))
	}
	return score
}

// amount reads a number from 0 to most; if missing, it is 0.
func (f *fields) amount(name string, most float64) float64 {
	member := f.node.Last(name)
	if member.Missing() {
		return 0
	}
	amount, ok := member.Float()
	switch {
	case !member.Is(strictjson.Number):
		f.wrong(name, "a number", member)
	case !ok || amount < 0 || amount > most:
		f.fail(fmt.Sprintf("field %q must be from 0 to %.0f, got %s", f.path+name, most, wording.Preview(string(member.Raw()))))
	}
	return amount
}

func (f *fields) texts(name string) []string {
	member := f.node.Last(name)
	if !member.Is(strictjson.Array) {
		f.wrong(name, "an array of strings", member)
		return nil
	}
	var list []string
	for element := range member.Children() {
		text, ok := element.Text()
		if !ok {
			f.wrong(fmt.Sprintf("%s[%d]", name, len(list)), "a string", element)
			return nil
		}
		list = append(list, text)
	}
	return list
}

// object reads a member that is an object. It keeps an earlier problem.
func (f *fields) object(name string) fields {
	member := f.node.Last(name)
	if !member.Is(strictjson.Object) {
		f.wrong(name, "an object", member)
	}
	return fields{node: member, method: f.method, problem: f.problem}
}
