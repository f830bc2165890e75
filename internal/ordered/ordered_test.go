package ordered_test

import (
	"cmp"
	"context"
	"errors"
	"io"
	"math/rand/v2"
	"runtime"
	"slices"
	"sync"
	"testing"

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
		for range rand.IntN(50) {
			runtime.Gosched()
		}
		return n * n
	}
}

// inline means without workers.
const inline = -1

func run(ctx context.Context, p ordered.Pipeline[int, int]) error {
	if p.Jobs == inline {
		return p.RunInline(ctx)
	}
	return p.Run(ctx)
}

func TestOrder(t *testing.T) {
	for _, jobs := range []int{inline, 0, 1, 2, 7} {
		want := 0
		err := run(t.Context(), ordered.Pipeline[int, int]{
			Jobs: jobs, Read: counter(500, io.EOF), NewWorker: square,
			Deliver: func(in, out int) error {
				if in != want || out != want*want {
					t.Fatalf("%d jobs: %d, %d instead of %d", jobs, in, out, want)
				}
				want++
				return nil
			},
		})
		if err != nil || want != 500 {
			t.Errorf("%d jobs: %d items, %v", jobs, want, err)
		}
	}
}

func TestErrorsKeepTheirPlace(t *testing.T) {
	broken := errors.New("broken")
	for name, c := range map[string]struct {
		read    func() func(int) (int, error)
		deliver func(seen int) error
		want    int
	}{
		"reading":    {func() func(int) (int, error) { return counter(20, broken) }, func(int) error { return nil }, 20},
		"delivering": {func() func(int) (int, error) { return counter(1000, io.EOF) }, func(seen int) error { return map[bool]error{true: broken}[seen == 10] }, 10},
	} {
		for _, jobs := range []int{inline, 3} {
			seen := 0
			err := run(t.Context(), ordered.Pipeline[int, int]{Jobs: jobs, Read: c.read(), NewWorker: square, Deliver: func(int, int) error {
				seen++
				return c.deliver(seen)
			}})
			if !errors.Is(err, broken) || seen != c.want {
				t.Errorf("%s, %d jobs: %v after %d items, expected %d", name, jobs, err, seen, c.want)
			}
		}
	}
}

// TestInline: an item's memory is used again when it is light, and the end of the context
// ends the run between two items.
func TestInline(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	const heavy = ordered.Budget
	weights, read, delivered := []int{1, heavy, 2, 3}, -1, 0
	err := ordered.Pipeline[*int, int]{
		Read: func(used *int) (*int, error) {
			if before := read; before >= 0 && (used == nil) != (weights[before] == heavy) {
				t.Errorf("after an item of %d bytes: %v is used again", weights[before], used)
			}
			read++
			return &weights[read], nil
		},
		Weight:    func(n *int) int { return *n },
		NewWorker: func() func(*int) int { return func(n *int) int { return *n } },
		Deliver: func(*int, int) error {
			if delivered++; delivered == len(weights) {
				cancel()
			}
			return nil
		},
	}.RunInline(ctx)
	if !errors.Is(err, context.Canceled) || delivered != len(weights) {
		t.Errorf("%v after %d items", err, delivered)
	}
}

// TestOneJob: a single job works on the caller's goroutine, between two deliveries: what the two
// share needs no lock, as the race detector sees.
func TestOneJob(t *testing.T) {
	worked, delivered := 0, 0
	err := ordered.Pipeline[int, int]{
		Jobs: 1, Read: counter(200, io.EOF),
		NewWorker: func() func(int) int {
			return func(n int) int {
				if worked++; delivered != n {
					t.Errorf("item %d is worked on after %d deliveries", n, delivered)
				}
				return n
			}
		},
		Deliver: func(int, int) error {
			delivered++
			return nil
		},
	}.Run(t.Context())
	if err != nil || worked != 200 || delivered != 200 {
		t.Errorf("%d worked on, %d delivered, %v", worked, delivered, err)
	}
}

// TestBatches checks that the batches of a list add up to the list, each within its bounds, and that none has room
// for the next element.
func TestBatches(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		list := rapid.SliceOfN(rapid.IntRange(0, 12), 0, 30).Draw(t, "list")
		number, weight := rapid.IntRange(1, 5).Draw(t, "number"), rapid.IntRange(1, 20).Draw(t, "weight")
		read := ordered.Batches(list, number, weight, func(n int) int { return n })
		rest := list
		for {
			batch, err := read(nil)
			if err == io.EOF {
				break
			}
			if len(batch) == 0 || !slices.Equal(batch, rest[:len(batch)]) {
				t.Fatalf("%v of %v", batch, rest)
			}
			rest = rest[len(batch):]
			full := len(batch) == number || len(rest) == 0 || sum(batch)+rest[0] > weight
			if len(batch) > number || len(batch) > 1 && sum(batch) > weight || !full {
				t.Fatalf("%v before %v", batch, rest)
			}
		}
		if len(rest) > 0 {
			t.Fatalf("%v are left", rest)
		}
	})
}

func sum(list []int) (total int) {
	for _, n := range list {
		total += n
	}
	return total
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
