package trace_test

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/cupel-dev/cupel/trace"
)

// merkle returns the tree of RFC 9162 section 2.1, written from its definition.
func merkle(leaves [][]byte) [sha256.Size]byte {
	if len(leaves) == 1 {
		return sha256.Sum256(append([]byte{0}, leaves[0]...))
	}
	k := 1
	for 2*k < len(leaves) {
		k *= 2
	}
	left, right := merkle(leaves[:k]), merkle(leaves[k:])
	return sha256.Sum256(slices.Concat([]byte{1}, left[:], right[:]))
}

// TestSealedLines holds that an anchor of lines fits the file while it grows, and no other.
func TestSealedLines(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		lines := rapid.SliceOfN(rapid.SampledFrom([]string{`{"n":1}`, `{"n":2}`, "", "text", "{\r"}), 1, 40).Draw(t, "lines")
		tail := rapid.SampledFrom([]string{"", `{"unfinished`, "more\n"}).Draw(t, "tail")
		text := strings.Join(lines, "\n") + "\n"
		anchor, err := trace.SealLines(t.Context(), strings.NewReader(text+strings.TrimSuffix(tail, "more\n")), trace.Options{})
		if err != nil {
			t.Fatal(err)
		}
		var leaves [][]byte
		for _, l := range lines {
			leaves = append(leaves, []byte(l))
		}
		root := merkle(leaves)
		if anchor.Events != int64(len(lines)) || anchor.Bytes != int64(len(text)) || anchor.MerkleRoot != hex.EncodeToString(root[:]) {
			t.Fatalf("anchor %+v of %d lines, %d bytes", anchor, len(lines), len(text))
		}
		report, err := trace.Verify(t.Context(), strings.NewReader(text+tail), trace.Options{Anchor: anchor})
		if err != nil || !report.Verdict.Good() {
			t.Fatalf("the file grew: %v, %+v", err, report)
		}
		changed := []byte(text)
		changed[rapid.IntRange(0, len(changed)-1).Draw(t, "at")] ^= 1
		if bytes.Equal(changed, []byte(text)) {
			t.Fatal("nothing changed")
		}
		report, err = trace.Verify(t.Context(), bytes.NewReader(changed), trace.Options{Anchor: anchor})
		if err != nil || report.Verdict != trace.Invalid {
			t.Fatalf("a changed file: %v, %+v", err, report)
		}
	})
}
