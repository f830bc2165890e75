package session

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"hash"
	"math/bits"
	"strings"

	"github.com/cupel-dev/cupel/internal/digest"
)

// The codes of seals, signatures and roots.
const (
	codeSealNotLast      = "seal.not_last"
	codeSealFinalHash    = "seal.final_hash"
	codeSealMetadata     = "seal.metadata_missing"
	codeSealDigest       = "seal.digest"
	codeSealDigestOther  = "seal.digest_unrecognised"
	codeSealAuthority    = "seal.authority"
	codeSealHMAC         = "seal.hmac"
	codeSignature        = "signature.invalid"
	codeSignatureNoCheck = "signature.unchecked"
	codeMerkleRoot       = "merkle.root"
)

// sealMetadata are the members that a seal by a server carries from v0.6 on.
var sealMetadata = []string{"ingestion_service_id", "seal_timestamp", "session_digest"}

// sealDigest says how a seal's session_digest relates to the log: one of the four
// constructions that producers use, none of them, or a text of another kind.
type sealDigest uint8

const (
	digestMatches sealDigest = iota
	digestDiffers
	digestUnrecognised
)

// judgeDigest compares a session_digest with the hash before the seal, with its first
// 16 digits, and with the digest over the session id, all event hashes and the last
// one again. all has taken the session id and the event hashes.
func judgeDigest(text string, last link, all hash.Hash) sealDigest {
	bare := strings.TrimPrefix(text, digest.Prefix)
	lastHex := last.String()
	clone, err := all.(hash.Cloner).Clone()
	if err != nil {
		panic("session.judgeDigest: " + err.Error()) // SHA-256 always clones
	}
	clone.Write([]byte(lastHex))
	switch {
	case bare == lastHex, len(text) == 16 && strings.HasPrefix(lastHex, text), bare == hex.EncodeToString(clone.Sum(nil)):
		return digestMatches
	case digest.IsHex([]byte(bare)):
		return digestDiffers
	}
	return digestUnrecognised
}

// macMatches compares a seal's HMAC: lower-case hexadecimal HMAC-SHA256 over the 64
// digits of the hash before the seal. A line end that closes the key's file may or
// may not belong to the key.
func macMatches(key []byte, mac string, last link) bool {
	trimmed := strings.TrimSuffix(strings.TrimSuffix(string(key), "\n"), "\r")
	for _, k := range [][]byte{key, []byte(trimmed)} {
		h := hmac.New(sha256.New, k)
		h.Write([]byte(last.String()))
		if hmac.Equal([]byte(hex.EncodeToString(h.Sum(nil))), []byte(mac)) {
			return true
		}
	}
	return false
}

// merkle is the root over event hashes as RFC 6962 §2.1 builds it: a leaf is
// SHA-256(0x00, hash), a node SHA-256(0x01, left, right). It holds one node for each
// bit of the number of leaves.
type merkle struct {
	Leaves uint64
	Nodes  []digest.Sum // complete subtrees, the largest first
}

func (m *merkle) add(hash digest.Sum) {
	node := digest.Of(append([]byte{0}, hash[:]...))
	for n := m.Leaves; n&1 == 1; n >>= 1 {
		last := len(m.Nodes) - 1
		node = parent(m.Nodes[last], node)
		m.Nodes = m.Nodes[:last]
	}
	m.Nodes = append(m.Nodes, node)
	m.Leaves++
}

func (m *merkle) root() digest.Sum {
	if m.Leaves == 0 {
		return digest.Of(nil)
	}
	node := m.Nodes[bits.OnesCount64(m.Leaves)-1]
	for i := len(m.Nodes) - 2; i >= 0; i-- {
		node = parent(m.Nodes[i], node)
	}
	return node
}

func parent(left, right digest.Sum) digest.Sum {
	var b [1 + 2*sha256.Size]byte
	b[0] = 1
	copy(b[1:], left[:])
	copy(b[1+sha256.Size:], right[:])
	return digest.Of(b[:])
}

func (c *Checker) merkleOf(e *event) {
	root, ok := e.detail.keys["merkle_root"]
	if !ok || !c.env.whole {
		return
	}
	c.Merkle = sigValid
	computed := c.Leaves.root().Hex()
	switch {
	case root != computed:
		c.fault(e, codeMerkleRoot, payloadMember, "", "merkle_root is not the root over the events before", computed, clip(root))
	case e.detail.hasLeaves && e.detail.leaves != c.Leaves.Leaves:
		c.fault(e, codeMerkleRoot, payloadMember, "", "merkle_leaf_count is not the number of events before", fmt.Sprint(c.Leaves.Leaves), fmt.Sprint(e.detail.leaves))
	default:
		return
	}
	c.Merkle = sigInvalid
}

// sealed applies the rules of CHAIN_SEAL.
func (c *Checker) sealed(e *event, cause string) {
	d := e.detail
	c.Seal = sealState{Line: e.line.Number, Last: true, Complete: true}
	for _, name := range []string{"final_event_hash", "final_hash"} {
		if text, ok := d.keys[name]; ok && text != e.prev.String() && c.env.chained {
			c.fault(e, codeSealFinalHash, payloadMember, cause, name+" is not the hash before the seal", e.prev.String(), clip(text))
		}
	}
	if c.env.whole {
		if text, ok := d.keys["authority"]; ok && !isServer(text) {
			c.fault(e, codeSealAuthority, payloadMember, cause, fmt.Sprintf("a seal by %q, expected one by the server", clip(text)), "server", clip(text))
		}
	}
	for _, name := range sealMetadata {
		if d.keys[name] != "" {
			continue
		}
		c.Seal.Complete = false
		if e.version == versionV06 && isServer(strings.Trim(e.textOf(chainAuthority), `"`)) {
			c.fault(e, codeSealMetadata, payloadMember, cause, fmt.Sprintf("the seal lacks %s, which v0.6 demands of a server", name), "", "")
		}
	}
	if text, ok := d.keys["session_digest"]; ok && c.env.chained {
		c.digestOf(e, text, cause)
	}
	c.macOf(e)
}

func (c *Checker) digestOf(e *event, text, cause string) {
	switch judgeDigest(text, e.prev, c.all) {
	case digestDiffers:
		c.fault(e, codeSealDigest, payloadMember, cause, "session_digest fits neither the hash before the seal nor the session's hashes", e.prev.String(), clip(text))
	case digestUnrecognised:
		c.note(e, codeSealDigestOther, payloadMember, "session_digest is of no known construction and was not compared")
	}
}

func (c *Checker) macOf(e *event) {
	d := e.detail
	switch {
	case c.opt.HMACKey == nil:
		if d.mac != "" && c.MAC == sigAbsent {
			c.MAC = sigUnchecked
		}
	case d.mac == "":
		c.MAC = sigInvalid
		c.fault(e, codeSealHMAC, payloadMember, "", "the seal carries no HMAC to compare with the key", "", "")
	case !macMatches(c.opt.HMACKey, d.mac, e.prev):
		c.MAC = sigInvalid
		c.fault(e, codeSealHMAC, payloadMember, "", "the seal's HMAC does not fit the key and the hash before the seal", "", clip(d.mac))
	case c.MAC != sigInvalid:
		c.MAC = sigValid
	}
}

// isServer says whether a chain authority is the server's.
func isServer(authority string) bool {
	return authority == "server" || strings.HasPrefix(authority, "agentops-ingest-")
}
