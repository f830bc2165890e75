package ordered

import "context"

// stock is the reader's account of the items: those that wait to be used again, and what
// those alive weigh.
type stock[In, Out any] struct {
	used   <-chan task[In, Out] // delivered items
	idle   []In
	share  int // the most that an idle item may weigh
	budget int // for those alive
	alive  int
	total  int // what the items alive weigh
}

// take returns an item to read into, and waits for one to be delivered when all are
// alive. It reports false when the context ends first.
func (s *stock[In, Out]) take(ctx context.Context) (in In, ok bool) {
	if len(s.idle) == 0 && !s.wait(ctx) {
		return in, false
	}
	last := len(s.idle) - 1
	in = s.idle[last]
	s.idle = s.idle[:last]
	return in, true
}

// admit counts a new item, and waits until the budget has room for it. It reports false
// when the context ends first.
func (s *stock[In, Out]) admit(ctx context.Context, weight int) bool {
	for s.alive > 0 && s.total+weight > s.budget {
		if !s.wait(ctx) {
			return false
		}
	}
	s.alive++
	s.total += weight
	return true
}

// wait takes back one item that was delivered.
func (s *stock[In, Out]) wait(ctx context.Context) bool {
	select {
	case t := <-s.used:
		s.alive--
		s.total -= t.weight
		if t.weight > s.share {
			var none In
			t.in = none
		}
		s.idle = append(s.idle, t.in)
		return true
	case <-ctx.Done():
		return false
	}
}
