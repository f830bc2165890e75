package payload_test

import (
	"encoding/json"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/cupel-dev/cupel/evidence"
	"github.com/cupel-dev/cupel/evidence/payload"
)

// saidOfData is what is said of the data of an event by the rules of the registry.
func saidOfData(t *testing.T, c *payload.Checker, eventType, data string) (said []string) {
	t.Helper()
	h := evidence.NewHasher(evidence.Options{Events: true})
	r, err := h.Hash([]byte(`{"type":"` + eventType + `","data":` + data + `}`))
	if err != nil {
		t.Fatal(err)
	}
	list, err := c.Event(nil, &r)
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range list {
		if strings.HasPrefix(f.Rule, "EV-27") {
			said = append(said, f.Severity.String()+" "+f.Rule+" "+f.Path)
		}
	}
	slices.Sort(said)
	return said
}

// TestRegistered compares what is said of data with testdata/registry.txt. Each type has a case
// in order and one that is not.
func TestRegistered(t *testing.T) {
	text, err := os.ReadFile("testdata/registry.txt")
	if err != nil {
		t.Fatal(err)
	}
	c := payload.NewChecker(payload.Options{})
	good, bad := map[string]bool{}, map[string]bool{}
	for _, block := range strings.Split(strings.TrimSpace(strings.ReplaceAll(string(text), "\n  ", "\t")), "\n") {
		lines := strings.Split(block, "\t")
		eventType, data, ok := strings.Cut(lines[0], " ")
		if !ok || !strings.HasPrefix(data, "{") && !strings.HasPrefix(data, "[") {
			continue
		}
		want := lines[1:]
		if got := saidOfData(t, c, eventType, data); !slices.Equal(got, want) {
			t.Errorf("%s\n got %q\nwant %q", lines[0], got, want)
		}
		if len(want) > 0 {
			bad[eventType] = true
		} else {
			good[eventType] = true
		}
	}
	for _, name := range payload.Types() {
		prefix, of := strings.CutSuffix(name, "_")
		has := func(cases map[string]bool) bool {
			for c := range cases {
				if c == name || of && strings.HasPrefix(c, prefix) {
					return true
				}
			}
			return false
		}
		if _, old := goodData[name]; !old && (!has(good) || !has(bad)) {
			t.Errorf("%s has no case in order, or none that is not", name)
		}
	}
}

// TestMandateIDs compares the ids of mandates with those that the reference implementation made.
func TestMandateIDs(t *testing.T) {
	root := os.Getenv("CUPEL_VECTORS")
	if root == "" {
		t.Log("CUPEL_VECTORS is not set: only the project's own cases ran")
		return
	}
	text, err := os.ReadFile(root + "/evidence/digests/mandate-goldens.json")
	if err != nil {
		t.Fatal(err)
	}
	var goldens struct {
		Vectors []struct {
			Event struct {
				Type string
				Data json.RawMessage
			} `json:"final_event"`
		}
	}
	if err := json.Unmarshal(text, &goldens); err != nil || len(goldens.Vectors) == 0 {
		t.Fatal(err, len(goldens.Vectors))
	}
	c := payload.NewChecker(payload.Options{})
	for _, v := range goldens.Vectors {
		if said := saidOfData(t, c, v.Event.Type, string(v.Event.Data)); len(said) > 0 {
			t.Errorf("%s: %q", v.Event.Data, said)
		}
	}
}
