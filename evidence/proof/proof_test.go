package proof_test

import (
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/cupel-dev/cupel/evidence"
	"github.com/cupel-dev/cupel/evidence/proof"
	"github.com/cupel-dev/cupel/finding"
	"github.com/cupel-dev/cupel/internal/digest"
)

// naive returns the root of RFC 6962 §2.1 as its text defines it.
func naive(leaves []evidence.Sum) (root [32]byte) {
	switch n := len(leaves); n {
	case 0:
		return sha256.Sum256(nil)
	case 1:
		return sha256.Sum256([]byte("\x00" + leaves[0].String()))
	default:
		k := 1
		for 2*k < n {
			k *= 2
		}
		left, right := naive(leaves[:k]), naive(leaves[k:])
		return sha256.Sum256([]byte("\x01" + string(left[:]) + string(right[:])))
	}
}

func leaf(i int) evidence.Sum { return digest.Of(fmt.Append(nil, i)) }

func treeOf(t *testing.T, n int) (*proof.Tree, []evidence.Sum) {
	t.Helper()
	tree, leaves := new(proof.Tree), make([]evidence.Sum, n)
	for i := range leaves {
		leaves[i] = leaf(i)
		if err := tree.Add(leaves[i]); err != nil {
			t.Fatal(err)
		}
	}
	return tree, leaves
}

func headOf(t *testing.T, tree *proof.Tree) proof.Head {
	t.Helper()
	head, err := tree.Head()
	if err != nil {
		t.Fatal(err)
	}
	return head
}

func proofOf(t *testing.T, tree *proof.Tree, seq int, hash evidence.Sum) (p proof.Proof, text []byte) {
	t.Helper()
	p, err := tree.Prove(int64(seq), hash)
	if err != nil {
		t.Fatal(err)
	}
	if text, err = json.Marshal(p); err != nil {
		t.Fatal(err)
	}
	return p, text
}

// TestSmallTrees proves every event of every small tree, and refuses each proof for every
// other place and size.
func TestSmallTrees(t *testing.T) {
	const most = 20
	for n := range most {
		tree, leaves := treeOf(t, n)
		head := headOf(t, tree)
		if want := (proof.Head{Size: int64(n), Root: naive(leaves)}); head != want {
			t.Fatalf("tree of %d: %v, want %v", n, head, want)
		}
		for seq := range n {
			p, text := proofOf(t, tree, seq, leaves[seq])
			got, fault := proof.Read(text)
			if fault != nil || got.Head != head || got.Seq != int64(seq) || got.ContentHash != leaves[seq] {
				t.Fatalf("%d of %d: %v %+v", seq, n, fault, got)
			}
			elsewhere(t, p, most)
		}
	}
}

// elsewhere checks that a proof is not valid for any other size, unless that has the same path, or for any other
// place.
func elsewhere(t *testing.T, p proof.Proof, most int) {
	t.Helper()
	for size := 1; size <= most; size++ {
		for seq := range size {
			moved := p
			moved.Head.Size, moved.Seq = int64(size), int64(seq)
			if moved.Head == p.Head && moved.Seq == p.Seq {
				continue
			}
			text, err := json.Marshal(moved)
			if err != nil {
				t.Fatal(err)
			}
			if _, fault := proof.Read(text); fault == nil && moved.Head == p.Head {
				t.Errorf("a proof for %d of %d passes for %d of %d", p.Seq, p.Head.Size, seq, size)
			}
		}
	}
}

// TestChangedProofs flips every bit of a proof's text: what is still read as a proof says
// the same of the same tree.
func TestChangedProofs(t *testing.T) {
	tree, leaves := treeOf(t, 11)
	want, text := proofOf(t, tree, 6, leaves[6])
	for i := range text {
		for bit := range 8 {
			changed := []byte(string(text))
			changed[i] ^= 1 << bit
			got, fault := proof.Read(changed)
			if fault != nil || got.IsOf(want.Head) != nil {
				continue
			}
			if got.Seq != want.Seq || got.ContentHash != want.ContentHash {
				t.Errorf("byte %d, bit %d: %s", i, bit, changed)
			}
		}
	}
}

// TestProofs has proofs with one thing done to them.
func TestProofs(t *testing.T) {
	tree, leaves := treeOf(t, 5)
	_, good := proofOf(t, tree, 3, leaves[3])
	other, _ := treeOf(t, 6)
	replaced := func(pairs ...string) string { return strings.NewReplacer(pairs...).Replace(string(good)) }
	for _, c := range []struct{ name, text, want string }{
		{"good", string(good), ""},
		{"pretty", strings.ReplaceAll(string(good), ",", ",\n\t"), ""},
		{"more members", replaced(`{"schema"`, `{"x":1,"schema"`), ""},
		{"nothing", "", "proof.shape "},
		{"an array", "[]", "proof.shape /schema"},
		{"a member twice", replaced(`{"schema"`, `{"seq":3,"schema"`), "proof.shape "},
		{"another schema", replaced("proof/1", "proof/2"), "proof.shape /schema"},
		{"another algorithm", replaced("rfc6962", "rfc9162"), "proof.shape /algorithm"},
		{"no size", replaced(`"tree_size"`, `"size"`), "proof.shape /tree_size"},
		{"size 0", replaced(`"tree_size":5`, `"tree_size":0`), "proof.shape /tree_size"},
		{"negative size", replaced(`"tree_size":5`, `"tree_size":-5`), "proof.shape /tree_size"},
		{"size with a fraction", replaced(`"tree_size":5`, `"tree_size":5.0`), "proof.shape /tree_size"},
		{"largest number", replaced(`"tree_size":5`, `"tree_size":9223372036854775807`), "proof.shape /tree_size"},
		{"largest size", replaced(`"tree_size":5`, `"tree_size":9007199254740992`), "proof.path /path"},
		{"beyond the tree", replaced(`"seq":3`, `"seq":5`), "proof.shape /seq"},
		{"negative place", replaced(`"seq":3`, `"seq":-3`), "proof.shape /seq"},
		{"the neighbour's place", replaced(`"seq":3`, `"seq":2`), "proof.path /path"},
		{"upper case", replaced(leaves[3].Hex(), strings.ToUpper(leaves[3].Hex())), "proof.shape /content_hash"},
		{"another hash", replaced(leaves[3].Hex(), leaves[2].Hex()), "proof.path /path"},
		{"another root", replaced(headOf(t, tree).Root.Hex(), headOf(t, other).Root.Hex()), "proof.path /path"},
		{"no path", replaced(`"path"`, `"paths"`), "proof.shape /path"},
		{"a path of numbers", replaced(`"path":[`, `"path":[1,`), "proof.shape /path"},
		{"a longer path", replaced(`"path":[`, `"path":["`+headOf(t, tree).Root.String()+`",`), "proof.path /path"},
		{"an endless path", replaced(`"path":[`, `"path":[`+strings.Repeat("1,", 60)), "proof.shape /path"},
		{"too large", replaced(`{"schema"`, `{"x":"`+strings.Repeat("x", proof.MaxBytes)+`","schema"`), "proof.shape "},
	} {
		_, fault := proof.Read([]byte(c.text))
		if got := placeOf(fault); got != c.want {
			t.Errorf("%s: %q, want %q", c.name, got, c.want)
		}
	}
}

func placeOf(f *evidence.Finding) string {
	if f == nil {
		return ""
	}
	return f.Rule + " " + f.Path
}

// TestComparisons compares a proof with trees and events.
func TestComparisons(t *testing.T) {
	tree, leaves := treeOf(t, 5)
	p, _ := proofOf(t, tree, 3, leaves[3])
	head := headOf(t, tree)
	for _, c := range []struct {
		got  *evidence.Finding
		want string
	}{
		{p.IsOf(head), ""},
		{p.IsOf(proof.Head{Size: 6, Root: head.Root}), "proof.head /tree_size"},
		{p.IsOf(proof.Head{Size: 5, Root: leaves[0]}), "proof.head /root"},
		{p.IsOf(proof.Head{Root: head.Root}), ""},
		{p.IsOf(proof.Head{Root: leaves[0]}), "proof.head /root"},
		{p.Shows(leaves[3]), ""},
		{p.Shows(leaves[2]), "proof.event /content_hash"},
	} {
		if got := placeOf(c.got); got != c.want {
			t.Errorf("%q, want %q", got, c.want)
		}
	}
	for seq, hash := range map[int64]evidence.Sum{-1: leaves[0], 5: leaves[0], 2: leaves[3]} {
		if _, err := tree.Prove(seq, hash); !errors.Is(err, proof.ErrNoLeaf) {
			t.Errorf("event %d: %v", seq, err)
		}
	}
}

// TestRuleExamples checks the examples of the table, with the flag that they name.
func TestRuleExamples(t *testing.T) {
	for _, r := range proof.Rules() {
		for _, c := range []struct{ text, want string }{{r.Bad, r.ID}, {r.Good, ""}} {
			flag, text := "", c.text
			if rest, ok := strings.CutPrefix(text, "# with "); ok {
				flag, text, _ = strings.Cut(rest, "\n")
			}
			p, fault := proof.Read([]byte(text))
			if fault == nil {
				fault = compared(t, p, flag)
			}
			if fault == nil && flag == "" && r.Severity == finding.Warning {
				fault = p.Unpinned()
			}
			if got, _, _ := strings.Cut(placeOf(fault), " "); got != c.want {
				t.Errorf("%s: %q for %s", r.ID, got, c.text)
			}
		}
	}
}

func compared(t *testing.T, p proof.Proof, flag string) *evidence.Finding {
	t.Helper()
	name, value, _ := strings.Cut(flag, " ")
	switch name {
	case "":
		return nil
	case "--event":
		hash, err := evidence.ContentHash([]byte(value))
		if err != nil {
			t.Fatal(err)
		}
		value = hash
	}
	sum, ok := digest.Parse([]byte(value))
	if !ok {
		t.Fatalf("%q is no digest", value)
	}
	if name == "--event" {
		return p.Shows(sum)
	}
	return p.IsOf(proof.Head{Root: sum})
}

// TestTreeMemory holds that a tree has two digests for each event.
func TestTreeMemory(t *testing.T) {
	tree, _ := treeOf(t, 1000)
	if _, err := tree.ReadHashes([]int64{2000}); err == nil {
		t.Error("more than two hashes an event")
	}
	if _, err := tree.ReadHashes([]int64{-1}); err == nil {
		t.Error("a hash before the first")
	}
}
