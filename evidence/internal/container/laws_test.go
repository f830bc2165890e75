package container

import (
	"archive/tar"
	"bytes"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"testing"
	"testing/iotest"

	"pgregory.net/rapid"

	"github.com/cupel-dev/cupel/evidence"
)

// names are what members are called: what a bundle may hold more often than what it may not.
var names = []string{
	Manifest, Events, Manifest, Events, Manifest, Events, "extra.txt", "./" + Events, "a/" + Events, "../x", "/x",
	"a/../b", "C:x", "x\ny", "ü\xff", strings.Repeat("d/", 40) + "x", strings.Repeat("y", 90),
}

// drawMember adds one member to a tar, after optional extension headers. It is well-formed, so every reader of tars
// agrees on it.
func drawMember(t *rapid.T, a *archive) {
	name := rapid.SampledFrom(names).Draw(t, "name")
	text := strings.Repeat("x", rapid.SampledFrom([]int{0, 1, 7, 511, 512, 513, 2000}).Draw(t, "size"))
	flag := rapid.SampledFrom([]byte("00000\x00\x00\x00\x0012345667")).Draw(t, "type")
	if '1' <= flag && flag <= '6' {
		text = "" // readers differ on whether a link or a folder has bytes
	}
	edits := []func(*block){kind(flag)}
	switch rapid.IntRange(0, 5).Draw(t, "format") {
	case 0:
		edits = append(edits, edit(fieldMagic, ""))
	case 1:
		edits = append(edits, edit(fieldMagic, magicUstar), edit(fieldUID, "0000000"))
	case 2:
		edits = append(edits, edit(fieldMagic, magicUstar), edit(fieldTime, "\x80\x00\x00\x00\x00\x00\x00\x00\x66\x00\x00\x00"))
	case 3:
		edits = append(edits, edit(fieldSize, fmt.Sprintf("%011o ", len(text))))
	}
	a.member(name, text, edits...)
}

// naive returns the contract's order of checks over another reader of tars, on the whole file.
func naive(t *rapid.T, text []byte, most evidence.Limits) string {
	r, words, seen := tar.NewReader(bytes.NewReader(text)), []string(nil), map[string]bool{}
	for {
		h, err := r.Next()
		if err == io.EOF {
			return strings.Join(append(words, "end"), " ")
		}
		if err != nil {
			t.Fatal(err)
		}
		body, err := io.ReadAll(r)
		if err != nil {
			t.Fatal(err)
		}
		if h.Typeflag != tar.TypeReg {
			return strings.Join(append(words, "IntegrityTar"), " ")
		}
		parts := strings.FieldsFunc(h.Name, func(c rune) bool { return c == '/' || c == '\\' })
		switch {
		case len(h.Name) > int(most.PathBytes):
			words = append(words, "LimitPathLength/max_path_len")
		case h.Name == Manifest && h.Size > most.ManifestBytes:
			words = append(words, "LimitFileSize/max_manifest_bytes")
		case h.Name == Events && h.Size > most.EventsBytes:
			words = append(words, "LimitFileSize/max_events_bytes")
		case slices.Contains(parts, ".."), strings.HasPrefix(h.Name, "/"), strings.HasPrefix(h.Name, "C:"):
			words = append(words, "SecurityPathTraversal")
		case h.Name != Manifest && h.Name != Events:
			words = append(words, "ContractUnexpectedFile")
		case seen[h.Name]:
			words = append(words, "ContractDuplicateFile")
		case h.Name == Events && !seen[Manifest]:
			words = append(words, "ContractFileOrder")
			seen[Events] = true
		default:
			words = append(words, fmt.Sprintf("%s:%d", h.Name, len(body)))
			seen[h.Name] = true
		}
	}
}

// TestSecondOpinion holds that another reader of tars sees the same members in a tar that is
// well-formed.
func TestSecondOpinion(t *testing.T) {
	words := map[string]int{}
	rapid.Check(t, func(t *rapid.T) {
		a := new(archive)
		for range rapid.IntRange(0, 5).Draw(t, "members") {
			drawMember(t, a)
		}
		text := a.end()
		limits := evidence.Limits{ManifestBytes: 512, EventsBytes: 1999, PathBytes: 256}
		got := read(bytes.NewReader(zip(text, 1)), -1, Options{Limits: limits})
		if want := naive(t, text, limits); got != want {
			t.Errorf("got  %s\nwant %s", got, want)
		}
		for word := range strings.FieldsSeq(got) {
			words[word]++
		}
	})
	t.Log(words)
}

// TestChunks holds that how a source hands out its bytes, and in which portions members are
// read, changes nothing, messages and places included, whatever the input.
func TestChunks(t *testing.T) {
	answers := map[string]int{}
	rapid.Check(t, func(t *rapid.T) {
		input := drawInput(t)
		opt := Options{Trailing: rapid.Bool().Draw(t, "allow"), Limits: evidence.Limits{
			BundleBytes: rapid.SampledFrom([]int64{0, 200, int64(len(input)), int64(max(len(input)-1, 1))}).Draw(t, "bundle"),
			DecodeBytes: rapid.SampledFrom([]int64{0, 1000, 4096}).Draw(t, "decode"),
		}}
		want := everything(opt, bytes.NewReader(input), 4096)
		step := rapid.IntRange(1, 3000).Draw(t, "step")
		for name, source := range map[string]io.Reader{
			"bytes": iotest.OneByteReader(bytes.NewReader(input)), "with the end": iotest.DataErrReader(bytes.NewReader(input)),
			"steps": &steps{bytes.NewReader(input), step},
		} {
			if got := everything(opt, source, step); got != want {
				t.Errorf("%s, %d at a time:\ngot  %s\nwant %s", name, step, got, want)
			}
		}
		words := strings.Fields(read(bytes.NewReader(input), -1, opt))
		answers[words[len(words)-1]]++
	})
	t.Log(answers)
}

// everything returns all that a reader says about an input, with members read in portions.
func everything(opt Options, source io.Reader, portion int) string {
	var faults strings.Builder
	words, bodies := transcript(source, -1, opt, func(m *Member) (text []byte, err error) {
		p := make([]byte, portion)
		for err == nil {
			var n int
			n, err = m.Read(p)
			text = append(text, p[:n]...)
		}
		if err == io.EOF {
			err = nil
		}
		if err != nil {
			fmt.Fprintf(&faults, "%+v", err)
		}
		return text, err
	})
	return fmt.Sprintf("%q %q %s", words, bodies, faults.String())
}

// steps is a source that hands out at most step bytes at a time, and at times none.
type steps struct {
	r    *bytes.Reader
	step int
}

func (s *steps) Read(p []byte) (int, error) {
	if s.r.Len()%3 == 1 && len(p) > 1 {
		p = p[:1]
	}
	return s.r.Read(p[:min(len(p), s.step)])
}

// drawInput returns a bundle with damage at any layer, or none.
func drawInput(t *rapid.T) []byte {
	a := new(archive)
	for range rapid.IntRange(0, 3).Draw(t, "members") {
		drawMember(t, a)
	}
	text := damaged(t, a.end())
	return damaged(t, zip(text, rapid.SampledFrom([]int{0, 1, 6}).Draw(t, "level")))
}

// damaged returns a text with a byte changed, cut off, added to, or as it was.
func damaged(t *rapid.T, text []byte) []byte {
	at := rapid.IntRange(0, len(text)-1).Draw(t, "at")
	switch rapid.IntRange(0, 9).Draw(t, "damage") {
	case 0:
		text[at] ^= rapid.Byte().Draw(t, "bits")
	case 1:
		return text[:at]
	case 2:
		return append(text, rapid.SliceOfN(rapid.Byte(), 1, 20).Draw(t, "more")...)
	}
	return text
}

// TestUnreadable checks that an error of the source is returned unchanged wherever it occurs, and is not a fault of
// the bundle.
func TestUnreadable(t *testing.T) {
	broken := errors.New("broken")
	bundle := zip(good(), 6)
	for n := range len(bundle) + 1 {
		r := NewReader(io.MultiReader(bytes.NewReader(bundle[:n]), iotest.ErrReader(broken)), -1, Options{})
		err := readAll(r)
		var failed *evidence.ReadError
		if !errors.As(err, &failed) || failed.Err != broken {
			t.Errorf("a source that breaks after %d bytes gives %v", n, err)
		}
	}
	r := NewReader(noProgress{}, -1, Options{})
	if err := readAll(r); !errors.Is(err, io.ErrNoProgress) {
		t.Errorf("a source that never goes on gives %v", err)
	}
}

// readAll reads a bundle to its end or its first error.
func readAll(r *Reader) error {
	for {
		m, err := r.Next()
		if err == io.EOF {
			return r.Finish()
		}
		if err != nil {
			return err
		}
		if _, err := io.Copy(io.Discard, m); err != nil {
			return err
		}
	}
}

type noProgress struct{}

func (noProgress) Read([]byte) (int, error) { return 0, nil }

// TestUnreadSkipped checks that unread members are skipped, and that Finish reads the rest of a tar.
func TestUnreadSkipped(t *testing.T) {
	bundle := zip(good(), 6)
	r := NewReader(bytes.NewReader(bundle), -1, Options{})
	for _, want := range []string{Manifest, Events} {
		if m, err := r.Next(); err != nil || m.Name != want {
			t.Fatalf("%v, %v, want %s", m, err, want)
		}
	}
	if _, err := r.Next(); err != io.EOF {
		t.Error(err)
	}
	if err := r.Finish(); err != nil {
		t.Error(err)
	}
	r = NewReader(bytes.NewReader(bundle), -1, Options{})
	if err := r.Finish(); err != nil {
		t.Error(err)
	}
	if _, err := r.Next(); err != io.EOF {
		t.Error(err)
	}
}

// TestSameAgain holds that a fault that ends reading is returned again by all that read.
func TestSameAgain(t *testing.T) {
	cut := zip(good(), 0)[:1200]
	r := NewReader(bytes.NewReader(cut), -1, Options{})
	first := readAll(r)
	_, next := r.Next()
	for _, err := range []error{next, r.Finish(), r.Finish()} {
		if err != first || first == nil {
			t.Errorf("%v, then %v", first, err)
		}
	}
}

// TestMeasure holds that the limit of the input goes before a fault that was found first.
func TestMeasure(t *testing.T) {
	input := append(zip([]byte(strings.Repeat("text", 400)), 6), make([]byte, 300)...)
	for limit, want := range map[int64]string{int64(len(input)): integrityTar, int64(len(input)) - 1: limitBundleBytes} {
		r := NewReader(bytes.NewReader(input), -1, Options{Limits: evidence.Limits{BundleBytes: limit}})
		_, first := r.Next()
		var f *Fault
		if !errors.As(first, &f) || f.Code != integrityTar {
			t.Errorf("limit %d: %v", limit, first)
		}
		if !errors.As(r.Finish(), &f) || f.Code != want {
			t.Errorf("limit %d: %v, want %s", limit, f, want)
		}
	}
}

func TestSniff(t *testing.T) {
	for _, c := range []struct {
		head, name string
		want       bool
	}{
		{"\x1f\x8b\x08", "-", true},
		{"\x1f\x8b", "a.ndjson", true},
		{"\x1f", "a.ndjson", false},
		{"", "a.tar.gz", true},
		{"{}", "b/a.tgz", true},
		{"{}", "A.TAR.GZ", true},
		{"{}", "a.gz", false},
		{"", "", false},
	} {
		if got := Sniff([]byte(c.head), c.name); got != c.want {
			t.Errorf("Sniff(%q, %q) = %v", c.head, c.name, got)
		}
	}
}
