package privacy_test

import (
	"errors"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"github.com/cupel-dev/cupel/evidence"
	"github.com/cupel-dev/cupel/evidence/privacy"
)

// TestParts: the parts of an event are all values that hold no others, in the order of the text,
// but those that are removed with what holds them; and each change is one of them.
func TestParts(t *testing.T) {
	private := 0
	rapid.Check(t, func(t *rapid.T) {
		text := []byte(spell(events.Draw(t, "event"), nil))
		e := read(text)
		if e == nil {
			return
		}
		for name, policy := range policies {
			parts, hasPrivate, err := privacy.NewRedactor(policy).Parts(e)
			_, changes, refused := privacy.NewRedactor(policy).Event(nil, e)
			if failure := (*privacy.SweepError)(nil); errors.As(refused, &failure) {
				if !errors.As(err, &failure) || parts != nil {
					t.Fatalf("%s: %v, expected %v", name, err, refused)
				}
				continue
			}
			at, leaves := 0, 0
			left := slices.DeleteFunc(slices.Clone(changes), func(c privacy.Change) bool { return c.Name && c.At.Kind() > evidence.KindString && c.At.Len() > 0 })
			isPrivate := len(left) < len(changes)
			for p := range parts {
				start, end := p.At.Span()
				if start < at {
					t.Fatalf("%s: a part begins at %d, before %d, in %s", name, start, at, text)
				}
				at = end
				for value := range p.At.All() {
					leaves += leaf(value)
				}
				found := false
				for len(left) > 0 && left[0].At == p.At {
					left, found = left[1:], true
				}
				if (p.Rule != "") != found {
					t.Fatalf("%s: %q is found in %s", name, p.Rule, p.At.Pointer())
				}
				if p.Private() && p.Shared() {
					t.Fatalf("%s: %s is private and shared", name, p.At.Pointer())
				}
				if p.Private() {
					private++
					isPrivate = true
				}
			}
			if isPrivate != hasPrivate {
				t.Fatalf("%s: private is %v of %s", name, hasPrivate, text)
			}
			for range parts {
				break // and nothing more is asked for
			}
			want := 0
			for value := range e.Root().All() {
				want += leaf(value)
			}
			if leaves != want && e.Root().Len() > 0 || len(left) > 0 {
				t.Fatalf("%s: %d of %d values, %d changes are no parts of %s", name, leaves, want, len(left), text)
			}
		}
	})
	if private == 0 {
		t.Error("nothing private was found")
	}
}

// leaf counts a value that holds no others.
func leaf(v evidence.Value) int {
	if v.Kind() > evidence.KindString && v.Len() > 0 {
		return 0
	}
	return 1
}
