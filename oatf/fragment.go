package oatf

import "github.com/cupel-dev/cupel/oatf/internal/parse"

// ConditionOf reads a condition (§2.11) that a free-form value holds, such as one that
// ParseValue made of its text: an object with at least one operator is a set of operators,
// anything else a value to compare with. The error is a ParseErrors with paths inside of
// the value.
func ConditionOf(v Value) (*Condition, error) { return sdk01.ConditionOf(v) }

// ConditionOf is [ConditionOf] under the profile.
func (p Profile) ConditionOf(v Value) (*Condition, error) { return parse.Condition(p.profile, v) }

// PredicateOf reads a match predicate (§2.10), an object of dot-paths and conditions, such as
// the `when` of a response, which stands in free-form state. The error is a ParseErrors with
// paths inside of the value.
func PredicateOf(v Value) (MatchPredicate, error) { return sdk01.PredicateOf(v) }

// PredicateOf is [PredicateOf] under the profile.
func (p Profile) PredicateOf(v Value) (MatchPredicate, error) { return parse.Predicate(p.profile, v) }

// TriggerOf reads a trigger (§2.8), as it stands in a phase. The error is a ParseErrors with
// paths inside of the value; what Validate has to say of triggers is not among it.
func TriggerOf(v Value) (*Trigger, error) { return sdk01.TriggerOf(v) }

// TriggerOf is [TriggerOf] under the profile.
func (p Profile) TriggerOf(v Value) (*Trigger, error) { return parse.Trigger(p.profile, v) }

// ResponseOf reads a response entry (§2.24), as it stands in the responses of a state. A
// `when` or `synthesize` that is null counts as absent; all other members are the static
// content. The error names the member that it is about.
func ResponseOf(v Value) (*ResponseEntry, error) { return sdk01.ResponseOf(v) }

// ResponseOf is [ResponseOf] under the profile.
func (p Profile) ResponseOf(v Value) (*ResponseEntry, error) { return parse.Response(p.profile, v) }

// IndicatorOf reads an indicator (§2.12), as it stands among those of an attack. The error is
// a ParseErrors with paths inside of the value; what Validate has to say of indicators is not
// among it.
func IndicatorOf(v Value) (*Indicator, error) { return sdk01.IndicatorOf(v) }

// IndicatorOf is [IndicatorOf] under the profile.
func (p Profile) IndicatorOf(v Value) (*Indicator, error) { return parse.Indicator(p.profile, v) }
