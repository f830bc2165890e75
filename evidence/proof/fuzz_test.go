package proof_test

import (
	"encoding/json"
	"testing"

	"github.com/cupel-dev/cupel/evidence/proof"
)

// FuzzProof holds that no text panics, and that what is read is written as the same proof.
func FuzzProof(f *testing.F) {
	for _, r := range proof.Rules() {
		f.Add([]byte(r.Bad))
		f.Add([]byte(r.Good))
	}
	tree := new(proof.Tree)
	for i := range 9 {
		if err := tree.Add(leaf(i)); err != nil {
			f.Fatal(err)
		}
	}
	for i := range 9 {
		p, err := tree.Prove(int64(i), leaf(i))
		if err != nil {
			f.Fatal(err)
		}
		text, err := json.Marshal(p)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		p, fault := proof.Read(text)
		if fault != nil {
			return
		}
		written, err := json.Marshal(p)
		if err != nil {
			t.Fatal(err)
		}
		again, fault := proof.Read(written)
		if fault != nil || again.Head != p.Head || again.Seq != p.Seq || again.Shows(p.ContentHash) != nil {
			t.Fatalf("%s: %+v", written, fault)
		}
	})
}
