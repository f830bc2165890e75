package session

import (
	"github.com/cupel-dev/cupel/finding"
	"github.com/cupel-dev/cupel/internal/strictjson"
)

// detailReader reads payload members that rules on rare event types need.
type detailReader struct{}

func (detailReader) read(rec *record, e *event) {
	switch e.kind {
	case logDrop:
		readDrop(rec)
	case chainSeal, sessionStart, sessionEnd:
		e.detail = newDetail(rec)
	}
}

// payloadKeys are the payload members that the rules of the envelope read.
var payloadKeys = [...]string{
	"final_event_hash", "final_hash", "ingestion_service_id", "seal_timestamp", "session_digest", "authority", "server_hmac",
	"merkle_root", "event_count", "server_timestamp", "server_version",
}

func newDetail(rec *record) *detail {
	payload := rec.nodes[payloadMember]
	d := &detail{said: map[string]statement{}}
	for _, key := range payloadKeys {
		if n := payload.Get(key); n.Exists() {
			text, _ := n.Text()
			d.said[key] = statement{n.Kind(), text}
		}
	}
	if n := payload.Get("merkle_leaf_count"); n.Exists() {
		count, ok := n.Int()
		d.leaves, d.hasLeaves = uint64(count), true
		if !ok {
			d.leaves = 1 << 63 // no log has as many leaves: it cannot match
		}
	}
	d.mac = d.said["server_hmac"].text
	for _, m := range []member{hmacMember, sealHMAC} {
		if text, ok := rec.nodes[m].Text(); ok {
			d.mac = text
		}
	}
	return d
}

// readDrop reads the number of dropped events from an event that reports a loss.
func readDrop(rec *record) {
	noteDrop(rec, ruleLogDrop, typeName, spanOf(rec.nodes[typeName]), "the writer says that events were dropped here")
	payload := rec.nodes[payloadMember]
	for _, key := range []string{"dropped_events", "dropped_count", "count", "lost_count"} {
		if n := payload.Get(key); n.Is(strictjson.Number) {
			if negative, _, whole, _ := integral(n.Raw()); whole && !negative {
				return
			}
		}
	}
	noteDrop(rec, ruleLogDropCount, payloadMember, opening(payload), "LOG_DROP without a count of the dropped events")
}

func noteDrop(rec *record, id rule, m member, at span, message string) {
	if rec.full(finding.Info, at) {
		return
	}
	f := rules[id].New(message)
	f.Path = m.String()
	rec.add(f, at)
}
