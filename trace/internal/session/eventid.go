package session

import (
	"encoding/binary"
	"errors"
	"fmt"
	"slices"

	"github.com/cupel-dev/cupel/internal/siphash"
	"github.com/cupel-dev/cupel/internal/strictjson"
)

// idReader stores the key of an event's id.
type idReader struct {
	keys  siphash.Key
	uuids bool // ids are UUIDs
	sums  bool // their sums are kept in place of keys
}

func (r *idReader) read(rec *record, e *event) {
	n := rec.nodes[eventID]
	if !n.Is(strictjson.String) {
		return
	}
	var scratch [64]byte
	id := n.TextBytes(scratch[:0])
	uuid := false // for certain
	if e.marks |= hasID; r.sums {
		e.idSum, uuid = idSumOf(id)
	} else {
		e.id = r.keys.Sum64(id)
	}
	if r.uuids && !uuid && !isUUID(id) {
		e.marks |= oddID
	}
}

// eventIDs checks that event ids are unique and have the form that the envelope requires.
type eventIDs struct {
	eventIDsState
	seen  *idSet // by key
	limit int
	out   *reporter
}

type eventIDsState struct {
	OddID bool // an id of another form was noted: one note represents all
}

func (p *eventIDs) take(e *event) {
	if !e.marks.has(hasID) {
		return
	}
	if e.marks.has(oddID) && !p.OddID {
		p.OddID = true
		p.out.note(e, remark{rule: ruleEventIDFormat, at: eventID, quote: func(m *remark) {
			m.found = clip(e.stringOf(eventID))
			m.message = fmt.Sprintf("event_id is %q, expected a UUID", m.found)
		}})
	}
	if p.met(e.id) {
		p.again(e)
	}
}

// again reports an event whose id was used before.
func (p *eventIDs) again(e *event) {
	p.out.note(e, remark{
		rule: ruleEventIDDuplicate, at: eventID, cause: e.cause, message: "an event above has the same event_id",
		quote: func(m *remark) { m.found = clip(e.stringOf(eventID)) },
	})
}

// met reports whether an id was seen before, and stores it up to the limit.
func (p *eventIDs) met(id uint64) bool {
	if p.seen.size >= p.limit {
		return p.seen.has(id)
	}
	return p.seen.add(id)
}

func (p *eventIDs) notCovered() []string {
	if p.seen.size < p.limit {
		return nil
	}
	return []string{fmt.Sprintf("event ids after the first %d: the limit of remembered ids was reached", p.limit)}
}

const idBytes = 8

// bytes returns all ids, sorted.
func (p *eventIDs) bytes() []byte {
	list := make([]byte, 0, p.seen.size*idBytes)
	for _, id := range p.seen.sorted() {
		list = binary.BigEndian.AppendUint64(list, id)
	}
	return list
}

// load adds ids in the form of bytes.
func (p *eventIDs) load(list []byte) error {
	if len(list)%idBytes != 0 {
		return errors.New("the state cannot be used: its event ids are truncated")
	}
	for id := range slices.Chunk(list, idBytes) {
		p.seen.add(binary.BigEndian.Uint64(id))
	}
	return nil
}
