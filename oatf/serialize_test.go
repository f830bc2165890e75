package oatf

import (
	"bytes"
	"cmp"
	"errors"
	"slices"
	"testing"

	"github.com/cupel-dev/cupel/oatf/model"

	gocmp "github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
)

// sameModel compares documents without their sources. Extension fields are compared as a set: their order follows the
// canonical order of the keys before them.
var sameModel = []gocmp.Option{
	cmpopts.IgnoreFields(model.Document{}, "Origin"),
	gocmp.Transformer("sorted", func(e model.Extensions) []model.Extension {
		return slices.SortedFunc(slices.Values(e), func(a, b model.Extension) int { return cmp.Compare(a.Key, b.Key) })
	}),
}

// roomy lets what Serialize wrote be parsed again, however deep or long it became.
var roomy = model.Limits{Bytes: 1 << 30, Depth: 2 * model.DefaultMaxDepth}

// failer is what the checks need of a *testing.T or a *rapid.T.
type failer interface {
	Helper()
	Errorf(format string, args ...any)
	Fatalf(format string, args ...any)
}

// checkRoundTrip holds what Serialize and Normalize promise about any document.
func checkRoundTrip(t failer, doc *model.Document) {
	t.Helper()
	before := clone(doc)
	normal := Normalize(doc)
	if diff := gocmp.Diff(before, doc, sameModel...); diff != "" {
		t.Errorf("Normalize changed its argument: -before +after\n%s", diff)
	}
	if diff := gocmp.Diff(normal, Normalize(normal), sameModel...); diff != "" {
		t.Errorf("Normalize is not idempotent: -once +twice\n%s", diff)
	}
	if before, after := told(t, doc), told(t, normal); before != after {
		t.Errorf("a document of %s is one of %s when it is normalized:\n%s", before, after, Serialize(normal))
	}
	for _, d := range []*model.Document{doc, normal} {
		text := Serialize(d)
		again, err := ParseOptions{Limits: roomy, Revision: d.Revision}.Parse(text)
		if err != nil {
			t.Fatalf("Parse refuses what Serialize wrote: %v\n%s", err, text)
		}
		if diff := gocmp.Diff(d, again, sameModel...); diff != "" {
			t.Errorf("a round trip changed the document: -before +after\n%s\n%s", diff, text)
		}
		if second := Serialize(again); !bytes.Equal(text, second) {
			t.Errorf("Serialize is not stable: -first +second\n%s", gocmp.Diff(string(text), string(second)))
		}
	}
}

// told returns the revision that a document's marks indicate.
func told(t failer, doc *model.Document) model.Revision {
	t.Helper()
	again, err := ParseOptions{Limits: roomy}.Parse(Serialize(doc))
	if again == nil {
		t.Fatalf("Parse refuses what Serialize wrote: %v", err)
	}
	return again.Revision
}

// TestSerialize compares the text that Serialize writes, and takes it round.
func TestSerialize(t *testing.T) {
	for _, c := range cases[struct{ Name, Input, Revision, Output string }](t, "roundtrip/serialize.yaml") {
		t.Run(c.Name, func(t *testing.T) {
			doc, err := ParseOptions{Revision: Revision(c.Revision)}.Parse([]byte(c.Input))
			if err != nil {
				t.Fatal(err)
			}
			if diff := gocmp.Diff(c.Output, string(Serialize(doc))); diff != "" {
				t.Errorf("-want +got\n%s", diff)
			}
			checkRoundTrip(t, doc)
		})
	}
}

// TestNormalize compares the canonical form of documents, serialized.
func TestNormalize(t *testing.T) {
	for _, c := range cases[struct{ Name, Input, Output string }](t, "normalize/steps.yaml") {
		t.Run(c.Name, func(t *testing.T) {
			doc, err := Parse([]byte(c.Input))
			if err != nil {
				t.Fatal(err)
			}
			if diff := gocmp.Diff(c.Output, string(Serialize(Normalize(doc)))); diff != "" {
				t.Errorf("-want +got\n%s", diff)
			}
			checkRoundTrip(t, doc)
		})
	}
}

// TestNormalizeUnder compares the canonical form of documents of a later revision, as models;
// a second time changes nothing.
func TestNormalizeUnder(t *testing.T) {
	o := ParseOptions{Revision: V202603}
	for _, c := range cases[struct{ Name, Input, Output string }](t, "normalize/steps-2026-03.yaml") {
		t.Run(c.Name, func(t *testing.T) {
			doc, err := o.Parse([]byte(c.Input))
			if err != nil {
				t.Fatal(err)
			}
			want, err := o.Parse([]byte(c.Output))
			if err != nil {
				t.Fatal(err)
			}
			before := clone(doc)
			got := Normalize(doc)
			if diff := gocmp.Diff(want, got, sameModel...); diff != "" {
				t.Errorf("-want +got\n%s", diff)
			}
			if diff := gocmp.Diff(got, Normalize(got), sameModel...); diff != "" {
				t.Errorf("once and twice\n%s", diff)
			}
			if diff := gocmp.Diff(before, doc, sameModel...); diff != "" {
				t.Errorf("the input has changed\n%s", diff)
			}
		})
	}
}

// TestNormalizeSharesNothing writes to every free-form value of a normalized document
// and looks whether the input noticed.
func TestNormalizeSharesNothing(t *testing.T) {
	doc, err := Parse([]byte(`oatf: "0.1"
attack:
  execution:
    mode: mcp_server
    phases:
      - state: {tools: [{name: a}]}
        trigger: {event: tools/call, match: {x: {any_of: [{k: v}]}}}
      - x-note: {deep: [1]}
        on_enter: [{send_notification: {method: m, params: {p: q}}}]
`))
	if err != nil {
		t.Fatal(err)
	}
	before := clone(doc)
	phases := Normalize(doc).Attack.Execution.Actors[0].Phases
	phases[0].State.(model.Object)[0].Value.([]model.Value)[0].(model.Object)[0].Value = "changed"
	phases[0].Trigger.Match[0].Operators.AnyOf[0].(model.Object)[0].Value = "changed"
	phases[1].Extensions[0].Value.(model.Object)[0].Value.([]model.Value)[0] = "changed"
	phases[1].OnEnter[0].SendNotification.Params.(model.Object)[0].Value = "changed"
	*phases[0].Trigger.Event = "changed"
	if diff := gocmp.Diff(before, doc, sameModel...); diff != "" {
		t.Errorf("-before +after\n%s", diff)
	}
}

// FuzzRoundTrip holds the promises of Normalize and Serialize for whatever Parse
// accepts.
func FuzzRoundTrip(f *testing.F) {
	for _, name := range []string{"roundtrip/serialize.yaml", "normalize/steps.yaml"} {
		for _, c := range cases[struct{ Input string }](f, name) {
			f.Add([]byte(c.Input))
		}
	}
	f.Fuzz(func(t *testing.T, input []byte) {
		if doc, err := Parse(input); err == nil {
			checkRoundTrip(t, doc)
		}
	})
}

// FuzzNormalize normalizes also what Parse refuses: no document makes it panic, and
// twice is as good as once.
func FuzzNormalize(f *testing.F) {
	for _, c := range cases[struct{ Input string }](f, "parse.yaml") {
		f.Add([]byte(c.Input))
	}
	f.Fuzz(func(t *testing.T, input []byte) {
		doc, err := Parse(input)
		if doc == nil {
			var faults model.ParseErrors
			if !errors.As(err, &faults) || len(faults) == 0 {
				t.Fatalf("neither a document nor a fault: %v", err)
			}
			return
		}
		once := Normalize(doc)
		if diff := gocmp.Diff(once, Normalize(once), sameModel...); diff != "" {
			t.Errorf("-once +twice\n%s", diff)
		}
		Serialize(once)
	})
}
