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
		d := NewDoctor(Limits{})
		e, fault := d.reader.read(place{[]byte(event), 1})
		if fault != nil {
			t.Fatalf("%s: %v", c.Event, fault)
		}
		found := []string{}
		for _, m := range d.search(e, claimed) {
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
		doc, err := Limits{JSONDepth: 100}.WithDefaults().scanner().Scan([]byte(c.Text))
		if err != nil {
			t.Fatalf("%s: %v", c.Text, err)
		}
		if got, ok := newRecipe(doc.Root(), nil).preimage(); !ok || string(got) != *c.Input {
			t.Errorf("%s:\n got %s\nwant %s", c.Text, got, *c.Input)
		}
		compared++
	}
	t.Logf("%d events", compared)
}

// TestDoctorGivesUp holds the bound on events that nothing explains.
func TestDoctorGivesUp(t *testing.T) {
	d := NewDoctor(Limits{})
	for i := range 2 * pairTrials {
		event := fmt.Appendf(nil, `{"specversion":"1.0","type":"t","data":%d}`, i)
		d.notes(event, []byte(Sum{}.String()), Sum{1})
	}
	if d.failed != pairTrials {
		t.Errorf("%d full searches, expected %d", d.failed, pairTrials)
	}
}

// TestDoctorBudget holds what the events of one input may cost together: the search ends,
// and the notes say so, but the mistake that explained the event before is found for ever.
func TestDoctorBudget(t *testing.T) {
	const unsearched = "cupel did not search for the cause of the recorded value: too many hashes of the input differ"
	event := fmt.Appendf(nil, `{"specversion":"1.0","type":"t","data":"%s"}`, strings.Repeat("x", 100<<10))
	newline := fmt.Appendf(nil, `{"data":"%s","datacontenttype":"application/json","specversion":"1.0","type":"t"}`+"\n", strings.Repeat("x", 100<<10))
	const budget = 4 << 20
	d := NewDoctor(Limits{})
	if d.budget != searchBudget {
		t.Errorf("a budget of %d", d.budget)
	}
	d.budget = budget
	searched := 0
	for d.budget >= 0 {
		if notes := d.Diagnose(event, Sum{}.String()); len(notes) != 1 || (notes[0] == unsearched) != (d.budget < 0) {
			t.Fatal(notes, d.budget)
		}
		searched++
	}
	if want := budget / len(event) / len(mistakes); searched < want || searched > 2*want+1 {
		t.Errorf("%d events searched, want %d to %d", searched, want, 2*want)
	}
	claimed := Sum(sha256.Sum256(newline)).String()
	if notes := d.Diagnose(event, claimed); len(notes) != 1 || notes[0] != unsearched {
		t.Error(notes)
	}
	e, _ := d.reader.read(place{event, 1})
	d.budget = budget
	if found := d.search(e, sha256.Sum256(newline)); len(found) != 1 {
		t.Fatal(found)
	}
	d.budget = -1
	if notes := d.Diagnose(event, claimed); len(notes) != 1 || !strings.HasSuffix(notes[0], "a line feed after the hash input") {
		t.Error(notes)
	}
}

// TestDoctorLeavesHugeTexts holds that a mistake which makes a text many times as long as
// the event is not tried.
func TestDoctorLeavesHugeTexts(t *testing.T) {
	const deep = 60
	event := `{"specversion":"1.0","type":"t","data":` + strings.Repeat("[", deep) + "1" + strings.Repeat(",1", 200_000) + strings.Repeat("]", deep) + "}"
	e, fault := NewDoctor(Limits{}).reader.read(place{[]byte(event), 1})
	if fault != nil {
		t.Fatal(fault)
	}
	for _, m := range mistakes {
		text, ok := newRecipe(e.root(), []mistake{m}).preimage()
		if most := (preimageGrowth + 1) * len(event); len(text) > most {
			t.Errorf("%s: %d bytes", m.name, len(text))
		}
		if indented := strings.HasPrefix(m.name, "pretty"); ok && indented {
			t.Errorf("%s was tried", m.name)
		}
	}
}

// TestDoctorTriesPairs checks the size up to which an event is tried with two mistakes at once: here only data is
// hashed, followed by a line feed.
func TestDoctorTriesPairs(t *testing.T) {
	const before, after = `{"specversion":"1.0","type":"t","data":"`, `"}`
	for size, want := range map[int]int{64 << 10: 2, 64<<10 + 1: 0} {
		data := strings.Repeat("x", size-len(before)-len(after))
		d := NewDoctor(Limits{})
		e, fault := d.reader.read(place{[]byte(before + data + after), 1})
		if fault != nil {
			t.Fatal(fault)
		}
		if found := d.search(e, sha256.Sum256([]byte(`"`+data+"\"\n"))); len(found) != want {
			t.Errorf("an event of %d bytes: %d mistakes, want %d", size, len(found), want)
		}
	}
}

// TestDefaultLimits has the defaults of the evidence contract.
func TestDefaultLimits(t *testing.T) {
	want := Limits{
		BundleBytes: 104_857_600, DecodeBytes: 1_073_741_824, ManifestBytes: 10_485_760, EventsBytes: 524_288_000,
		Events: 100_000, LineBytes: 1_048_576, PathBytes: 256, JSONDepth: 64,
	}
	if got := (Limits{}).WithDefaults(); got != want {
		t.Errorf("%+v, want %+v", got, want)
	}
}
