package fault

import (
	"fmt"
	"slices"
	"testing"

	"github.com/cupel-dev/cupel/finding"
	"github.com/cupel-dev/cupel/internal/strictjson"
	"github.com/cupel-dev/cupel/trace/internal/reasoning/rule"
	"github.com/cupel-dev/cupel/trace/internal/stream"
)

var (
	late    = Verdict{rule.RefClaimLater, "claim %q comes later"}
	unknown = Verdict{rule.RefClaimUnknown, "claim %q never comes"}
)

// TestPending distinguishes ids that come too late from those that never come, and counts references beyond its
// limit.
func TestPending(t *testing.T) {
	for most, want := range map[int][]string{
		10: {`warning 2 claim "a" comes later`, `error 1 claim "b" never comes`, `error 3 claim "b" never comes`},
		1:  {`error 1 claim "b" never comes`},
		0:  nil,
	} {
		findings := stream.NewFindings(10)
		sink := &Sink{Findings: findings, Log: &Log{}}
		var p Pending
		for i, id := range []string{"b", "a", "b"} {
			p.Wait(sink, uint64(id[0]), most, &Where{Line: stream.Line{Number: i + 1, Bytes: []byte(`"` + id + `"`)}, Idx: int64(i)}, "claim.supports", Place{1, 2}, []byte(id))
		}
		if p.Count != 3 || p.Held != min(3, most) {
			t.Errorf("%d wait, %d held", p.Count, p.Held)
		}
		if !p.Came(sink, 'a', late) || p.Came(sink, 'a', late) || p.Came(sink, 'c', late) || p.Count != 2 {
			t.Errorf("%d wait after one came", p.Count)
		}
		p.Never(sink, unknown)
		list, _, warnings, errors := findings.Close()
		var got []string
		for _, f := range list {
			got = append(got, fmt.Sprintf("%s %d %s", f.Severity, f.Line, f.Message))
			if f.Column != 2 || f.Source.Text == "" || f.Index == nil || *f.Index != int64(f.Line-1) || f.Path != "claim.supports" {
				t.Errorf("%+v", f)
			}
		}
		slices.Sort(got)
		slices.Sort(want)
		if !slices.Equal(got, want) || warnings != 1 || errors != 2 {
			t.Errorf("%d held: %v, %d warnings, %d errors; want %v", most, got, warnings, errors, want)
		}
	}
}

// TestSink makes findings about events until no more are kept.
func TestSink(t *testing.T) {
	findings := stream.NewFindings(1)
	sink := &Sink{Findings: findings, Log: &Log{Prefix: "event."}}
	where := &Where{Line: stream.Line{Number: 7, Bytes: []byte(`{"idx":3}`)}, Idx: 3}
	for range 3 {
		sink.Event(where, rule.OrderIdxNegative, sink.Path("idx"), Place{7, 8}, "idx", Compared("a", "b"), Noted("see"))
	}
	sink.Note(rule.PlanAbsent, "no plan")
	list, _, warnings, errors := findings.Close()
	if len(list) != 2 || warnings != 1 || errors != 3 {
		t.Fatalf("%+v, %d warnings, %d errors", list, warnings, errors)
	}
	f := list[1]
	if f.Line != 7 || f.Column != 8 || *f.Index != 3 || f.Path != "event.idx" || f.Expected != "a" || f.Found != "b" || f.Notes[0] != "see" {
		t.Errorf("%+v", f)
	}
	if sink.Rejected() {
		t.Error("rejected without a structural fault")
	}
	sink.Before = true
	if !sink.Rejected() {
		t.Error("the run before has rejected the trace")
	}
}

func TestPlaces(t *testing.T) {
	text := []byte(` {"a":"b"}`)
	doc, err := strictjson.NewScanner(strictjson.Limits{}).Scan(text)
	if err != nil {
		t.Fatal(err)
	}
	if got := PlaceOf(doc.Root().Get("a")); got != (Place{6, 9}) {
		t.Errorf("%v", got)
	}
	if got := Opening(doc.Root()); got != (Place{1, 1}) {
		t.Errorf("%v", got)
	}
	line := stream.Line{Number: 4, Bytes: text}
	a := At(line, rule.FieldType, "a", Place{6, 9}, "text")
	spot := SpotOf(line, Place{6, 9})
	b := rule.FieldType.New("text")
	spot.Mark(&b)
	if a.Line != b.Line || a.Column != b.Column || a.EndColumn != b.EndColumn || a.Source != b.Source || a.Line != 4 || a.Column != 7 {
		t.Errorf("%+v\n%+v", a, b)
	}
}

func TestCompanion(t *testing.T) {
	c := Companion{Name: "plan.json", Source: []byte("{\n\"a\": 1\n}")}
	f := c.At(rule.PlanUnreadable, Place{7, 8}, "plan.a", "text")
	if f.File != "plan.json" || f.Line != 2 || f.Column != 6 || f.Path != "plan.a" || f.Severity != finding.Error {
		t.Errorf("%+v", f)
	}
	c.Source = nil
	if f := c.At(rule.PlanUnreadable, Place{7, 8}, "", "text"); f.Line != 0 {
		t.Errorf("%+v", f)
	}
	if got := Preview(make([]byte, 100)); len(got) != MaxPreview+len("…") {
		t.Errorf("a preview of %d bytes", len(got))
	}
}
