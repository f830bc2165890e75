package trace_test

import (
	"bytes"
	"crypto/ed25519"
	"encoding/base64"
	"encoding/json"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/cupel-dev/cupel/internal/digest"
	"github.com/cupel-dev/cupel/internal/jcs"
	"github.com/cupel-dev/cupel/internal/strictjson"
	"github.com/cupel-dev/cupel/trace"
)

// protected is a signed log of 1.0 that an outsider without the key changes.
type protected struct {
	events []map[string]any
	key    ed25519.PrivateKey
}

func newProtected(n int) *protected {
	p := &protected{key: ed25519.NewKeyFromSeed(make([]byte, ed25519.SeedSize))}
	for i := range n {
		kind, payload := "LLM_CALL", map[string]any{"model_id": "m", "prompt_hash": strings.Repeat("a", 64)}
		switch i {
		case 0:
			kind, payload = "SESSION_START", map[string]any{"agent_id": "a", "sdk_public_key": base64.StdEncoding.EncodeToString(p.key.Public().(ed25519.PublicKey))}
		case n - 1:
			kind, payload = "SESSION_END", map[string]any{"status": "success"}
		}
		p.events = append(p.events, map[string]any{
			"seq": json.Number(string(rune('1' + i))), "event_type": kind, "session_id": "5e551017-0000-4000-8000-000000000001",
			"timestamp": "2026-05-07T07:20:01.000001Z", "payload": payload,
		})
	}
	p.rehash()
	for _, e := range p.events {
		e["signature"] = base64.StdEncoding.EncodeToString(ed25519.Sign(p.key, []byte(e["event_hash"].(string))))
	}
	return p
}

// rehash renews all that needs no key.
func (p *protected) rehash() {
	prev := strings.Repeat("0", 64)
	for i, e := range p.events {
		e["seq"] = json.Number(string(rune('1' + i)))
		e["prev_hash"] = prev
		delete(e, "event_hash")
		signature, signed := e["signature"]
		delete(e, "signature")
		text, err := json.Marshal(e)
		if err != nil {
			panic(err)
		}
		doc, err := strictjson.NewScanner(strictjson.Limits{}).Scan(text)
		if err != nil {
			panic(err)
		}
		prev = digest.Of(jcs.NewWriter(nil).Append(nil, doc.Root())).Hex()
		if e["event_hash"] = prev; signed {
			e["signature"] = signature
		}
	}
}

func (p *protected) text() []byte {
	var b bytes.Buffer
	for _, e := range p.events {
		text, err := json.Marshal(e)
		if err != nil {
			panic(err)
		}
		b.Write(append(text, '\n'))
	}
	return b.Bytes()
}

// TestProtectionHolds: whatever protecting member is dropped or weakened, and whatever an outsider
// renews without the key, a log that must be signed is not valid any more.
func TestProtectionHolds(t *testing.T) {
	whole := newProtected(6)
	trusted := trace.Options{Session: trace.SessionOptions{TrustedKeys: []ed25519.PublicKey{whole.key.Public().(ed25519.PublicKey)}}}
	if r, err := trace.Verify(t.Context(), bytes.NewReader(whole.text()), trusted); err != nil || r.Verdict != trace.Valid {
		t.Fatalf("%v, %v", r, err)
	}
	rapid.Check(t, func(t *rapid.T) {
		p := newProtected(6)
		other := ed25519.NewKeyFromSeed(bytes.Repeat([]byte{1}, ed25519.SeedSize))
		i := rapid.IntRange(0, len(p.events)-1).Draw(t, "event")
		e := p.events[i]
		start := p.events[0]["payload"].(map[string]any)
		demands := []trace.Options{trusted}
		switch rapid.IntRange(0, 8).Draw(t, "attack") {
		case 0:
			delete(e, "signature")
			demands = append(demands, trace.Options{})
		case 1:
			e["signature"] = rapid.SampledFrom([]any{nil, "", json.Number("7"), false, []any{}, map[string]any{}, "AAAA", p.events[(i+1)%6]["signature"]}).Draw(t, "signature")
			demands = append(demands, trace.Options{})
		case 2:
			e["payload"].(map[string]any)["note"] = "forged"
			p.rehash()
			demands = append(demands, trace.Options{})
		case 3:
			e["payload"].(map[string]any)["note"] = "forged"
			p.rehash()
			for _, e := range p.events[i:] {
				delete(e, "signature")
			}
			demands = append(demands, trace.Options{})
		case 4:
			start["sdk_public_key"] = rapid.SampledFrom([]any{nil, "", json.Number("1"), "AAAA"}).Draw(t, "key")
			p.rehash()
			demands = append(demands, trace.Options{})
		case 5:
			delete(start, "sdk_public_key")
			for _, e := range p.events {
				delete(e, "signature")
			}
			p.rehash()
		case 6:
			start["sdk_public_key"] = base64.StdEncoding.EncodeToString(other.Public().(ed25519.PublicKey))
			p.rehash()
			for _, e := range p.events {
				e["signature"] = base64.StdEncoding.EncodeToString(ed25519.Sign(other, []byte(e["event_hash"].(string))))
			}
		case 7:
			p.events = append(p.events[:i], p.events[i+1:]...)
			p.rehash()
		case 8: // cut, and sealed by no one
			p.events = append(p.events[:1+i%5], map[string]any{
				"event_type": "CHAIN_SEAL", "session_id": p.events[0]["session_id"], "timestamp": "2026-05-07T07:20:01.000001Z",
				"payload": map[string]any{"authority": "server", "event_count": json.Number("1"), "server_timestamp": "2026-05-07T07:20:01Z", "server_version": "1"},
			})
			p.rehash()
			demands = append(demands, trace.Options{})
		}
		for _, opt := range demands {
			r, err := trace.Verify(t.Context(), bytes.NewReader(p.text()), opt)
			if err != nil {
				t.Fatal(err)
			}
			if r.Verdict == trace.Valid || r.Signatures.Ed25519 == trace.SignatureValid && len(opt.Session.TrustedKeys) > 0 && r.Integrity == trace.IntegrityValid {
				t.Fatalf("event %d: %s, signatures %s\n%s", i, r.Verdict, r.Signatures.Ed25519, p.text())
			}
		}
	})
}
