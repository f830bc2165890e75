package reportcmd

import (
	"bytes"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/cupel-dev/cupel/internal/strictjson"
)

// Totals is the merged summary: numbers are added, true wins over false, and texts are equal in all reports.
type Totals struct {
	names  []string // in the order of the first report
	Values map[string]any
}

// Number returns a member as a number: 1 for true, 0 if missing.
func (t Totals) Number(name string) float64 {
	switch v := t.Values[name].(type) {
	case int64:
		return float64(v)
	case float64:
		return v
	case bool:
		if v {
			return 1
		}
	}
	return 0
}

// add adds a report's summary. Members in all are about shared inputs and must be equal instead.
func (t *Totals) add(summary strictjson.Node, all []string) error {
	more := readTotals(summary)
	for _, name := range more.names {
		value := more.Values[name]
		before, known := t.Values[name]
		if !known {
			t.set(name, value)
			continue
		}
		sum, ok := together(before, value, slices.Contains(all, name))
		if !ok {
			return fmt.Errorf("the summary has %s for %q, but another report has %v", summary.Get(name).Raw(), name, before)
		}
		t.Values[name] = sum
	}
	return nil
}

func (t *Totals) set(name string, value any) {
	if t.Values == nil {
		t.Values = map[string]any{}
	}
	if _, known := t.Values[name]; !known {
		t.names = append(t.names, name)
	}
	t.Values[name] = value
}

func readTotals(object strictjson.Node) (t Totals) {
	for member := range object.Children() {
		t.set(member.Key(), plainValue(member))
	}
	return t
}

// plus adds two lists of counts.
func (t Totals) plus(u Totals) (sum Totals, ok bool) {
	for _, name := range t.names {
		sum.set(name, t.Values[name])
	}
	for _, name := range u.names {
		value, ok := u.Values[name], true
		if before, known := sum.Values[name]; known {
			value, ok = together(before, value, false)
		}
		if !ok {
			return sum, false
		}
		sum.set(name, value)
	}
	return sum, true
}

// plainValue converts a member of a summary to an int64, float64, bool, Totals or text.
func plainValue(member strictjson.Node) any {
	if member.Is(strictjson.Object) {
		return readTotals(member)
	}
	if n, ok := member.Int(); ok {
		return n
	}
	if x, ok := member.Float(); ok {
		return x
	}
	if is, ok := member.Bool(); ok {
		return is
	}
	return json.RawMessage(bytes.Clone(member.Raw()))
}

// together combines the values of two reports.
func together(a, b any, same bool) (any, bool) {
	switch a := a.(type) {
	case int64:
		if b, ok := b.(int64); ok {
			return wholeSum(a, b, same)
		}
	case bool:
		if b, ok := b.(bool); ok {
			return a || b, true
		}
	case Totals:
		if b, ok := b.(Totals); ok {
			return a.plus(b)
		}
	case json.RawMessage:
		b, ok := b.(json.RawMessage)
		return a, ok && bytes.Equal(a, b)
	}
	x, one := decimal(a)
	y, two := decimal(b)
	return x + y, one && two
}

// wholeSum adds two integers. If same, they must be equal or one zero.
func wholeSum(a, b int64, same bool) (any, bool) {
	if same {
		return max(a, b), a == b || a == 0 || b == 0
	}
	sum := a + b
	return sum, (sum > a) == (b > 0)
}

func decimal(v any) (float64, bool) {
	switch v := v.(type) {
	case int64:
		return float64(v), true
	case float64:
		return v, true
	}
	return 0, false
}

func (t Totals) MarshalJSON() ([]byte, error) {
	var b bytes.Buffer
	for _, name := range t.names {
		key, _ := json.Marshal(name) // a string is always JSON
		value, err := json.Marshal(t.Values[name])
		if err != nil {
			return nil, err
		}
		fmt.Fprintf(&b, ",%s:%s", key, value)
	}
	return append(append([]byte{'{'}, bytes.TrimPrefix(b.Bytes(), []byte{','})...), '}'), nil
}

// String returns the closing sentence for a person.
func (t Totals) String() string {
	var parts []string
	for _, name := range t.names {
		words := strings.ReplaceAll(name, "_", " ")
		switch v := t.Values[name].(type) {
		case int64:
			if v == 1 {
				words = strings.TrimSuffix(words, "s")
			}
			parts = append(parts, fmt.Sprintf("%d %s", v, words))
		case float64:
			parts = append(parts, fmt.Sprintf("%v %s", v, words))
		case bool:
			if v {
				parts = append(parts, words)
			}
		}
	}
	return strings.Join(parts, ", ")
}
