package ordered

import "context"

// stock tracks the items: the idle ones and the weight of those in use.
type stock[In, Out any] struct {
	used   <-chan task[In, Out] // delivered items
	idle   []In
	share  int // weight limit of an idle item
	budget int // for items in use
	alive  int
	total  int // weight of the items in use
}

// take returns an item for reuse and waits for one if all are in use. ok is false if ctx ends first.
func (s *stock[In, Out]) take(ctx context.Context) (in In, ok bool) {
	if len(s.idle) == 0 && !s.wait(ctx) {
		return in, false
	}
	last := len(s.idle) - 1
	in = s.idle[last]
	s.idle = s.idle[:last]
	return in, true
}

// admit adds an item's weight and waits until it fits the budget. It returns false if ctx ends first.
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

// wait takes back one delivered item.
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
