package session

import (
	"crypto/ed25519"
	"encoding/base64"

	"github.com/cupel-dev/cupel/internal/finding"
	"github.com/cupel-dev/cupel/internal/strictjson"
)

// details keeps what the rules of rare events need.
func (w *worker) details(e *event) {
	payload := w.nodes[payloadMember]
	switch e.kind {
	case logDrop:
		w.logDrop(payload)
	case chainSeal, sessionStart, sessionEnd:
		e.detail = w.newDetail(payload)
	}
	if w.env.chained && e.has(signature) {
		if e.detail == nil {
			e.detail = &detail{}
		}
		e.detail.signed = w.signature()
	}
}

// signature verifies the Ed25519 signature over the hexadecimal digits of event_hash.
func (w *worker) signature() sigState {
	if w.checker.Key == nil {
		return sigUnchecked
	}
	text, _ := w.nodes[signature].Text()
	sig, err := base64.StdEncoding.DecodeString(text)
	hash, _ := w.nodes[eventHash].Text()
	if err != nil || !ed25519.Verify(w.checker.Key, []byte(hash), sig) {
		return sigInvalid
	}
	return sigValid
}

// payloadKeys are the members of payloads that the envelope's own rules read.
var payloadKeys = []string{
	"final_event_hash", "final_hash", "ingestion_service_id", "seal_timestamp", "session_digest", "authority", "server_hmac",
	"sdk_public_key", "merkle_root",
}

func (w *worker) newDetail(payload strictjson.Node) *detail {
	d := &detail{keys: map[string]string{}}
	for _, key := range payloadKeys {
		if text, ok := payload.Get(key).Text(); ok {
			d.keys[key] = text
		}
	}
	if n := payload.Get("merkle_leaf_count"); n.Exists() {
		count, ok := n.Int()
		d.leaves, d.hasLeaves = uint64(count), true
		if !ok {
			d.leaves = 1 << 63 // no log has as many leaves: it cannot match
		}
	}
	d.mac = d.keys["server_hmac"]
	for _, m := range []member{hmacMember, sealHMAC} {
		if text, ok := w.nodes[m].Text(); ok {
			d.mac = text
		}
	}
	return d
}

func (w *worker) logDrop(payload strictjson.Node) {
	start, end := w.nodes[typeName].Span()
	w.add(finding.Info, codeLogDrop, start, end, typeName.String(), "the writer says that events were dropped here")
	for _, key := range []string{"dropped_events", "dropped_count", "count", "lost_count"} {
		if n := payload.Get(key); n.Is(strictjson.Number) {
			if negative, _, whole, _ := integral(n.Raw()); whole && !negative {
				return
			}
		}
	}
	start, end = w.nodes[payloadMember].Span()
	w.add(finding.Info, codeLogDropCount, start, min(end, start+1), payloadMember.String(), "LOG_DROP without a count of the dropped events")
}

// tool keeps a digest of a tool call's id and name.
func (w *worker) tool(e *event) {
	if e.kind != toolCall && e.kind != toolResult {
		return
	}
	payload := w.nodes[payloadMember]
	id, tool := payload.Get("tool_id"), payload.Get("tool_name")
	if !id.Is(strictjson.String) || !tool.Is(strictjson.String) {
		return
	}
	var a, b [64]byte
	e.hasTool, e.tool = true, newToolID(id.TextBytes(a[:0]), tool.TextBytes(b[:0]))
	start, end := id.Span()
	e.toolSpan = span{int32(start), int32(end)}
}
