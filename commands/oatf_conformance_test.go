package commands_test

import (
	"bytes"
	"context"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/cupel-dev/cupel/commands"
	"github.com/cupel-dev/cupel/internal/racetest"
	"github.com/cupel-dev/cupel/oatf"
)

// caseCounts are the counts of a JSON document of `cupel oatf conformance`.
type caseCounts struct {
	Kind, Revision string
	ToldBy         string `json:"told_by"`
	Cases, Passed  int
	Failed         int
	KnownFaults    int `json:"known_faults"`
	Unsupported    int
}

// add adds the counts of a kind.
func (c *caseCounts) add(d caseCounts) {
	c.Cases += d.Cases
	c.Passed += d.Passed
	c.Failed += d.Failed
	c.KnownFaults += d.KnownFaults
	c.Unsupported += d.Unsupported
}

// conform runs `cupel oatf conformance` and reads its JSON.
func conform(t *testing.T, args ...string) (code int, summary caseCounts, kinds []caseCounts, cases []struct{ Suite, File, Digest string }) {
	t.Helper()
	var out, errs bytes.Buffer
	code = commands.Main(commands.Env{
		Context: context.Background(), Stdin: strings.NewReader(""), Stdout: &out, Stderr: &errs,
		Getenv: func(string) string { return "" },
	}, append([]string{"cupel", "oatf", "conformance", "--format", "json"}, args...))
	var doc struct {
		Summary caseCounts
		Kinds   []caseCounts
		Cases   []struct{ Suite, File, Digest string }
	}
	if err := json.Unmarshal(out.Bytes(), &doc); err != nil {
		t.Fatalf("%v: %s", err, errs.Bytes())
	}
	return code, doc.Summary, doc.Kinds, doc.Cases
}

// TestConformanceCounts: every case is counted once, in its kind and in the whole, whatever the
// revision that a suite is run under; and the exit code is good only when all of them hold.
func TestConformanceCounts(t *testing.T) {
	suites := []string{"../testdata/oatf/conformance", "../testdata/oatf/conformance-2026-03"}
	if vectors := os.Getenv("CUPEL_VECTORS"); vectors == "" {
		t.Log("CUPEL_VECTORS is not set: only the project's own suites are counted")
	} else {
		suites = append(suites, filepath.Join(vectors, "oatf/suite"), filepath.Join(vectors, "oatf-2026-03/suite"))
	}
	for _, suite := range racetest.Some(t, suites) {
		code, told, kinds, cases := conform(t, suite)
		whole := caseCounts{Revision: told.Revision, ToldBy: told.ToldBy}
		for _, kind := range kinds {
			whole.add(kind)
		}
		if told != whole || told.Cases != len(cases) || told.Cases == 0 || told.ToldBy == "" {
			t.Errorf("%s: %d cases, %+v, of kinds %+v", suite, len(cases), told, whole)
		}
		for _, c := range append(kinds, told) {
			if c.Passed+c.Failed+c.KnownFaults+c.Unsupported != c.Cases {
				t.Errorf("%s: %+v", suite, c)
			}
		}
		if good := told.Failed+told.Unsupported == 0; good != (code == 0) {
			t.Errorf("%s: exit code %d, %+v", suite, code, told)
		}
		for _, r := range oatf.Revisions() {
			code, forced, _, again := conform(t, "--revision", string(r), suite)
			if forced.Revision != string(r) || forced.ToldBy != "" || forced.Cases != told.Cases || len(again) != len(cases) {
				t.Errorf("%s under %s: %d cases, %+v", suite, r, len(again), forced)
			}
			if string(r) == told.Revision {
				forced.ToldBy = told.ToldBy
				if forced != told {
					t.Errorf("%s under %s: %+v, told %+v", suite, r, forced, told)
				}
			} else if code != 1 {
				t.Errorf("%s under %s: exit code %d, %+v", suite, r, code, forced)
			}
		}
	}
}
