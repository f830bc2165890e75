package stream

import "testing"

// TestLayout holds which bracket opens the records: the first byte's, or that of the
// value of the outermost member "events".
func TestLayout(t *testing.T) {
	const lines = -1
	for head, want := range map[string]int{
		`[{}]`:                         0,
		" \n[{}]":                      2,
		"[1,2]\n{}":                    lines,
		" [\"]\",[2]] \r\n\n {}":       lines,
		"[]\n{}":                       lines,
		"[1,2]\n[{}]":                  0,
		"[1,2]\n3":                     0,
		"[1,2]{}":                      0,
		"[1,2] {}\n{}":                 0,
		"[1,\n2]\n{}":                  0,
		"[\n1]\n{}":                    0,
		"[{}]\n{}":                     0,
		"[{},1]\n{}":                   0,
		`{"a":1}`:                      lines,
		`{"events":[{}]}`:              10,
		`{ "events" : [{}]}`:           13,
		`{"ev\u0065nts":[{}]}`:         15,
		`{"ev\u0065vents":[{}]}`:       lines,
		`{"a":"events","b":[]}`:        lines,
		`{"a":"events","events":[]}`:   23,
		`{"a":{"events":[]},"c":1}`:    lines,
		`{"a":["events",[]],"c":1}`:    lines,
		`{"events":{"a":[{}]}}`:        lines,
		`{"events":{"a":[{}]},"c":1}`:  lines,
		`{"events":"[","c":1}`:         lines,
		`{"events\":":1,"c":[1]}`:      lines,
		`{"events":1,"c":[1]}`:         lines,
		`{"a":{"b":1},"events":[{}]}`:  22,
		`{"a":[[1],2],"events":[{}]}`:  22,
		`{"a":"\\","events":[{}]}`:     19,
		`{"a":1}` + "\n" + `{"b":[1]}`: lines,
		`"events":[`:                   lines,
	} {
		opening, known := new(layout).find([]byte(head))
		if !known || opening != want {
			t.Errorf("%s: %d, %v, want %d", head, opening, known, want)
		}
		if opening >= 0 && head[opening] != '[' {
			t.Errorf("%s: no bracket at %d", head, opening)
		}
	}
	for _, head := range []string{"", " ", "[", "[ ", "[1", "[]", "[1,2]", "[1,2]\n", "[1,2]\n ", "{", `{"events"`, `{"events":`, `{"events":{"a":[`} {
		if opening, known := new(layout).find([]byte(head)); known {
			t.Errorf("%q: %d is known", head, opening)
		}
	}
}
