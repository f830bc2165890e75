package strictjson_test

import (
	"strings"
	"testing"

	"github.com/cupel-dev/cupel/internal/strictjson"
)

// TestPointer names every value of a document, in document order.
func TestPointer(t *testing.T) {
	doc, err := strictjson.NewScanner(strictjson.Limits{}).Scan([]byte(`{"a":[1,{"b/c":2,"~\u0064":[3,[]]}],"e":{},"":5}`))
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for n := range doc.Root().All() {
		got = append(got, n.Pointer())
	}
	const want = "|/a|/a/0|/a/1|/a/1/b~1c|/a/1/~0d|/a/1/~0d/0|/a/1/~0d/1|/e|/"
	if strings.Join(got, "|") != want {
		t.Errorf("got %q", got)
	}
	if (strictjson.Node{}).Pointer() != "" {
		t.Error("the absent value has a place")
	}
}

// TestPointerNames takes member names into tokens and back.
func TestPointerNames(t *testing.T) {
	for name, token := range map[string]string{"": "", "a": "a", "~": "~0", "/": "~1", "~1": "~01", "/~0/": "~1~00~1"} {
		if got := strictjson.PointerToken(name); got != token {
			t.Errorf("token of %q: %q, expected %q", name, got, token)
		}
		if got := strictjson.PointerName(token); got != name {
			t.Errorf("name of %q: %q, expected %q", token, got, name)
		}
	}
}

// TestPointerIsCut names a member whose name is longer than a pointer repeats.
func TestPointerIsCut(t *testing.T) {
	for size, want := range map[int]string{64: strings.Repeat("n", 64), 65: strings.Repeat("n", 64) + "…"} {
		doc, err := strictjson.NewScanner(strictjson.Limits{}).Scan([]byte(`{"` + strings.Repeat("n", size) + `":1}`))
		if err != nil {
			t.Fatal(err)
		}
		if got := doc.Root().At(0).Pointer(); got != "/"+want {
			t.Errorf("a name of %d bytes: %q", size, got)
		}
	}
}
