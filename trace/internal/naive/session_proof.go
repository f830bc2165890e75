package naive

import (
	"crypto/ed25519"
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"strconv"
)

// proofs checks signatures and Merkle trees.
type proofs struct{ *session }

func (s proofs) check() {
	s.signatures()
	s.roots()
}

// signatures verifies what is signed.
func (s proofs) signatures() {
	unchecked := false
	for _, e := range s.events {
		if e.members["signature"] == nil || !s.chained() {
			continue
		}
		encoded, _ := text(e.members, "signature")
		sig, err := base64.StdEncoding.DecodeString(encoded)
		switch {
		case s.key == nil:
			unchecked = true
		case err != nil || !ed25519.Verify(s.key, []byte(e.hash), sig):
			s.wrong("signature.invalid", e.line)
		}
	}
	if unchecked {
		s.warn("signature.unchecked", 0)
	}
}

// roots builds the Merkle tree of RFC 6962 §2.1 over the events before each
// SESSION_END, by the recursion of its text.
func (s proofs) roots() {
	var leaves []string
	for _, e := range s.events {
		if e.kind != "SESSION_END" {
			leaves = append(leaves, e.hash)
			continue
		}
		stated := e.payload["merkle_root"]
		if !s.is("session-v1", "session-v1b") || stated == nil {
			continue
		}
		count, counted := e.payload["merkle_leaf_count"]
		if stated != any(hex.EncodeToString(tree(leaves))) || counted && count != any(json.Number(strconv.Itoa(len(leaves)))) {
			s.wrong("merkle.root", e.line)
		}
	}
}

func tree(leaves []string) []byte {
	h := sha256.New()
	switch n := len(leaves); n {
	case 0:
	case 1:
		raw, err := hex.DecodeString(leaves[0])
		if err != nil || !isHash(leaves[0]) {
			return nil // no root is that of something that is no hash
		}
		h.Write(append([]byte{0}, raw...))
	default:
		k := 1
		for k*2 < n {
			k *= 2
		}
		left, right := tree(leaves[:k]), tree(leaves[k:])
		if left == nil || right == nil {
			return nil
		}
		h.Write(append(append([]byte{1}, left...), right...))
	}
	return h.Sum(nil)
}
