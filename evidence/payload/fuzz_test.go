package payload_test

import (
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/cupel-dev/cupel/evidence"
	"github.com/cupel-dev/cupel/evidence/payload"
)

// FuzzPayload holds that the engines and the naive check name the same faults of any data, and
// that each has a place in the event.
func FuzzPayload(f *testing.F) {
	types := slices.Sorted(maps.Keys(goodData))
	for i, eventType := range types {
		f.Add(byte(i), []byte(strings.ReplaceAll(goodData[eventType], `"D"`, `"`+someDigest+`"`)))
	}
	for i, value := range values {
		f.Add(byte(i), []byte(`{"hits":`+value+`,"counters":`+value+`,"tool":`+value+`,"delegated_from":`+value+`,"delegation_depth":`+value+`,"decision":`+value+`}`))
	}
	h := evidence.NewHasher(evidence.Options{})
	c := payload.NewChecker(payload.Options{Engine: evidence.Both, Strict: true})
	f.Fuzz(func(t *testing.T, which byte, data []byte) {
		members := append(slices.Clone(inOrder[:len(inOrder)-1]), [2]string{"data", string(data)})
		members[1][1] = `"` + types[int(which)%len(types)] + `"`
		text := written(members)
		r, err := h.Hash([]byte(text))
		if err != nil {
			t.Fatal(err)
		}
		said, err := c.Event(nil, &r)
		if err != nil {
			t.Fatalf("%q: %v", data, err)
		}
		if r.Event == nil {
			return
		}
		for _, f := range said {
			if f.Line < 1 || f.Column < 1 || f.Message == "" {
				t.Errorf("%q: %+v", data, f)
			}
		}
		if got, want := leveled(sayings(said)), append([]string{}, naiveEvent(text, true)...); !slices.Equal(got, want) {
			t.Errorf("%q\n  got %q\nnaive %q", data, got, want)
		}
	})
}
