package copying

import (
	"strconv"

	"github.com/cupel-dev/cupel/internal/transcript"
	"github.com/cupel-dev/cupel/internal/transcript/ids"
)

func itoa(n int64) string { return strconv.FormatInt(n, 10) }

// branches finds the branches that the user of Claude Code left by editing an earlier prompt. What they contain did
// happen, but the session went on without it.
type branches struct {
	known   ids.Set
	parents []int32 // number of the parent and 1, or 0
	prompts []bool
	main    []int32 // records of the main thread, in file order
	left    []bool
}

func (b *branches) take(_ string, r *transcript.Record) {
	id := transcript.Key(r.ID)
	if id == 0 || !r.Has(transcript.Chained) {
		return
	}
	n, fresh := b.known.Add(id)
	if !fresh {
		return
	}
	parent := int32(0)
	if p := transcript.Key(r.Parent); p != 0 {
		parent = int32(b.known.Find(p) + 1)
	}
	b.parents = append(b.parents, parent)
	b.prompts = append(b.prompts, r.Has(transcript.Prompt) && !r.Has(transcript.Side))
	if !r.Has(transcript.Side) {
		b.main = append(b.main, int32(n))
	}
}

// end walks from the last record to the first. A record without a parent, such as the one after a compaction, follows
// the record before it in the file.
func (b *branches) end() {
	on := make([]bool, len(b.parents))
	at := len(b.main) - 1
	for at >= 0 {
		n := b.main[at]
		for {
			on[n] = true
			if b.parents[n] == 0 || b.parents[n]-1 >= n {
				break
			}
			n = b.parents[n] - 1
		}
		for at >= 0 && b.main[at] >= n {
			at--
		}
	}
	b.left = make([]bool, len(b.parents))
	for i, p := range b.parents {
		b.left[i] = b.prompts[i] && !on[i] || p != 0 && int(p-1) < i && b.left[p-1]
	}
	b.parents, b.prompts, b.main = nil, nil, nil
}

func (b *branches) abandoned(id uint64) bool {
	if id == 0 || b.left == nil {
		return false
	}
	n := b.known.Find(id)
	return n >= 0 && b.left[n]
}
