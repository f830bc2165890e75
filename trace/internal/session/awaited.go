package session

import "github.com/cupel-dev/cupel/internal/digest"

// hashQueue batches texts to hash, because hashing two at a time takes hardly longer than hashing one.
type hashQueue struct {
	list  []awaitedHash // an event's hashes are adjacent
	texts [][]byte      // what each is the hash of: a part of room, or of a line
	room  []byte
	many  digest.Many
}

// awaitedHash is a hash recorded in an event, to be compared with the computed one.
type awaitedHash struct {
	event    int // of the batch
	recorded digest.Sum
}

// addText queues a text to be compared with its recorded hash. The text is not copied.
func (a *hashQueue) addText(event int, recorded digest.Sum, text []byte) {
	a.list = append(a.list, awaitedHash{event, recorded})
	a.texts = append(a.texts, text)
}

// add queues the text that write appends to the buffer.
func (a *hashQueue) add(event int, recorded digest.Sum, write func([]byte) []byte) {
	from := len(a.room)
	a.room = write(a.room)
	a.addText(event, recorded, a.room[from:])
}

// Limits of the queue: larger batches are not faster, and the texts should stay in the cache.
const (
	maxAwaited = 32       // hashes
	maxTexts   = 64 << 10 // bytes of canonical forms that were written
)

func (a *hashQueue) full() bool { return len(a.list) >= maxAwaited || len(a.room) >= maxTexts }

// compute returns the queued hashes and the computed sums, in the same order.
func (a *hashQueue) compute() ([]awaitedHash, []digest.Sum) { return a.list, a.many.Sums(a.texts) }

// empty clears the queue and frees the buffer if it is large.
func (a *hashQueue) empty() {
	a.list, a.texts, a.room = a.list[:0], a.texts[:0], a.room[:0]
	if cap(a.room) > 2*maxTexts {
		a.room = nil
	}
}
