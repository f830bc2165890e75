package bundle_test

import (
	"archive/tar"
	"bytes"
	"compress/gzip"
	"errors"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/cupel-dev/cupel/evidence/bundle"
	"github.com/cupel-dev/cupel/internal/digest"
)

// memory is a scratch file in memory.
type memory struct{ text []byte }

func (m *memory) Write(p []byte) (int, error) {
	m.text = append(m.text, p...)
	return len(p), nil
}

func (m *memory) ReadAt(p []byte, at int64) (int, error) {
	return bytes.NewReader(m.text).ReadAt(p, at)
}

// seal seals a stream. The bundle is nil if the stream cannot be sealed.
func seal(t testing.TB, stream []byte, opt bundle.SealOptions) (*bundle.Sealed, []byte) {
	t.Helper()
	var out bytes.Buffer
	s, err := bundle.Seal(t.Context(), bytes.NewReader(stream), int64(len(stream)), "run.ndjson", new(memory), &out, opt)
	if err != nil {
		t.Fatal(err)
	}
	if s.Report.Verdict != bundle.Valid {
		return s, nil
	}
	if sum := digest.Of(out.Bytes()); s.SHA256 != sum.String() || s.Bytes != int64(out.Len()) {
		t.Errorf("said to be %s of %d bytes, is %s of %d", s.SHA256, s.Bytes, sum, out.Len())
	}
	return s, out.Bytes()
}

// mustSeal is seal of a stream that has a bundle.
func mustSeal(t testing.TB, stream []byte, opt bundle.SealOptions) []byte {
	t.Helper()
	s, file := seal(t, stream, opt)
	if file == nil {
		t.Fatalf("%+v", s.Report.Findings)
	}
	return file
}

// unseal returns the events of a bundle.
func unseal(t testing.TB, file []byte) []byte {
	t.Helper()
	var out bytes.Buffer
	r, err := bundle.Unseal(t.Context(), bytes.NewReader(file), int64(len(file)), "run.tar.gz", &out, bundle.Options{})
	if err != nil {
		t.Fatal(err)
	}
	if r.Verdict != bundle.Valid {
		t.Fatalf("%+v", r.Findings)
	}
	return out.Bytes()
}

// inflated returns the tar stream of a bundle.
func inflated(t testing.TB, file []byte) []byte {
	t.Helper()
	r, err := gzip.NewReader(bytes.NewReader(file))
	if err != nil {
		t.Fatal(err)
	}
	text, err := io.ReadAll(r)
	if err != nil {
		t.Fatal(err)
	}
	return text
}

// published is the event of a published bundle, with the SHA-256 of its members and of its tar stream.
const (
	published = `{"specversion":"1.0","type":"assay.determinism.test","source":"urn:assay:determinism-test","id":"run_golden_test_12345:0",
		"time":"2023-11-14T22:13:20Z","datacontenttype":"application/json","assayrunid":"run_golden_test_12345","assayseq":0,
		"assayproducer":"assay-evidence-test","assayproducerversion":"0.1.0-test","assaygit":"abc1234",
		"data":{"seq":0,"message":"This is a deterministic test event","nested":{"z_field":3,"a_field":1,"m_field":2}}}`
	publishedTar    = "a3bc968ab4b91812d33fb752f7013cb0638f00e0106843838baa87de0b3f71df"
	publishedEvents = "2c338577727ae79d1e4e0c64fb7f924951da3264ac3667caa0476e56c51e5917"
)

// TestSealPublished seals the event of a published bundle: manifest, events and tar stream
// have the published digests.
func TestSealPublished(t *testing.T) {
	file := mustSeal(t, []byte(published), bundle.SealOptions{})
	stream := inflated(t, file)
	if got := digest.Of(stream).Hex(); got != publishedTar {
		t.Errorf("the tar stream has SHA-256 %s\n%q", got, stream)
	}
	if got := digest.Of(unseal(t, file)).Hex(); got != publishedEvents {
		t.Errorf("the events have SHA-256 %s", got)
	}
	size := 512 + 1024 // a header, and the manifest's blocks
	if got := digest.Of(bytes.TrimRight(stream[512:size], "\x00")).Hex(); got != goldenSum {
		t.Errorf("the manifest has SHA-256 %s", got)
	}
}

// TestSealBundles seals the events of bundles in the reverse order, those of the examples and,
// where they are, those that the public test suites share: the tar stream of those that are
// valid is the same, byte for byte, and so is the member of events that those with another
// fault still have.
func TestSealBundles(t *testing.T) {
	files, err := filepath.Glob(filepath.Join("..", "..", "testdata", "examples", "evidence", "*.tar.gz"))
	if err != nil {
		t.Fatal(err)
	}
	wantTars, wantMembers := 1, 0
	if root := os.Getenv("CUPEL_VECTORS"); root == "" {
		t.Log("CUPEL_VECTORS is not set: only the project's own bundles")
	} else {
		shared, err := filepath.Glob(filepath.Join(root, "evidence", "bundles", "*", "*"))
		if err != nil {
			t.Fatal(err)
		}
		files, wantTars, wantMembers = append(files, shared...), 9, 4
	}
	tars, members := 0, 0
	for _, name := range files {
		file, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		r, err := bundle.Verify(t.Context(), bytes.NewReader(file), -1, name, bundle.Options{})
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		opt := bundle.SealOptions{}
		if r.Manifest != nil {
			opt.Producer = &r.Manifest.Producer
		}
		events := eventsOf(file)
		if len(events) == 0 {
			continue
		}
		lines := strings.SplitAfter(string(events), "\n")
		slices.Reverse(lines)
		switch _, again := seal(t, []byte(strings.Join(lines, "")), opt); {
		case r.Verdict == bundle.Valid && (again == nil || !bytes.Equal(inflated(t, again), inflated(t, file))):
			t.Errorf("%s: another tar stream\n%q\n%q", name, inflated(t, again), inflated(t, file))
		case r.Verdict == bundle.Valid:
			tars++
		case again != nil && !bytes.Equal(unseal(t, again), events):
			t.Errorf("%s: other events\n%q\n%q", name, unseal(t, again), events)
		case again != nil:
			members++
		}
	}
	t.Logf("%d tar streams and %d members of other bundles are the same", tars, members)
	if tars < wantTars || members < wantMembers {
		t.Errorf("%d tar streams and %d members are the same, expected at least %d and %d", tars, members, wantTars, wantMembers)
	}
}

// eventsOf returns the first member of events of a bundle that may be damaged, nil when it has none.
func eventsOf(file []byte) []byte {
	unzipped, err := gzip.NewReader(bytes.NewReader(file))
	if err != nil {
		return nil
	}
	for tape := tar.NewReader(unzipped); ; {
		header, err := tape.Next()
		if err != nil {
			return nil
		}
		if header.Name == bundle.EventsName {
			text, _ := io.ReadAll(tape) // what there is of it
			return text
		}
	}
}

// TestSealNothing checks that an input that is not a stream of events is refused with a reason.
func TestSealNothing(t *testing.T) {
	for text, want := range map[string]error{
		"":             bundle.ErrNoEvents,
		"\n":           bundle.ErrNoEvents,
		"\x1f\x8b\x08": bundle.ErrNotEvents,
		string(mustSeal(t, []byte(published), bundle.SealOptions{})): bundle.ErrNotEvents,
	} {
		_, err := bundle.Seal(t.Context(), strings.NewReader(text), -1, "in", new(memory), io.Discard, bundle.SealOptions{})
		if !errors.Is(err, want) {
			t.Errorf("%q: %v, expected %v", text, err, want)
		}
	}
	if _, err := bundle.Unseal(t.Context(), strings.NewReader(published), -1, "in", io.Discard, bundle.Options{}); !errors.Is(err, bundle.ErrNotBundle) {
		t.Error(err)
	}
}
