package reuse_test

import (
	"testing"

	"github.com/cupel-dev/cupel/attest/internal/reuse"
)

func TestMap(t *testing.T) {
	small := map[int]int{1: 1}
	if got := reuse.Map(small); len(got) != 0 || got == nil {
		t.Errorf("a small map becomes %v", got)
	}
	large := map[int]int{}
	for i := range 2000 {
		large[i] = i
	}
	if reuse.Map(large) != nil {
		t.Error("a large map is used again")
	}
}

func TestSlice(t *testing.T) {
	list := []int{1, 2, 3}
	if got := reuse.Slice(list, 2); len(got) != 2 || got[0] != 0 || &got[0] != &list[0] {
		t.Errorf("%v", got)
	}
	if got := reuse.Slice(list, 4); len(got) != 4 || got[0] != 0 {
		t.Errorf("%v", got)
	}
}
