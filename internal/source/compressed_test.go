package source_test

import (
	"bytes"
	"compress/gzip"
	"errors"
	"io"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/cupel-dev/cupel/internal/source"
)

// samples are the beginnings of compressed files, as the formats' own programs write them.
var samples = map[string][]string{
	"gzip":  {"\x1f\x8b\x08\x00", gzipped("{}")},
	"zstd":  {"\x28\xb5\x2f\xfd\x04\x58"},
	"zip":   {"PK\x03\x04\x14\x00", "PK\x05\x06\x00"},
	"xz":    {"\xfd7zXZ\x00\x00\x04"},
	"bzip2": {"BZh11AY&SY\x00", "BZh91AY&SY\x4e\xec", "BZh6\x17\x72\x45\x38\x50\x90\x00"},
	"":      {"", "B", "BZh", "BZhello world", "BZh91AY", "BZh01AY&SY", "P", "PK", "PK: pubkey", "\x1f", "\x1f\x8c", "(", "{}\n", "oatf: \"0.1\"\n", "\xfd7zX", "\ufeff{}"},
}

func gzipped(text string) string {
	var b bytes.Buffer
	w := gzip.NewWriter(&b)
	if _, err := w.Write([]byte(text)); err != nil {
		panic(err)
	}
	if err := w.Close(); err != nil {
		panic(err)
	}
	return b.String()
}

// TestCompressed detects the formats, at once and byte by byte, and passes on text unchanged.
func TestCompressed(t *testing.T) {
	cases := 0
	for format, list := range samples {
		for _, sample := range list {
			for name, r := range map[string]io.Reader{
				"whole": strings.NewReader(sample), "bytewise": iotest.OneByteReader(strings.NewReader(sample)),
				"with the end": iotest.DataErrReader(strings.NewReader(sample)), "halves": iotest.HalfReader(strings.NewReader(sample)),
			} {
				cases++
				text, err := io.ReadAll(source.NewText(r))
				var found *source.CompressedError
				switch {
				case format == "" && (err != nil || string(text) != sample):
					t.Errorf("%q, %s: %q, %v", sample, name, text, err)
				case format != "" && (!errors.As(err, &found) || found.Format != format || len(text) > 0):
					t.Errorf("%q, %s: %q, %v", sample, name, text, err)
				}
			}
			if format != "" {
				for name, known := range map[string]bool{format: true, "another": false} {
					text, err := io.ReadAll(source.NewText(strings.NewReader(sample), name))
					found := source.CompressedAt(strings.NewReader(sample), 0, name)
					if known != (string(text) == sample) || known != (err == nil) || known != (found == nil) {
						t.Errorf("%q, where %s is known: %q, %v, in a file %v", sample, name, text, err, found)
					}
				}
			}
			if found := source.CompressedAt(strings.NewReader("...."+sample), 4); (found == nil) != (format == "") {
				t.Errorf("%q, in a file: %v", sample, found)
			}
		}
	}
	t.Logf("%d cases", cases)
}

// TestTextWaitsForNothing checks that no more is read than detection needs: an open pipe gives its first line at
// once.
func TestTextWaitsForNothing(t *testing.T) {
	for _, first := range []string{"{", "oatf: 1\n", "PKx", "B:"} {
		r := source.NewText(io.MultiReader(strings.NewReader(first), iotest.ErrReader(errors.New("more was asked for"))))
		buf := make([]byte, 100)
		if n, err := r.Read(buf); err != nil || string(buf[:n]) != first {
			t.Errorf("%q: %q, %v", first, buf[:n], err)
		}
	}
}

// TestTextKeepsErrors hands out what was read before an error, and the error after it.
func TestTextKeepsErrors(t *testing.T) {
	broken := errors.New("the disk is gone")
	r := source.NewText(io.MultiReader(strings.NewReader("PK"), iotest.ErrReader(broken)))
	if found := r.Compressed(); found != nil {
		t.Error(found)
	}
	if text, err := io.ReadAll(r); string(text) != "PK" || !errors.Is(err, broken) {
		t.Errorf("%q, %v", text, err)
	}
}
