package session

import (
	"fmt"

	"github.com/cupel-dev/cupel/finding"
	"github.com/cupel-dev/cupel/internal/digest"
	"github.com/cupel-dev/cupel/internal/strictjson"
)

// signed are the members of the 14-field envelope that its event hash covers, in the
// order of their canonical form.
var signed = [...]member{eventID, typeName, payloadHash, prevEventHash, sequenceNumber, sessionID, timestampWall}

// hashReader recomputes an event's hashes under the known canonicalizations.
type hashReader struct {
	hasher
	whole   bool   // the event's hash covers the whole event
	names   string // of the canonicalizations, for findings
	covered []strictjson.Node
}

func (r *hashReader) read(rec *record, e *event) {
	covered := rec.covered
	if !r.whole {
		r.payload(rec, e)
		if r.matchPlain(rec, e.hash) {
			e.profiles |= rfc8785Bit
			return
		}
		r.covered = r.covered[:0]
		for _, m := range signed {
			r.covered = append(r.covered, rec.nodes[m])
		}
		covered = r.covered
	}
	profile, computed, err := r.matchObject(e.hash, covered)
	if r.judge(rec, e, eventHash, profile, computed, err); profile == 0 {
		e.broken = eventHashFails
	}
}

// payload recomputes the hash of the payload.
func (r *hashReader) payload(rec *record, e *event) {
	var recorded link
	recorded.read(rec.nodes[payloadHash])
	payload := rec.nodes[payloadMember]
	if r.plain(recorded) && payload.Canonical() && digest.Of(payload.Raw()) == recorded.Sum {
		e.profiles |= rfc8785Bit
		return
	}
	profile, computed, err := r.match(recorded, payload)
	if r.judge(rec, e, payloadHash, profile, computed, err); profile == 0 {
		e.broken = payloadHashFails
	}
}

// plain says whether there may be a short way to a hash: it is that of RFC 8785, and no
// other engine is asked.
func (r *hashReader) plain(recorded link) bool {
	return r.engine == Fast && r.bits[0] == rfc8785Bit && recorded.proper
}

// matchPlain is a short way for the usual event: signed members whose source is their
// canonical form. false says nothing about the hash.
func (r *hashReader) matchPlain(rec *record, recorded link) bool {
	if !r.plain(recorded) {
		return false
	}
	text := r.buf[:0]
	for _, m := range signed {
		member := rec.nodes[m].CanonicalMember()
		if member == nil {
			return false
		}
		text = append(append(text, ','), member...)
	}
	text[0], r.buf = '{', append(text, '}')
	return digest.Of(r.buf) == recorded.Sum
}

// judge notes the canonicalization that explains a hash, or reports that none does.
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
	id := ruleHashEvent
	if m == payloadHash {
		id = ruleHashPayload
	}
	recorded, _ := n.Text()
	f := rules[id].New(fmt.Sprintf("%s does not match under %s", m, r.names))
	f.Path, f.Index, f.Expected, f.Found = m.String(), e.index(), clip(recorded), computed.Hex()
	rec.add(f, spanOf(n))
}
