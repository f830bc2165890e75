package strictjson_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/cupel-dev/cupel/internal/strictjson"
)

// spellings are ways to spell one name.
var spellings = []func(name string) string{
	func(name string) string { return name },
	func(name string) string { return fmt.Sprintf(`\u%04x`, name[0]) + name[1:] },
}

// namesOf makes names of kinds that are hard to distinguish: short ones, ones that differ after eight shared bytes,
// and ones that are prefixes of the next.
var namesOf = map[string]func(i int) string{
	"short":             func(i int) string { return string(rune('!' + 2*i)) }, // neither quote nor backslash
	"beyond eight":      func(i int) string { return fmt.Sprintf("identifier%03d", i) },
	"each begins":       func(i int) string { return strings.Repeat("x", i+1) },
	"differ in a byte":  func(i int) string { return "k" + string(rune('a'+i)) + "cdefgh" },
	"differ at the end": func(i int) string { return "abcdefg" + string(rune('a'+i)) },
}

// TestRepeatedNames puts every pair of members under one name, in objects around the size
// up to which names are compared and not hashed, whichever way they are spelled.
func TestRepeatedNames(t *testing.T) {
	for kind, name := range namesOf {
		for _, size := range []int{2, 3, 8, 23, 24, 25, 26} {
			if kind == "short" && size > 25 {
				continue
			}
			names := make([]string, size)
			for i := range names {
				names[i] = name(i)
			}
			checkNames(t, kind, names, -1)
			for later := 1; later < size; later++ {
				for earlier := range later {
					for _, spelled := range spellings {
						twice := append([]string{}, names...)
						twice[later] = spelled(names[earlier])
						checkNames(t, kind, twice, later)
					}
				}
			}
		}
	}
}

// checkNames scans an object with these names, of which the one at index twice has
// occurred before; -1 when none has.
func checkNames(t *testing.T, kind string, names []string, twice int) {
	t.Helper()
	var text strings.Builder
	at := 0
	for i, name := range names {
		if i == twice {
			at = text.Len() + 1 // after the comma; before the first name it is the brace
		}
		text.WriteString(`,"` + name + `":1`)
	}
	source := []byte("{" + text.String()[1:] + "}")
	_, err := strictjson.NewScanner(strictjson.Limits{}).Scan(source)
	var e *strictjson.Error
	switch {
	case twice < 0 && err != nil:
		t.Fatalf("%s: %s: %v", kind, source, err)
	case twice >= 0 && (!errors.As(err, &e) || e.Code != strictjson.DuplicateKey || e.Offset != at || e.Pointer != pointerTo(t, names[twice])):
		t.Fatalf("%s: %s: %v, expected a repetition at %d", kind, source, err, at)
	}
	doc, err := strictjson.NewScanner(strictjson.Limits{DuplicateKeys: true}).Scan(source)
	if err != nil || doc.Root().Len() != len(names) {
		t.Fatalf("%s: %s with repeated names: %v", kind, source, err)
	}
}

// pointerTo returns the place of a member of the root, whose name is spelled as given.
func pointerTo(t *testing.T, spelled string) string {
	t.Helper()
	var name string
	if err := json.Unmarshal([]byte(`"`+spelled+`"`), &name); err != nil {
		t.Fatal(err)
	}
	return "/" + strictjson.PointerToken(name)
}

// TestManyNames scans objects of every size up to some hundreds, first without and then with a repetition of the last
// name, with one scanner: the state of one object must not affect the next.
func TestManyNames(t *testing.T) {
	s := strictjson.NewScanner(strictjson.Limits{})
	for size := 1; size < 300; size++ {
		text := object(size)
		if _, err := s.Scan([]byte(text)); err != nil {
			t.Fatalf("%d members: %v", size, err)
		}
		var e *strictjson.Error
		again := fmt.Sprintf(`%s,"k%d":0}`, text[:len(text)-1], size/2)
		if _, err := s.Scan([]byte(again)); !errors.As(err, &e) || e.Code != strictjson.DuplicateKey || e.Offset != len(text) {
			t.Fatalf("%d members and one again: %v", size, err)
		}
		if e.Pointer != fmt.Sprintf("/k%d", size/2) || !strings.Contains(e.Message, fmt.Sprintf(`"k%d" occurs twice`, size/2)) {
			t.Fatalf("%d members and one again: %v", size, e)
		}
	}
}

// TestLongNameTwice cuts the name in the message.
func TestLongNameTwice(t *testing.T) {
	for size, shown := range map[int]int{63: 63, 64: 64, 65: 64} {
		name := strings.Repeat("n", size)
		_, err := strictjson.NewScanner(strictjson.Limits{}).Scan([]byte(`{"` + name + `":1,"` + name + `":2}`))
		want := `member name "` + strings.Repeat("n", shown) + `" occurs twice `
		if err == nil || !strings.HasPrefix(err.Error(), want) {
			t.Errorf("%v, expected %s", err, want)
		}
	}
}

// TestLastMember takes of a repeated member the one that counts for either reader.
func TestLastMember(t *testing.T) {
	doc, err := strictjson.NewScanner(strictjson.Limits{DuplicateKeys: true}).Scan([]byte(`{"a":1,"b":2,"\u0061":3,"c":{"a":4}}`))
	if err != nil {
		t.Fatal(err)
	}
	root := doc.Root()
	for name, want := range map[string][2]int64{"a": {1, 3}, "b": {2, 2}} {
		first, _ := root.Get(name).Int()
		last, _ := root.Last(name).Int()
		if first != want[0] || last != want[1] {
			t.Errorf("%s is %d and %d, expected %v", name, first, last, want)
		}
	}
	if root.Last("d").Exists() || root.Get("b").Last("a").Exists() {
		t.Error("a member that is not there")
	}
}
