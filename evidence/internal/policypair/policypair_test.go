package policypair_test

import (
	"testing"

	"github.com/cupel-dev/cupel/evidence"
	"github.com/cupel-dev/cupel/evidence/internal/policypair"
)

// TestCompare compares the members of events. A spelling of the text in JSON does not matter.
func TestCompare(t *testing.T) {
	for data, want := range map[string]policypair.Outcome{
		`{}`:                             policypair.Absent,
		`{"policy_digest":"a"}`:          policypair.Absent,
		`{"policy_digest":7}`:            policypair.Absent,
		`{"policy_snapshot_digest":"a"}`: policypair.Unpaired,
		`{"policy_snapshot_digest":7}`:   policypair.Unpaired,
		`{"policy_digest":"a","policy_snapshot_digest":"a"}`:      policypair.Same,
		`{"policy_digest":"\u0061","policy_snapshot_digest":"a"}`: policypair.Same,
		`{"policy_digest":"a","policy_snapshot_digest":"A"}`:      policypair.Different,
		`{"policy_digest":7,"policy_snapshot_digest":7}`:          policypair.Different,
		`{"policy_digest":null,"policy_snapshot_digest":"null"}`:  policypair.Unpaired,
		`{"policy_digest":"a","policy_snapshot_digest":["a"]}`:    policypair.Different,
		`{"policy_digest":"ab","policy_snapshot_digest":"a"}`:     policypair.Different,
	} {
		line := []byte(`{"specversion":"1.0","type":"assay.tool.decision","data":` + data + `}`)
		r, err := evidence.NewHasher(evidence.Options{Events: true}).Hash(line)
		if err != nil || r.Event == nil {
			t.Fatalf("%s: %v %v", line, err, r.Findings)
		}
		d := r.Event.Get(evidence.AttrData)
		if got := policypair.Compare(d.Get("policy_snapshot_digest"), d.Get("policy_digest")); got != want {
			t.Errorf("Compare(%s) = %d, want %d", data, got, want)
		}
	}
}
