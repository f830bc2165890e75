package session

import "github.com/cupel-dev/cupel/internal/digest"

// hashQueue are hashes of events that are computed together: two at a time take a processor hardly longer than one.
type hashQueue struct {
	list  []awaitedHash // an event's hashes are adjacent
	texts [][]byte      // what each is the hash of: a part of room, or of a line
	room  []byte
	many  digest.Many
}

// awaitedHash is a hash that an event states.
type awaitedHash struct {
	event    int // of the batch
	recorded digest.Sum
}

// addText adds a hash and the text that it should be of, which stays where it is.
func (a *hashQueue) addText(event int, recorded digest.Sum, text []byte) {
	a.list = append(a.list, awaitedHash{event, recorded})
	a.texts = append(a.texts, text)
}

// add adds a hash and its text, which write appends.
func (a *hashQueue) add(event int, recorded digest.Sum, write func([]byte) []byte) {
	from := len(a.room)
	a.room = write(a.room)
	a.addText(event, recorded, a.room[from:])
}

// Limits of waiting hashes: more do not help, and their texts should stay in the cache.
const (
	maxAwaited = 32       // hashes
	maxTexts   = 64 << 10 // bytes of canonical forms that were written
)

// full says that it is time to compute.
func (a *hashQueue) full() bool { return len(a.list) >= maxAwaited || len(a.room) >= maxTexts }

// compute returns the hashes that wait, and what each is.
func (a *hashQueue) compute() ([]awaitedHash, []digest.Sum) { return a.list, a.many.Sums(a.texts) }

// empty forgets all hashes. The memory of long texts is given up.
func (a *hashQueue) empty() {
	a.list, a.texts, a.room = a.list[:0], a.texts[:0], a.room[:0]
	if cap(a.room) > 2*maxTexts {
		a.room = nil
	}
}
