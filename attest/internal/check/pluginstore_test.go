package check

import (
	"fmt"
	"testing"
)

func TestPluginStoreForgetsTheFirst(t *testing.T) {
	var s PluginStore
	submit := func(i int) { s.Put(fmt.Sprint(i), "a", "p", PluginResult{Status: Pass, Score: 1}) }
	for i := range rememberedPlugins + 1 {
		submit(i)
		submit(i)
	}
	if _, ok := s.get("0", "a", "p"); ok {
		t.Error("the first submission is still there")
	}
	for _, kept := range []int{1, rememberedPlugins} {
		if _, ok := s.get(fmt.Sprint(kept), "a", "p"); !ok {
			t.Errorf("submission %d is gone", kept)
		}
	}
	if _, ok := s.get("1a", "", "p"); ok {
		t.Error("the parts of a key run into each other")
	}
	if len(s.results) != rememberedPlugins || len(s.order) != rememberedPlugins {
		t.Errorf("%d results, %d in order", len(s.results), len(s.order))
	}
}
