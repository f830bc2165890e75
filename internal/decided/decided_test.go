package decided_test

import (
	"io"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/cupel-dev/cupel/internal/decided"
)

// TestAdd: the files of reports that are added say what one run over everything says, in whatever order and parts.
func TestAdd(t *testing.T) {
	type event struct{ role, name, effect, by string }
	role := rapid.SampledFrom([]string{decided.Configuration, decided.Baseline})
	effect := rapid.SampledFrom([]string{decided.FindingsIgnored, decided.FindingsAccepted, decided.FilesExcluded})
	rapid.Check(t, func(t *rapid.T) {
		whole, parts := decided.Of(decided.With(t.Context())), make([]*decided.Notes, 3)
		for i := range parts {
			parts[i] = decided.Of(decided.With(t.Context()))
		}
		for range rapid.IntRange(0, 20).Draw(t, "events") {
			e := event{role.Draw(t, "role"), rapid.StringMatching(`[ab]`).Draw(t, "name"), effect.Draw(t, "effect"), rapid.StringMatching(`[xy]`).Draw(t, "by")}
			for _, n := range []*decided.Notes{whole, parts[rapid.IntRange(0, 2).Draw(t, "part")]} {
				n.Took(e.role, e.name, "00", 2)
				n.Did(e.role, e.name, e.effect, e.by, 1)
			}
		}
		joined := decided.Of(decided.With(t.Context()))
		for _, i := range rapid.Permutation([]int{0, 1, 2}).Draw(t, "order") {
			joined.Add(parts[i].All())
		}
		if diff := cmp.Diff(whole.All(), joined.All()); diff != "" {
			t.Fatal(diff)
		}
	})
}

// TestReading: a file is noted when it was read to its end, with the SHA-256 of its bytes, and other bytes of a file
// of the same name are another file of joined reports.
func TestReading(t *testing.T) {
	notes := decided.Of(decided.With(t.Context()))
	r := notes.Reading("plan", "plan.json", io.NopCloser(strings.NewReader("abc")))
	if _, err := io.ReadFull(r, make([]byte, 3)); err != nil || len(notes.All()) != 0 {
		t.Fatalf("%v, %+v", err, notes.All())
	}
	if _, err := io.ReadAll(r); err != nil {
		t.Fatal(err)
	}
	want := []decided.File{{Role: "plan", Name: "plan.json", SHA256: "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad", Bytes: 3, Effects: []decided.Effect{}}}
	if diff := cmp.Diff(want, notes.All()); diff != "" {
		t.Error(diff)
	}
	other := want[0]
	other.SHA256 = strings.Repeat("f", 64)
	if notes.Add([]decided.File{other, want[0]}); len(notes.All()) != 2 {
		t.Errorf("%+v", notes.All())
	}
}

// TestLeavesOut: the line for a person counts for each file, and says nothing of a file that left nothing out.
func TestLeavesOut(t *testing.T) {
	notes := decided.Of(decided.With(t.Context()))
	notes.Took("anchor", "a.json", "00", 1)
	notes.Did(decided.Configuration, "cupel.yaml", decided.Sets, "strict", 0)
	if got := decided.LeavesOut(notes.All(), true); got != "" {
		t.Error(got)
	}
	for _, path := range []string{"x", "y", "x"} {
		notes.Excluded("cupel.yaml", "line", path)
	}
	notes.Did(decided.Configuration, "cupel.yaml", decided.FindingsIgnored, "1", 1)
	notes.Did(decided.Baseline, "b", decided.FindingsAccepted, "", 3)
	for accepted, want := range map[bool]string{
		true: "3 findings accepted by the baseline b; 1 finding ignored by cupel.yaml; 2 excluded by cupel.yaml", false: "1 finding ignored by cupel.yaml; 2 excluded by cupel.yaml",
	} {
		if got := decided.LeavesOut(notes.All(), accepted); got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
	var none *decided.Notes
	if none.Took("", "", "", 0); none.All() != nil {
		t.Error("nil notes")
	}
}
