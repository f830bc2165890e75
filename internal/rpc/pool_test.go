package rpc

import (
	"runtime"
	"slices"
	"testing"
	"time"

	"pgregory.net/rapid"
)

// roomModel says which tasks of a pool are under way and which wait, by their numbers.
type roomModel struct {
	size    int
	room    int64
	weights []int64
	waiting []int
	running []int
}

func (m *roomModel) taken() (sum int64) {
	for _, i := range m.running {
		sum += min(m.weights[i], m.room)
	}
	return sum
}

// begin starts waiting tasks: in their order, but tasks without weight pass tasks that do not fit.
func (m *roomModel) begin() (begun []int) {
	heavy := false
	for _, i := range m.waiting {
		weight := min(m.weights[i], m.room)
		if len(m.running) < m.size && (weight == 0 || !heavy && m.taken()+weight <= m.room) {
			m.running = append(m.running, i)
			begun = append(begun, i)
		} else if weight > 0 {
			heavy = true
		}
	}
	m.waiting = slices.DeleteFunc(m.waiting, func(i int) bool { return slices.Contains(begun, i) })
	return begun
}

// TestRoom: whatever the weights and the order in which tasks come and are done, those are
// under way that the model says; never do they weigh more together than there is room.
func TestRoom(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		m := &roomModel{
			size: rapid.IntRange(1, 4).Draw(t, "workers"), room: rapid.Int64Range(1, 10).Draw(t, "room"),
			weights: rapid.SliceOfN(rapid.Int64Range(0, 12), 1, 20).Draw(t, "weights"),
		}
		begun, hands := make(chan int, len(m.weights)), make([]chan struct{}, len(m.weights))
		p := newPool(m.size, m.room, func(t task) {
			begun <- int(t.line.size)
			<-hands[t.line.size]
		})
		defer p.close()
		settle := func() {
			want := m.begin()
			var got []int
			for range want {
				got = append(got, within(t, begun))
			}
			slices.Sort(got)
			slices.Sort(want)
			if !slices.Equal(got, want) {
				t.Fatalf("tasks %v begin, want %v", got, want)
			}
			for deadline := time.Now().Add(sessionTime); ; runtime.Gosched() {
				p.mu.Lock()
				taken, workers, waiting := p.most-p.room, p.workers, len(p.queue)
				p.mu.Unlock()
				if taken > m.room || workers > m.size {
					t.Fatalf("%d tasks of weight %d are under way", workers, taken)
				}
				if taken == m.taken() && workers == len(m.running) && waiting == len(m.waiting) {
					break
				}
				if time.Now().After(deadline) {
					t.Fatalf("%d tasks of weight %d, %d wait; want %d of %d, %d wait", workers, taken, waiting, len(m.running), m.taken(), len(m.waiting))
				}
			}
		}
		for next := 0; next < len(m.weights) || len(m.running) > 0; settle() {
			if next < len(m.weights) && (len(m.running) == 0 || rapid.Bool().Draw(t, "one more")) {
				hands[next] = make(chan struct{})
				admitted, workers, ended := p.admit(task{weight: m.weights[next], line: line{size: int64(next)}})
				if ended {
					t.Fatal("the pool has ended")
				}
				if workers > 0 {
					p.start(func() { p.run(admitted) })
				}
				m.waiting = append(m.waiting, next)
				next++
				continue
			}
			done := rapid.SampledFrom(m.running).Draw(t, "done")
			m.running = slices.DeleteFunc(m.running, func(i int) bool { return i == done })
			close(hands[done])
		}
	})
}
