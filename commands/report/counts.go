package reportcmd

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/santhosh-tekuri/jsonschema/v6"

	"github.com/cupel-dev/cupel/commands/internal/cmdline"
	"github.com/cupel-dev/cupel/internal/say"
	"github.com/cupel-dev/cupel/internal/schemas"
	"github.com/cupel-dev/cupel/internal/strictjson"
)

// Count is a number of a summary that the elements of a report determine.
type Count struct {
	Member string // of the summary; "sessions.valid" is one of a nested object
	List   string // whose elements count
	Of     func(strictjson.Node) int64

	Least    bool // the summary can be larger: not every counted thing is listed
	Optional bool // not every report of the kind counts it
}

// One counts each element once.
func One(strictjson.Node) int64 { return 1 }

// Text counts the elements with this text in a member.
func Text(member, text string) func(strictjson.Node) int64 {
	return func(element strictjson.Node) int64 { return number(element.Get(member).TextIs(text)) }
}

// Flag counts the elements with this truth value in a member.
func Flag(member string, value bool) func(strictjson.Node) int64 {
	return func(element strictjson.Node) int64 {
		is, known := element.Get(member).Bool()
		return number(known && is == value)
	}
}

// Present counts the elements whose member is not null.
func Present(member string) func(strictjson.Node) int64 {
	return func(element strictjson.Node) int64 { return number(!element.Get(member).Missing()) }
}

// Sum adds a number of the elements.
func Sum(member string) func(strictjson.Node) int64 {
	return func(element strictjson.Node) int64 {
		n, _ := element.Get(member).Int()
		return n
	}
}

// Within returns a function that sums of over the elements of a nested list.
func Within(list string, of func(strictjson.Node) int64) func(strictjson.Node) int64 {
	return func(element strictjson.Node) (n int64) {
		for child := range element.Get(list).Children() {
			n += of(child)
		}
		return n
	}
}

func number(is bool) int64 {
	if is {
		return 1
	}
	return 0
}

// selfCheck checks a report's elements against the schema and the summary.
type selfCheck struct {
	kind    *reportKind
	counted []int64 // of kind.Counts
	misfit  error   // the first element that does not match the schema
}

// selfChecks returns a check for each kind with this schema, or for all kinds if the schema is not known yet.
func (kinds Kinds) selfChecks(schema string) (list []*selfCheck) {
	for i := range kinds {
		if k := &kinds[i]; schema == "" || k.Schema == schema {
			list = append(list, &selfCheck{kind: k, counted: make([]int64, len(k.Counts))})
		}
	}
	return list
}

func (s *selfCheck) element(list, about string, element strictjson.Node) {
	for i, count := range s.kind.Counts {
		if count.List == list {
			s.counted[i] += count.Of(element)
		}
	}
	if s.misfit == nil {
		if at, ok := s.kind.matches("/properties/"+list+"/items", element); !ok {
			s.misfit = s.mismatch(fmt.Sprintf("the element of %q for %s", list, say.Quoted(about)), at)
		}
	}
}

// mismatch returns the error of a part of a report that does not match the schema.
func (s *selfCheck) mismatch(part, at string) error {
	return &cmdline.Hinted{
		Err:  fmt.Errorf("%s does not match the schema %s at %s: the report was changed, or written by another version", part, s.kind.Schema, say.Quoted(at)),
		Hint: "`cupel schema " + s.kind.Schema + "` prints the expected form; run the command again with this version",
	}
}

// summary compares a summary with the elements. An empty summary is of a run that ended early.
func (s *selfCheck) summary(x *reportIndex, summary strictjson.Node) error {
	if summary.Len() == 0 && x.failed {
		return s.misfit
	}
	for i, count := range s.kind.Counts {
		if !slices.Contains(x.lists, count.List) {
			continue
		}
		says := summary
		for name := range strings.SplitSeq(count.Member, ".") {
			says = says.Get(name)
		}
		has, known := says.Int()
		switch n := s.counted[i]; {
		case !says.Exists() && (n == 0 || count.Optional), known && has == n, known && has > n && count.Least:
		case count.Least:
			return miscounted(fmt.Sprintf("%d %s", has, count.Member), fmt.Sprintf("at least %d", n))
		default:
			return miscounted(fmt.Sprintf("%d %s", has, count.Member), strconv.FormatInt(n, 10))
		}
	}
	if s.misfit != nil {
		return s.misfit
	}
	if at, ok := s.kind.matches("/properties/summary", summary); !ok {
		return s.mismatch("the summary", at)
	}
	return nil
}

// status compares a report's status with its errors.
func (x *reportIndex) status() error {
	switch {
	case x.failed && len(x.failures) == 0:
		return errors.New("the report has the status \"error\", but lists no errors: the report was changed")
	case !x.failed && len(x.failures) > 0:
		return fmt.Errorf("the report has the status \"ok\", but lists %s: the report was changed", cmdline.Counted(len(x.failures), "error"))
	}
	return nil
}

// maxMatched limits the size of elements that are validated against the schema, which takes many times their size
// in memory.
const maxMatched = 1 << 20

// matches validates a value against a part of the kind's schema. at is the first position that does not match.
func (k *reportKind) matches(part string, value strictjson.Node) (at string, ok bool) {
	if len(value.Raw()) > maxMatched {
		return "", true
	}
	schema, known := k.parts[part]
	if !known {
		schema = compiled(k.Schema, part)
		if k.parts == nil {
			k.parts = map[string]*jsonschema.Schema{}
		}
		k.parts[part] = schema
	}
	violation, fails := errors.AsType[*jsonschema.ValidationError](schema.Validate(plain(value)))
	if !fails {
		return "", true
	}
	for len(violation.Causes) > 0 {
		violation = violation.Causes[0]
	}
	return "/" + strings.Join(violation.InstanceLocation, "/"), false
}

func compiled(name, part string) *jsonschema.Schema {
	text, _ := schemas.Text(name)
	document, err := jsonschema.UnmarshalJSON(strings.NewReader(text))
	if err != nil {
		panic("report: " + name + ": " + err.Error()) // embedded
	}
	const at = "https://cupel.dev/report"
	c := jsonschema.NewCompiler()
	if err := c.AddResource(at, document); err != nil {
		panic("report: " + name + ": " + err.Error())
	}
	return c.MustCompile(at + "#" + part)
}

// plain converts a value for the validator. A number beyond a double becomes 0.
func plain(node strictjson.Node) any {
	switch node.Kind() {
	case strictjson.Object:
		members := make(map[string]any, node.Len())
		for member := range node.Children() {
			members[member.Key()] = plain(member)
		}
		return members
	case strictjson.Array:
		elements := make([]any, 0, node.Len())
		for element := range node.Children() {
			elements = append(elements, plain(element))
		}
		return elements
	case strictjson.Number:
		if n, whole := node.Int(); whole {
			return n
		}
		x, _ := node.Float()
		return x
	case strictjson.String:
		text, _ := node.Text()
		return text
	case strictjson.Null:
		return nil
	default:
		is, _ := node.Bool()
		return is
	}
}
