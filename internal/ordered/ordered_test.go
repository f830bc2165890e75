package ordered_test

import (
	"cmp"
	"context"
	"errors"
	"io"
	"math/rand/v2"
	"sync"
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/cupel-dev/cupel/internal/ordered"
)

// counter reads the numbers 0 … n-1, then ends with err.
func counter(n int, err error) func(int) (int, error) {
	next := -1
	return func(int) (int, error) {
		if next++; next == n {
			return 0, err
		}
		return next, nil
	}
}

// square takes a little while, at random, so that results come out of order.
func square() func(int) int {
	return func(n int) int {
		time.Sleep(time.Duration(rand.IntN(50)) * time.Microsecond)
		return n * n
	}
}

func TestOrder(t *testing.T) {
	for _, jobs := range []int{0, 1, 2, 7} {
		want := 0
		err := ordered.Pipeline[int, int]{
			Jobs: jobs, Read: counter(500, io.EOF), NewWorker: square,
			Deliver: func(in, out int) error {
				if in != want || out != want*want {
					t.Fatalf("%d jobs: %d, %d instead of %d", jobs, in, out, want)
				}
				want++
				return nil
			},
		}.Run(t.Context())
		if err != nil || want != 500 {
			t.Errorf("%d jobs: %d items, %v", jobs, want, err)
		}
	}
}

func TestErrorsKeepTheirPlace(t *testing.T) {
	broken := errors.New("broken")
	for name, c := range map[string]struct {
		read    func(int) (int, error)
		deliver func(seen int) error
		want    int
	}{
		"reading":    {counter(20, broken), func(int) error { return nil }, 20},
		"delivering": {counter(1000, io.EOF), func(seen int) error { return map[bool]error{true: broken}[seen == 10] }, 10},
	} {
		seen := 0
		err := ordered.Pipeline[int, int]{Jobs: 3, Read: c.read, NewWorker: square, Deliver: func(int, int) error {
			seen++
			return c.deliver(seen)
		}}.Run(t.Context())
		if !errors.Is(err, broken) || seen != c.want {
			t.Errorf("%s: %v after %d items, expected %d", name, err, seen, c.want)
		}
	}
}

// TestCancelledWhileReading cancels a run whose Read never returns.
func TestCancelledWhileReading(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	read := func(int) (int, error) {
		cancel()
		select {}
	}
	err := ordered.Pipeline[int, int]{Read: read, NewWorker: square, Deliver: func(int, int) error { return nil }}.Run(ctx)
	if !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
}

// TestAlive counts the items between reading and delivery.
func TestAlive(t *testing.T) {
	const jobs = 2
	read, fresh := counter(200, io.EOF), 0
	err := ordered.Pipeline[*int, int]{
		Jobs: jobs,
		Read: func(used *int) (*int, error) {
			n, err := read(0)
			if used == nil {
				used = new(int)
				fresh++
			}
			*used = n
			return used, err
		},
		NewWorker: func() func(*int) int { return func(n *int) int { return *n } },
		Deliver:   func(*int, int) error { return nil },
	}.Run(t.Context())
	if err != nil || fresh > jobs+2 {
		t.Errorf("%d items were made for %d jobs, %v", fresh, jobs, err)
	}
}

// TestBudget: whatever the weights, the items that are worked on stay within the budget
// or are alone, all are delivered, in order, and memory is used again only when it is
// light.
func TestBudget(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		jobs := rapid.IntRange(1, 9).Draw(t, "jobs")
		budget := rapid.SampledFrom([]int{0, ordered.Budget / 2, 2 * ordered.Budget}).Draw(t, "budget")
		limit := cmp.Or(budget, ordered.Budget)
		weights := rapid.SliceOfN(rapid.IntRange(0, 2*limit), 0, 40).Draw(t, "weights")
		type item struct{ index, weight int }
		var (
			mu            sync.Mutex
			alive, total  int
			read, arrived int
		)
		err := ordered.Pipeline[*item, int]{
			Jobs: jobs,
			Read: func(used *item) (*item, error) {
				if used != nil && used.weight > ordered.Share(jobs) {
					t.Errorf("an item of %d bytes is used again", used.weight)
				}
				if read == len(weights) {
					return nil, io.EOF
				}
				read++
				return &item{read - 1, weights[read-1]}, nil
			},
			Weight: func(i *item) int { return i.weight },
			Budget: budget,
			NewWorker: func() func(*item) int {
				return func(i *item) int {
					mu.Lock()
					defer mu.Unlock()
					alive++
					if total += i.weight; alive > 1 && total > limit {
						t.Errorf("%d items of %d bytes at a time", alive, total)
					}
					return i.index
				}
			},
			Deliver: func(i *item, index int) error {
				if index != arrived {
					t.Fatalf("item %d in place of %d", index, arrived)
				}
				arrived++
				mu.Lock()
				defer mu.Unlock()
				alive--
				total -= i.weight
				return nil
			},
		}.Run(context.Background())
		if err != nil || arrived != len(weights) {
			t.Fatalf("%d of %d items, %v", arrived, len(weights), err)
		}
	})
}
