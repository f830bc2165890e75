package container

import (
	"bytes"
	"compress/gzip"
	"io"
	"strings"
	"testing"

	"github.com/cupel-dev/cupel/internal/racetest"
)

// bundles are small bundles that read to a clean end: the project's own in each spelling of
// deflate, and the shared ones.
func bundles(t *testing.T) map[string][]byte {
	t.Helper()
	list := map[string][]byte{"stored": zip(good(), 0), "compressed": zip(good(), 6)}
	for name, text := range shared(t) {
		if strings.HasSuffix(read(bytes.NewReader(text), -1, Options{}), " end") {
			list[name] = text
		}
	}
	return list
}

// TestTruncated cuts bundles at every byte: none reads to a clean end, and no cut is taken
// for a limit.
func TestTruncated(t *testing.T) {
	cuts, step := 0, racetest.Step(t)
	for name, bundle := range bundles(t) {
		for n := 0; n < len(bundle); n += step {
			got := read(bytes.NewReader(bundle[:n]), int64(n), Options{})
			if strings.HasSuffix(got, "end") || strings.Contains(got, "Limit") || !strings.Contains(got, "Integrity") {
				t.Errorf("%s cut after %d of %d bytes reads as %s", name, n, len(bundle), got)
			}
			cuts++
		}
	}
	t.Logf("%d cuts", cuts)
}

// TestFlipped changes the lowest and the highest bit of every byte: what still reads to a
// clean end is exactly what another implementation of gzip inflates to the same bytes, with
// no reserved flag.
func TestFlipped(t *testing.T) {
	flips, kept, step := 0, 0, racetest.Step(t)
	for name, bundle := range bundles(t) {
		want, _ := inflate(bundle)
		answer := read(bytes.NewReader(bundle), -1, Options{})
		for i := 0; i < len(bundle); i += step {
			for _, bit := range []byte{1, 1 << 7} {
				flipped := bytes.Clone(bundle)
				flipped[i] ^= bit
				text, err := inflate(flipped)
				same := err == nil && bytes.Equal(text, want) && flipped[3]&reserved == 0
				got := read(bytes.NewReader(flipped), -1, Options{})
				if same != (got == answer) || !same && strings.HasSuffix(got, "end") {
					t.Errorf("%s with byte %d ^ %d reads as %s; the other inflates the same: %v", name, i, bit, got, same)
				}
				if flips++; same {
					kept++
				}
			}
		}
	}
	racetest.Met(t, "a harmless flip, such as one in the header's time", kept)
	t.Logf("%d flips, %d harmless", flips, kept)
}

// inflate returns the standard library's reading of one gzip member and nothing after it.
func inflate(input []byte) ([]byte, error) {
	in := bytes.NewReader(input)
	r, err := gzip.NewReader(in)
	if err != nil {
		return nil, err
	}
	r.Multistream(false)
	text, err := io.ReadAll(r)
	if err == nil && in.Len() > 0 {
		err = io.ErrNoProgress
	}
	return text, err
}
