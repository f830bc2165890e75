//go:build unix

package secrets_test

import (
	"cmp"
	"fmt"
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
	var pieces []string
	rare := []string{`"`, "1", "a", ".", "-", ":", `\`, "/", ",", "|", "'", "@", "%"}
	for i, base := range slices.Compact(bases) {
		for _, between := range []string{"", " ", "=", "\n", rare[i%len(rare)]} {
			if piece := base + between; piece != "" {
				pieces = append(pieces, piece)
			}
		}
	}
	return pieces
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

// listed is how many of the slowest texts are written.
const listed = 30

// BenchmarkHostile searches a text of each of the pieces and reports the slowest.
func BenchmarkHostile(b *testing.B) {
	set, err := secrets.Default()
	if err != nil {
		b.Fatal(err)
	}
	s := secrets.NewScanner(set)
	pieces := hostile(b)
	type slow struct {
		piece string
		speed float64
	}
	measure := func(piece string, size, runs int) slow {
		text := []byte(strings.Repeat(piece, size/len(piece)+1))
		return slow{piece, speed(len(text), runs, func() { s.Scan(text) })}
	}
	for range b.N {
		var all []slow
		for _, piece := range pieces {
			all = append(all, measure(piece, 16<<10, 3))
		}
		order := func(x, y slow) int { return cmp.Compare(x.speed, y.speed) }
		slices.SortFunc(all, order)
		all = all[:100]
		for i := range all {
			all[i] = measure(all[i].piece, 128<<10, 3)
		}
		slices.SortFunc(all, order)
		for _, x := range all[:listed] {
			fmt.Fprintf(os.Stderr, "%6.1f MB/s %.100q\n", x.speed, x.piece)
		}
		b.ReportMetric(all[0].speed, "slowest-MB/s")
	}
}
