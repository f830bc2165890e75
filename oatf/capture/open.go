package capture

import (
	"crypto/sha256"

	"github.com/cupel-dev/cupel/internal/strictjson"
)

// The sides that a request may come from. Ids are unique on one side alone, so that a side
// is part of an id's key: that of a known direction, or else the one that the method tells.
const (
	clientSide   = 'c'
	serverSide   = 's'
	eitherSide   = '?' // the method does not tell
	incomingSide = 'i'
	outgoingSide = 'o'
)

var sides = []byte{clientSide, serverSide, eitherSide, incomingSide, outgoingSide}

// directionSide is the side that sends in a direction.
func directionSide(d Direction) byte {
	if d == Incoming {
		return incomingSide
	}
	return outgoingSide
}

// request is a request that may be answered.
type request struct {
	key      string
	method   *method
	params   []byte // nil unless they are kept
	place    Place
	answered bool // a stream of answers has begun
	number   int  // of the request in the run

	older, newer *request
}

// requestBytes is about what an open request takes beside its texts.
const requestBytes = 200

func (q *request) size() int {
	return requestBytes + len(q.key) + len(q.method.name) + len(q.params)
}

// requests are the open requests of a run, the oldest first. Their number is limited, and
// the bytes that they take.
type requests struct {
	most, mostBytes int

	byKey          map[string]*request
	oldest, newest *request
	bytes          int
	count          int    // of all requests of the run
	scratch        []byte // of a key

	evicted      int
	firstEvicted Place
	replaced     int // requests without an answer whose id the same side has used again
}

func newRequests(o Options) requests {
	open := requests{most: o.MaxOpen, mostBytes: o.MaxOpenBytes, byKey: map[string]*request{}}
	if open.most <= 0 {
		open.most = DefaultMaxOpen
	}
	if open.mostBytes <= 0 {
		open.mostBytes = DefaultMaxOpenBytes
	}
	return open
}

// longKey is how long a key may be that is remembered as it is. Others are remembered by
// their digest.
const longKey = 128

// key returns the key of an id, a string or a number; its first byte is left for a side. A
// string is never a number, and numbers are the same that have the same value.
func (open *requests) key(id strictjson.Node) []byte {
	key := append(open.scratch[:0], 0)
	if id.Is(strictjson.Number) {
		key = appendNumber(append(key, 'n'), id.Raw())
	} else {
		key = append(append(key, 's'), id.TextBytes(nil)...)
	}
	if len(key) > longKey {
		digest := sha256.Sum256(key)
		key = append(append(key[:0], 0, 'd'), digest[:]...)
	}
	open.scratch = key
	return key
}

// add opens a request. One of the same key can no longer be answered: its side has begun
// to count anew.
func (open *requests) add(q *request) {
	if old := open.byKey[q.key]; old != nil {
		if !old.answered {
			open.replaced++
		}
		open.remove(old)
	}
	open.count++
	q.number, q.older, q.newer = open.count, open.newest, nil
	if open.newest != nil {
		open.newest.newer = q
	} else {
		open.oldest = q
	}
	open.newest = q
	open.byKey[q.key] = q
	open.bytes += q.size()
	for len(open.byKey) > open.most || open.bytes > open.mostBytes && open.oldest != q {
		open.evict(open.oldest)
	}
}

// evict forgets a request.
func (open *requests) evict(q *request) {
	if !q.answered {
		if open.evicted == 0 {
			open.firstEvicted = q.place
		}
		open.evicted++
	}
	open.remove(q)
}

func (open *requests) remove(q *request) {
	delete(open.byKey, q.key)
	open.bytes -= q.size()
	if q.older != nil {
		q.older.newer = q.newer
	} else {
		open.oldest = q.newer
	}
	if q.newer != nil {
		q.newer.older = q.older
	} else {
		open.newest = q.older
	}
}

// streams are the methods whose requests get one answer after the other.
var streams = map[string]bool{"message/stream": true, "tasks/resubscribe": true}

// answered finds the request that a response answers, nil when there is none. Where the
// log tells no directions, both sides may have an open request of the id. Then it is the
// one whose method has such results, and of several the one that was opened last: a
// request that is sent while another one is served is answered first.
func (open *requests) answered(key []byte, d Direction, value strictjson.Node, failed bool) *request {
	if key == nil {
		return nil
	}
	var found *request
	for _, side := range sides {
		if d != Unknown && side == directionSide(d) {
			continue // a side does not answer itself
		}
		key[0] = side
		if q := open.byKey[string(key)]; q != nil && (found == nil || rather(q, found, value, failed)) {
			found = q
		}
	}
	if found == nil {
		return nil
	}
	found.answered = true
	if !streams[found.method.kind] {
		open.remove(found)
	}
	return found
}

// rather says whether a response answers request q rather than another one.
func rather(q, other *request, value strictjson.Node, failed bool) bool {
	if !failed {
		if fit, otherFit := q.method.fit(value), other.method.fit(value); fit != otherFit {
			return fit > otherFit
		}
	}
	return q.number > other.number
}

// report adds what has become of the requests.
func (open *requests) report(stats *Stats) {
	stats.Evicted, stats.FirstEvicted = open.evicted, open.firstEvicted
	stats.Unanswered = open.replaced
	for q := open.oldest; q != nil; q = q.newer {
		if q.answered {
			continue
		}
		if stats.FirstOpen.Line == 0 {
			stats.FirstOpen = q.place
		}
		stats.Unanswered++
	}
}
