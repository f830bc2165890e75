package strictjson_test

import (
	"strings"
	"testing"

	"github.com/cupel-dev/cupel/internal/strictjson"
)

func TestDifferences(t *testing.T) {
	for _, c := range []struct{ a, b, want string }{
		{`{"b":1,"a":2}`, `{"a":2,"b":1}`, ``},
		{`{"b":1,"a":2}`, `{"a":3,"c":1}`, `/a 2 3, /b 1 -, /c - 1`},
		{`{"a":[1,{"x":null}]}`, `{"a":[1,{"x":false},2]}`, `/a/1/x null false, /a/2 - 2`},
		{`["a\u0062","x"]`, `["ab","y"]`, `/1 "x" "y"`},
		{`[]`, `{}`, ` [] {}`},
		{`1.0`, `1`, ` 1.0 1`},
		{`{"a/b":{}}`, `{}`, `/a~1b {} -`},
	} {
		scan := func(text string) strictjson.Node {
			doc, err := strictjson.NewScanner(strictjson.Limits{}).Scan([]byte(text))
			if err != nil {
				t.Fatal(err)
			}
			return doc.Root()
		}
		var got []string
		for x, y := range strictjson.Differences(scan(c.a), scan(c.b)) {
			place, left, right := x, "-", "-"
			if !x.Exists() {
				place = y
			} else {
				left = string(x.Raw())
			}
			if y.Exists() {
				right = string(y.Raw())
			}
			got = append(got, place.Pointer()+" "+left+" "+right)
		}
		if strings.Join(got, ", ") != c.want {
			t.Errorf("%s and %s: %q, want %q", c.a, c.b, got, c.want)
		}
	}
}
