package bundle_test

import (
	"bytes"
	"cmp"
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/gowebpki/jcs"
	"pgregory.net/rapid"

	"github.com/cupel-dev/cupel/evidence"
	"github.com/cupel-dev/cupel/evidence/bundle"
	"github.com/cupel-dev/cupel/evidence/internal/container"
	"github.com/cupel-dev/cupel/internal/digest"
)

// event is the members of an event, each as its JSON.
type event map[string]string

// jsonValues are what data and unknown attributes may be.
var jsonValues = []string{
	`null`, `true`, `0`, `-0`, `3.0`, `1e2`, `0.1e-6`, `123456789012345680000`, `9007199254740993`, `"x"`, `"\u00e9\ud83d\ude00\n\u0000"`, `"</a>&\u2028"`, `[]`, `{}`,
	`{"b":[1,{"z":null,"a":"\/"}],"a":1.50}`, `{"\ufb33":1,"\ud83d\ude00":2,"\u20ac":3,"\r":4,"1":5}`, `[[[[1.0e0]]],"a"]`,
}

// others are names that the contract does not name.
var others = []string{"zone", "a", "assaya", "Data", "~", "\u00e9", "\ufb33", "\U0001f600", "time ", "a\"b\\"}

// times are spellings of times, and what is written for them.
var times = map[string]string{
	"2026-01-02T03:04:05Z": "2026-01-02T03:04:05Z", "2026-01-02T03:04:05.120+00:00": "2026-01-02T03:04:05.120Z", "2026-01-02T03:04:05.1200Z": "2026-01-02T03:04:05.120Z",
	"2026-01-02T03:04:05.000000001Z": "2026-01-02T03:04:05.000000001Z", "0000-02-29T00:00:00.12345Z": "0000-02-29T00:00:00.123450Z", "2016-12-31T23:59:60.5Z": "2016-12-31T23:59:60.500Z",
}

// drawRun draws the events of a run that can be sealed.
func drawRun(t *rapid.T) []event {
	list := make([]event, rapid.IntRange(1, 8).Draw(t, "events"))
	for i := range list {
		e := event{
			"specversion": `"1.0"`, "type": rapid.SampledFrom([]string{`"assay.fs.access"`, `""`, `"\u00e9"`}).Draw(t, "type"), "source": `"urn:runner:1"`,
			"id": strconv.Quote(fmt.Sprint("run_a:", i)), "time": strconv.Quote(rapid.SampledFrom(slices.Sorted(maps.Keys(times))).Draw(t, "time")), "datacontenttype": `"application/json"`,
			"assayrunid": `"run_a"`, "assayseq": strconv.Itoa(i), "assayproducer": `"assay"`, "assayproducerversion": `"3.10.0"`,
			"data": rapid.SampledFrom(jsonValues).Draw(t, "data"),
		}
		for name, list := range map[string][]string{
			"subject": {`null`, `""`, `"a\u0062"`}, "traceparent": {`null`}, "tracestate": {`null`, `"a=1"`}, "assaypolicyid": {`null`, `"p"`},
			"assaysemanticdigest": {`null`, `"d"`}, "assaydigestprofile": {`null`}, "assaygit": {`null`, `"unknown"`, `"abc"`}, "assaypii": {`null`, `true`, `false`}, "assaysecrets": {`null`, `true`},
		} {
			if n := rapid.IntRange(0, len(list)).Draw(t, name); n > 0 {
				e[name] = list[n-1]
			}
		}
		for _, name := range rapid.SliceOfNDistinct(rapid.SampledFrom(others), 0, 3, rapid.ID[string]).Draw(t, "others") {
			e[name] = rapid.SampledFrom(jsonValues).Draw(t, "value")
		}
		list[i] = e
	}
	return list
}

// spelled writes events as a stream, in an order and a spelling that are drawn.
func spelled(t *rapid.T, list []event) []byte {
	ending := rapid.SampledFrom([]string{"\n", "\r\n"}).Draw(t, "ending")
	space := rapid.SampledFrom([]string{"", " ", "\t  "}).Draw(t, "space")
	var lines []string
	for _, e := range rapid.Permutation(list).Draw(t, "order") {
		var members []string
		for _, name := range rapid.Permutation(slices.Sorted(maps.Keys(e))).Draw(t, "members") {
			quoted, _ := json.Marshal(name) // a string has a JSON form
			members = append(members, string(quoted)+space+":"+space+e[name])
		}
		lines = append(lines, "{"+space+strings.Join(members, space+",")+space+"}")
	}
	text := strings.Join(lines, ending)
	if rapid.Bool().Draw(t, "last end") {
		text += ending
	}
	return []byte(text)
}

// naiveSeal makes the tar stream of a bundle of events with the standard library and another
// implementation of canonical JSON.
type naiveSeal struct{ dropUnknown bool }

func canonical(text []byte) []byte {
	out, err := jcs.Transform(text)
	if err != nil {
		panic(err)
	}
	return out
}

// object is JSON of members.
func object(members map[string]string) []byte {
	raw := map[string]json.RawMessage{}
	for name, value := range members {
		raw[name] = json.RawMessage(value)
	}
	text, err := json.Marshal(raw)
	if err != nil {
		panic(err)
	}
	return canonical(text)
}

// line returns an event as it is written, and its content hash.
func (n naiveSeal) line(e event) (line []byte, hash string) {
	out := maps.Clone(e)
	maps.DeleteFunc(out, func(name, value string) bool {
		return value == "null" && name != "data" && !slices.Contains(others, name) || n.dropUnknown && slices.Contains(others, name)
	})
	for name, value := range map[string]string{"assaygit": `"unknown"`, "assaypii": "false", "assaysecrets": "false"} {
		out[name] = cmp.Or(out[name], value)
	}
	content := map[string]string{}
	for _, name := range []string{"data", "datacontenttype", "specversion", "subject", "type"} {
		if value, ok := out[name]; ok {
			content[name] = value
		}
	}
	hash = fmt.Sprintf("sha256:%x", sha256.Sum256(object(content)))
	out["assaycontenthash"] = strconv.Quote(hash)
	out["time"] = strconv.Quote(times[strings.Trim(out["time"], `"`)])
	return append(object(out), '\n'), hash
}

func (n naiveSeal) tar(list []event) []byte {
	var events, hashes []byte
	for _, e := range list {
		line, hash := n.line(e)
		events, hashes = append(events, line...), append(hashes, hash+"\n"...)
	}
	root := fmt.Sprintf("sha256:%x", sha256.Sum256(hashes))
	git := ""
	if commit := list[0]["assaygit"]; commit == `"abc"` {
		git = `"git":"abc",`
	}
	manifest := fmt.Sprintf(`{"algorithms":{"canon":"jcs-rfc8785","hash":"sha256","root":"sha256(concat(content_hash + \"\\n\"))"},`+
		`"bundle_id":"%[1]s","event_count":%[2]d,"files":{"events.ndjson":{"bytes":%[3]d,"path":"events.ndjson","sha256":"sha256:%[4]x"}},`+
		`"producer":{%[5]s"name":"assay","version":"3.10.0"},"run_id":"run_a","run_root":"%[1]s","schema_version":1}`,
		root, len(list), len(events), sha256.Sum256(events), git)
	return slices.Concat(tarMember("manifest.json", []byte(manifest)), tarMember("events.ndjson", events), make([]byte, 1024))
}

// tarMember returns a member with its header, whose fields are written at their places.
func tarMember(name string, text []byte) []byte {
	header, sum := make([]byte, 512), 0
	for at, field := range map[int]string{
		0: name, 100: "0000644", 108: "0000000", 116: "0000000", 124: fmt.Sprintf("%011o", len(text)), 136: "00000000000",
		148: "        ", 257: "ustar  ", 265: "assay", 297: "assay",
	} {
		copy(header[at:], field)
	}
	for _, c := range header {
		sum += int(c)
	}
	copy(header[148:], fmt.Sprintf("%07o\x00", sum))
	return slices.Concat(header, text, make([]byte, -len(text)&511))
}

// TestSealLaws: what is sealed are the bytes of a naive implementation, whatever the order,
// the spelling and the workers; it verifies, unseals, and seals to the same bytes again.
func TestSealLaws(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		list := drawRun(rt)
		drop := rapid.Bool().Draw(rt, "drop unknown")
		opt := bundle.SealOptions{Jobs: rapid.IntRange(1, 3).Draw(rt, "jobs"), DropUnknown: drop, Level: rapid.IntRange(0, 9).Draw(rt, "level")}
		if rapid.Bool().Draw(rt, "hashed") {
			for _, e := range list {
				_, hash := naiveSeal{}.line(e)
				e["assaycontenthash"] = strconv.Quote(hash)
			}
		}
		stream := spelled(rt, list)
		file := mustSeal(t, stream, opt)
		if got, want := inflated(t, file), (naiveSeal{drop}).tar(list); !bytes.Equal(got, want) {
			rt.Fatalf("another tar stream\n%q\n%q", got, want)
		}
		opt.Jobs = 0
		if again := mustSeal(t, spelled(rt, list), opt); !bytes.Equal(again, file) {
			rt.Fatal("another order, spelling or number of workers gives other bytes")
		}
		if again := mustSeal(t, unseal(t, file), opt); !bytes.Equal(again, file) {
			rt.Fatal("what was unsealed is sealed to other bytes")
		}
		known := true
		for _, e := range list {
			for _, name := range others {
				known = known && (e[name] == "" || drop)
			}
		}
		r, err := bundle.Verify(t.Context(), bytes.NewReader(file), -1, "run.tar.gz", bundle.Options{Strict: known, UpstreamCompatible: true})
		if err != nil || r.Verdict != bundle.Valid {
			rt.Fatalf("%v: %+v", err, r.Findings)
		}
		sorted, err := evidence.HashStream(t.Context(), bytes.NewReader(unseal(t, file)), evidence.Options{Lines: true}, func(*evidence.Result) error { return nil })
		if err != nil || sorted.RunRoot.String() != r.BundleID {
			rt.Fatalf("%v: run root %s, bundle id %s", err, sorted.RunRoot, r.BundleID)
		}
	})
}

// faults are jsonValues that a member may have instead of its own.
var faults = []string{
	``, `null`, `true`, `0`, `1`, `7`, `-0`, `1.0`, `2147483648`, `9007199254740992`, `1e400`, `{}`, `""`, `"1.1"`, `"x"`, `"a:b"`, `":"`, `"run_a:1"`, `"run_a"`, `"run_b"`, `"urn:runner:2"`,
	`"2026-01-02 03:04:05Z"`, `"2026-01-02T03:04:05+02:00"`, `"2016-12-31T23:58:60Z"`, `"2016-12-31T23:59:60+02:00"`, `"2017-01-01T01:59:60+02:00"`, `"sha256:00"`, `{"a":1,"a":2}`, `"\ud800"`,
}

// TestSealRefuses checks that sealed events with faults verify, and that refused ones would not verify if they were
// packed unchanged.
func TestSealRefuses(t *testing.T) {
	sealedOnes, refused := 0, 0
	rapid.Check(t, func(rt *rapid.T) {
		list := drawRun(rt)
		for _, e := range list {
			for _, name := range others { // what has no canonical form is refused by seal alone
				delete(e, name)
			}
		}
		for range rapid.IntRange(0, 2).Draw(rt, "faults") {
			e := rapid.SampledFrom(list).Draw(rt, "event")
			name := rapid.SampledFrom(append(slices.Sorted(maps.Keys(e)), "assaycontenthash")).Draw(rt, "member")
			if e[name] = rapid.SampledFrom(faults).Draw(rt, "fault"); e[name] == "" {
				delete(e, name)
			}
		}
		lenient := rapid.Bool().Draw(rt, "lenient")
		stream := spelled(rt, list)
		s, file := seal(t, stream, bundle.SealOptions{LenientTime: lenient})
		opt := bundle.Options{LenientTime: lenient}
		if file == nil {
			refused++
			file = packed(t, list)
		} else {
			sealedOnes++
			opt.LenientTime = false
		}
		r, err := bundle.Verify(t.Context(), bytes.NewReader(file), -1, "run.tar.gz", opt)
		if err != nil || r.Verdict != s.Report.Verdict {
			rt.Fatalf("%v: sealed as %s %+v\nverified as %s %+v", err, s.Report.Verdict, s.Report.Findings, r.Verdict, r.Findings)
		}
	})
	t.Logf("%d sealed, %d refused", sealedOnes, refused)
}

// packed puts unchanged events into a bundle, but adds missing hashes.
func packed(t *testing.T, list []event) []byte {
	t.Helper()
	var events []byte
	root := evidence.NewRoot()
	for _, e := range list {
		e = maps.Clone(e)
		text := func() []byte {
			members := []string{}
			for _, name := range slices.Sorted(maps.Keys(e)) {
				members = append(members, strconv.Quote(name)+":"+e[name])
			}
			return []byte("{" + strings.Join(members, ",") + "}")
		}
		if r, err := evidence.NewHasher(evidence.Options{}).Hash(text()); err == nil && r.Hashed {
			root.Add(r.ContentHash())
			if v := e["assaycontenthash"]; v == "" || v == "null" {
				e["assaycontenthash"] = strconv.Quote(r.ContentHash())
			}
		}
		events = append(append(events, text()...), '\n')
	}
	m := bundle.NewManifest(strings.Trim(list[0]["assayrunid"], `"`), bundle.Producer{Name: "assay", Version: "1"}, root.Sum(), uint64(len(list)), uint64(len(events)), digest.Of(events))
	return contained(t, m.AppendText(nil), events)
}

func contained(t *testing.T, manifest, events []byte) []byte {
	t.Helper()
	var out bytes.Buffer
	w, err := container.NewWriter(&out, bundle.DefaultLevel)
	if err == nil {
		err = w.WriteMember(bundle.ManifestName, int64(len(manifest)), bytes.NewReader(manifest))
	}
	if err == nil {
		err = w.WriteMember(bundle.EventsName, int64(len(events)), bytes.NewReader(events))
	}
	if err == nil {
		err = w.Close()
	}
	if err != nil {
		t.Fatal(err)
	}
	return out.Bytes()
}

// TestSealLimits: what is sealed under limits verifies under them.
func TestSealLimits(t *testing.T) {
	sealedOnes, refused := 0, 0
	rapid.Check(t, func(rt *rapid.T) {
		list := drawRun(rt)
		stream := spelled(rt, list)
		whole := mustSeal(t, stream, bundle.SealOptions{})
		size := int64(len(inflated(t, whole)))
		limits := evidence.Limits{}
		near := func(n int64) int64 { return max(1, n+rapid.Int64Range(-40, 40).Draw(rt, "away")) }
		switch rapid.IntRange(0, 7).Draw(rt, "limit") {
		case 0:
			limits.BundleBytes = near(int64(len(whole)))
		case 1:
			limits.DecodeBytes = near(size)
		case 2:
			limits.ManifestBytes = near(520)
		case 3:
			limits.EventsBytes = near(int64(len(unseal(t, whole))))
		case 4:
			limits.Events = max(1, int64(len(list))+rapid.Int64Range(-1, 1).Draw(rt, "events away"))
		case 5:
			limits.LineBytes = near(int64(bytes.IndexByte(unseal(t, whole), '\n')))
		case 6:
			limits.PathBytes = rapid.Int64Range(10, 16).Draw(rt, "path")
		case 7:
			limits.JSONDepth = rapid.Int64Range(1, 7).Draw(rt, "depth")
		}
		s, file := seal(t, stream, bundle.SealOptions{Limits: limits})
		if file == nil {
			refused++
			if s.SHA256 != "" || s.Report.Code == "" {
				rt.Fatalf("%+v", s)
			}
			return
		}
		sealedOnes++
		r, err := bundle.Verify(t.Context(), bytes.NewReader(file), int64(len(file)), "run.tar.gz", bundle.Options{Limits: limits})
		if err != nil || r.Verdict != bundle.Valid {
			rt.Fatalf("%v: under %+v: %+v", err, limits, r.Findings)
		}
	})
	t.Logf("%d sealed, %d refused", sealedOnes, refused)
}
