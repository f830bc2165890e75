package source

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"sync"
	"testing"

	"github.com/cupel-dev/cupel/finding"
)

// TestPlacesOfALongLine points at a long line in every order, also from several goroutines:
// the places are those of a line whose places are not remembered.
func TestPlacesOfALongLine(t *testing.T) {
	pieces := []string{"x", "é", "€", "😀", "\xff", "\xe2\x82", "\x80", "\n", strings.Repeat("y", 700), strings.Repeat("\x80", 9), strings.Repeat("😀", 50)}
	for seed := range uint64(12) {
		r := rand.New(rand.NewPCG(seed, 2))
		var b strings.Builder
		for b.Len() < indexed+20*step {
			if p := pieces[r.IntN(len(pieces))]; p != "\n" || seed%3 > 0 && r.IntN(40) == 0 {
				b.WriteString(p)
			}
		}
		plain := Line{Number: 3, Column: 5, Bytes: []byte(b.String())}
		long := plain.Indexed()
		if long.places == nil {
			t.Fatal("the line is not long")
		}
		offsets := make([]int, 400)
		for i := range offsets {
			offsets[i] = r.IntN(b.Len() + 2)
			if i%3 == 0 {
				offsets[i] = min(b.Len(), step*r.IntN(1+b.Len()/step)+r.IntN(9)-4)
			}
		}
		var group sync.WaitGroup
		for half := range 2 {
			group.Go(func() {
				for i := half; i < len(offsets); i += 2 {
					var got, want finding.Finding
					Point(&got, long, offsets[i], offsets[i]+i%7)
					Point(&want, plain, offsets[i], offsets[i]+i%7)
					if fmt.Sprintf("%+v", got) != fmt.Sprintf("%+v", want) {
						t.Errorf("text %d, byte %d:\n got %+v\nwant %+v", seed, offsets[i], got, want)
					}
				}
			})
		}
		group.Wait()
	}
}
