package eval

import (
	"cmp"
	"context"
	"errors"

	"github.com/cupel-dev/cupel/oatf"
	"github.com/cupel-dev/cupel/oatf/capture"
	"github.com/cupel-dev/cupel/oatf/internal/profile"
	"github.com/cupel-dev/cupel/oatf/internal/protocol"
	"github.com/cupel-dev/cupel/oatf/internal/view"
)

// EvaluateIndicator evaluates an indicator on one message (§4.4). Indicators that need a nil evaluator are skipped.
// An [Evaluator] is faster for many messages.
//
// The indicator can be invalid. Without a target it has its surface's default, without an id it is "indicator-01".
// A missing or ambiguous detection method is an error verdict, as are the errors of [EvaluatePattern],
// [EvaluateExpression] and evaluators, including panics. The semantic evaluator scores each value at the target;
// the highest score decides and is the evidence.
//
// The default targets of five surfaces start at the envelope with `params` or `result`: server_notification,
// sampling_request, elicitation_request, elicitation_response and mcp_task_result. They examine the message with
// and without an envelope.
//
// The verdict's time is now.
func EvaluateIndicator(i *oatf.Indicator, message oatf.Value, cel CELEvaluator, semantic SemanticEvaluator) IndicatorVerdict {
	v, _ := EvaluateIndicatorContext(context.Background(), i, message, cel, semantic) // a context that is never done
	return v
}

// EvaluateIndicatorContext is [EvaluateIndicator] with a context for the evaluators. If ctx ends first, it returns
// ctx's error and an error verdict.
func EvaluateIndicatorContext(ctx context.Context, i *oatf.Indicator, message oatf.Value, cel CELEvaluator, semantic SemanticEvaluator) (IndicatorVerdict, error) {
	return sdk01.EvaluateIndicatorContext(ctx, i, message, cel, semantic)
}

// EvaluateIndicator is [EvaluateIndicator] under the profile. In revision 2026-03 the default target is the
// indicator's, not the surface's, and a missing key is an error for the default CEL evaluator.
func (p Profile) EvaluateIndicator(i *oatf.Indicator, message oatf.Value, cel CELEvaluator, semantic SemanticEvaluator) IndicatorVerdict {
	v, _ := p.EvaluateIndicatorContext(context.Background(), i, message, cel, semantic) // a context that is never done
	return v
}

// EvaluateIndicatorContext is [EvaluateIndicatorContext] under the profile.
func (p Profile) EvaluateIndicatorContext(ctx context.Context, i *oatf.Indicator, message oatf.Value, cel CELEvaluator, semantic SemanticEvaluator) (IndicatorVerdict, error) {
	doc := oatf.Document{Revision: p.profile.Revision, Attack: oatf.Attack{Indicators: []oatf.Indicator{*i}}}
	run := newEvaluator(&doc, Options{CEL: cel, Semantic: semantic}).Start()
	err := run.Take(ctx, &capture.Message{Value: message})
	return run.Finish().IndicatorVerdicts[0], err
}

// Method is the detection method of an indicator, named by its key in the document.
type Method string

// The detection methods (§2.12).
const (
	Pattern    Method = "pattern"
	Expression Method = "expression"
	Semantic   Method = "semantic"
)

type indicator struct {
	Selection
	opt    *Options
	fault  *oatf.EvaluationError // why it can never be evaluated; nil when it can
	absent string                // which evaluator it lacks; "" when it lacks none

	pattern    // of a semantic match the path alone
	expression *oatf.ExpressionMatch
	semantic   *oatf.SemanticMatch
}

// compile compiles the indicator at an index of the document.
func compile(p *profile.Profile, doc *oatf.Document, at int, opt *Options) indicator {
	a := &doc.Attack
	source := view.Canonical(p, a.Indicators[at], at+1, a.ID, a.Execution.Mode)
	c := indicator{Selection: Selection{IndicatorID: *source.ID, Surface: source.SurfaceName(), Kinds: p.KindsShowing(source.SurfaceName())}, opt: opt}
	if p.Evaluation.Operations {
		c.scope(p, &source)
	}
	if source.Protocol != nil {
		c.Protocol = *source.Protocol
	}
	if err := c.compileMethod(p, &source); err != nil {
		c.fault = c.failed(oatf.EvaluationTypeError, err)
	}
	c.Envelope = c.envelope(p)
	return c
}

// scope sets which messages an indicator examines, for surfaces that are operations.
func (c *indicator) scope(p *profile.Profile, source *oatf.Indicator) {
	if source.Surface != nil {
		c.Kinds = []oatf.MessageKind{{Method: string(c.Surface)}}
		c.operation = protocol.Canonical(cmp.Or(p.Renamed[string(c.Surface)], string(c.Surface)))
	}
	if source.Actor != nil {
		c.Actor = *source.Actor
	}
	if source.Direction != nil {
		c.Direction = *source.Direction
	}
}

func (c *indicator) compileMethod(as *profile.Profile, source *oatf.Indicator) (err error) {
	methods := 0
	if p := source.Pattern; p != nil {
		methods++
		c.Method, c.Target = Pattern, p.Target
		c.pattern, err = compilePattern(as, p, c.opt.Budget)
	}
	if e := source.Expression; e != nil {
		methods++
		c.Method, c.expression = Expression, e
		err = checkVariables(e)
		if c.opt.CEL == nil {
			c.absent = noCEL
		}
	}
	if s := source.Semantic; s != nil {
		methods++
		c.Method, c.Target, c.semantic = Semantic, s.Target, s
		c.path, err = compileTarget(s.Target)
		if c.opt.Semantic == nil {
			c.absent = noSemantic
		}
	}
	if methods != 1 {
		c.Method, c.absent = "", ""
		return &oatf.EvaluationError{
			Kind: oatf.EvaluationUnsupportedMethod, Message: "expected exactly one of pattern, expression and semantic in the indicator",
		}
	}
	return err
}

// failed returns an error of this indicator. kind applies unless err is an EvaluationError.
func (c *indicator) failed(kind oatf.EvaluationErrorKind, err error) *oatf.EvaluationError {
	var own *oatf.EvaluationError
	errors.As(evaluationError(kind, err), &own)
	own.IndicatorID = c.IndicatorID
	return own
}
