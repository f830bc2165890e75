package container

import (
	"bytes"
	"compress/gzip"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/iotest"
)

// write makes a bundle of its two members.
func write(tb testing.TB, level int, manifest, events string) []byte {
	tb.Helper()
	var b bytes.Buffer
	w, err := NewWriter(&b, level)
	if err != nil {
		tb.Fatal(err)
	}
	for _, m := range [][2]string{{Manifest, manifest}, {Events, events}} {
		if err := w.WriteMember(m[0], int64(len(m[1])), strings.NewReader(m[1])); err != nil {
			tb.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		tb.Fatal(err)
	}
	return b.Bytes()
}

// TestTarStream holds the digest of a tar stream: it is the same for every producer.
func TestTarStream(t *testing.T) {
	root := os.Getenv("CUPEL_VECTORS")
	if root == "" {
		t.Log("CUPEL_VECTORS is not set: only the rebuilt bundles")
		return
	}
	text, err := os.ReadFile(filepath.Join(root, "evidence/content-hash/determinism-golden.json"))
	if err != nil {
		t.Fatal(err)
	}
	var golden struct {
		Events   string `json:"events_ndjson"`
		Manifest string `json:"manifest_json"`
		Sum      string `json:"tar_sha256"`
	}
	if err := json.Unmarshal(text, &golden); err != nil {
		t.Fatal(err)
	}
	tar, err := inflate(write(t, DefaultLevel, golden.Manifest, golden.Events))
	if err != nil {
		t.Fatal(err)
	}
	if got := fmt.Sprintf("%x", sha256.Sum256(tar)); got != golden.Sum {
		t.Errorf("the tar stream is %s, want %s", got, golden.Sum)
	}
}

// TestRebuilt writes the members of shared bundles again, to the same tar stream, unless
// another program than a producer of the contract made them.
func TestRebuilt(t *testing.T) {
	rebuilt := 0
	list := shared(t)
	for name, bundle := range list {
		words, bodies := transcript(bytes.NewReader(bundle), -1, Options{}, func(m *Member) ([]byte, error) { return io.ReadAll(m) })
		if len(bodies) != 2 || words[len(words)-1] != "end" || len(words) != 3 || !strings.HasPrefix(words[0], Manifest) {
			continue
		}
		want, err := inflate(bundle)
		if err != nil {
			t.Fatal(err)
		}
		if !strings.HasPrefix(string((*block)(want).of(fieldUname)), "assay") {
			continue
		}
		got, err := inflate(write(t, DefaultLevel, string(bodies[0]), string(bodies[1])))
		if err != nil {
			t.Fatal(err)
		}
		if !bytes.Equal(got, want) {
			t.Errorf("%s: another tar stream", name)
			continue
		}
		rebuilt++
	}
	if len(list) > 0 && rebuilt < 8 {
		t.Errorf("%d bundles rebuilt, want 8", rebuilt)
	}
	t.Logf("%d bundles rebuilt", rebuilt)
}

// TestHeader spells the header of a member out, field by field.
func TestHeader(t *testing.T) {
	bundle := write(t, DefaultLevel, `{"a":1}`, "{}\n")
	if got := string(bundle[:headerBytes]); got != "\x1f\x8b\x08\x00\x00\x00\x00\x00\x02\xff" {
		t.Errorf("the gzip header is % x", got)
	}
	tar, err := inflate(bundle)
	if err != nil {
		t.Fatal(err)
	}
	nul := func(n int) string { return strings.Repeat("\x00", n) }
	want := "manifest.json" + nul(87) + "0000644\x00" + "0000000\x00" + "0000000\x00" + "00000000007\x00" + "00000000000\x00" +
		"0012425\x00" + "\x00" + nul(100) + "ustar  \x00" + "assay" + nul(27) + "assay" + nul(27) + nul(183)
	if got := string(tar[:blockBytes]); got != want {
		t.Errorf("the header is %q, want %q", got, want)
	}
	if len(tar) != 6*blockBytes {
		t.Errorf("the tar has %d bytes", len(tar))
	}
}

// TestWriterReads holds that what is written reads back, at every level, in the standard
// library too, and however the source hands its bytes out.
func TestWriterReads(t *testing.T) {
	events := strings.Repeat(`{"event":"with some text"}`+"\n", 9000)
	for level := MinLevel; level <= MaxLevel; level++ {
		bundle := write(t, level, "{}", events)
		if got := read(bytes.NewReader(bundle), int64(len(bundle)), Options{}); got != "manifest.json:2 events.ndjson:243000 end" {
			t.Errorf("level %d: %s", level, got)
		}
		if _, err := gzip.NewReader(bytes.NewReader(bundle)); err != nil {
			t.Error(err)
		}
		for name, source := range map[string]io.Reader{
			"bytes": iotest.OneByteReader(strings.NewReader(events)), "halves": iotest.HalfReader(strings.NewReader(events)),
			"more": io.MultiReader(strings.NewReader(events), iotest.ErrReader(errors.New("read beyond the size"))),
		} {
			var b bytes.Buffer
			w, err := NewWriter(&b, level)
			if err != nil {
				t.Fatal(err)
			}
			if err := errors.Join(w.WriteMember(Manifest, 2, strings.NewReader("{}")),
				w.WriteMember(Events, int64(len(events)), source), w.Close()); err != nil {
				t.Fatal(err)
			}
			if !bytes.Equal(b.Bytes(), bundle) {
				t.Errorf("level %d, %s: other bytes", level, name)
			}
		}
	}
}

// TestWriterFails holds what a writer refuses, and that the error of the writer below comes
// through wherever it strikes.
func TestWriterFails(t *testing.T) {
	for _, level := range []int{-3, 0, 10} {
		if _, err := NewWriter(io.Discard, level); err == nil {
			t.Errorf("level %d is accepted", level)
		}
	}
	w, err := NewWriter(io.Discard, DefaultLevel)
	if err != nil {
		t.Fatal(err)
	}
	broken := errors.New("broken")
	for name, err := range map[string]error{
		"short":    w.WriteMember(Events, 10, strings.NewReader("123456789")),
		"negative": w.WriteMember(Events, -1, strings.NewReader("")),
		"huge":     w.WriteMember(Events, maxSize+1, strings.NewReader("")),
		"name":     w.WriteMember(strings.Repeat("x", 101), 0, strings.NewReader("")),
	} {
		if err == nil {
			t.Errorf("%s: no error", name)
		}
	}
	if err := w.WriteMember(Events, 9, iotest.ErrReader(broken)); !errors.Is(err, broken) {
		t.Errorf("the source's error is %v", err)
	}
	size := len(write(t, DefaultLevel, "{}", strings.Repeat("{}\n", 100)))
	for room := range size {
		w, err := NewWriter(&full{room: room, err: broken}, DefaultLevel)
		if err != nil {
			t.Fatal(err)
		}
		first := w.WriteMember(Manifest, 2, strings.NewReader("{}"))
		second := w.WriteMember(Events, 300, strings.NewReader(strings.Repeat("{}\n", 100)))
		if err := errors.Join(first, second, w.Close()); !errors.Is(err, broken) {
			t.Errorf("a disk with room for %d of %d bytes: %v", room, size, err)
		}
	}
}

// full is a disk that is full after some bytes.
type full struct {
	room int
	err  error
}

func (f *full) Write(p []byte) (int, error) {
	if len(p) > f.room {
		return f.room, f.err
	}
	f.room -= len(p)
	return len(p), nil
}
