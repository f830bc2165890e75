package oatf

import (
	"testing"

	"pgregory.net/rapid"

	"github.com/cupel-dev/cupel/oatf/model"
)

// TestNormalizeAndSerializeHoldForAnyDocument draws documents whose text, values and
// shape are as awkward as Parse can yield them.
func TestNormalizeAndSerializeHoldForAnyDocument(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		checkRoundTrip(rt, drawDocument(rt))
	})
}

// awkwardText are strings in which a writer of YAML goes wrong.
var awkwardText = []string{
	"", " ", "\n", "\n\na", "a\n", "a\n\n", "a\nb", " a\nb", "a\n b\n", "a \nb", "\ta\nb", "a\n\tb", "a\r\nb",
	"null", "~", "yes", "N", "1", "1.0", "0o7", "012", "1_000", "1:30", "2025-06-01", ".5", ".inf", "=", "<<",
	"- a", "a: b", "a #b", "#", "&a", "*a", "!!int", "|", ">-", "%YAML 1.2", "---", "...", "{}", "[", "\"", "'",
	"\x00", "\x7f", "\u0085", "\u2028", "\ufeff", "\u202e", "\U0001f600", "攻撃\nテスト\n", "{{x}}", "\\{{", "x-y",
}

func drawText(t *rapid.T, label string) string {
	pieces := rapid.SliceOfN(rapid.OneOf(rapid.SampledFrom(awkwardText), rapid.String()), 1, 3).Draw(t, label)
	text := ""
	for _, p := range pieces {
		text += p
	}
	return text
}

func drawOptional(t *rapid.T, label string) *string {
	if !rapid.Bool().Draw(t, label+" is there") {
		return nil
	}
	s := drawText(t, label)
	return &s
}

// drawValue draws a Value no deeper than depth.
func drawValue(t *rapid.T, depth int) model.Value {
	kinds := 4
	if depth > 0 {
		kinds = 6
	}
	switch rapid.IntRange(0, kinds-1).Draw(t, "kind") {
	case 0:
		return nil
	case 1:
		return rapid.Bool().Draw(t, "bool")
	case 2:
		v, err := ParseValue([]byte(rapid.SampledFrom([]string{"0", "-0", "1.0", "1.", ".5", "1e400", "0x1F", "0o17", "123456789012345678901234567890", "-.25E-3"}).Draw(t, "number")))
		if _, ok := v.(model.Number); !ok {
			t.Fatalf("%v is not a number: %v", v, err)
		}
		return v
	case 3:
		return drawText(t, "string")
	case 4:
		list := []model.Value{}
		for range rapid.IntRange(0, 3).Draw(t, "items") {
			list = append(list, drawValue(t, depth-1))
		}
		return list
	}
	return drawObject(t, depth)
}

func drawObject(t *rapid.T, depth int) model.Object {
	object := model.Object{}
	for range rapid.IntRange(0, 3).Draw(t, "members") {
		object = withDefault(object, drawText(t, "key"), drawValue(t, depth-1))
	}
	return object
}

// drawExtensions draws extension fields after any of the keys, which must all be keys of the object.
func drawExtensions(t *rapid.T, after ...string) (list model.Extensions) {
	for _, key := range rapid.SliceOfNDistinct(rapid.SampledFrom([]string{"x-a", "x-", "x-null"}), 0, 2, rapid.ID[string]).Draw(t, "extensions") {
		list = append(list, model.Extension{Key: key, Value: drawValue(t, 2), After: rapid.SampledFrom(append(after, "")).Draw(t, "after")})
	}
	return list
}

func drawDocument(t *rapid.T) *model.Document {
	doc := &model.Document{Revision: rapid.SampledFrom(Revisions()).Draw(t, "revision"), OATF: drawText(t, "oatf"), Schema: drawOptional(t, "schema")}
	a := &doc.Attack
	a.ID, a.Name, a.Description = drawOptional(t, "id"), drawOptional(t, "name"), drawOptional(t, "description")
	if rapid.Bool().Draw(t, "severity") {
		a.Severity = &model.Severity{Level: model.SeverityHigh, Scalar: rapid.Bool().Draw(t, "scalar")}
	}
	mode := model.Mode(rapid.SampledFrom([]string{"mcp_server", "a2a_client", "odd"}).Draw(t, "mode"))
	x := &a.Execution
	switch rapid.IntRange(0, 3).Draw(t, "form") {
	case 0:
		x.Mode, x.State = &mode, drawObject(t, 3)
		x.Extensions = drawExtensions(t, "mode", "state")
	case 1:
		x.Phases = drawPhases(t, doc.Revision)
		x.Extensions = drawExtensions(t, "phases")
	case 2:
		x.Mode, x.Phases = &mode, drawPhases(t, doc.Revision)
		x.Extensions = drawExtensions(t, "mode", "phases")
	default:
		x.Actors = []model.Actor{{Name: drawText(t, "actor"), Mode: mode, Phases: drawPhases(t, doc.Revision), Extensions: drawExtensions(t, "name", "mode")}}
	}
	for range rapid.IntRange(0, 3).Draw(t, "indicators") {
		a.Indicators = append(a.Indicators, drawIndicator(t, doc.Revision))
	}
	a.Extensions = drawExtensions(t, "execution")
	return doc
}

func drawPhases(t *rapid.T, r model.Revision) []model.Phase {
	list := []model.Phase{}
	for range rapid.IntRange(0, 3).Draw(t, "phases") {
		ph := model.Phase{Name: drawOptional(t, "phase"), Extensions: drawExtensions(t)}
		if rapid.Bool().Draw(t, "state") {
			ph.State = model.Object{{Key: "tools", Value: []model.Value{drawObject(t, 2), drawValue(t, 1)}}}
		}
		if rapid.Bool().Draw(t, "trigger") {
			ph.Trigger = &model.Trigger{Event: drawOptional(t, "event"), Match: model.MatchPredicate{{Path: drawText(t, "path"), Condition: drawCondition(t)}}}
		}
		if rapid.Bool().Draw(t, "action") {
			ph.OnEnter = []model.Action{{Binding: []model.Member{{Key: "act" + drawText(t, "action"), Value: drawValue(t, 2)}}}, drawSending(t, r)}
		}
		list = append(list, ph)
	}
	return list
}

// drawSending draws the action that sends a message in a revision, and the other one as an
// action of a binding.
func drawSending(t *rapid.T, r model.Revision) model.Action {
	if r == SDK01 {
		return model.Action{
			SendNotification: &model.SendNotification{Method: drawText(t, "method"), Params: drawObject(t, 2)},
			Binding:          []model.Member{{Key: "send", Value: drawValue(t, 2)}},
		}
	}
	return model.Action{
		Send:    &model.Send{Method: drawText(t, "method"), Params: drawValue(t, 2)},
		Binding: []model.Member{{Key: "send_elicitation", Value: drawValue(t, 2)}, {Key: "send_notification", Value: drawValue(t, 2)}},
	}
}

func drawIndicator(t *rapid.T, r model.Revision) model.Indicator {
	ind := model.Indicator{ID: drawOptional(t, "indicator"), Surface: new(model.Surface(drawText(t, "surface")))}
	if rapid.Bool().Draw(t, "known surface") {
		ind.Surface = new(rapid.SampledFrom(Surfaces()).Draw(t, "row").Surface)
	}
	if r == V202603 {
		target := drawText(t, "indicator's target")
		ind.Target, ind.Actor, ind.Tier = &target, drawOptional(t, "actor"), drawOptional(t, "tier")
		if rapid.Bool().Draw(t, "words") {
			direction, method := model.DirectionResponse, model.MethodExpression
			ind.Direction, ind.Method = &direction, &method
		}
	}
	condition := drawCondition(t)
	switch rapid.IntRange(0, 3).Draw(t, "method") {
	case 0:
		ind.Pattern = &model.PatternMatch{Target: drawOptional(t, "target"), Condition: &condition}
	case 1:
		ind.Pattern = &model.PatternMatch{Shorthand: &model.MatchCondition{Contains: new(string), AnyOf: []model.Value{drawValue(t, 2)}}}
	case 2:
		ind.Expression = &model.ExpressionMatch{CEL: drawText(t, "cel"), Variables: []model.Variable{{Name: drawText(t, "variable"), Path: drawText(t, "path")}}}
	default:
		threshold := rapid.Float64().Draw(t, "threshold")
		ind.Semantic = &model.SemanticMatch{
			Target: drawOptional(t, "target"), Intent: drawText(t, "intent"), Threshold: &threshold,
			Examples: &model.SemanticExamples{Positive: []string{drawText(t, "positive")}},
		}
	}
	return ind
}

// drawCondition draws operators, or a value that does not look like them.
func drawCondition(t *rapid.T) model.Condition {
	if rapid.Bool().Draw(t, "operators") {
		regex, low := drawText(t, "regex"), model.Number("-1.50")
		return model.Condition{Operators: &model.MatchCondition{Regex: &regex, GTE: &low}}
	}
	return model.Condition{Value: model.Object{{Key: "x" + drawText(t, "member"), Value: drawValue(t, 2)}}}
}
