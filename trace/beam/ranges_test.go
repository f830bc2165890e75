package main

import (
	"bytes"
	"context"
	"errors"
	"io"
	"math/rand/v2"
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/config"
	"github.com/aws/aws-sdk-go-v2/service/s3"
	"github.com/johannesboyne/gofakes3"
	"github.com/johannesboyne/gofakes3/backend/s3mem"

	"github.com/cupel-dev/cupel/internal/buildinfo"
	"github.com/cupel-dev/cupel/internal/door"
	"github.com/cupel-dev/cupel/internal/racetest"
	"github.com/cupel-dev/cupel/internal/sessiontest"
)

// shortRange makes several ranges of a short log.
const shortRange = 3000

// partsOf returns the parts of a log, as one worker after the other makes them, each through its
// coder, with the columns in the folder out, of ranges of a size.
func partsOf(t *testing.T, name string, split int64) (parts []part) {
	t.Helper()
	return partsUnder(t, newJob("out").terms, name, split)
}

// partsUnder returns the parts that workers make under some flags.
func partsUnder(t *testing.T, flags terms, name string, split int64) (parts []part) {
	t.Helper()
	opt, err := flags.options()
	if err != nil {
		t.Fatal(err)
	}
	src, err := storeOf(name).open(t.Context(), name)
	if err != nil {
		t.Fatal(err)
	}
	defer src.Close()
	tasks, err := cutInto(name, src, split, opt)
	if err != nil {
		t.Fatal(err)
	}
	fn := &summarizeFn{Terms: flags, Output: "out"}
	if err := fn.Setup(); err != nil {
		t.Fatal(err)
	}
	for _, task := range tasks {
		if err := fn.ProcessElement(t.Context(), task, func(_ string, p part) { parts = append(parts, carried(t, p)) }); err != nil {
			t.Fatal(err)
		}
	}
	return parts
}

// carried returns a part after its way to another worker.
func carried(t *testing.T, p part) part {
	t.Helper()
	text, err := encodePart(p)
	if err == nil {
		p, err = decodePart(text)
	}
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// joined is what comes of parts that are merged in any order.
func joined(t *testing.T, name string, parts []part) (result, error) {
	t.Helper()
	for len(parts) > 1 {
		i := rand.IntN(len(parts) - 1)
		parts[i] = carried(t, (&mergeFn{}).MergeAccumulators(parts[i], parts[len(parts)-1]))
		parts = parts[:len(parts)-1]
	}
	fn := &reportFn{Terms: newJob("out").terms}
	if err := fn.Setup(); err != nil {
		t.Fatal(err)
	}
	var got result
	err := fn.ProcessElement(t.Context(), name, parts[0], func(r result) { got = r })
	return got, err
}

// TestFaultsOfRanges: ranges that come twice and out of order change nothing. One that is
// missing, a log that changed and one that is gone are never a report.
func TestFaultsOfRanges(t *testing.T) {
	const name = "logs/swapped.jsonl"
	logs(t)
	parts := partsOf(t, name, shortRange)
	whole, err := joined(t, name, append([]part{}, parts...))
	if err != nil || whole.Failure != "" || len(parts) < 5 {
		t.Fatalf("%d parts, %q, %v", len(parts), whole.Failure, err)
	}
	for range 20 {
		again := append(append([]part{}, parts...), parts[rand.IntN(len(parts))], parts[0])
		rand.Shuffle(len(again), func(i, k int) { again[i], again[k] = again[k], again[i] })
		if got, err := joined(t, name, again); err != nil || !bytes.Equal(got.Report, whole.Report) {
			t.Fatalf("another report, %q, %v", got.Failure, err)
		}
	}
	for what, c := range map[string]struct {
		change func(*testing.T) []part
		want   string
	}{
		"a missing range": {func(*testing.T) []part { return append([]part{parts[0]}, parts[2:]...) }, "no summary covers bytes "},
		"the last ranges": {func(*testing.T) []part { return append([]part{}, parts[:len(parts)-2]...) }, "no summary covers bytes "},
		"other options": {func(t *testing.T) []part {
			strict := newJob("out").terms
			strict.Strict = true
			return slices.Concat(parts[:1], partsUnder(t, strict, name, shortRange)[1:])
		}, "made under another --strict"},
		"another version": {func(t *testing.T) []part {
			version := buildinfo.Version
			buildinfo.Version = version + ".1"
			defer func() { buildinfo.Version = version }()
			return slices.Concat(parts[:1], partsOf(t, name, shortRange)[1:])
		}, "made under another version of cupel"},
		"ranges that overlap": {func(t *testing.T) []part {
			return slices.Concat(parts[:2], partsOf(t, name, shortRange/2)[3:])
		}, "overlap: cut the log into ranges once"},
		"a log that grew": {func(t *testing.T) []part {
			appendTo(t, name, "{}\n")
			return append([]part{}, parts...)
		}, "no summary covers bytes "},
		"a log that changed": {func(t *testing.T) []part {
			text, err := os.ReadFile(name)
			if err != nil {
				t.Fatal(err)
			}
			early := partsOf(t, name, shortRange)
			if err := os.WriteFile(name, bytes.Replace(text, []byte("TOOL_CALL"), []byte("TOOL_CALX"), 1), 0o666); err != nil {
				t.Fatal(err)
			}
			return append(early, partsOf(t, name, shortRange)...)
		}, "differ: the log changed"},
		"a log that is gone": {func(t *testing.T) []part {
			if err := os.Remove(name); err != nil {
				t.Fatal(err)
			}
			return append([]part{}, parts...)
		}, "no such file"},
	} {
		text, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		got, err := joined(t, name, c.change(t))
		if err != nil || got.Report != nil || !strings.Contains(got.Failure, c.want) {
			t.Errorf("%s: %q, %v, expected %q", what, got.Failure, err, c.want)
		}
		if err := os.WriteFile(name, text, 0o666); err != nil {
			t.Fatal(err)
		}
	}
}

// longRange makes two ranges of the log that longLog writes, whose columns are too long to be
// carried.
const longRange = 1_050_000

func longLog(t *testing.T) (name string) {
	t.Helper()
	t.Chdir(t.TempDir())
	var day bytes.Buffer
	if err := errors.Join(sessiontest.WorkingDay(&day, 3_400), os.WriteFile("long.jsonl", day.Bytes(), 0o666)); err != nil {
		t.Fatal(err)
	}
	return "long.jsonl"
}

// columnFiles returns how many columns lie below the output out.
func columnFiles(t *testing.T) int {
	t.Helper()
	names, err := filepath.Glob("out/" + columnsFolder + "/*")
	if err != nil {
		t.Fatal(err)
	}
	return len(names)
}

// TestLostColumn: a column that cannot be read may be there for the next try.
func TestLostColumn(t *testing.T) {
	name := longLog(t)
	parts := partsOf(t, name, longRange)
	if n := columnFiles(t); n != 2 || len(parts) != 2 {
		t.Fatalf("%d columns of %d parts", n, len(parts))
	}
	whole, err := joined(t, name, slices.Clone(parts))
	if err != nil || whole.Verdict != "valid" || !bytes.Contains(plain(t, name), whole.Report) {
		t.Fatalf("%v, %v", whole, err)
	}
	if err := os.RemoveAll("out/" + columnsFolder); err != nil {
		t.Fatal(err)
	}
	if got, err := joined(t, name, parts); err == nil {
		t.Errorf("a result without its columns: %v", got)
	}
}

// TestCarriedColumns checks that short columns travel with their summaries, however often those are sent on, and are
// not files.
func TestCarriedColumns(t *testing.T) {
	logs(t)
	parts := partsOf(t, "logs/clean.jsonl", shortRange)
	if got, err := joined(t, "logs/clean.jsonl", parts); err != nil || got.Verdict != "valid" || columnFiles(t) != 0 {
		t.Errorf("%v, %v, %d columns", got, err, columnFiles(t))
	}
}

// TestCutPart: what is cut on its way is an error, except for a part that has lost just its column,
// which the report misses.
func TestCutPart(t *testing.T) {
	logs(t)
	text, err := encodePart(partsOf(t, "logs/clean.jsonl", 1<<20)[0])
	if err != nil {
		t.Fatal(err)
	}
	var taken []part
	for n := range text {
		if p, err := decodePart(text[:n]); err == nil {
			taken = append(taken, p)
		}
	}
	if len(taken) != 1 {
		t.Fatalf("%d cuts of %d are taken", len(taken), len(text))
	}
	if got, err := joined(t, "logs/clean.jsonl", taken); !errors.Is(err, errNowhere) {
		t.Errorf("without its column: %v, %v", got, err)
	}
}

// TestDamagedParts: of what is known of a log, or of a session, no bit can change on its way so
// that another report comes of it.
func TestDamagedParts(t *testing.T) {
	names := mixed(t)
	known := partsOf(t, names[1], 1<<20)[0]
	text, err := encodePart(known)
	if err != nil {
		t.Fatal(err)
	}
	whole, err := joined(t, names[1], []part{known})
	if err != nil || whole.Report == nil {
		t.Fatal(whole.Failure, err)
	}
	step := racetest.Step(t)
	for i := 0; i < len(text); i += step {
		p, err := decodePart(flipped(text, i))
		if err != nil {
			continue
		}
		if got, err := joined(t, names[1], []part{p}); err == nil && got.Failure == "" && !bytes.Equal(got.Report, whole.Report) {
			t.Errorf("byte %d of a part: another report", i)
		}
	}
	lakes, parts := divided(t, names, 1<<20)
	for key, list := range parts {
		whole, err := session(t, key, lakes, list)
		if err != nil || whole.Report == nil {
			t.Fatal(whole.Failure, err)
		}
		text, err := encodeSession(list[0])
		if err != nil {
			t.Fatal(err)
		}
		for i := 0; i < len(text); i += 7 * step {
			p, err := decodeSession(flipped(text, i))
			if err != nil {
				continue
			}
			if got, err := session(t, key, lakes, append([]sessionPart{p}, list[1:]...)); err == nil && got.Failure == "" && !bytes.Equal(got.Report, whole.Report) {
				t.Errorf("byte %d of a part of %q: another report", i, key)
			}
		}
	}
	for _, l := range lakes {
		text, err := encodeLake(l)
		if err != nil {
			t.Fatal(err)
		}
		for i := range text {
			if _, err := decodeLake(flipped(text, i)); err == nil {
				t.Errorf("byte %d of what is known of the files was changed unnoticed", i)
			}
			if _, err := decodeLake(text[:i]); err == nil {
				t.Errorf("%d bytes of what is known of the files are taken", i)
			}
		}
	}
}

// flipped returns a text with one bit of a byte that is another.
func flipped(text []byte, at int) []byte {
	text = bytes.Clone(text)
	text[at] ^= 1 << (at % 8)
	return text
}

func appendTo(t *testing.T, name, text string) {
	t.Helper()
	f, err := os.OpenFile(name, os.O_APPEND|os.O_WRONLY, 0)
	if err == nil {
		_, err = f.WriteString(text)
		err = errors.Join(err, f.Close())
	}
	if err != nil {
		t.Fatal(err)
	}
}

// TestObjects: logs and reports in an object store are those of files.
func TestObjects(t *testing.T) {
	server := httptest.NewServer(gofakes3.New(s3mem.New()).Server())
	t.Cleanup(server.Close)
	for name, value := range map[string]string{
		"AWS_ENDPOINT_URL": server.URL, "AWS_ACCESS_KEY_ID": "key", "AWS_SECRET_ACCESS_KEY": "secret", "AWS_REGION": "eu-central-1",
		"AWS_CONFIG_FILE": "/dev/null", "AWS_SHARED_CREDENTIALS_FILE": "/dev/null",
	} {
		t.Setenv(name, value)
	}
	settings, err := config.LoadDefaultConfig(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	client := s3.NewFromConfig(settings)
	if _, err := client.CreateBucket(t.Context(), &s3.CreateBucketInput{Bucket: aws.String("lake")}); err != nil {
		t.Fatal(err)
	}
	var day bytes.Buffer
	if err := sessiontest.WorkingDay(&day, 200); err != nil {
		t.Fatal(err)
	}
	for key, text := range map[string]string{
		"logs/a.jsonl": day.String(), "logs/b.jsonl": day.String()[100:], "logs/c.jsonl": gzipped(t, day.String()), "xz/d.jsonl": "\xfd7zXZ\x00\x00\x04",
	} {
		if _, err := client.PutObject(t.Context(), &s3.PutObjectInput{Bucket: aws.String("lake"), Key: &key, Body: strings.NewReader(text)}); err != nil {
			t.Fatal(err)
		}
	}
	var first []byte
	for _, split := range []size{1 << 30, 10_000} {
		j := newJob("s3://lake/out-"+split.String(), "s3://lake/logs/*.jsonl")
		j.split = split
		got, err := finish(t, j)
		if err != nil || got.Valid != 2 || got.Inputs != 3 {
			t.Fatalf("%v, %v", got, err)
		}
		if _, err := finish(t, j); err == nil || !strings.Contains(err.Error(), "of an earlier run") {
			t.Errorf("the folder is used again: %v", err)
		}
		document := objectText(t, j.output+"/report-00001-of-00001.json")
		if first == nil {
			first = document
		}
		if !equalButCauses(document, first) {
			t.Errorf("in ranges of %v bytes:\n%s\nat once:\n%s", split, document, first)
		}
		if left, err := storeOf(j.output).list(t.Context(), j.output+"/"+columnsFolder+"/*"); err != nil || left[0].refused == "" {
			t.Errorf("columns are left: %v, %v", left, err)
		}
	}
	other, err := finish(t, newJob("s3://lake/xz-out", "s3://lake/xz/*"))
	if text := objectText(t, "s3://lake/xz-out/report-00001-of-00001.json"); err != nil || other.Failures != 1 || !bytes.Contains(text, []byte("compressed with xz; unpack it with xz -dc")) {
		t.Errorf("compressed otherwise: %v, %v\n%s", other, err, text)
	}
	none, err := finish(t, newJob("s3://lake/none", "s3://lake/none/*"))
	if err != nil || none.Failures != 1 {
		t.Errorf("of nothing: %v, %v", none, err)
	}
}

func objectText(t *testing.T, name string) []byte {
	t.Helper()
	r, err := storeOf(name).read(t.Context(), name)
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	text, err := io.ReadAll(r)
	if err != nil {
		t.Fatal(err)
	}
	return text
}

// TestObjectReadsAnywhere checks that an object reads like a file, in order and at any place, and that a truncated
// read is not the end of the log.
func TestObjectReadsAnywhere(t *testing.T) {
	text := strings.Repeat("0123456789", 100)
	requests := 0
	o := &object{size: int64(len(text)), from: func(offset int64) (io.ReadCloser, error) {
		requests++
		return io.NopCloser(strings.NewReader(text[offset:])), nil
	}}
	got := make([]byte, 10)
	for _, at := range []int64{0, 10, 20, 500, 3} {
		if n, err := o.ReadAt(got, at); n != 10 || err != nil || string(got) != text[at:at+10] {
			t.Errorf("at %d: %q, %v", at, got[:n], err)
		}
	}
	if requests != 3 {
		t.Errorf("%d requests", requests)
	}
	if n, err := o.ReadAt(got, 995); n != 5 || err != io.EOF {
		t.Errorf("at the end: %d, %v", n, err)
	}
	if all, err := io.ReadAll(o); err != nil || string(all) != text {
		t.Errorf("%d bytes, %v", len(all), err)
	}
	cut := &object{size: 20, from: func(int64) (io.ReadCloser, error) { return io.NopCloser(strings.NewReader("short")), nil }}
	if _, err := io.ReadAll(cut); err != io.ErrUnexpectedEOF {
		t.Errorf("of a cut object: %v", err)
	}
}

// TestFullDisk: what could not be written whole is not there.
func TestFullDisk(t *testing.T) {
	t.Chdir(t.TempDir())
	full := errors.New("no space left on device")
	err := local{}.write(context.Background(), "out/x", func(w io.Writer) error {
		_, err := io.WriteString(w, "half")
		return errors.Join(err, full)
	})
	if _, gone := door.Stat("out/x"); err == nil || gone == nil {
		t.Errorf("%v, %v", err, gone)
	}
}

// TestColumnsAreNoTexts: what a job wrote is read as it is, whatever its first bytes look like.
func TestColumnsAreNoTexts(t *testing.T) {
	t.Chdir(t.TempDir())
	for _, column := range []string{"\x1f\x8b\x08\x00", "PK\x03\x04", "\x28\xb5\x2f\xfd"} {
		err := local{}.write(t.Context(), "out/x", func(w io.Writer) error {
			_, err := io.WriteString(w, column)
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
		if got := objectText(t, "out/x"); string(got) != column {
			t.Errorf("%q is %q", column, got)
		}
	}
}

// TestSize reads and writes sizes.
func TestSize(t *testing.T) {
	for text, want := range map[string]int64{"1": 1, "1000": 1000, "64KiB": 64 << 10, "256MiB": 256 << 20, "3GiB": 3 << 30, "1TiB": 1 << 40} {
		var s size
		if err := s.Set(text); err != nil || int64(s) != want || s.String() != text {
			t.Errorf("%s: %d, %v, %v", text, s, s.String(), err)
		}
	}
	for _, text := range []string{"", "0", "-1", "x", "1MB", "1.5MiB", "99999999999GiB", "KiB"} {
		if err := new(size).Set(text); err == nil {
			t.Errorf("%q is a size", text)
		}
	}
}
