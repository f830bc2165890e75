package session

import (
	"fmt"

	"github.com/cupel-dev/cupel/finding"
	"github.com/cupel-dev/cupel/internal/digest"
	"github.com/cupel-dev/cupel/internal/strictjson"
	"github.com/cupel-dev/cupel/trace/internal/stream"
)

// signed are the members that event_hash covers in the 14-field envelope, in canonical order.
var signed = [...]member{eventID, typeName, payloadHash, prevEventHash, sequenceNumber, sessionID, timestampWall}

// hashReader recomputes an event's hashes. Those expected under RFC 8785 are batched.
type hashReader struct {
	hasher
	whole   bool   // the event's hash covers the whole event
	names   string // of the canonicalizations, for findings
	covered []strictjson.Node
	limits  stream.Limits // of lines

	awaited hashQueue
	strange bool                // RFC 8785 did not explain the event that was judged last
	scanner *strictjson.Scanner // of lines that are read again; nil: none was
}

func (r *hashReader) read(rec *record, e *event) {
	if !r.await(rec, e) {
		r.judgeNow(rec, e)
	}
}

// await queues the hashes of an event for settle. It returns false if they must be checked at once, for example
// because another engine is used.
func (r *hashReader) await(rec *record, e *event) bool {
	if r.strange || r.engine != Fast || r.bits[0] != rfc8785Bit || !e.hash.proper {
		return false
	}
	a := &r.awaited
	if r.whole {
		a.add(rec.event, e.hash.Sum, func(dst []byte) []byte { return r.writers[0].AppendObject(dst, rec.covered) })
		return true
	}
	var recorded link
	if recorded.read(rec.nodes[payloadHash]); !recorded.proper {
		return false
	}
	if payload := rec.nodes[payloadMember]; payload.Canonical() {
		a.addText(rec.event, recorded.Sum, payload.Raw())
	} else {
		a.add(rec.event, recorded.Sum, func(dst []byte) []byte { return r.writers[0].Append(dst, payload) })
	}
	a.add(rec.event, e.hash.Sum, func(dst []byte) []byte { return r.appendSigned(dst, rec) })
	return true
}

// appendSigned appends the canonical object of the signed members. Sources that are already canonical are copied.
func (r *hashReader) appendSigned(dst []byte, rec *record) []byte {
	text := dst
	for _, m := range signed {
		member := rec.nodes[m].CanonicalMember()
		if member == nil {
			return r.writers[0].AppendObject(dst, r.signed(rec))
		}
		text = append(append(text, ','), member...)
	}
	text[len(dst)] = '{'
	return append(text, '}')
}

func (r *hashReader) signed(rec *record) []strictjson.Node {
	r.covered = r.covered[:0]
	for _, m := range signed {
		r.covered = append(r.covered, rec.nodes[m])
	}
	return r.covered
}

// settle checks the queued hashes. An event with a mismatch is reread and checked alone.
func (r *hashReader) settle(rec *record, b *batch) {
	list, sums := r.awaited.compute()
	for i := 0; i < len(list); {
		event, good := list[i].event, true
		for ; i < len(list) && list[i].event == event; i++ {
			good = good && sums[i] == list[i].recorded
		}
		if good {
			b.events[event].profiles |= rfc8785Bit
		} else {
			r.again(rec, b, event)
		}
	}
	r.awaited.empty()
}

func (r *hashReader) again(rec *record, b *batch, event int) {
	e := &b.events[event]
	if r.scanner == nil {
		r.scanner = r.limits.WithDefaults().Scanner()
	}
	doc, err := r.scanner.Scan(e.line.Bytes)
	if err != nil {
		panic("session.hashReader: " + err.Error()) // it was read before
	}
	rec.begin(e.line, doc, &b.batchFindings, event)
	rec.locate(r.whole)
	r.judgeNow(rec, e)
}

// judgeNow checks the hashes of an event and reports those that match under no canonicalization.
func (r *hashReader) judgeNow(rec *record, e *event) {
	covered := rec.covered
	if !r.whole {
		var recorded link
		recorded.read(rec.nodes[payloadHash])
		profile, computed, err := r.match(recorded, rec.nodes[payloadMember])
		if r.judge(rec, e, payloadHash, profile, computed, err); profile == 0 {
			e.broken = payloadHashFails
		}
		covered = r.signed(rec)
	}
	profile, computed, err := r.matchObject(e.hash, covered)
	if r.judge(rec, e, eventHash, profile, computed, err); profile == 0 {
		e.broken = eventHashFails
	}
	r.strange = e.profiles != rfc8785Bit || e.broken != hashesHold
}

// judge records the canonicalization that matches a hash, or reports a mismatch.
func (r *hashReader) judge(rec *record, e *event, m member, profile uint8, computed digest.Sum, err error) {
	if err != nil {
		rec.fail(err)
	}
	if profile != 0 {
		e.profiles |= profile
		return
	}
	n := rec.nodes[m]
	if rec.out.broken++; rec.full(finding.Error, spanOf(n)) {
		return
	}
	id, covered := ruleHashEvent, "event"
	if m == payloadHash {
		id, covered = ruleHashPayload, "payload"
	}
	recorded, _ := n.Text()
	f := rules[id].New(fmt.Sprintf("%s does not match the %s (tried %s)", m, covered, r.names))
	f.Path, f.Index, f.Expected, f.Found = m.String(), e.index(), clip(recorded), computed.Hex()
	rec.add(f, spanOf(n))
}
