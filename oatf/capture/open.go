package capture

import (
	"crypto/sha256"
	"slices"

	"github.com/cupel-dev/cupel/internal/strictjson"
	"github.com/cupel-dev/cupel/oatf/internal/protocol"
	"github.com/cupel-dev/cupel/oatf/internal/value"
	"github.com/cupel-dev/cupel/oatf/model"
)

type request struct {
	id       string // the key of its id on its connection
	sender   Side   // "" when it is not known
	method   *method
	params   []byte // nil unless they are kept
	place    Place
	answered bool  // it waits for no answer, or not for the first one of a stream
	torn     *torn // set when an answer may have been its own or another one's

	older, newer *request
}

// torn lists requests of one side with the same id that were open when a matching answer came.
type torn struct {
	places []Place
	differ bool // in their methods
}

// requestBytes is the approximate memory of a request without its texts.
const requestBytes = 250

func (q *request) size() int {
	return requestBytes + len(q.id) + len(q.method.name) + len(q.params)
}

// requests are the open requests of a run, limited in number and bytes.
type requests struct {
	most, mostBytes int

	byID           map[string][]*request // the oldest first
	oldest, newest *request              // of all
	count, bytes   int
	scratch        []byte // of a key

	evicted      int
	firstEvicted Place
	crowded      int // requests that were forgotten, as there were too many of their id
}

// ofOneID limits open requests per id: one per side and session.
const ofOneID = 8

func newRequests(o Options) requests {
	open := requests{most: o.MaxOpen, mostBytes: o.MaxOpenBytes, byID: map[string][]*request{}}
	if open.most <= 0 {
		open.most = DefaultMaxOpen
	}
	if open.mostBytes <= 0 {
		open.mostBytes = DefaultMaxOpenBytes
	}
	return open
}

// longKey is the length up to which keys are stored unhashed.
const longKey = 128

// key returns the key of an id on a connection. Strings and numbers differ; numbers are compared by value.
func (open *requests) key(connection string, id strictjson.Node) []byte {
	key := append(open.scratch[:0], connection...)
	if key = append(key, 0); id.Is(strictjson.Number) {
		key = appendNumber(append(key, 'n'), id.Raw())
	} else {
		key = append(append(key, 's'), id.TextBytes(nil)...)
	}
	if len(key) > longKey {
		digest := sha256.Sum256(key)
		key = append(append(key[:0], 'd'), digest[:]...)
	}
	open.scratch = key
	return key
}

func textKey(kind, connection, name string) string {
	key := kind + connection + "\x00" + name
	if len(key) > longKey {
		digest := sha256.Sum256([]byte(key))
		return kind + "d" + string(digest[:])
	}
	return key
}

// add stores a request. Others with its id stay open, because they can belong to the other side or another session.
func (open *requests) add(q *request) {
	same := open.byID[q.id]
	if len(same) == ofOneID {
		open.crowded += waiting(same[0])
		open.remove(same[0])
		same = open.byID[q.id]
	}
	open.byID[q.id] = append(same, q)
	q.older, q.newer = open.newest, nil
	if open.newest != nil {
		open.newest.newer = q
	} else {
		open.oldest = q
	}
	open.newest = q
	open.count++
	open.bytes += q.size()
	for open.count > open.most || open.bytes > open.mostBytes && open.oldest != q {
		open.evict(open.oldest)
	}
}

func waiting(q *request) int {
	if q.answered {
		return 0
	}
	return 1
}

func (open *requests) evict(q *request) {
	if open.evicted == 0 && !q.answered {
		open.firstEvicted = q.place
	}
	open.evicted += waiting(q)
	open.remove(q)
}

func (open *requests) remove(q *request) {
	same := open.byID[q.id]
	i := slices.Index(same, q)
	if len(same) == 1 {
		delete(open.byID, q.id)
	} else {
		open.byID[q.id] = slices.Delete(same, i, i+1)
	}
	open.count--
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

// streams are the methods whose requests get several answers.
var streams = map[string]bool{"message/stream": true, "tasks/resubscribe": true}

// answered finds the request of a response, or returns nil. sender is the answering side, "" if unknown. Of several
// requests with the id, it chooses the one whose method has such results, then the last, because nested requests
// are answered first. If several requests of one side match, found is nil.
func (open *requests) answered(id string, sender Side, result model.Value, failed bool) (found *request, either *torn) {
	best := -1
	var equal []*request
	for _, q := range open.byID[id] {
		if sender != "" && q.sender == sender {
			continue // a side does not answer its own request
		}
		fit := 0
		if !failed {
			fit = protocol.Fit(q.method.kind, result)
		}
		if fit > best {
			best, equal = fit, nil
		}
		if fit == best {
			equal = append(equal, q)
		}
	}
	if len(equal) == 0 {
		return nil, nil
	}
	found = equal[len(equal)-1]
	if either = found.torn; either == nil && !found.answered {
		either = tear(found, equal)
	}
	found.answered = true
	if !streams[found.method.kind] {
		open.remove(found)
	}
	return found, either
}

// tear marks open requests of one side as ambiguous, if there are several.
func tear(found *request, equal []*request) *torn {
	t := &torn{}
	for _, q := range equal {
		if q.sender == found.sender && !q.answered {
			t.places = append(t.places, q.place)
			t.differ = t.differ || q.method != found.method
		}
	}
	if len(t.places) < 2 {
		return nil
	}
	for _, q := range equal {
		if q.sender == found.sender && !q.answered {
			q.torn = t
		}
	}
	return t
}

func (open *requests) report(stats *Stats) {
	stats.Evicted, stats.FirstEvicted = open.evicted, open.firstEvicted
	stats.Unanswered = open.crowded
	for q := open.oldest; q != nil; q = q.newer {
		if stats.FirstOpen.Line == 0 && !q.answered {
			stats.FirstOpen = q.place
		}
		stats.Unanswered += waiting(q)
	}
}

// kept encodes a value that must outlive its record.
func kept(v model.Value) []byte { return value.JSON(nil, v) }
