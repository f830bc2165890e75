package naive

import (
	"crypto/ed25519"
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"slices"
	"strconv"
)

// proofs checks signatures and Merkle trees.
type proofs struct{ *session }

func (s proofs) check() {
	s.signatures()
	s.roots()
}

func (s proofs) signatures() {
	if !s.chained() {
		if len(s.opt.TrustedKeys) > 0 {
			s.wrong("signature.missing", 0)
		}
		return
	}
	keys := s.opt.TrustedKeys
	if s.key != nil {
		keys = []ed25519.PublicKey{s.key}
		if len(s.opt.TrustedKeys) > 0 && len(s.events) > 0 && !slices.ContainsFunc(s.opt.TrustedKeys, func(k ed25519.PublicKey) bool { return k.Equal(s.key) }) {
			s.wrong("signature.untrusted_key", s.events[0].line)
		}
	}
	unchecked := 0
	for _, e := range s.events {
		server := slices.Contains([]string{"CHAIN_SEAL", "CHAIN_BROKEN", "REDACTION", "FORENSIC_FREEZE"}, e.kind)
		switch {
		case e.members["signature"] == nil:
			if len(keys) > 0 && !server {
				s.wrong("signature.missing", e.line)
			}
		case len(keys) == 0:
			if unchecked == 0 {
				s.wrong("signature.unchecked", e.line)
			}
			unchecked++
		default:
			encoded, _ := text(e.members, "signature")
			sig, err := base64.StdEncoding.DecodeString(encoded)
			if err != nil || !slices.ContainsFunc(keys, func(k ed25519.PublicKey) bool {
				return len(k) == ed25519.PublicKeySize && ed25519.Verify(k, []byte(e.hash), sig)
			}) {
				s.wrong("signature.invalid", e.line)
			}
		}
	}
}

// roots computes the Merkle tree of RFC 6962 §2.1 over the events before each SESSION_END by the recursion in its
// text.
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
			return nil // no root exists with an invalid hash
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
