package strictjson_test

import (
	"strings"
	"testing"

	"github.com/cupel-dev/cupel/internal/strictjson"
)

// TestTrim: a scanner keeps its memory as long as it is small, and works without it.
func TestTrim(t *testing.T) {
	s := strictjson.NewScanner(strictjson.Limits{})
	text := []byte("[" + strings.Repeat("1,", 999) + "1]")
	doc, err := s.Scan(text)
	if err != nil {
		t.Fatal(err)
	}
	size := doc.Capacity() * strictjson.ValueBytes
	if s.Trim(size); doc.Capacity() == 0 {
		t.Error("what may be kept is gone")
	}
	if s.Trim(size - 1); doc.Capacity() != 0 {
		t.Errorf("%d values are kept", doc.Capacity())
	}
	if doc, err = s.Scan(text); err != nil || len(doc.Values) != 1_001 {
		t.Errorf("%v, %v", doc, err)
	}
}
