package bundle_test

import (
	"bytes"
	"compress/gzip"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"strings"
	"testing"
	"testing/iotest"

	"pgregory.net/rapid"

	"github.com/cupel-dev/cupel/evidence"
	"github.com/cupel-dev/cupel/evidence/bundle"
	"github.com/cupel-dev/cupel/internal/bundletest"
)

// verify verifies bytes and returns the report, also as JSON.
func verify(t rapid.TB, r io.Reader, size int, name string, opt bundle.Options) (*bundle.Report, string) {
	t.Helper()
	report, err := bundle.Verify(context.Background(), r, int64(size), name, opt)
	if err != nil {
		t.Fatal(err)
	}
	text, err := json.Marshal(report)
	if err != nil {
		t.Fatal(err)
	}
	return report, string(text)
}

// TestWaysToRead: whether an input is a file or a pipe, the pieces in which it comes and the
// number of workers never matter; how many findings are kept, and whether all are looked
// for, never changes the first fault.
func TestWaysToRead(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		r := recipes(t)
		text, name := r.Bundle(), "x"
		if rapid.Bool().Draw(t, "stream") {
			text = r.Stream()
		}
		opt := bundle.Options{All: rapid.Bool().Draw(t, "all"), Jobs: 1, Strict: rapid.Bool().Draw(t, "strict")}
		want, wantText := verify(t, bytes.NewReader(text), len(text), name, opt)
		for way, again := range map[string]io.Reader{
			"bytes": iotest.OneByteReader(bytes.NewReader(text)), "halves": iotest.HalfReader(bytes.NewReader(text)), "with the end": iotest.DataErrReader(bytes.NewReader(text)),
		} {
			for _, jobs := range []int{1, 3} {
				opt.Jobs = jobs
				if _, got := verify(t, again, -1, name, opt); got != wantText {
					t.Fatalf("%s, %d jobs:\n got %s\nwant %s", way, jobs, got, wantText)
				}
				again = iotest.HalfReader(bytes.NewReader(text))
			}
		}
		few := opt
		few.MaxFindings, few.All = 1, true
		got, _ := verify(t, bytes.NewReader(text), len(text), name, few)
		if got.Code != want.Code || got.Class != want.Class || got.Verdict != want.Verdict {
			t.Fatalf("one finding of all: %q, not %q", got.Code, want.Code)
		}
		if len(got.Findings)+got.Omitted != got.Errors+got.Warnings+got.Infos {
			t.Fatalf("%d findings, %d omitted: %+v", len(got.Findings), got.Omitted, got)
		}
	})
}

// TestSpelling: how the events are spelled changes their bytes and nothing else.
func TestSpelling(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		r := recipes(t)
		r.Manifest, r.ManifestDrop, r.Members, r.More, r.Lines, r.End = nil, nil, nil, "", nil, nil
		plain := r.Bundle()
		want, _ := verify(t, bytes.NewReader(plain), len(plain), "x", bundle.Options{})
		for line := range strings.Lines(string(r.Stream())) {
			r.Lines = append(r.Lines, respelled(t, strings.TrimSuffix(line, "\n")))
		}
		other := r.Bundle()
		got, _ := verify(t, bytes.NewReader(other), len(other), "x", bundle.Options{})
		if got.Code != want.Code || got.Verdict != want.Verdict || got.RunRoot != want.RunRoot || got.Events != want.Events {
			t.Fatalf("%s %q %s, spelled otherwise %s %q %s\n%s", want.Verdict, want.Code, want.RunRoot, got.Verdict, got.Code, got.RunRoot, strings.Join(r.Lines, "\n"))
		}
	})
}

// respelled spells an event with its members in another order, white space and escapes.
func respelled(t *rapid.T, line string) string {
	decoder := json.NewDecoder(strings.NewReader(line))
	var members []string
	_, _ = decoder.Token()
	for decoder.More() {
		name, err := decoder.Token()
		if err != nil {
			t.Fatal(err)
		}
		var value json.RawMessage
		if err := decoder.Decode(&value); err != nil {
			t.Fatal(err)
		}
		spelled := fmt.Sprintf("%q", name)
		if rapid.Bool().Draw(t, "escape") {
			spelled = fmt.Sprintf(`"\u%04x%s"`, name.(string)[0], name.(string)[1:])
		}
		members = append(members, spelled+rapid.SampledFrom([]string{":", " : ", "\t:"}).Draw(t, "colon")+string(value))
	}
	return "{" + strings.Join(rapid.Permutation(members).Draw(t, "order"), rapid.SampledFrom([]string{",", " , "}).Draw(t, "comma")) + "}"
}

// TestLimitsAtTheirBoundaries: each limit accepts exactly what it says.
func TestLimitsAtTheirBoundaries(t *testing.T) {
	r := &bundletest.Recipe{}
	file, stream := r.Bundle(), r.Stream()
	tarBytes, err := gzip.NewReader(bytes.NewReader(file))
	if err != nil {
		t.Fatal(err)
	}
	tar, err := io.ReadAll(tarBytes)
	if err != nil {
		t.Fatal(err)
	}
	longest := 0
	for line := range bytes.Lines(stream) {
		longest = max(longest, len(line)-1)
	}
	manifest := len(bundletest.Compact(bundletest.ManifestOf(stream)))
	for _, c := range []struct {
		code, name string
		least      int
		limits     func(int64) evidence.Limits
	}{
		{"LimitBundleBytes", "max_bundle_bytes", len(file), func(n int64) evidence.Limits { return evidence.Limits{BundleBytes: n} }},
		{"LimitDecodeBytes", "max_decode_bytes", len(tar), func(n int64) evidence.Limits { return evidence.Limits{DecodeBytes: n} }},
		{"LimitFileSize", "max_manifest_bytes", manifest, func(n int64) evidence.Limits { return evidence.Limits{ManifestBytes: n} }},
		{"LimitFileSize", "max_events_bytes", len(stream), func(n int64) evidence.Limits { return evidence.Limits{EventsBytes: n} }},
		{"LimitTotalEvents", "max_events", 3, func(n int64) evidence.Limits { return evidence.Limits{Events: n} }},
		{"LimitLineBytes", "max_line_bytes", longest, func(n int64) evidence.Limits { return evidence.Limits{LineBytes: n} }},
		{"LimitPathLength", "max_path_len", len("manifest.json"), func(n int64) evidence.Limits { return evidence.Limits{PathBytes: n} }},
		{"LimitJsonDepth", "max_json_depth", 3, func(n int64) evidence.Limits { return evidence.Limits{JSONDepth: n} }},
	} {
		for _, size := range []int{len(file), -1} {
			if got, _ := verify(t, bytes.NewReader(file), size, "x", bundle.Options{Limits: c.limits(int64(c.least))}); got.Code != "" {
				t.Errorf("%s of %d, size %d: %v", c.name, c.least, size, got.Findings)
			}
			got, _ := verify(t, bytes.NewReader(file), size, "x", bundle.Options{Limits: c.limits(int64(c.least - 1))})
			if got.Code != c.code || got.Class != "Limits" || !strings.Contains(got.Findings[0].Help, c.name) {
				t.Errorf("%s of %d, size %d: %q, %v", c.name, c.least-1, size, got.Code, got.Findings)
			}
		}
	}
	for _, c := range []struct {
		least  int
		limits func(int64) evidence.Limits
	}{
		{len(stream), func(n int64) evidence.Limits { return evidence.Limits{EventsBytes: n} }},
		{3, func(n int64) evidence.Limits { return evidence.Limits{Events: n} }},
	} {
		good, _ := verify(t, bytes.NewReader(stream), len(stream), "x", bundle.Options{Limits: c.limits(int64(c.least))})
		bad, _ := verify(t, bytes.NewReader(stream), len(stream), "x", bundle.Options{Limits: c.limits(int64(c.least - 1))})
		if good.Code != "" || bad.Class != "Limits" {
			t.Errorf("a stream at %d: %q, below %q", c.least, good.Code, bad.Code)
		}
	}
}

// TestCutAnywhere: no beginning of a bundle is valid, or is refused for its size.
func TestCutAnywhere(t *testing.T) {
	codes := map[string]int{}
	for _, stored := range []bool{true, false} {
		r := &bundletest.Recipe{Stored: stored, Events: 1}
		file := r.Bundle()
		for n := range file {
			for _, size := range []int{n, -1} {
				got, _ := verify(t, bytes.NewReader(file[:n]), size, "x.tar.gz", bundle.Options{})
				if got.Verdict != bundle.Invalid || got.Class == "Limits" {
					t.Fatalf("%d of %d bytes: %s, %q", n, len(file), got.Verdict, got.Code)
				}
				codes[got.Code]++
			}
		}
	}
	t.Log(codes)
}

// TestFlipAnywhere: of bits that are flipped in a bundle, exactly those change nothing that
// leave the decompressed stream as it was, which the standard library says, and that the
// header of gzip does not forbid.
func TestFlipAnywhere(t *testing.T) {
	const reserved, flags = 0xe0, 3
	harmless := 0
	for _, stored := range []bool{true, false} {
		r := &bundletest.Recipe{Stored: stored, Events: 1}
		file := r.Bundle()
		plain := unzipped(file)
		for i := range file {
			for _, bit := range []byte{1, 0x80} {
				other := bytes.Clone(file)
				other[i] ^= bit
				same := bytes.Equal(unzipped(other), plain) && other[flags]&reserved == 0
				got, _ := verify(t, bytes.NewReader(other), len(other), "x.tar.gz", bundle.Options{})
				if (got.Verdict == bundle.Valid) != same {
					t.Errorf("byte %d of %d, bit %#x: %s, %q; the stream is the same: %v", i, len(file), bit, got.Verdict, got.Code, same)
				}
				if same {
					harmless++
				}
			}
		}
	}
	if harmless < 2*2*(1+4+1)-2 { // at least the FTEXT bit, and time and system in both bits
		t.Errorf("%d flips change nothing", harmless)
	}
	t.Logf("%d flips change nothing", harmless)
}

// unzipped returns the content of a file that is one gzip member, nil for any other.
func unzipped(file []byte) []byte {
	in := bytes.NewReader(file)
	zip, err := gzip.NewReader(in)
	if err != nil {
		return nil
	}
	zip.Multistream(false)
	text, err := io.ReadAll(zip)
	if err != nil || in.Len() > 0 {
		return nil
	}
	return text
}
