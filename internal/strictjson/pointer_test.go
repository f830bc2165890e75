package strictjson

import "testing"

func TestPointer(t *testing.T) {
	doc, err := NewScanner(Limits{}).Scan([]byte(`{"a":[1,{"b/c":2,"~\u0064":[3,[]]}],"e":{},"":5}`))
	if err != nil {
		t.Fatal(err)
	}
	want := []string{"", "/a", "/a/0", "/a/1", "/a/1/b~1c", "/a/1/~0d", "/a/1/~0d/0", "/a/1/~0d/1", "/e", "/"}
	if len(doc.Values) != len(want) {
		t.Fatalf("%d values, expected %d", len(doc.Values), len(want))
	}
	for i, pointer := range want {
		if got := doc.Pointer(doc.Node(i).Index()); got != pointer {
			t.Errorf("value %d: %q, expected %q", i, got, pointer)
		}
	}
}
