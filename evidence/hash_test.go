package evidence_test

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/cupel-dev/cupel/evidence"
)

// hashCase is one line of testdata/evidence/hash.jsonl.
type hashCase struct {
	Name     string
	Text     string          // the event, or
	Hex      string          // its bytes where they are not UTF-8
	Flags    []string        // check, strict, exact-integers
	Limits   json.RawMessage // overrides
	Input    *string         // the canonical hash input; null without a hash
	Match    *bool
	Findings []string // "rule severity path"
}

func (c hashCase) event(t *testing.T) []byte {
	t.Helper()
	if c.Hex == "" {
		return []byte(c.Text)
	}
	b, err := hex.DecodeString(c.Hex)
	if err != nil {
		t.Fatal(err)
	}
	return b
}

func (c hashCase) options(t *testing.T) evidence.Options {
	t.Helper()
	opt := evidence.Options{
		Check: slices.Contains(c.Flags, "check"), Strict: slices.Contains(c.Flags, "strict"),
		ExactIntegers: slices.Contains(c.Flags, "exact-integers"), Explain: true,
	}
	if c.Limits != nil {
		var err error
		if opt.Limits, err = evidence.ParseLimits(c.Limits); err != nil {
			t.Fatal(err)
		}
	}
	return opt
}

// TestHash runs the case file on each engine.
func TestHash(t *testing.T) {
	cases := evidence.ReadCases[hashCase](t, "hash.jsonl")
	for _, c := range cases {
		for _, engine := range []evidence.Engine{evidence.Fast, evidence.Reference, evidence.Both} {
			opt := c.options(t)
			opt.Engine = engine
			got, err := evidence.NewHasher(opt).Hash(c.event(t))
			if err != nil {
				t.Errorf("%s: engine %d: %v", c.Name, engine, err)
				continue
			}
			c.compare(t, got)
		}
	}
	t.Logf("%d cases on three engines", len(cases))
}

func (c hashCase) compare(t *testing.T, got evidence.Result) {
	t.Helper()
	switch {
	case c.Input == nil && got.Hashed:
		t.Errorf("%s: hashed as %s, expected no hash", c.Name, got.Explanation.Input)
	case c.Input != nil && !got.Hashed:
		t.Errorf("%s: no hash: %v", c.Name, got.Findings)
	case c.Input != nil:
		if input := string(got.Explanation.Input); input != *c.Input {
			t.Errorf("%s: hash input\n got %s\nwant %s", c.Name, input, *c.Input)
		}
		if want := fmt.Sprintf("sha256:%x", sha256.Sum256([]byte(*c.Input))); got.ContentHash() != want {
			t.Errorf("%s: hash %s, expected %s", c.Name, got.ContentHash(), want)
		}
	}
	want := evidence.Unknown
	if c.Match != nil {
		want = map[bool]evidence.Match{true: evidence.Same, false: evidence.Different}[*c.Match]
	}
	if got.Match != want {
		t.Errorf("%s: match %d, expected %d", c.Name, got.Match, want)
	}
	if list := summaries(got.Findings); !slices.Equal(list, c.Findings) {
		t.Errorf("%s: findings %q, expected %q", c.Name, list, c.Findings)
	}
}

func summaries(list []evidence.Finding) []string {
	lines := []string{}
	for _, f := range list {
		lines = append(lines, fmt.Sprintf("%s %v %s", f.Rule, f.Severity, f.Path))
	}
	return lines
}

// TestRules runs every example of the rule table: the bad one triggers its rule, the
// good one does not. No id occurs twice.
func TestRules(t *testing.T) {
	rules := evidence.Rules()
	seen := map[string]bool{}
	for _, r := range rules {
		if seen[r.ID] {
			t.Errorf("%s: two rows have this id", r.ID)
		}
		seen[r.ID] = true
		if r.Title == "" || r.Clause == "" || r.Rationale == "" || r.Bad == "" || r.Good == "" {
			t.Errorf("%s: the row is not complete", r.ID)
		}
		if !slices.Contains(rulesOf(t, r.Bad), r.ID) {
			t.Errorf("%s: the bad example triggers %q", r.ID, rulesOf(t, r.Bad))
		}
		if slices.Contains(rulesOf(t, r.Good), r.ID) {
			t.Errorf("%s: the good example triggers it too", r.ID)
		}
	}
	t.Logf("%d rules", len(rules))
}

// rulesOf runs an example as the rule table describes them.
func rulesOf(t *testing.T, example string) (ids []string) {
	t.Helper()
	opt := evidence.Options{Check: true}
	if rest, found := strings.CutPrefix(example, "# with --limits "); found {
		limits, lines, _ := strings.Cut(rest, "\n")
		var err error
		if opt.Limits, err = evidence.ParseLimits([]byte(limits)); err != nil {
			t.Fatal(err)
		}
		example = lines
	}
	total, err := evidence.HashStream(t.Context(), strings.NewReader(example), opt, func(e *evidence.Result) error {
		for _, f := range e.Findings {
			ids = append(ids, f.Rule)
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range total.Findings {
		ids = append(ids, f.Rule)
	}
	return ids
}

func TestSizeLimits(t *testing.T) {
	event := func(data string) string {
		return `{"specversion":"1.0","type":"t","datacontenttype":"application/json","data":` + data + `}`
	}
	members := func(n int) string {
		var b strings.Builder
		for i := range n {
			fmt.Fprintf(&b, `,"%d":0`, i)
		}
		return "{" + b.String()[1:] + "}"
	}
	text := func(n int) string { return `"` + strings.Repeat("a", n) + `"` }
	astral := func(n int) string { return `"` + strings.Repeat("\\ud83d\\ude00", n) + `"` }
	wide := evidence.Limits{LineBytes: 64 << 20}
	for _, c := range []struct {
		name, data string
		limits     evidence.Limits
		rules      []string
	}{
		{"members up to the limit", members(evidence.MaxKeys), evidence.Limits{}, nil},
		{"one member more", members(evidence.MaxKeys + 1), evidence.Limits{}, []string{"json.limit error /data"}},
		{"a string of the limit", text(evidence.MaxStringChars), wide, nil},
		{"one character more", text(evidence.MaxStringChars + 1), wide, []string{"json.limit error /data"}},
		{"characters, not bytes or escapes", astral(evidence.MaxStringChars), wide, nil},
		{"one escaped character more", astral(evidence.MaxStringChars + 1), wide, []string{"json.limit error /data"}},
		{"1 MiB and a byte", text(1<<20 + 1 - len(event(`""`))), evidence.Limits{}, []string{"json.limit error "}},
		{"1 MiB", text(1<<20 - len(event(`""`))), evidence.Limits{}, nil},
		{"very deep", strings.Repeat("[", 100_000), evidence.Limits{}, []string{"json.depth error /data" + strings.Repeat("/0", 63)}},
	} {
		got, err := evidence.NewHasher(evidence.Options{Limits: c.limits}).Hash([]byte(event(c.data)))
		if err != nil {
			t.Fatal(err)
		}
		if list := summaries(got.Findings); !slices.Equal(list, c.rules) || got.Hashed != (c.rules == nil) {
			t.Errorf("%s: findings %.300q, hashed %v", c.name, list, got.Hashed)
		}
	}
}

func TestParseLimits(t *testing.T) {
	got, err := evidence.ParseLimits([]byte(`{"max_events":7,"max_line_bytes":9}`))
	if err != nil || got != (evidence.Limits{Events: 7, LineBytes: 9}) {
		t.Errorf("%+v, %v", got, err)
	}
	for text, want := range map[string]string{
		`{"max_line_byte":1}`:             `unknown limit "max_line_byte", did you mean "max_line_bytes"`,
		`{"speed":1}`:                     `unknown limit "speed", known limits are max_bundle_bytes, `,
		`{"max_events":0}`:                `limit "max_events" is 0, expected an integer from 1 to `,
		`{"max_events":"1"}`:              `limit "max_events" is "1", expected an integer`,
		`{"max_events":1.0}`:              `limit "max_events" is 1.0, expected an integer`,
		`{"max_json_depth":99999}`:        `limit "max_json_depth" is 99999, expected an integer from 1 to 10000`,
		`[]`:                              `limits are a JSON array, expected an object`,
		`{"max_events":1,}`:               `limits are not strict JSON: `,
		`{"max_events":1,"max_events":2}`: `occurs twice`,
	} {
		if _, err := evidence.ParseLimits([]byte(text)); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, expected %q", text, err, want)
		}
	}
}

// TestRunRoot compares with what the shell's recipe gives.
func TestRunRoot(t *testing.T) {
	for _, c := range []struct {
		hashes []string
		text   string
	}{
		{nil, ""}, {[]string{"sha256:aaa"}, "sha256:aaa\n"}, {[]string{"sha256:aaa", "sha256:bbb"}, "sha256:aaa\nsha256:bbb\n"},
	} {
		if got, want := evidence.RunRoot(c.hashes...), fmt.Sprintf("sha256:%x", sha256.Sum256([]byte(c.text))); got != want {
			t.Errorf("%q: %s, expected %s", c.hashes, got, want)
		}
	}
}

func TestEnvelopeDigest(t *testing.T) {
	hash := func(source string) evidence.Result {
		h := evidence.NewHasher(evidence.Options{EnvelopeDigest: true, Engine: evidence.Both})
		got, err := h.Hash([]byte(`{"specversion":"1.0","type":"t","source":"` + source + `","data":{}}`))
		if err != nil {
			t.Fatal(err)
		}
		return got
	}
	a, b := hash("urn:a"), hash("urn:b")
	if a.ContentHash() != b.ContentHash() || a.EnvelopeDigest() == b.EnvelopeDigest() {
		t.Errorf("the source is in the content hash, or not in the envelope digest: %+v %+v", a, b)
	}
	canonical := `{"data":{},"source":"urn:a","specversion":"1.0","type":"t"}`
	if want := fmt.Sprintf("sha256:%x", sha256.Sum256([]byte(canonical))); a.EnvelopeDigest() != want {
		t.Errorf("envelope digest %s, expected %s", a.EnvelopeDigest(), want)
	}
}

// TestNoAllocations holds that an event without findings costs none.
func TestNoAllocations(t *testing.T) {
	h := evidence.NewHasher(evidence.Options{Check: true})
	event := sample(t)
	allocs := testing.AllocsPerRun(200, func() {
		if got, err := h.Hash(event); err != nil || got.Match != evidence.Same {
			t.Fatal(err, got.Findings)
		}
	})
	if allocs != 0 {
		t.Errorf("%.1f allocations per event", allocs)
	}
}

// sample returns an event of about 600 bytes whose recorded hash is right.
func sample(t testing.TB) []byte {
	t.Helper()
	f, err := os.Open("../testdata/examples/evidence/run.ndjson")
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	text, err := io.ReadAll(f)
	if err != nil {
		t.Fatal(err)
	}
	best := []byte{}
	for line := range bytes.Lines(text) {
		if line = bytes.TrimSpace(line); abs(len(line)-600) < abs(len(best)-600) {
			best = line
		}
	}
	return best
}

func abs(n int) int { return max(n, -n) }
