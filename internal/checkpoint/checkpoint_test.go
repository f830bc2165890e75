package checkpoint

import (
	"bytes"
	"crypto/ed25519"
	"encoding/base64"
	"fmt"
	"io"
	"iter"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"golang.org/x/mod/sumdb/note"
	"golang.org/x/mod/sumdb/tlog"
	"pgregory.net/rapid"

	"github.com/cupel-dev/cupel/finding"
	"github.com/cupel-dev/cupel/internal/digest"
	"github.com/cupel-dev/cupel/internal/racetest"
)

func privateKey(seed string) ed25519.PrivateKey {
	sum := digest.Of([]byte(seed))
	return ed25519.NewKeyFromSeed(sum[:])
}

func publicKey(seed string) ed25519.PublicKey { return privateKey(seed).Public().(ed25519.PublicKey) }

const origin = "example.com/log"

var noon = time.Date(2026, 6, 1, 12, 0, 0, 0, time.UTC)

// log returns a log of n lines, with blank lines and different line ends.
func log(n int) (text []byte, leaves [][]byte) {
	for i := range n {
		leaf := fmt.Appendf(nil, "{\"n\":%d}%s", i, strings.Repeat(" ", i%3))
		if i%4 == 3 {
			leaf = append(leaf, '\r')
		}
		text, leaves = append(append(text, leaf...), '\n'), append(leaves, leaf)
		if i%5 == 2 {
			text = append(text, " \t\r\n\n"...)
		}
	}
	return text, leaves
}

// naiveRoot computes the root by the definition of RFC 6962 §2.1.
func naiveRoot(leaves [][]byte) tlog.Hash {
	switch len(leaves) {
	case 0:
		return tlog.Hash(digest.Of(nil))
	case 1:
		return tlog.RecordHash(leaves[0])
	}
	k := 1
	for k*2 < len(leaves) {
		k *= 2
	}
	return tlog.NodeHash(naiveRoot(leaves[:k]), naiveRoot(leaves[k:]))
}

// read writes a text to lines in pieces of different sizes.
func read(l *Lines, text []byte) *Lines {
	for n := 1; len(text) > 0; n = n%7 + 1 {
		k := min(n, len(text))
		_, _ = l.Write(text[:k])
		text = text[k:]
	}
	l.Close()
	return l
}

func signed(t testing.TB, leaves [][]byte) *Checkpoint {
	t.Helper()
	text, err := Sign(Head{origin, int64(len(leaves)), digest.Sum(naiveRoot(leaves))}, privateKey("log"))
	if err != nil {
		t.Fatal(err)
	}
	c, err := Parse(text)
	if err != nil {
		t.Fatal(err)
	}
	return c
}

func policyOf(t testing.TB, keys ...Key) *Policy {
	t.Helper()
	p, err := Of(keys)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// TestExampleNote verifies the example of the specification of signed notes.
func TestExampleNote(t *testing.T) {
	k, err := ParseKey("example.com/foo+530d903a+AekyeRrm56hApGFkyQR4ZCbV54Id2LKaANYcrnKv3U2k")
	if err != nil {
		t.Fatal(err)
	}
	const text = "This is an example message.\n"
	const sig = "Uw2QOkn8srV1yJGh2VYRlL1Tnagv1YEq6TfXppzi2ONncAlTgK7Ztg1ERYNZXsYjOBH3mFXmRKuwHjG1Yu72IneyaQM="
	n, err := note.Open([]byte(text+"\n— example.com/foo "+sig+"\n"), note.VerifierList(k))
	if err != nil || n.Text != text {
		t.Errorf("the example is refused: %v", err)
	}
}

// TestLibraryOpens checks that the library opens what this package signs, with a key of its own making, and that this
// package accepts what the library signs.
func TestLibraryOpens(t *testing.T) {
	_, leaves := log(5)
	c := signed(t, leaves)
	vkey, err := note.NewEd25519VerifierKey(origin, publicKey("log"))
	if err != nil || vkey != LogKey(origin, publicKey("log")).String() {
		t.Fatalf("vkey %s: %v", vkey, err)
	}
	v, err := note.NewVerifier(vkey)
	if err != nil {
		t.Fatal(err)
	}
	n, err := note.Open(c.Bytes, note.VerifierList(v))
	if err != nil || n.Text != c.text() {
		t.Fatal(err)
	}
	skey, vkey, err := note.GenerateKey(nil, origin)
	if err != nil {
		t.Fatal(err)
	}
	s, err := note.NewSigner(skey)
	if err != nil {
		t.Fatal(err)
	}
	theirs, err := note.Sign(&note.Note{Text: c.text()}, s)
	if err != nil {
		t.Fatal(err)
	}
	back, err := Parse(theirs)
	k, bad := ParseKey(vkey)
	if err != nil || bad != nil {
		t.Fatal(err, bad)
	}
	if r, found := back.Judge(policyOf(t, k), noon); len(found) > 0 || r.Size != 5 {
		t.Errorf("%+v", found)
	}
}

// TestTreesAndProofs compares roots and proofs of every size with the definition and with the library's checks.
func TestTreesAndProofs(t *testing.T) {
	for size := 1; size <= 33; size++ {
		text, leaves := log(size)
		for prefix := range size + 1 {
			c := signed(t, leaves[:prefix])
			l := NewLines(c.Size)
			if prefix > 0 {
				l.ExpectLeaf(c, int64(prefix)/2)
			}
			older := int64(prefix) / 3
			l.ExpectOlder(c, older)
			if read(l, text); l.Size() != int64(size) || len(l.Compare(c, nil)) > 0 {
				t.Fatalf("%d of %d: size %d, %+v", prefix, size, l.Size(), l.Compare(c, nil))
			}
			consistency, err := l.Consistency(c, older)
			if err != nil || !consistency.Continues(older, digest.Sum(naiveRoot(leaves[:older]))) {
				t.Fatalf("%d of %d: the consistency proof from %d fails: %v", prefix, size, older, err)
			}
			back, err := ParseConsistency(consistency.ConsistencyText())
			if err != nil || !back.Continues(older, digest.Sum(naiveRoot(leaves[:older]))) {
				t.Fatal(err)
			}
			if prefix == 0 {
				continue
			}
			p, err := l.Inclusion(c, int64(prefix)/2)
			if err != nil || !p.Includes(leaves[prefix/2]) {
				t.Fatalf("%d of %d: the inclusion proof fails: %v", prefix, size, err)
			}
			for i, other := range leaves {
				if i != prefix/2 && p.Includes(other) {
					t.Fatalf("%d of %d: the proof also proves event %d", prefix, size, i)
				}
			}
			if back, err = ParseInclusion(p.InclusionText()); err != nil || !back.Includes(leaves[prefix/2]) {
				t.Fatal(err)
			}
		}
	}
}

// TestComparison makes a log and a checkpoint of another log: equal prefixes pass, and everything else has its rule.
func TestComparison(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		line := rapid.StringMatching(`[a-c]{1,2}`)
		old, now := rapid.SliceOfN(line, 0, 6).Draw(t, "old"), rapid.SliceOfN(line, 0, 6).Draw(t, "now")
		if rapid.Bool().Draw(t, "grown") {
			now = append(append([]string{}, old...), now...)
		}
		var leaves [][]byte
		for _, s := range old {
			leaves = append(leaves, []byte(s))
		}
		c := &Checkpoint{Head: Head{origin, int64(len(old)), digest.Sum(naiveRoot(leaves))}}
		text := strings.Join(now, "\n")
		cut := len(now) > 0 && rapid.Bool().Draw(t, "cut")
		if len(now) > 0 && !cut {
			text += "\n"
		}
		prefix := len(old) <= len(now) && strings.Join(old, "\n") == strings.Join(now[:len(old)], "\n")
		want := ""
		switch {
		case prefix:
		case len(now) < len(old), cut && len(now) == len(old):
			want = "checkpoint.truncated"
		case len(now) == len(old):
			want = "checkpoint.fork"
		default:
			want = "checkpoint.rewritten"
		}
		got := ""
		for _, f := range read(NewLines(c.Size), []byte(text)).Compare(c, nil) {
			got += f.Rule
		}
		if got != want {
			t.Fatalf("%q against %q: %q, want %q", now, old, got, want)
		}
	})
}

// TestFlippedBits changes every bit of a cosigned checkpoint and of proofs. Nothing changed is accepted.
func TestFlippedBits(t *testing.T) {
	text, leaves := log(7)
	c := signed(t, leaves)
	cosigned, err := c.Cosign("example.org/w1", privateKey("w1"), noon)
	if err != nil {
		t.Fatal(err)
	}
	if c, err = Parse(cosigned); err != nil {
		t.Fatal(err)
	}
	policy := policyOf(t, LogKey(origin, publicKey("log")), CosignerKey("example.org/w1", publicKey("w1")))
	good := func(c *Checkpoint) bool {
		_, found := c.Judge(policy, noon)
		return len(found) == 0
	}
	l := NewLines()
	l.ExpectLeaf(c, 4)
	l.ExpectOlder(c, 3)
	read(l, text)
	inclusion, err := l.Inclusion(c, 4)
	if err != nil {
		t.Fatal(err)
	}
	consistency, err := l.Consistency(c, 3)
	if err != nil {
		t.Fatal(err)
	}
	forms := map[string]struct {
		text   []byte
		accept func([]byte) bool
	}{
		"checkpoint": {cosigned, func(text []byte) bool {
			c, err := Parse(text)
			return err == nil && good(c)
		}},
		"tlog-proof": {inclusion.InclusionText(), func(text []byte) bool {
			p, err := ParseInclusion(text)
			return err == nil && good(p.Checkpoint) && p.Includes(leaves[4])
		}},
		"consistency": {consistency.ConsistencyText(), func(text []byte) bool {
			p, err := ParseConsistency(text)
			return err == nil && good(p.Checkpoint) && p.Continues(3, digest.Sum(naiveRoot(leaves[:3])))
		}},
	}
	for name, form := range forms {
		if !form.accept(form.text) {
			t.Fatalf("%s: the original is refused", name)
		}
		flipped := 0
		for _, bit := range racetest.Large(t, 5, slices.Collect(numbers(8*len(form.text)))) {
			changed := bytes.Clone(form.text)
			changed[bit/8] ^= 1 << (bit % 8)
			if flipped++; form.accept(changed) {
				t.Errorf("%s: accepted with bit %d of byte %d flipped: %q", name, bit%8, bit/8, changed)
			}
		}
		for cut := range len(form.text) {
			if form.accept(form.text[:cut]) {
				t.Errorf("%s: accepted when cut at byte %d", name, cut)
			}
		}
		t.Logf("%s: %d bits", name, flipped)
	}
}

// TestParse refuses texts that are not checkpoints, each for a reason.
func TestParse(t *testing.T) {
	sig := "\n— a AAAAAAA=\n"
	for text, want := range map[string]string{
		"":                                     "not a signed note",
		"a\n0\nAAAA\n":                         "not a signed note",
		"a\n0\n" + sig:                         "expected three lines",
		"a\n01\nAAAA\n" + sig:                  "size is \"01\"",
		"a\n-1\nAAAA\n" + sig:                  "size is \"-1\"",
		"a\n9223372036854775807\nAAAA\n" + sig: "at most 2⁵³",
		"a\n1\nAAAA\n" + sig:                   "the root is \"AAAA\"",
		"\n1\nAAAA\n" + sig:                    "expected three lines",
		"a\n1\n" + strings.Repeat("A", 43) + "B=\n" + sig:                 "the root is",
		"a\n0\n47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU=\n\nb\n" + sig: "extension line is empty",
	} {
		if _, err := Parse([]byte(text)); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v, want %q", text, err, want)
		}
	}
}

// TestPolicies reads policies, good and bad.
func TestPolicies(t *testing.T) {
	logKey, w1, w2, w3 := LogKey(origin, publicKey("log")), CosignerKey("w1", publicKey("w1")), CosignerKey("w2", publicKey("w2")), CosignerKey("w3", publicKey("w3"))
	mldsa := newKey("q", typeMLDSA, make([]byte, 1312))
	head := fmt.Sprintf("# keys\n\nlog %s https://example.com/?a=1#b\nwitness A %s\nwitness\tB %s u\nwitness C %s\n", logKey, w1, w2, w3)
	for text, want := range map[string]string{
		head + "quorum none\n":                                "",
		head + "quorum none":                                  "",
		head + "group G 2 A B C\nquorum G\n":                  "",
		head + "witness Q " + mldsa.String() + "\nquorum Q\n": "",
		head:                                     "quorum line is missing",
		"quorum none\n":                          "log line is missing",
		head + "quorum A\nquorum B\n":            "in line 8, a second quorum",
		head + "quorum X\n":                      "in line 7, no line above defines \"X\"",
		head + "quorum A # all\n":                "in line 7, expected quorum NAME",
		head + "group G 0 A\n":                   "is not a number of members",
		head + "group G 4 A B C\n":               "is not a number of members",
		head + "group G 01 A B C\n":              "is not a number of members",
		head + "group G any A A\n":               "is a member twice",
		head + "group G any A\ngroup H any A\n":  "is a member twice",
		head + "group G any G\n":                 "no line above defines",
		head + "group none any A\n":              "is taken",
		head + "group A any B\n":                 "is taken",
		head + "group G any\n":                   "expected group NAME",
		head + "witness D " + w1.String() + "\n": "occurs twice",
		head + "log " + logKey.String() + "\n":   "occurs twice",
		head + "log " + CosignerKey("x", publicKey("x")).String() + "\n":  "is not of a log",
		head + "witness D " + LogKey("x", publicKey("x")).String() + "\n": "is not of a witness",
		head + "quorum none\r\n": "control character",
		head + "Quorum none\n":   "unknown item",
		head + "log x\n":         "is not a vkey",
	} {
		_, err := ParsePolicy([]byte(text))
		if want == "" && err != nil || want != "" && (err == nil || !strings.Contains(err.Error(), want)) {
			t.Errorf("%q: %v, want %q", strings.TrimPrefix(text, head), err, want)
		}
	}
}

// TestQuorum compares the decision on each set of cosignatures with the meaning of the policy.
func TestQuorum(t *testing.T) {
	names := []string{"A", "B", "C", "D"}
	c := signed(t, nil)
	policy := "log " + LogKey(origin, publicKey("log")).String() + "\n"
	for _, name := range names {
		policy += fmt.Sprintf("witness %s %s\n", name, CosignerKey(name, publicKey(name)))
	}
	p, err := ParsePolicy([]byte(policy + "group X 2 A B C\ngroup Y all X D\nquorum Y\n"))
	if err != nil {
		t.Fatal(err)
	}
	for set := range 16 {
		now, count := c, 0
		for i, name := range names {
			if set>>i&1 == 0 {
				continue
			}
			if i < 3 {
				count++
			}
			text, err := now.Cosign(name, privateKey(name), noon)
			if err != nil {
				t.Fatal(err)
			}
			if now, err = Parse(text); err != nil {
				t.Fatal(err)
			}
		}
		_, found := now.Judge(p, noon)
		if met := count >= 2 && set>>3 == 1; met != (len(found) == 0) {
			t.Errorf("set %04b: %+v", set, found)
		}
	}
}

// TestCosignatures checks a time in the future, a key that cannot be checked, and a wrong cosignature.
func TestCosignatures(t *testing.T) {
	c := signed(t, nil)
	text, err := c.Cosign("w1", privateKey("w1"), noon)
	if err != nil {
		t.Fatal(err)
	}
	w1 := CosignerKey("w1", publicKey("w1"))
	if c, err = Parse(text); err != nil {
		t.Fatal(err)
	}
	p := policyOf(t, LogKey(origin, publicKey("log")), w1)
	if _, found := c.Judge(p, noon.Add(-time.Second)); len(found) != 1 || found[0].Rule != "checkpoint.future" || found[0].Severity != finding.Warning {
		t.Errorf("a second before: %+v", found)
	}
	mldsa := newKey("q", typeMLDSA, make([]byte, 1312))
	line := note.Signature{Name: "q", Hash: mldsa.id, Base64: strings.TrimSpace(strings.Fields(signatureLine(mldsa))[2])}
	unchecked := append(bytes.Clone(c.Bytes), fmt.Sprintf("— q %s\n", line.Base64)...)
	if c, err = Parse(unchecked); err != nil {
		t.Fatal(err)
	}
	r, found := c.Judge(policyOf(t, LogKey(origin, publicKey("log")), mldsa), noon)
	if r.Unchecked != 1 || len(r.Cosignatures) != 0 || len(found) != 1 || found[0].Rule != "checkpoint.quorum" {
		t.Errorf("ML-DSA: %+v, %+v", r, found)
	}
}

// numbers yields 0 to n-1.
func numbers(n int) iter.Seq[int] {
	return func(yield func(int) bool) {
		for i := range n {
			if !yield(i) {
				return
			}
		}
	}
}

func signatureLine(k Key) string {
	data := append([]byte{byte(k.id >> 24), byte(k.id >> 16), byte(k.id >> 8), byte(k.id)}, make([]byte, 2428)...)
	return "— " + k.name + " " + base64.StdEncoding.EncodeToString(data)
}

// TestFlatMemory reads a million events and a line of 64 MB with a proof at hand.
func TestFlatMemory(t *testing.T) {
	line := []byte("{\"event_type\":\"TOOL_CALL\",\"payload\":{\"tool_name\":\"search\"}}\n")
	c := &Checkpoint{Head: Head{origin, 1_000_000, digest.Sum{}}}
	l := NewLines(c.Size)
	l.ExpectLeaf(c, 123_456)
	l.ExpectOlder(c, 654_321)
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	for range c.Size {
		_, _ = l.Write(line)
	}
	for range 64 {
		_, _ = io.Copy(l, io.LimitReader(zeros{}, 1<<20))
	}
	l.Close()
	runtime.ReadMemStats(&after)
	if l.Size() != c.Size+1 || len(l.roots) > 1 || len(l.stored) > 128 || len(l.tree.Nodes) > 64 {
		t.Errorf("size %d, %d roots, %d hashes, %d nodes", l.Size(), len(l.roots), len(l.stored), len(l.tree.Nodes))
	}
	t.Logf("%d events: %d KB allocated in all", c.Size, (after.TotalAlloc-before.TotalAlloc)>>10)
}

type zeros struct{}

func (zeros) Read(p []byte) (int, error) {
	for i := range p {
		p[i] = '0'
	}
	return len(p), nil
}

// FuzzParse checks that no text makes the readers panic, and that a checkpoint that is read is what it was read from.
func FuzzParse(f *testing.F) {
	_, leaves := log(3)
	f.Add(signed(f, leaves).Bytes)
	f.Add([]byte(proofHeader + "extra AAAA\nindex 0\n\n" + string(signed(f, leaves[:1]).Bytes)))
	f.Add([]byte("old 0\n\n" + string(signed(f, nil).Bytes)))
	f.Fuzz(func(t *testing.T, text []byte) {
		if c, err := Parse(text); err == nil && !bytes.HasPrefix(text, append([]byte(c.text()), '\n')) {
			t.Errorf("%q is read as %q", text, c.text())
		}
		if p, err := ParseInclusion(text); err == nil {
			p.Includes(leaves[0])
		}
		if p, err := ParseConsistency(text); err == nil {
			p.Continues(p.Index, digest.Sum{})
		}
		_, _ = ParsePolicy(text)
		_, _ = ParseKey(string(text))
		_, _ = ParseState(text)
	})
}
