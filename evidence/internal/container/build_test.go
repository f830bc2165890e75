package container

import (
	"bytes"
	"compress/gzip"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/cupel-dev/cupel/evidence"
)

// archive puts together the bytes of a tar, right or wrong, part by part.
type archive struct{ bytes.Buffer }

// header adds a header, with the checksum that its edited bytes have.
func (a *archive) header(name string, size int64, edits ...func(*block)) *archive {
	b, err := newBlock(name, size)
	if err != nil {
		panic(err)
	}
	for _, edit := range edits {
		edit(b)
	}
	copy(b.of(fieldChecksum), fmt.Sprintf("%06o\x00 ", b.sum()))
	a.Write(b[:])
	return a
}

// body adds bytes and their padding.
func (a *archive) body(text string) *archive {
	a.WriteString(text)
	a.Write(zeros[:-len(text)&(blockBytes-1)])
	return a
}

func (a *archive) member(name, text string, edits ...func(*block)) *archive {
	return a.header(name, int64(len(text)), edits...).body(text)
}

// end adds the tar's end.
func (a *archive) end() []byte {
	a.Write(zeros[:2*blockBytes])
	return a.Bytes()
}

func edit(f field, text string) func(*block) {
	return func(b *block) { clear(b.of(f)); copy(b.of(f), text) }
}

func kind(c byte) func(*block) { return edit(fieldType, string([]byte{c})) }

func paxBody(records ...string) string {
	var text strings.Builder
	for _, record := range records {
		length := len(record) + 3
		for length != len(fmt.Sprintf("%d %s\n", length, record)) {
			length++
		}
		fmt.Fprintf(&text, "%d %s\n", length, record)
	}
	return text.String()
}

// good returns a small bundle's tar.
func good() []byte {
	a := new(archive)
	return a.member(Manifest, `{"a":1}`).member(Events, strings.Repeat("{\"event\":true}\n", 50)).end()
}

// zip compresses with the standard library; level 0 stores.
func zip(tar []byte, level int) []byte {
	var b bytes.Buffer
	w, err := gzip.NewWriterLevel(&b, level)
	if err != nil {
		panic(err)
	}
	if _, err := w.Write(tar); err != nil {
		panic(err)
	}
	if err := w.Close(); err != nil {
		panic(err)
	}
	return b.Bytes()
}

// read reads a bundle to its end and says in words what came: members with their sizes,
// codes of faults with their limits, and "end" when Finish had nothing to say.
func read(input io.Reader, size int64, opt Options) string {
	words, _ := transcript(input, size, opt, func(m *Member) ([]byte, error) { return io.ReadAll(m) })
	return strings.Join(words, " ")
}

// transcript is read with a way to read members; it also returns their bytes.
func transcript(input io.Reader, size int64, opt Options, all func(*Member) ([]byte, error)) (words []string, bodies [][]byte) {
	r := NewReader(input, size, opt)
	for {
		m, err := r.Next()
		if err == io.EOF {
			break
		}
		if err == nil {
			var text []byte
			text, err = all(m)
			bodies = append(bodies, text)
			words = append(words, fmt.Sprintf("%s:%d", m.Name, len(text)))
			if m.Cut() {
				words = append(words, "cut")
			}
		}
		if err == nil {
			continue
		}
		word, final := word(err)
		words = append(words, word)
		if final {
			break
		}
	}
	err := r.Finish()
	if err == nil {
		return append(words, "end"), bodies
	}
	if last, _ := word(err); len(words) == 0 || words[len(words)-1] != last {
		words = append(words, last)
	}
	return words, bodies
}

// word returns an error's code, and whether reading ends with it.
func word(err error) (string, bool) {
	var f *Fault
	var failed *evidence.ReadError
	switch {
	case errors.As(err, &f) && f.Limit != "":
		return f.Code + "/" + f.Limit, f.Final
	case errors.As(err, &f):
		return f.Code, f.Final
	case errors.As(err, &failed):
		return "unreadable", true
	}
	return fmt.Sprintf("%T %v", err, err), true
}

// shared returns the bundles of CUPEL_VECTORS by their names; none without it.
func shared(tb testing.TB) map[string][]byte {
	tb.Helper()
	root := os.Getenv("CUPEL_VECTORS")
	if root == "" {
		tb.Log("CUPEL_VECTORS is not set: only the project's own bundles")
		return nil
	}
	files, err := filepath.Glob(filepath.Join(root, "evidence/bundles/*/*"))
	if err != nil || len(files) == 0 {
		tb.Fatalf("no bundles in %s: %v", root, err)
	}
	bundles := make(map[string][]byte)
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			tb.Fatal(err)
		}
		bundles[filepath.Base(file)] = text
	}
	return bundles
}
