package oatf

import "github.com/cupel-dev/cupel/oatf/internal/parse"

// ConditionOf parses a condition (§2.11): an object with an operator is a set of operators, any other value is
// compared for equality. The error is a ParseErrors with paths inside the value.
func ConditionOf(v Value) (*Condition, error) { return sdk01.ConditionOf(v) }

// ConditionOf is [ConditionOf] under the profile.
func (p Profile) ConditionOf(v Value) (*Condition, error) { return parse.Condition(p.profile, v) }

// PredicateOf parses a match predicate (§2.10), an object of dot-paths and conditions, such as the `when` of a
// response. The error is a ParseErrors with paths inside the value.
func PredicateOf(v Value) (MatchPredicate, error) { return sdk01.PredicateOf(v) }

// PredicateOf is [PredicateOf] under the profile.
func (p Profile) PredicateOf(v Value) (MatchPredicate, error) { return parse.Predicate(p.profile, v) }

// TriggerOf parses a trigger of a phase (§2.8). The error is a ParseErrors with paths inside the value. The checks
// of Validate are not made.
func TriggerOf(v Value) (*Trigger, error) { return sdk01.TriggerOf(v) }

// TriggerOf is [TriggerOf] under the profile.
func (p Profile) TriggerOf(v Value) (*Trigger, error) { return parse.Trigger(p.profile, v) }

// ResponseOf parses an entry of a state's responses (§2.24). A null `when` or `synthesize` counts as absent; other
// members are the static content. The error names the member.
func ResponseOf(v Value) (*ResponseEntry, error) { return sdk01.ResponseOf(v) }

// ResponseOf is [ResponseOf] under the profile.
func (p Profile) ResponseOf(v Value) (*ResponseEntry, error) { return parse.Response(p.profile, v) }

// IndicatorOf parses an indicator (§2.12). The error is a ParseErrors with paths inside the value. The checks of
// Validate are not made.
func IndicatorOf(v Value) (*Indicator, error) { return sdk01.IndicatorOf(v) }

// IndicatorOf is [IndicatorOf] under the profile.
func (p Profile) IndicatorOf(v Value) (*Indicator, error) { return parse.Indicator(p.profile, v) }
