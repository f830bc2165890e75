package seal_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"reflect"
	"strings"
	"testing"

	"github.com/cupel-dev/cupel/evidence"
	"github.com/cupel-dev/cupel/evidence/seal"
)

// extentOf derives the extent of events, each "type data".
func extentOf(t *testing.T, events ...string) (*seal.Extent, error) {
	t.Helper()
	var c seal.ExtentCounter
	h := evidence.NewHasher(evidence.Options{Events: true})
	for _, e := range events {
		kind, data, _ := strings.Cut(e, " ")
		name, _ := json.Marshal(kind)
		r, err := h.Hash(fmt.Appendf(nil, `{"specversion":"1.0","type":%s,"data":%s}`, name, data))
		if err != nil {
			t.Fatal(err)
		}
		c.Add(&r)
	}
	return c.Extent()
}

const (
	profile = `assay.profile.finished {"files_count":2,"network_count":1,"processes_count":3,"sandbox_degradation_count":0}`
	sandbox = `assay.sandbox.summary {"fs_count":7,"exec_count":8,"degradation_count":9}`
)

// TestExtents derives extents of runs with and without summaries.
func TestExtents(t *testing.T) {
	stated := func(source string, counts map[string]int64) seal.Observed {
		return seal.Observed{Basis: seal.BasisReported, Source: source, Counts: counts}
	}
	ofProfile := stated("assay.profile.finished", map[string]int64{"files": 2, "network": 1, "processes": 3, "sandbox_degradations": 0})
	ofSandbox := stated("assay.sandbox.summary", map[string]int64{"files": 7, "processes": 8, "sandbox_degradations": 9})
	for _, c := range []struct {
		name   string
		events []string
		want   seal.Observed
		err    string
	}{
		{"no summary", []string{"a {}", "b {}", "a {}"}, seal.Observed{Basis: seal.BasisNotStated}, ""},
		{"profile", []string{"a {}", profile}, ofProfile, ""},
		{"sandbox", []string{sandbox, "a {}"}, ofSandbox, ""},
		{"profile wins", []string{sandbox, profile}, ofProfile, ""},
		{"profile wins, first", []string{profile, sandbox}, ofProfile, ""},
		{"twice", []string{profile, profile}, seal.Observed{}, "the run has more than one event assay.profile.finished"},
		{"the other twice", []string{sandbox, profile, sandbox}, seal.Observed{}, "the run has more than one event assay.sandbox.summary"},
		{"a count missing", []string{`assay.sandbox.summary {"fs_count":7}`}, seal.Observed{}, "member exec_count of the event assay.sandbox.summary is not a number from 0 to 9007199254740991"},
		{"the other's count is wrong", []string{profile, `assay.sandbox.summary {"fs_count":-1,"exec_count":0,"degradation_count":0}`}, seal.Observed{}, "member fs_count"},
		{"a fraction", []string{`assay.sandbox.summary {"fs_count":1.0,"exec_count":0,"degradation_count":0}`}, seal.Observed{}, "member fs_count"},
		{"negative zero", []string{`assay.sandbox.summary {"fs_count":-0,"exec_count":0,"degradation_count":0}`}, seal.Observed{}, "member fs_count"},
		{"no object", []string{`assay.sandbox.summary 3`}, seal.Observed{}, "member fs_count"},
		{"another type of that name", []string{`Assay.sandbox.summary 3`}, seal.Observed{Basis: seal.BasisNotStated}, ""},
		{"nothing", nil, seal.Observed{}, "no events were counted"},
	} {
		e, err := extentOf(t, c.events...)
		if c.err != "" {
			if err == nil || !strings.HasPrefix(err.Error(), c.err) {
				t.Errorf("%s: %v, want %s", c.name, err, c.err)
			}
			continue
		}
		if err != nil || !reflect.DeepEqual(e.Observed, c.want) {
			t.Errorf("%s: %v, %+v", c.name, err, e)
			continue
		}
		total := int64(0)
		for _, n := range e.Types {
			total += n
		}
		if total != int64(len(c.events)) {
			t.Errorf("%s: %d events in %v", c.name, total, e.Types)
		}
	}
}

// TestManyTypes holds that an extent is bounded.
func TestManyTypes(t *testing.T) {
	var events []string
	for i := range 10_001 {
		events = append(events, fmt.Sprintf("t%d {}", i))
	}
	if _, err := extentOf(t, events[:10_000]...); err != nil {
		t.Error(err)
	}
	if _, err := extentOf(t, events...); err == nil {
		t.Error("more types than an extent has")
	}
	if _, err := extentOf(t, "a"+strings.Repeat("x", 1<<20)+" {}"); err == nil {
		t.Error("a longer name than an extent has")
	}
}

// TestAttestedExtents compares attested extents with that of a bundle, one thing changed in each.
func TestAttestedExtents(t *testing.T) {
	r := readRecorded(t)
	own, err := extentOf(t, "a {}", "a {}", profile)
	if err != nil {
		t.Fatal(err)
	}
	facts := r.facts(t, "", false)
	facts.Extent = own
	counts := func() map[string]any {
		return map[string]any{"files": 2, "network": 1, "processes": 3, "sandbox_degradations": 0}
	}
	good := func() map[string]any {
		return map[string]any{
			"retained_events_by_type": map[string]any{"a": 2, "assay.profile.finished": 1},
			"observed":                map[string]any{"basis": "producer_reported", "source_type": "assay.profile.finished", "counts": counts()},
		}
	}
	const at = "AttestationPredicate /predicate/extent"
	for _, c := range []change{
		{"nothing", func(map[string]any) {}, ""},
		{"a member more", set("observed/x", 1), ""},
		{"a type missing", drop("retained_events_by_type/a"), at + "/retained_events_by_type/a"},
		{"a type of no event", set("retained_events_by_type/b", 0), at + "/retained_events_by_type/b"},
		{"another number", set("retained_events_by_type/a", 3), at + "/retained_events_by_type/a"},
		{"a number as text", set("retained_events_by_type/a", "2"), at + "/retained_events_by_type/a"},
		{"a wide number", set("retained_events_by_type/a", json.Number("9007199254740992")), at + "/retained_events_by_type/a"},
		{"no histogram", drop("retained_events_by_type"), at + "/retained_events_by_type"},
		{"nothing observed", drop("observed"), at + "/observed"},
		{"another basis", set("observed", map[string]any{"basis": "not_stated"}), at + "/observed/basis"},
		{"an unknown basis", set("observed/basis", "guessed"), at + "/observed/basis"},
		{"not stated, with counts", set("observed/basis", "not_stated"), at + "/observed/source_type"},
		{"not stated, with null counts", set("observed", map[string]any{"basis": "not_stated", "counts": nil}), at + "/observed/counts"},
		{"another source", set("observed/source_type", "assay.sandbox.summary"), at + "/observed/counts/network"},
		{"an unknown source", set("observed/source_type", "a"), at + "/observed/source_type"},
		{"a count missing", drop("observed/counts/files"), at + "/observed/counts/files"},
		{"another count", set("observed/counts/processes", 4), at + "/observed/counts/processes"},
	} {
		doc, extent := r.statement(t, false), good()
		c.do(extent)
		set("predicate/extent", extent)(doc)
		text, err := json.Marshal(doc)
		if err != nil {
			t.Fatal(err)
		}
		envelope, trusted := sealed(t, seal.PayloadType, string(text))
		if got := firstFault(t, envelope, trusted, facts); got != c.want {
			t.Errorf("%s: %q, want %q", c.name, got, c.want)
		}
	}
	doc := r.statement(t, false)
	set("predicate/extent", nil)(doc)
	text, _ := json.Marshal(doc)
	envelope, trusted := sealed(t, seal.PayloadType, string(text))
	if got := firstFault(t, envelope, trusted, facts); got != "" {
		t.Error("no extent:", got)
	}
	set("predicate/extent", good())(doc)
	text, _ = json.Marshal(doc)
	envelope, trusted = sealed(t, seal.PayloadType, string(text))
	facts.Extent = nil
	if got := firstFault(t, envelope, trusted, facts); got != at {
		t.Error("an extent of a bundle without one:", got)
	}
}

var errElsewhere = errors.New("the key is elsewhere")
