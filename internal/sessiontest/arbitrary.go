package sessiontest

import (
	"crypto/ed25519"
	"encoding/base64"
	"fmt"
	"math/rand/v2"
	"strings"

	"github.com/cupel-dev/cupel/internal/digest"
)

// Families are the families that Arbitrary generates.
var Families = []string{"session-v0", "session-v1", "session-v1b", "session-bare"}

// Arbitrary returns a random log with valid hashes: events of all types, valid and invalid payloads, seals,
// signatures and roots, with occasional changes of session, authority, version or number.
func Arbitrary(random *rand.Rand, family, session string) []string {
	w := &writer{Rand: random, Log: NewLog(family)}
	w.signs = w.oneIn(3)
	w.Session = session
	w.Authority = w.pick("server", "sdk", "agentops-ingest-1", "", "x")
	w.Version = w.pick("v0.2", "v0.6", "v0.6", "")
	w.Named = w.oneIn(2)
	n := 3 + w.IntN(25)
	lines := make([]string, n)
	for i := range lines {
		w.drift()
		lines[i] = w.event(w.kind(i, n))
	}
	return lines
}

type writer struct {
	*rand.Rand
	*Log
	signs  bool
	leaves []digest.Sum // event hashes, except SESSION_END
}

func (w *writer) oneIn(n int) bool            { return w.IntN(n) == 0 }
func (w *writer) pick(texts ...string) string { return texts[w.IntN(len(texts))] }
func (w *writer) v1() bool                    { return strings.HasPrefix(w.Family, "session-v1") }

// drift changes a constant of the log.
func (w *writer) drift() {
	switch w.IntN(120) {
	case 0:
		w.Session += "x"
	case 1:
		w.Number += 1 + uint64(w.IntN(3))
	case 2:
		w.Authority = w.pick("server", "sdk", "")
	case 3:
		w.Version = w.pick("v0.2", "v0.5", "")
	}
}

// kind chooses the type of event i of n.
func (w *writer) kind(i, n int) string {
	switch {
	case w.oneIn(60):
		return w.pick("CHAIN_SEAL", "SESSION_START", "SESSION_END", "ODD_TYPE", "CHAIN_BROKEN")
	case i == 0 && !w.oneIn(10):
		return "SESSION_START"
	case i == n-2 && !w.oneIn(4):
		return "SESSION_END"
	case i == n-1 && !w.oneIn(4):
		return "CHAIN_SEAL"
	case w.v1():
		return w.pick("TOOL_CALL", "TOOL_RESULT", "TOOL_ERROR", "LOG_DROP", "LLM_CALL", "REDACTION")
	}
	return w.pick("TOOL_CALL", "TOOL_CALL", "TOOL_RESULT", "TOOL_RESULT", "LOG_DROP", "ERROR", "DECISION_TRACE", "MODEL_RESPONSE", "AGENT_STATE_SNAPSHOT")
}

// event returns a line, sometimes with members that no hash covers.
func (w *writer) event(kind string) string {
	line := w.Event(kind, w.payload(kind))
	if w.Family == "session-bare" {
		if w.oneIn(7) {
			line = strings.Replace(line, `"sequence_number":`, `"source_sdk_ver":"1","timestamp":`, 1)
		}
		return line
	}
	if sum, ok := digest.ParseHex([]byte(w.Head())); ok && kind != "SESSION_END" {
		w.leaves = append(w.leaves, sum)
	}
	line = strings.TrimSuffix(line, "}")
	if w.Family == "session-v0" && w.oneIn(30) {
		line += w.pick(`,"odd":1`, `,"hmac":"zz"`, `,"authority_id":null`, `,"timestamp_monotonic":7`, `,"timestamp_monotonic":3`, `,"timestamp_monotonic":-1`)
	}
	if w.signs && !w.oneIn(9) {
		line += `,"signature":"` + w.sign(w.Head()) + `"`
	}
	return line + "}"
}

func key() ed25519.PrivateKey { return ed25519.NewKeyFromSeed(make([]byte, ed25519.SeedSize)) }

func (w *writer) sign(hash string) string {
	signature := ed25519.Sign(key(), []byte(hash))
	if w.oneIn(9) {
		signature[0]++
	}
	return base64.StdEncoding.EncodeToString(signature)
}

func (w *writer) payload(kind string) string {
	switch kind {
	case "SESSION_START":
		start := `{"agent_id":"a","environment":"dev","framework":"f","framework_version":"1","sdk_version":"1"`
		if w.oneIn(2) {
			start += `,"sdk_public_key":"` + base64.StdEncoding.EncodeToString(key().Public().(ed25519.PublicKey)) + `"`
		}
		if w.oneIn(5) {
			start += fmt.Sprintf(`,"session_id":%q`, w.Session)
		}
		return start + "}"
	case "SESSION_END":
		return w.end()
	case "CHAIN_SEAL":
		return w.seal()
	case "TOOL_CALL":
		return fmt.Sprintf(`{"tool_name":"%s","tool_id":"t%d","args":{"q":"%s","n":%s}}`,
			w.pick("t", "t", "t", "u"), w.IntN(8), w.pick("one", "é", "[REDACTED]", `\u00e9`), w.pick("1", "1.0", "0.1", "1e21", "-0.0"))
	case "TOOL_RESULT":
		return fmt.Sprintf(`{"tool_name":"%s","tool_id":"t%d","result":"%s","status":"success","duration_ms":1%s}`,
			w.pick("t", "t", "t", "u"), w.IntN(8), w.pick("x", "[REDACTED]", "[REDACTED:label]"), w.pick("", `,"extra":1`, `,"result_hash":"zz"`, `,"result_hash":"`+strings.Repeat("a", 64)+`"`))
	case "LOG_DROP":
		return w.pick(`{"dropped_events":3}`, `{}`, `{"count":-1}`, `{"lost_count":2.0}`)
	case "ERROR":
		return w.pick(`{"error_type":"t","message":"m","fatal":false}`, `{"error_type":"t","message":"m"}`, `{"error_type":"t","message":null,"fatal":1,"stack_trace":null}`)
	case "DECISION_TRACE":
		return `{"decision_id":"` + w.pick(uuid(7), "x") + `","inputs":{},"outputs":{},"justification":"j"}`
	case "MODEL_RESPONSE":
		return fmt.Sprintf(`{"model":"m","content":"%s","role":"assistant","finish_reason":"stop","usage":{"total_tokens":%s,"odd":1}}`, w.pick("", "[REDACTED]"), w.pick("1", "1.5", `"x"`))
	}
	return `{"x":1}`
}

// end returns a SESSION_END payload with a root over the events.
func (w *writer) end() string {
	if !w.v1() || w.oneIn(2) {
		return fmt.Sprintf(`{"status":"%s","duration_ms":%s}`, w.pick("success", "failure", "odd"), w.pick("9", "9.0", "-1", "2.5"))
	}
	root, count := MerkleRoot(w.leaves), len(w.leaves)
	switch w.IntN(6) {
	case 0:
		root[0]++
	case 1:
		count++
	}
	return fmt.Sprintf(`{"status":"success","merkle_root":%q,"merkle_leaf_count":%d}`, root.Hex(), count)
}

func (w *writer) seal() string {
	head := w.Head()
	text := fmt.Sprintf(`{"ingestion_service_id":"ingest-1","seal_timestamp":"2026-03-02T00:00:00Z","session_digest":"%s"`,
		w.pick("sha256:"+head, head, head[:min(16, len(head))], "odd", strings.Repeat("b", 64)))
	switch {
	case w.v1():
		text = fmt.Sprintf(`{"final_hash":"%s","authority":"%s"`, w.pick(head, head, head, "x"), w.pick("server", "server", "sdk"))
	case w.oneIn(4):
		text = `{"session_digest":"sha256:` + head + `"`
	}
	if w.oneIn(3) {
		text += `,"server_hmac":"` + digest.Of([]byte(head)).Hex() + `"`
	}
	return text + "}"
}

// MerkleRoot implements RFC 6962 §2.1 literally.
func MerkleRoot(leaves []digest.Sum) digest.Sum {
	switch len(leaves) {
	case 0:
		return digest.Of(nil)
	case 1:
		return digest.Of(append([]byte{0}, leaves[0][:]...))
	}
	k := 1
	for 2*k < len(leaves) {
		k *= 2
	}
	left, right := MerkleRoot(leaves[:k]), MerkleRoot(leaves[k:])
	return digest.Of(append(append([]byte{1}, left[:]...), right[:]...))
}
