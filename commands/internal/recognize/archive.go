package recognize

import (
	"archive/tar"
	"bytes"
	"fmt"
	"io"
	"path"
	"strings"

	"github.com/cupel-dev/cupel/evidence/bundle"
	"github.com/cupel-dev/cupel/evidence/incident"
	"github.com/cupel-dev/cupel/internal/strictjson"
)

// Location of a tar header's magic (POSIX.1-2017, pax, ustar Interchange Format).
const (
	ustar   = "ustar"
	ustarAt = 257
)

func isTar(text []byte) bool {
	return len(text) >= ustarAt+len(ustar) && string(text[ustarAt:ustarAt+len(ustar)]) == ustar
}

// archive identifies a tar file. An evidence bundle has a manifest with specific members, and events.
func archive(h Head) Answer {
	reader := tar.NewReader(bytes.NewReader(h.Text))
	names := []string{}
	for len(names) < 8 {
		member, err := reader.Next()
		if err != nil {
			break
		}
		name := path.Clean(member.Name)
		names = append(names, name)
		switch name {
		case "inventory.json":
			if len(names) == 1 && incident.Is(h.Text) {
				return ours(Evidence, "a package of evidence")
			}
		case bundle.EventsName:
			return ours(Evidence, "a bundle of evidence")
		case bundle.ManifestName:
			text, err := io.ReadAll(io.LimitReader(reader, HeadBytes))
			if isManifest(text) {
				return ours(Evidence, "a bundle of evidence")
			}
			if err != nil && bytes.Contains(text, []byte(`"bundle_id"`)) {
				return damaged(Evidence, "a bundle of evidence", "the manifest is truncated")
			}
		}
	}
	a := foreign(anArchive, "")
	a.Why = fmt.Sprintf("a bundle of evidence begins with %s", bundle.ManifestName)
	if len(names) > 0 {
		a.Why = fmt.Sprintf("the archive begins with %q; a bundle of evidence begins with its own %s", names[0], bundle.ManifestName)
	}
	return a
}

// isManifest reports whether a text is a bundle's manifest, possibly damaged.
func isManifest(text []byte) bool {
	n := 0
	doc, err := strictjson.NewScanner(strictjson.Limits{}).Scan(text)
	for _, name := range []string{"bundle_id", "run_root", "event_count", "run_id"} {
		if err == nil && doc.Root().Get(name).Exists() || err != nil && bytes.Contains(text, []byte(`"`+name+`"`)) {
			n++
		}
	}
	return n > 1
}

// MagicBytes are enough for Binary.
const MagicBytes = 16

// Binary returns the format of a binary file by its first bytes, or "" for text.
func Binary(text []byte) string {
	for _, m := range magics {
		if strings.HasPrefix(string(text[:min(len(text), MagicBytes)]), m.start) {
			return m.name
		}
	}
	return ""
}

var magics = []struct{ start, name string }{
	{"\x1f\x8b", "a gzip file"},
	{"\x28\xb5\x2f\xfd", "a zstd file"},
	{"PK\x03\x04", "a zip archive"},
	{"PK\x05\x06", "a zip archive"},
	{"SQLite format 3\x00", "a SQLite database"},
	{"%PDF-", "a PDF document"},
	{"\x89PNG", "an image"},
	{"\xff\xd8\xff", "an image"},
	{"GIF8", "an image"},
	{"\x7fELF", "a program"},
	{"MZ\x90", "a program"},
	{"\xcf\xfa\xed\xfe", "a program"},
	{"\x00asm", "a WebAssembly module"},
	{"PAR1", "a Parquet file"},
	{"BZh", "a bzip2 file"},
	{"\xfd7zXZ", "an xz file"},
	{"7z\xbc\xaf", "a 7z archive"},
	{"ARROW1", "an Arrow file"},
	{"OggS", "a media file"},
	{"RIFF", "a media file"},
}

// compressed are the formats that can contain a record as text.
var compressed = []string{"a gzip file", "a zstd file", "a zip archive", "a bzip2 file", "an xz file"}
