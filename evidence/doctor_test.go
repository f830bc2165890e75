package evidence

import (
	"crypto/sha256"
	"fmt"
	"slices"
	"strings"
	"testing"
)

// TestDoctorNamesTheMistake hashes what a mistaken producer hashed and expects the
// names of its mistakes, none when the event was changed. Every mistake has a case.
func TestDoctorNamesTheMistake(t *testing.T) {
	type mistaken struct {
		Mistakes        []string
		Event, Preimage string
	}
	covered := map[string]bool{}
	cases := ReadCases[mistaken](t, "doctor.jsonl")
	for _, c := range cases {
		claimed := Sum(sha256.Sum256([]byte(c.Preimage)))
		event := strings.Replace(c.Event, "RECORDED", claimed.String(), 1)
		d := newDoctor(Limits{}.withDefaults())
		doc, err := d.scanner.Scan([]byte(event))
		if err != nil {
			t.Fatalf("%s: %v", c.Event, err)
		}
		found := []string{}
		for _, m := range d.search(doc, claimed) {
			found = append(found, m.name)
		}
		if !slices.Equal(found, c.Mistakes) {
			t.Errorf("%s\nhashed as %q: found %q, expected %q", event, c.Preimage, found, c.Mistakes)
		}
		for _, name := range found {
			covered[name] = true
		}
	}
	for _, m := range mistakes {
		if !covered[m.name] {
			t.Errorf("no case for the mistake %q", m.name)
		}
	}
	t.Logf("%d cases, %d mistakes", len(cases), len(mistakes))
}

// TestNotes checks the notes on recorded values of every form.
func TestNotes(t *testing.T) {
	type recordedCase struct {
		Event, Recorded string
		Notes           []string
	}
	cases := ReadCases[recordedCase](t, "recorded.jsonl")
	for _, c := range cases {
		if got := Diagnose([]byte(c.Event), c.Recorded, Limits{}); !slices.Equal(got, c.Notes) {
			t.Errorf("recorded %q:\n got %q\nwant %q", c.Recorded, got, c.Notes)
		}
	}
	t.Logf("%d cases", len(cases))
}

// TestDialectIsCanonical holds the doctor's own writer to the canonical form when it
// makes no mistake.
func TestDialectIsCanonical(t *testing.T) {
	type hashed struct {
		Text  string
		Input *string
	}
	compared := 0
	for _, c := range ReadCases[hashed](t, "hash.jsonl") {
		if c.Input == nil {
			continue
		}
		doc, err := Limits{JSONDepth: 100}.withDefaults().scanner().Scan([]byte(c.Text))
		if err != nil {
			t.Fatalf("%s: %v", c.Text, err)
		}
		if got, ok := newRecipe(doc, nil).preimage(); !ok || string(got) != *c.Input {
			t.Errorf("%s:\n got %s\nwant %s", c.Text, got, *c.Input)
		}
		compared++
	}
	t.Logf("%d events", compared)
}

// TestDoctorGivesUp holds the bound on events that nothing explains.
func TestDoctorGivesUp(t *testing.T) {
	d := newDoctor(Limits{}.withDefaults())
	for i := range 2 * pairTrials {
		event := fmt.Appendf(nil, `{"specversion":"1.0","type":"t","data":%d}`, i)
		d.notes(event, []byte(Sum{}.String()), Sum{1})
	}
	if d.failed != pairTrials {
		t.Errorf("%d full searches, expected %d", d.failed, pairTrials)
	}
}
