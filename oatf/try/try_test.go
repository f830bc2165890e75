package try_test

import (
	"context"
	"os"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/cupel-dev/cupel/oatf"
	"github.com/cupel-dev/cupel/oatf/simulate"
	"github.com/cupel-dev/cupel/oatf/try"
)

// asked asks an expression of a kind of a message. Templates know the extractor x; triggers are
// asked about a tools/call after 30 seconds, when two events were counted.
func asked(ctx context.Context, r oatf.Revision, kind, expression string, message oatf.Value) (*try.Answer, error) {
	under := try.Under(r)
	switch kind {
	case "path":
		return try.Path(expression, message)
	case "condition":
		return under.Condition(expression, message)
	case "predicate":
		return under.Predicate(expression, message)
	case "regex":
		return under.Regex(expression, message)
	case "jsonpath":
		return try.JSONPath(expression, message)
	case "cel":
		return under.CEL(ctx, expression, message, nil)
	case "template":
		return try.Template(expression, map[string]string{"x": "X"}, &message, nil)
	}
	return under.Trigger(expression, try.Moment{Event: simulate.NewEvent(r, "tools/call", &message), Mode: "mcp_server", Elapsed: 30 * time.Second, Counted: 2})
}

// TestAnswers asks what the files of the revisions in testdata list.
func TestAnswers(t *testing.T) {
	least := map[oatf.Revision]int{oatf.SDK01: 40, oatf.V202603: 15}
	for _, r := range oatf.Revisions() {
		t.Run(string(r), func(t *testing.T) { compareAnswers(t, r, least[r]) })
	}
}

func compareAnswers(t *testing.T, r oatf.Revision, least int) {
	text, err := os.ReadFile("testdata/" + string(r) + ".yaml")
	if err != nil {
		t.Fatal(err)
	}
	cases, err := oatf.ParseValue(text)
	if err != nil {
		t.Fatal(err)
	}
	list, _ := cases.([]oatf.Value)
	if len(list) < max(1, least) {
		t.Fatalf("%d cases", len(list))
	}
	for _, one := range list {
		c := one.(oatf.Object)
		kind, expression := c[0].Key, c[0].Value.(string)
		t.Run(kind+" "+expression, func(t *testing.T) {
			message, err := oatf.ParseValue([]byte(c[1].Value.(string)))
			if err != nil {
				t.Fatal(err)
			}
			answer, err := asked(t.Context(), r, kind, expression, message)
			if diff := cmp.Diff(c[2:], lines(answer, err)); diff != "" {
				t.Errorf("(-expected +answered)\n%s", diff)
			}
		})
	}
}

// lines returns an answer as the cases have it.
func lines(a *try.Answer, err error) oatf.Object {
	if err != nil {
		return oatf.Object{{Key: "fault", Value: err.Error()}}
	}
	var list []oatf.Value
	for _, f := range a.Found {
		list = append(list, f.At+": "+string(oatf.AppendJSON(nil, f.Value)))
	}
	for _, line := range a.Why {
		list = append(list, line)
	}
	for _, w := range a.Warnings {
		list = append(list, w.Code)
	}
	return oatf.Object{{Key: map[bool]string{true: "yes", false: "no"}[a.Holds], Value: list}}
}

// TestSameAsPrimitives: an answer is that of the primitive, whatever the reasons.
func TestSameAsPrimitives(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		r := rapid.SampledFrom(oatf.Revisions()).Draw(t, "revision")
		public, under := oatf.Under(r), try.Under(r)
		values := rapid.SampledFrom([]string{`"abc"`, `""`, "3", "3.0", "null", "true", `{"a":{"b":"abc"}}`, `{"a":[1,{"b":2}]}`, "[]"})
		text := values.Draw(t, "message")
		message, err := oatf.ParseValue([]byte(text))
		if err != nil {
			t.Fatal(err)
		}
		condition := rapid.SampledFrom([]string{"{contains: b}", "{contains: '', regex: '^a'}", "{gt: 2, lte: 3}", "{exists: true}", "{exists: false}", "{any_of: [3, abc]}", "3", "null", "{x: 1}"}).Draw(t, "condition")
		path := rapid.SampledFrom([]string{"", "a", "a.b", "b", "a.b.c"}).Draw(t, "path")
		read, err := oatf.ParseValue([]byte(condition))
		if err != nil {
			t.Fatal(err)
		}
		c, err := public.ConditionOf(read)
		if err != nil {
			t.Fatal(err)
		}
		want, _ := public.EvaluateCondition(c, message)
		got, err := under.Condition(condition, message)
		if err != nil || got.Holds != want || len(got.Why) == 0 {
			t.Errorf("%s on %s: %+v, %v, expected %v", condition, text, got, err, want)
		}
		want, _ = public.EvaluatePredicate(oatf.MatchPredicate{{Path: path, Condition: *c}}, message)
		entry := oatf.Object{{Key: path, Value: read}}
		got, err = under.Predicate(string(oatf.AppendJSON(nil, entry)), message)
		if err != nil || got.Holds != want || len(got.Why) == 0 {
			t.Errorf("%s of %s on %s: %+v, %v, expected %v", condition, path, text, got, err, want)
		}
		_, found := oatf.ResolveSimplePath(path, message)
		got, err = try.Path(path, message)
		if err != nil || got.Holds != found || got.Holds == (len(got.Why) > 0) {
			t.Errorf("%s in %s: %+v, %v, expected %v", path, text, got, err, found)
		}
	})
}
