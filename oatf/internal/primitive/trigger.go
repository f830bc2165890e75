package primitive

import (
	"math"
	"time"

	"github.com/cupel-dev/cupel/internal/jcs"
	"github.com/cupel-dev/cupel/oatf/internal/profile"
	"github.com/cupel-dev/cupel/oatf/internal/value"
	"github.com/cupel-dev/cupel/oatf/model"
)

// Trigger is a trigger (§5.8), ready for any number of events.
type Trigger struct {
	profile         *profile.Profile
	base, qualifier string
	hasEvent        bool
	hasQualifier    bool
	count           int64
	match           *Predicate // nil is any content
	after           time.Duration
	hasAfter        bool
}

// CompileTrigger compiles a trigger. A nil trigger (of a terminal phase) never advances. An invalid duration is an
// error of kind type_error; other errors are those of CompilePredicate.
func CompileTrigger(p *profile.Profile, t *model.Trigger) (*Trigger, error) {
	compiled := &Trigger{profile: p, count: 1}
	if t == nil {
		return compiled, nil
	}
	if t.Event != nil {
		compiled.hasEvent = true
		compiled.base, compiled.qualifier, compiled.hasQualifier = p.SplitEvent(*t.Event)
	}
	if t.Count != nil {
		compiled.count = *t.Count
	}
	var err error
	if t.Match != nil {
		if compiled.match, err = CompilePredicate(p, t.Match); err != nil {
			return nil, err
		}
	}
	if t.After != nil {
		compiled.hasAfter = true
		if compiled.after, err = t.After.Duration(); err != nil {
			return nil, fault(model.EvaluationTypeError, "%v", err)
		}
	}
	return compiled, nil
}

// Evaluate reports whether the phase advances when an event happens at the given time after the phase's start. The
// timeout has precedence: later events are not counted. Only matching events change the state.
func (t *Trigger) Evaluate(event *model.ProtocolEvent, elapsed time.Duration, state *model.TriggerState, protocol model.Protocol) model.TriggerResult {
	if t.hasAfter && elapsed >= t.after {
		return model.TriggerResult{Advanced: true, Reason: model.AdvanceTimeout}
	}
	if event == nil || !t.matches(event, protocol) {
		return model.TriggerResult{}
	}
	if state.EventCount < math.MaxInt64 {
		state.EventCount++
	}
	if state.EventCount < t.count {
		return model.TriggerResult{}
	}
	return model.TriggerResult{Advanced: true, Reason: model.AdvanceEventMatched}
}

// matches reports whether base event, qualifier and content of an event are the trigger's.
func (t *Trigger) matches(event *model.ProtocolEvent, protocol model.Protocol) bool {
	if !t.hasEvent || event.EventType != t.base {
		return false
	}
	if t.hasQualifier {
		if qualifier, found := qualifierOf(t.profile, event, protocol); !found || qualifier != t.qualifier {
			return false
		}
	}
	return t.match == nil || t.match.Match(event.Content)
}

func qualifierOf(p *profile.Profile, event *model.ProtocolEvent, protocol model.Protocol) (qualifier string, found bool) {
	if event.Qualifier != nil {
		return *event.Qualifier, true
	}
	return ResolveQualifier(p, protocol, event.EventType, event.Content)
}

// ResolveQualifier returns the qualifier of an event (§5.9a): the string, number or boolean at the registry's path
// in its content. Numbers are formatted as in RFC 8785, so that 42 and 42.0 are equal.
func ResolveQualifier(p *profile.Profile, protocol model.Protocol, event string, content model.Value) (qualifier string, found bool) {
	path, found := p.QualifierPath(protocol, event)
	if !found {
		return "", false
	}
	resolved, _ := ResolveSimple(path, content)
	switch v := resolved.(type) {
	case string:
		return v, true
	case bool:
		return string(value.Text(nil, v)), true
	case model.Number:
		return canonicalNumber(v), true
	}
	return "", false
}

// canonicalNumber formats a number by its value. Integers keep all digits.
func canonicalNumber(n model.Number) string {
	if f := n.Float64(); !math.IsInf(f, 0) && !math.IsNaN(f) && (!n.IsInteger() || n == "-0") {
		return string(jcs.AppendFloat(nil, f))
	}
	return string(n)
}
