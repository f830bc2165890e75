//go:build unix

package secrets_test

import (
	"cmp"
	"fmt"
	"math/rand/v2"
	"os"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/cupel-dev/cupel/internal/secrets"
	"github.com/cupel-dev/cupel/internal/secrets/ruleset"
)

// hostile returns pieces of texts that are made to be slow: what each rule looks for, whole and cut before
// its end, alone and with what can be between two of them.
func hostile(tb testing.TB) []string {
	var pieces []string
	rare := []string{`"`, "1", "a", ".", "-", ":", `\`, "/", ",", "|", "'", "@", "%"}
	for i, base := range bases(tb) {
		for _, between := range []string{"", " ", "=", "\n", rare[i%len(rare)]} {
			if piece := base + between; piece != "" {
				pieces = append(pieces, piece)
			}
		}
	}
	return pieces
}

// bases are the pieces without what is between two of them.
func bases(tb testing.TB) []string {
	set, err := ruleset.Default()
	if err != nil {
		tb.Fatal(err)
	}
	var bases []string
	for _, r := range set.Rules {
		match := strings.ReplaceAll(rapid.StringMatching(r.Expression).Example(1), "\n", " ")
		for _, size := range []int{len(match), len(match) - 1, len(match) * 3 / 4, len(match) / 2} {
			bases = append(bases, match[:size])
		}
		for i, keyword := range r.Keywords {
			bases = append(bases, keyword)
			if i == 0 {
				bases = append(bases, keyword+r.Keywords[len(r.Keywords)-1], strings.ToUpper(keyword), keyword+` = "`, keyword+`: 1a2B`, keyword+`=AbCd12345678`)
			}
			if at := strings.Index(strings.ToLower(match), keyword); at >= 0 {
				bases = append(bases, match[at:at+len(keyword)], match[:at+len(keyword)])
			}
		}
	}
	for _, word := range []string{"pass", "pwd", "secret", "token", "key", "cred", "auth", "cookie", "session", "sid", "jwt", "sig", "code", "phrase", "mnemonic", "bearer", "basic", "api key"} {
		bases = append(bases, word, "--"+word, word+` = "`, `"`+word+`": "`, word+`: a1B2c3`, word+"=a1B2c3d4e5f6", word+" is ", "a-"+word+"-b:")
	}
	for _, piece := range texts {
		bases = append(bases, piece)
	}
	slices.Sort(bases)
	return slices.Compact(bases)
}

// fillers are what is put after each repetition of a piece, so that no two are the same.
var fillers = []string{"", "0123456789", "abcdefghijklmnopqrstuvwxyz0123456789", "ABCDEFabcdef0123456789-_.=/+"}

// repeated returns a text of a piece, each followed by up to six bytes of a filler.
func repeated(piece, filler string, size int) []byte {
	random := rand.New(rand.NewPCG(1, 2))
	text := make([]byte, 0, size+len(piece)+6)
	for len(text) < size {
		text = append(text, piece...)
		for n := random.IntN(6) + 1; filler != "" && n > 0; n-- {
			text = append(text, filler[random.IntN(len(filler))])
		}
	}
	return text
}

// speed returns the bytes per microsecond of the fastest of some runs.
func speed(size, runs int, run func()) float64 {
	least := time.Duration(1 << 62)
	for range runs {
		start := processorTime()
		run()
		least = min(least, processorTime()-start)
	}
	return float64(size) / float64(max(1, least.Nanoseconds())) * 1e3
}

// processorTime is what this process has used of the processors.
func processorTime() time.Duration {
	var used syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &used); err != nil {
		panic(err)
	}
	return time.Duration(used.Utime.Nano() + used.Stime.Nano())
}

// mostWork is how often the rules may read each byte of a text.
const mostWork = 24

// TestWork: however a text is made, the rules read each of its bytes a few times only.
func TestWork(t *testing.T) {
	set, err := secrets.Default()
	if err != nil {
		t.Fatal(err)
	}
	s := secrets.NewScanner(set)
	for _, base := range bases(t) {
		for _, filler := range fillers {
			text := repeated(base+"=", filler, 4<<10)
			s.Scan(text)
			if work := s.Work(); work > mostWork*len(text) {
				t.Errorf("%.1f bytes are read for each of a text of %q and %q", float64(work)/float64(len(text)), base, filler)
			}
		}
	}
}

// listed is how many of the slowest texts are written.
const listed = 30

// BenchmarkHostile searches a text of each of the pieces and reports the slowest, beside a usual text.
func BenchmarkHostile(b *testing.B) {
	set, err := secrets.Default()
	if err != nil {
		b.Fatal(err)
	}
	s := secrets.NewScanner(set)
	pieces := hostile(b)
	type slow struct {
		piece, filler string
		speed, usual  float64
	}
	usual := repeated(texts["nothing"], "", 128<<10)
	order := func(x, y slow) int { return cmp.Compare(x.speed/x.usual, y.speed/y.usual) }
	measure := func(x *slow, size, runs int) {
		text := repeated(x.piece, x.filler, size)
		x.speed = speed(len(text), runs, func() { s.Scan(text) })
	}
	for range b.N {
		var all []slow
		for _, piece := range pieces {
			for _, filler := range fillers {
				x := slow{piece, filler, 0, 1}
				measure(&x, 8<<10, 3)
				all = append(all, x)
			}
		}
		for _, filler := range fillers {
			one := slices.DeleteFunc(slices.Clone(all), func(x slow) bool { return x.filler != filler })
			slices.SortFunc(one, order)
			one = one[:200]
			for i := range one {
				measure(&one[i], 64<<10, 10)
				one[i].usual = speed(len(usual), 10, func() { s.Scan(usual) })
			}
			slices.SortFunc(one, order)
			for _, x := range one[:listed] {
				fmt.Fprintf(os.Stderr, "%6.1f MB/s, 1/%.1f of a usual text: %.100q and %q\n", x.speed, x.usual/x.speed, x.piece, filler)
			}
			b.ReportMetric(one[0].speed, fmt.Sprintf("slowest-MB/s-%d", len(filler)))
		}
	}
}
