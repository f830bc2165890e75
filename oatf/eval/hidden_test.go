package eval

import (
	"math/rand/v2"
	"strings"
	"testing"
)

// TestHidden compares hidden with a text in which every byte remembers its place.
func TestHidden(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	for range 20_000 {
		text := "abcdefghijklmnopqrstuvwxyz"[:random.IntN(27)]
		var ranges [][2]int
		for at := random.IntN(5); at < len(text); at += random.IntN(6) {
			end := min(len(text), at+1+random.IntN(4))
			ranges, at = append(ranges, [2]int{at, end}), end
		}
		start := random.IntN(len(text) + 1)
		end := start + random.IntN(len(text)+1-start)
		shown, from, to := hidden(text, start, end, ranges)

		want, match := "", ""
		for i, r := 0, ranges; i < len(text); {
			piece, size, in := text[i:i+1], 1, i >= start && i < end
			if len(r) > 0 && r[0][0] == i {
				piece, size = stars, r[0][1]-i
				in = start < r[0][1] && end > i
				r = r[1:]
			}
			want += piece
			if in {
				match += piece
			}
			i += size
		}
		if shown != want || start < end && shown[from:to] != match {
			t.Fatalf("%q, %d to %d without %v: %q, %q, expected %q, %q", text, start, end, ranges, shown, shown[from:to], want, match)
		}
		for _, r := range ranges {
			if strings.Contains(shown, text[r[0]:r[1]]) {
				t.Fatalf("%q shows a part of %v", shown, ranges)
			}
		}
	}
}

func TestLastName(t *testing.T) {
	for path, want := range map[string]string{"": "", "name": "name", "a.b": "b", "a[1].b[0]": "b", "tools[3]": "tools"} {
		if got := lastName(path); got != want {
			t.Errorf("%q: %q, expected %q", path, got, want)
		}
	}
}
