package parse

import (
	"errors"
	"fmt"
	"reflect"
	"strconv"

	"go.yaml.in/yaml/v4"

	"github.com/cupel-dev/cupel/oatf/internal/keytable"
	"github.com/cupel-dev/cupel/oatf/internal/place"
	"github.com/cupel-dev/cupel/oatf/internal/profile"
	"github.com/cupel-dev/cupel/oatf/internal/yamltext"
	"github.com/cupel-dev/cupel/oatf/model"
)

// Condition parses a condition in a free-form value.
func Condition(p *profile.Profile, v model.Value) (*model.Condition, error) {
	return fragment[model.Condition](p, v, keytable.Condition)
}

// Predicate parses a predicate in a free-form value.
func Predicate(r *profile.Profile, v model.Value) (model.MatchPredicate, error) {
	p, err := fragment[model.MatchPredicate](r, v, keytable.Predicate)
	if err != nil {
		return nil, err
	}
	return *p, nil
}

// Trigger parses a trigger in a free-form value.
func Trigger(p *profile.Profile, v model.Value) (*model.Trigger, error) {
	return fragment[model.Trigger](p, v, keytable.Trigger)
}

// Indicator parses an indicator in a free-form value.
func Indicator(p *profile.Profile, v model.Value) (*model.Indicator, error) {
	return fragment[model.Indicator](p, v, keytable.Indicator)
}

// fragment parses a part of a document from a value. Errors have paths inside the value and no positions.
func fragment[T any](p *profile.Profile, v model.Value, s *keytable.Shape) (*T, error) {
	source := &place.Source{Root: nodeOf(v), Lines: place.SplitLines(""), Limits: model.Limits{}.WithDefaults()}
	r := &parser{faults: yamltext.NewFaults(source), profile: p}
	part := new(T)
	node{parser: r, yaml: source.Root, index: whole}.read(reflect.ValueOf(part).Elem(), s)
	if faults := r.faults.Sorted(); len(faults) > 0 {
		return nil, model.ParseErrors(faults)
	}
	return part, nil
}

func nodeOf(v model.Value) *yaml.Node {
	switch v := v.(type) {
	case model.Object:
		n := &yaml.Node{Kind: yaml.MappingNode}
		for _, m := range v {
			n.Content = append(n.Content, quoted(m.Key), nodeOf(m.Value))
		}
		return n
	case []model.Value:
		n := &yaml.Node{Kind: yaml.SequenceNode}
		for _, item := range v {
			n.Content = append(n.Content, nodeOf(item))
		}
		return n
	case string:
		return quoted(v)
	case model.Number:
		return &yaml.Node{Kind: yaml.ScalarNode, Value: string(v)}
	case bool:
		return &yaml.Node{Kind: yaml.ScalarNode, Value: strconv.FormatBool(v)}
	}
	return &yaml.Node{Kind: yaml.ScalarNode}
}

func quoted(s string) *yaml.Node {
	return &yaml.Node{Kind: yaml.ScalarNode, Style: yaml.DoubleQuotedStyle, Value: s}
}

// Response parses a response entry (§2.24) in a free-form value.
func Response(p *profile.Profile, v model.Value) (*model.ResponseEntry, error) {
	object, ok := v.(model.Object)
	if !ok {
		return nil, errors.New("expected a mapping with the response")
	}
	entry := &model.ResponseEntry{}
	for _, m := range object {
		var err error
		switch {
		case m.Key == "when" && m.Value != nil:
			entry.When, err = Predicate(p, m.Value)
		case m.Key == "synthesize" && m.Value != nil:
			entry.Synthesize, err = synthesizeBlock(p, m.Value)
		case m.Key != "when" && m.Key != "synthesize":
			entry.Static = append(entry.Static, m)
		}
		if err != nil {
			return nil, fmt.Errorf("%s: %w", m.Key, err)
		}
	}
	return entry, nil
}

// synthesizeBlock parses a synthesize block. It ignores the block if the revision only reserves it.
func synthesizeBlock(p *profile.Profile, v model.Value) (*model.SynthesizeBlock, error) {
	object, _ := v.(model.Object)
	prompt, _ := object.Get("prompt")
	text, ok := prompt.(string)
	if !ok && !p.Simulation.Reserved {
		return nil, errors.New("expected a mapping with a prompt (a string)")
	}
	return &model.SynthesizeBlock{Prompt: text}, nil
}
