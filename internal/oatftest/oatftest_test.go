package oatftest_test

import (
	"bytes"
	"testing"
	"testing/fstest"

	"github.com/cupel-dev/cupel/internal/oatftest"
	"github.com/cupel-dev/cupel/oatf"
)

// TestDocument checks that documents are valid, of about the wanted size, and all different.
func TestDocument(t *testing.T) {
	for _, size := range []int{1, 5_000, 50_000} {
		text := oatftest.Document(1, size)
		for _, f := range oatf.Check(text, oatf.CheckOptions{}) {
			if f.Rule != "L-105" { // indicators look at what the attacker sends
				t.Errorf("%d bytes: %v", size, f)
			}
		}
		for _, f := range oatf.Check(oatftest.DocumentOf("2026-03", 1, size), oatf.CheckOptions{Revision: oatf.V202603}) {
			if f.Rule != "W-007" && f.Rule != "L-105" { // there are semantic indicators in it
				t.Errorf("%d bytes, later revision: %v", size, f)
			}
		}
		if len(text) < size || len(text) > size+4_000 || bytes.Equal(text, oatftest.Document(2, size)) {
			t.Errorf("%d bytes for %d", len(text), size)
		}
	}
}

func TestCases(t *testing.T) {
	root := fstest.MapFS{"a.yaml": {Data: []byte("- {name: x}\n- {name: y}\n")}}
	if list := oatftest.Cases[struct{ Name string }](t, root, "a.yaml"); len(list) != 2 || list[1].Name != "y" {
		t.Errorf("%v", list)
	}
}
