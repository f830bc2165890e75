package commands_test

import (
	"bytes"
	"compress/gzip"
	"io"
	"math/rand/v2"
	"os"
	"path/filepath"
	"regexp"
	"testing"

	"github.com/klauspost/compress/zstd"

	"github.com/cupel-dev/cupel/internal/racetest"
)

// TestPackedIsPlain: a compressed log has the answer of its text, in each byte of the report:
// as a file of any name and through a pipe in whatever pieces, in one member or several, with
// any number of jobs.
func TestPackedIsPlain(t *testing.T) {
	dir := t.TempDir()
	name := filepath.Join(dir, "log.jsonl")
	for i, v := range racetest.Some(t, verifications(t)) {
		random := rand.New(rand.NewPCG(uint64(i), 18))
		args := append([]string{"trace", "verify", "--format", []string{"json", "text", "jsonl"}[i%3], "--jobs", []string{"1", "3"}[i%2]}, v.flags...)
		write := func(text []byte) {
			if err := os.WriteFile(name, text, 0o600); err != nil {
				t.Fatal(err)
			}
		}
		write(v.log)
		want := stored.ReplaceAllString(program(t, nil, name, append(args, name)...), "")
		for _, format := range []func(io.Writer) io.WriteCloser{toGzip, toZstd} {
			packed := packedIn(t, format, v.log, random)
			write(packed)
			if got := stored.ReplaceAllString(program(t, nil, name, append(args, name)...), ""); got != want {
				t.Fatalf("%q: a file has another answer:\n%.2000s\nwant\n%.2000s", args, got, want)
			}
			if got := program(t, &oddPipe{bytes.NewReader(packed), random, 1 << random.IntN(14)}, "-", append(args, "-")...); stored.ReplaceAllString(got, "") != want {
				t.Fatalf("%q: a pipe has another answer:\n%.2000s\nwant\n%.2000s", args, got, want)
			}
		}
	}
}

// stored are the digest and the size of an input, which are those of the compressed bytes.
var stored = regexp.MustCompile(`,"sha256":"[0-9a-f]{64}","bytes":[0-9]+`)

func toGzip(w io.Writer) io.WriteCloser { return gzip.NewWriter(w) }

func toZstd(w io.Writer) io.WriteCloser {
	z, err := zstd.NewWriter(w, zstd.WithEncoderConcurrency(1))
	if err != nil {
		panic(err)
	}
	return z
}

// packedIn compresses a text in one to three members, cut anywhere.
func packedIn(t *testing.T, format func(io.Writer) io.WriteCloser, text []byte, random *rand.Rand) []byte {
	t.Helper()
	var packed bytes.Buffer
	for more := random.IntN(3); more >= 0; more-- {
		n := len(text)
		if more > 0 {
			n = random.IntN(n + 1)
		}
		w := format(&packed)
		if _, err := w.Write(text[:n]); err != nil {
			t.Fatal(err)
		}
		if err := w.Close(); err != nil {
			t.Fatal(err)
		}
		text = text[n:]
	}
	return packed.Bytes()
}
