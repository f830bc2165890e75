package unpack

import (
	"archive/zip"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/klauspost/compress/zstd"

	"github.com/cupel-dev/cupel/internal/racetest"
	"github.com/cupel-dev/cupel/internal/source"
)

// file is a member of an archive. A streamed one has its sizes after its data.
type file struct {
	name, text string
	method     uint16
	streamed   bool
}

// archive writes a ZIP archive with the standard library.
func archive(t testing.TB, files ...file) []byte {
	t.Helper()
	var b bytes.Buffer
	w := zip.NewWriter(&b)
	w.RegisterCompressor(zstd.ZipMethodWinZip, zstd.ZipCompressor())
	for _, f := range files {
		if err := f.add(w); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

func (f file) add(w *zip.Writer) error {
	if f.streamed {
		m, err := w.CreateHeader(&zip.FileHeader{Name: f.name, Method: f.method})
		if err == nil {
			_, err = io.WriteString(m, f.text)
		}
		return err
	}
	var b bytes.Buffer
	one := zip.NewWriter(&b)
	one.RegisterCompressor(zstd.ZipMethodWinZip, zstd.ZipCompressor())
	f.streamed = true
	if err := errors.Join(f.add(one), one.Close()); err != nil {
		return err
	}
	r, err := zip.NewReader(bytes.NewReader(b.Bytes()), int64(b.Len()))
	if err != nil {
		return err
	}
	header := r.File[0].FileHeader
	header.Flags &^= zipStreamed
	data, err := r.File[0].OpenRaw()
	if err != nil {
		return err
	}
	m, err := w.CreateRaw(&header)
	if err == nil {
		_, err = io.Copy(m, data)
	}
	return err
}

// inspectFiles returns an Inspect log with some samples, in one document and as the members of an archive.
func inspectFiles(random *rand.Rand, samples int, whole bool) (document string, files []file) {
	method := func() (uint16, bool) {
		m := []uint16{zip.Store, zip.Deflate, zstd.ZipMethodWinZip}[random.IntN(3)]
		return m, m == zip.Deflate && random.IntN(2) == 0
	}
	add := func(name, text string) {
		m, streamed := method()
		files = append(files, file{name, text, m, streamed})
	}
	add("_journal/start.json", "{\n \"version\": 2, \"eval\": {\"run_id\": \"r\"}, \"plan\": {}\n}\n")
	var list []string
	for i := range samples {
		s := fmt.Sprintf(`{"id":%d,"text":%q}`, i, strings.Repeat("x", random.IntN(3000)))
		list = append(list, s)
		add(fmt.Sprintf("samples/%d_epoch_1.json", i), s)
		add(fmt.Sprintf("_journal/summaries/%d.json", i), "[]")
	}
	document = `{"version":2,"eval":{"run_id":"r"},"plan":{},"samples":[` + strings.Join(list, ",") + `]`
	if whole {
		add("summaries.json", "[]")
		add("header.json", `{"status":"success"}`)
		document += `,"header":{"status":"success"}`
	}
	return document + "}", files
}

func sameJSON(t *testing.T, a, b string) bool {
	t.Helper()
	var x, y any
	if err := errors.Join(json.Unmarshal([]byte(a), &x), json.Unmarshal([]byte(b), &y)); err != nil {
		t.Fatalf("%v\n%s", err, a)
	}
	one, _ := json.Marshal(x)
	other, _ := json.Marshal(y)
	return bytes.Equal(one, other)
}

// TestInspectLog: whatever the compression of the members and the pieces that are read, the text is
// the document that the archive holds in parts.
func TestInspectLog(t *testing.T) {
	for i := range 100 / racetest.Step(t) {
		random := rand.New(rand.NewPCG(uint64(i), 3))
		want, files := inspectFiles(random, random.IntN(5), random.IntN(4) > 0)
		packed := archive(t, files...)
		var src io.Reader = bytes.NewReader(packed)
		if i%2 == 0 {
			src = iotest.OneByteReader(src)
		}
		got, _, err := unpacked(src, source.InspectLog, 0)
		if err != nil || !sameJSON(t, got, want) {
			t.Fatalf("%d: %v\n%s\nwant\n%s", i, err, got, want)
		}
	}
}

// TestInspectLogDamaged: an archive that is cut is an error; one with a changed bit is an error or has the same text.
func TestInspectLogDamaged(t *testing.T) {
	for i := range 100 / racetest.Step(t) {
		random := rand.New(rand.NewPCG(uint64(i), 4))
		want, files := inspectFiles(random, 3, true)
		packed := archive(t, files...)
		directory := bytes.Index(packed, []byte("PK\x01\x02"))
		var damage *DamageError
		if _, _, err := unpacked(bytes.NewReader(packed[:random.IntN(directory)]), source.InspectLog, 0); !errors.As(err, &damage) {
			t.Fatalf("%d: cut: %v", i, err)
		}
		packed[random.IntN(directory)] ^= 1 << random.IntN(8)
		// A bit that no reader needs, such as one of a time, changes nothing.
		if got, _, err := unpacked(bytes.NewReader(packed), source.InspectLog, 0); err == nil && !sameJSON(t, got, want) {
			t.Fatalf("%d: no error, and another text", i)
		}
	}
}

// TestNotInspectLog checks that other archives are refused.
func TestNotInspectLog(t *testing.T) {
	start := file{name: "_journal/start.json", text: `{"version":2}`}
	for name, files := range map[string][]file{
		"list":          {{name: "_journal/start.json", text: `[]`}},
		"empty":         {{name: "_journal/start.json", text: `{}`}},
		"second start":  {start, start},
		"second header": {start, {name: "header.json", text: "{}"}, {name: "header.json", text: "{}"}},
		"sample behind": {start, {name: "header.json", text: "{}"}, {name: "samples/1.json", text: "{}"}},
		"long start":    {{name: "_journal/start.json", text: `{"a":"` + strings.Repeat("a", maxStart) + `"}`, method: zip.Deflate}},
	} {
		var damage *DamageError
		if _, _, err := unpacked(bytes.NewReader(archive(t, files...)), source.InspectLog, 0); !errors.As(err, &damage) {
			t.Errorf("%s: %v", name, err)
		}
	}
}
