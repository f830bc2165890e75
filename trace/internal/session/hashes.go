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
		profile, computed, err := r.match(linkOf(rec.nodes[payloadHash]), rec.nodes[payloadMember])
		if r.judge(rec, e, payloadHash, profile, computed, err); profile == 0 {
			e.broken = payloadHashFails
		}
		r.covered = r.covered[:0]
		for _, m := range signed {
			r.covered = append(r.covered, rec.nodes[m])
		}
		if r.matchPlain(e.hash, r.covered) {
			e.profiles |= rfc8785Bit
			return
		}
		covered = r.covered
	}
	profile, computed, err := r.matchObject(e.hash, covered)
	if r.judge(rec, e, eventHash, profile, computed, err); profile == 0 {
		e.broken = eventHashFails
	}
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
