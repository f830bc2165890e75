package unpack

import (
	"bytes"
	stdgzip "compress/gzip"
	"context"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/klauspost/compress/gzip"
	"github.com/klauspost/compress/zstd"

	"github.com/cupel-dev/cupel/internal/racetest"
	"github.com/cupel-dev/cupel/internal/source"
)

// pack compresses a text as one member or frame.
func pack(t testing.TB, format, text string) []byte {
	t.Helper()
	var b bytes.Buffer
	var w io.WriteCloser = gzip.NewWriter(&b)
	if format == source.Zstd {
		var err error
		if w, err = zstd.NewWriter(&b, zstd.WithEncoderConcurrency(1)); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := io.WriteString(w, text); err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

func unpacked(packed io.Reader, format string, most int64) (string, *Reader, error) {
	r := New(context.Background(), io.NopCloser(packed), format, most)
	text, err := io.ReadAll(r)
	return string(text), r, errors.Join(err, r.Close())
}

// logText is text that a log might have, of at least n bytes.
func logText(n int) string {
	var b strings.Builder
	random := rand.New(rand.NewPCG(1, 2))
	for i := 0; b.Len() < n; i++ {
		fmt.Fprintf(&b, `{"n":%d,"hash":"%016x"}`+"\n", i, random.Uint64())
	}
	return b.String()
}

// TestTextComesBack: whatever text, cut into whatever members, read in whatever pieces.
func TestTextComesBack(t *testing.T) {
	long := logText(1 << 20)
	sizes := []int{0, 1, 100, alone - 1, alone, alone + 1, 200_000}
	for _, format := range []string{source.Gzip, source.Zstd} {
		member := map[int][]byte{}
		for _, n := range sizes {
			member[n] = pack(t, format, long[:n])
		}
		for i := range 60 / racetest.Step(t) {
			random := rand.New(rand.NewPCG(uint64(i), 7))
			var packed bytes.Buffer
			var want strings.Builder
			for range 1 + random.IntN(4) {
				n := sizes[random.IntN(len(sizes))]
				packed.Write(member[n])
				want.WriteString(long[:n])
			}
			var src io.Reader = &packed
			if i%2 == 0 {
				src = iotest.HalfReader(src)
			}
			r := New(t.Context(), io.NopCloser(src), format, 0)
			var got bytes.Buffer
			_, err := io.CopyBuffer(struct{ io.Writer }{&got}, struct{ io.Reader }{r}, make([]byte, []int{1000, 4096, 1 << 20}[i%3]))
			if err != nil || got.String() != want.String() {
				t.Fatalf("%s: %d bytes, want %d: %v", format, got.Len(), want.Len(), err)
			}
			if n, err := r.Read(make([]byte, 1)); n != 0 || err != io.EOF {
				t.Fatalf("%s, after the end: %d, %v", format, n, err)
			}
			if err := r.Close(); err != nil {
				t.Fatal(err)
			}
		}
		text, r, err := unpacked(bytes.NewReader(pack(t, format, long)), format, 0)
		if err != nil || text != long || r.Packed() < int64(len(long))/100 {
			t.Errorf("%s: %d bytes of %d, %v", format, len(text), len(long), err)
		}
	}
}

// TestEveryCut: no beginning of a compressed stream is taken for the whole of one, but where
// a member ends.
func TestEveryCut(t *testing.T) {
	for _, format := range []string{source.Gzip, source.Zstd} {
		one := pack(t, format, logText(2000))
		both := append(bytes.Clone(one), one...)
		for n := 1; n < len(both); n += racetest.Step(t) {
			_, _, err := unpacked(bytes.NewReader(both[:n]), format, 0)
			fault, is := errors.AsType[*DamageError](err)
			if n == len(one) {
				if err != nil {
					t.Errorf("%s, one member: %v", format, err)
				}
				continue
			}
			if !is || fault.what == damaged || fault.what == cut && fault.At != int64(n) {
				t.Errorf("%s, cut at byte %d of %d: %v", format, n, len(one), err)
			}
		}
	}
}

// TestEveryByte: a changed byte is a fault, or changes nothing of the text: the name and the
// time in a header, for example.
func TestEveryByte(t *testing.T) {
	text := logText(1500)
	for _, format := range []string{source.Gzip, source.Zstd} {
		packed := pack(t, format, text)
		step := racetest.Step(t)
		for i := 0; i < len(packed); i += step {
			for _, bit := range []byte{1, 0x80} {
				changed := bytes.Clone(packed)
				changed[i] ^= bit
				got, _, err := unpacked(bytes.NewReader(changed), format, 1<<20)
				if err == nil && got != text {
					t.Errorf("%s, byte %d: another text, and no error", format, i)
				}
			}
		}
	}
}

// TestAfterTheEnd: other bytes after the last member are a fault, however few, and where they
// are is said.
func TestAfterTheEnd(t *testing.T) {
	for _, format := range []string{source.Gzip, source.Zstd} {
		one := pack(t, format, "text\n")
		for _, more := range []string{"\x00", "\n", "ab", "abc", "abcd", "\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00", `{"a":1}`} {
			text, _, err := unpacked(strings.NewReader(string(one)+more), format, 0)
			if fault, is := errors.AsType[*DamageError](err); !is || fault.what == damaged || text != "text\n" {
				t.Errorf("%s and %q: %q, %v", format, more, text, err)
			}
		}
	}
}

func TestBounds(t *testing.T) {
	text := strings.Repeat("0123456789abcde\n", 1<<16)
	for _, format := range []string{source.Gzip, source.Zstd} {
		packed := pack(t, format, text)
		if got, _, err := unpacked(bytes.NewReader(packed), format, int64(len(text))); err != nil || got != text {
			t.Errorf("%s: %d bytes, %v", format, len(got), err)
		}
		for _, most := range []int{1, 1000, alone, len(text) - 1} {
			got, _, err := unpacked(bytes.NewReader(packed), format, int64(most))
			if limit, is := errors.AsType[*LimitError](err); !is || limit.Max != int64(most) || got != text[:most] {
				t.Errorf("%s, at most %d: %d bytes, %v", format, most, len(got), err)
			}
		}
	}
	_, r, err := unpacked(bytes.NewReader(pack(t, source.Zstd, strings.Repeat("\n", 8<<20))), source.Zstd, 0)
	if err != nil || !r.Swollen() {
		t.Errorf("8 MiB of line feeds are not swollen: %v", err)
	}
	if _, r, _ := unpacked(bytes.NewReader(pack(t, source.Zstd, logText(2<<20))), source.Zstd, 0); r.Swollen() {
		t.Error("a log is swollen")
	}
}

// TestWindows: a frame says how much memory unpacking takes.
func TestWindows(t *testing.T) {
	frame := func(descriptor byte) []byte {
		return []byte{0x28, 0xb5, 0x2f, 0xfd, 0, descriptor, 1, 0, 0} // one empty raw block, the last
	}
	if _, _, err := unpacked(bytes.NewReader(frame(16<<3)), source.Zstd, 0); err != nil {
		t.Errorf("64 MiB: %v", err)
	}
	_, _, err := unpacked(bytes.NewReader(frame(16<<3|1)), source.Zstd, 0)
	if _, is := errors.AsType[*WindowError](err); !is {
		t.Errorf("72 MiB: %v", err)
	}
	_, _, err = unpacked(bytes.NewReader([]byte{0x28, 0xb5, 0x2f, 0xfd, 1, 0x40, 7, 1, 0, 0}), source.Zstd, 0)
	if _, is := errors.AsType[*DictionaryError](err); !is {
		t.Errorf("a dictionary: %v", err)
	}
}

// TestErrorsPass checks that a read error of a stream is not a fault of the stream.
func TestErrorsPass(t *testing.T) {
	broken := errors.New("broken")
	for _, format := range []string{source.Gzip, source.Zstd} {
		packed := pack(t, format, logText(300_000))
		for _, n := range []int{3, 20, len(packed) / 2, len(packed)} {
			_, _, err := unpacked(io.MultiReader(bytes.NewReader(packed[:n]), iotest.ErrReader(broken)), format, 0)
			if !errors.Is(err, broken) {
				t.Errorf("%s, after %d bytes: %v", format, n, err)
			}
		}
	}
}

// TestItEnds: the end of the context, and Close, end a reading that waits for a stream.
func TestItEnds(t *testing.T) {
	for _, format := range []string{source.Gzip, source.Zstd} {
		packed := pack(t, format, logText(1<<20))
		ctx, stop := context.WithCancel(t.Context())
		src, w := io.Pipe()
		go func() { _, _ = w.Write(packed[:len(packed)-10]) }() // and no more
		r := New(ctx, src, format, 0)
		if _, err := io.CopyN(io.Discard, r, alone+1); err != nil {
			t.Fatal(err)
		}
		stop()
		if _, err := io.Copy(io.Discard, r); !errors.Is(err, context.Canceled) {
			t.Errorf("%s: %v", format, err)
		}
		if err := r.Close(); err != nil {
			t.Error(err)
		}
		if _, err := w.Write([]byte("more")); err == nil {
			t.Errorf("%s: the stream is still open", format)
		}
	}
}

// TestClosedInARead closes early, possibly in the middle of a read by the other goroutine.
func TestClosedInARead(t *testing.T) {
	for _, format := range []string{source.Gzip, source.Zstd} {
		packed := pack(t, format, logText(alone*2))
		for at := range len(packed) / 512 {
			src := &closingSource{r: bytes.NewReader(packed), left: at}
			r := New(t.Context(), src, format, 0)
			src.reader = r
			if _, err := io.Copy(io.Discard, r); !errors.Is(err, context.Canceled) {
				t.Errorf("%s, closed in read %d: %v", format, at, err)
			}
			if r.filled == nil && !r.from.closed {
				t.Errorf("%s, closed in read %d: the decoder is still open", format, at)
			}
		}
	}
}

// closingSource closes its reader while that waits for it.
type closingSource struct {
	r      io.Reader
	reader *Reader
	left   int // reads before that
}

func (s *closingSource) Read(p []byte) (int, error) {
	if s.left--; s.left < 0 {
		_ = s.reader.Close()
	}
	return s.r.Read(p[:min(len(p), 512)])
}

func (*closingSource) Close() error { return nil }

// TestSlowStream: what a slow writer has flushed is there before it goes on.
func TestSlowStream(t *testing.T) {
	src, pipe := io.Pipe()
	w := gzip.NewWriter(pipe)
	text := logText(200_000)
	written := make(chan error)
	go func() {
		_, err := io.WriteString(w, text)
		written <- errors.Join(err, w.Flush())
	}()
	r := New(t.Context(), src, source.Gzip, 0)
	got := make([]byte, len(text))
	if _, err := io.ReadFull(r, got); err != nil || string(got) != text {
		t.Fatal(err)
	}
	if err := <-written; err != nil {
		t.Fatal(err)
	}
	if err := r.Close(); err != nil {
		t.Error(err)
	}
}

// reserved reports whether a member's header may have a flag that RFC 1952, 2.3.1.2, reserves: it
// must be refused, and the standard library reads on.
func reserved(packed []byte) bool {
	for {
		at := bytes.Index(packed, []byte(gzipMagic+"\x08"))
		if at < 0 || at+3 >= len(packed) {
			return false
		}
		if packed[at+3]>>5 != 0 {
			return true
		}
		packed = packed[at+3:]
	}
}

// FuzzGzip compares with the standard library: what it refuses is refused, nothing else is but
// reserved flags, and the text is the same.
func FuzzGzip(f *testing.F) {
	one := pack(f, source.Gzip, "a text\nof two lines\n")
	f.Add(one)
	f.Add(append(bytes.Clone(one), one...))
	f.Add(append(bytes.Clone(one), 0))
	flagged := bytes.Clone(one)
	flagged[3] |= 0x20
	f.Add(flagged)
	f.Fuzz(func(t *testing.T, packed []byte) {
		if !bytes.HasPrefix(packed, []byte(gzipMagic)) {
			return
		}
		const most = 1 << 22
		got, _, err := unpacked(bytes.NewReader(packed), source.Gzip, most)
		if _, long := errors.AsType[*LimitError](err); long {
			return
		}
		var want []byte
		z, other := stdgzip.NewReader(bytes.NewReader(packed))
		if other == nil {
			want, other = io.ReadAll(z)
		}
		same := (err == nil) == (other == nil) || err != nil && reserved(packed)
		if !same || err == nil && got != string(want) {
			t.Fatalf("%d bytes, %v; the standard library %d bytes, %v", len(got), err, len(want), other)
		}
	})
}
