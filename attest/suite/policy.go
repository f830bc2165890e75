package suite

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"maps"
	"slices"
	"strconv"
	"strings"

	"go.yaml.in/yaml/v4"
	"go.yaml.in/yaml/v4/plugin/loaderlimits"

	"github.com/cupel-dev/cupel/attest"
	"github.com/cupel-dev/cupel/attest/internal/check"
	"github.com/cupel-dev/cupel/attest/internal/rule"
	"github.com/cupel-dev/cupel/finding"
	"github.com/cupel-dev/cupel/internal/suggest"
	"github.com/cupel-dev/cupel/internal/yamlfault"
)

// Policy says which failures of a run block it.
type Policy struct {
	Layers            map[string]LayerPolicy         // by type of assertion
	MaxCost           *float64                       // USD for all calls of models; nil: no limit
	BlockOnRegression bool                           // a result that is worse than in an earlier run blocks
	Classes           map[attest.FailureClass]string // allow or block; the default is block
}

// LayerPolicy limits the failures of one type of assertion. nil: a soft failure never blocks, a hard one always.
type LayerPolicy struct {
	MaxHard, MaxSoft *int
}

// The values of a failure class.
const (
	allow = "allow"
	block = "block"
)

// ParsePolicy reads a policy in YAML or JSON. Errors name the line.
func ParsePolicy(data []byte) (*Policy, error) {
	loader, err := yaml.NewLoader(bytes.NewReader(data), yaml.WithPlugin(loaderlimits.New(loaderlimits.DepthValue(maxYAMLDepth))))
	var node, second yaml.Node
	if err == nil {
		err = loader.Load(&node)
	}
	switch {
	case errors.Is(err, io.EOF) || err == nil && len(node.Content) == 0:
		return nil, errEmpty
	case err != nil:
		line, column, message := yamlfault.Of(err)
		return nil, inLine(&yaml.Node{Line: max(line, 1), Column: column}, "%s", message)
	case loader.Load(&second) == nil:
		return nil, inLine(&second, "a policy is one YAML document, and a second begins here")
	}
	p := &Policy{Layers: map[string]LayerPolicy{}, Classes: map[attest.FailureClass]string{}}
	members := map[string]func(*yaml.Node) error{
		"layers": p.readLayers,
		"max_cost_usd": func(n *yaml.Node) error {
			limit, err := strconv.ParseFloat(n.Value, 64)
			p.MaxCost = &limit
			if err != nil || !(limit >= 0) || limit > 1e12 {
				return errors.New("max_cost_usd must be a number of dollars of 0 or more")
			}
			return nil
		},
		"block_on_regression": func(n *yaml.Node) error {
			p.BlockOnRegression = n.Value == "true"
			if n.Value != "true" && n.Value != "false" {
				return errors.New("block_on_regression must be true or false")
			}
			return nil
		},
		"failure_classes": p.readClasses,
	}
	return p, eachMember(node.Content[0], "a policy", members)
}

// lineError is an error in a line of a policy.
type lineError struct {
	err  error
	line int
}

func (e *lineError) Error() string { return fmt.Sprintf("%v (line %d)", e.err, e.line) }

func (e *lineError) Unwrap() error { return e.err }

func inLine(n *yaml.Node, format string, args ...any) error {
	return &lineError{fmt.Errorf(format, args...), n.Line}
}

// eachMember reads the members of a mapping. Unknown, repeated and nested keys are errors with their line.
func eachMember(n *yaml.Node, where string, members map[string]func(*yaml.Node) error) error {
	if n.Kind != yaml.MappingNode {
		return inLine(n, "%s must be an object", where)
	}
	read := map[string]bool{}
	for i := 0; i+1 < len(n.Content); i += 2 {
		key, value := n.Content[i], n.Content[i+1]
		known := slices.Sorted(maps.Keys(members))
		do := members[key.Value]
		switch {
		case do == nil:
			near := suggest.Nearest(key.Value, known)
			if near != "" {
				return inLine(key, "unknown key %q in %s, did you mean %q?", key.Value, where, near)
			}
			return inLine(key, "unknown key %q in %s, known: %s", key.Value, where, strings.Join(known, ", "))
		case read[key.Value]:
			return inLine(key, "%q occurs twice", key.Value)
		case value.Kind == yaml.AliasNode:
			return inLine(value, "aliases are not supported; write the value out")
		}
		read[key.Value] = true
		if err := do(value); err != nil {
			if _, placed := errors.AsType[*lineError](err); placed {
				return err
			}
			return inLine(value, "%w", err)
		}
	}
	return nil
}

// readLayers reads the limits by layer, a type of assertions.
func (p *Policy) readLayers(n *yaml.Node) error {
	members := map[string]func(*yaml.Node) error{}
	for _, name := range check.TypeNames() {
		read := func(n *yaml.Node) error {
			var l LayerPolicy
			limit := func(into **int) func(*yaml.Node) error {
				return func(n *yaml.Node) error {
					i, err := strconv.Atoi(n.Value)
					*into = &i
					if err != nil || i < 0 {
						return errors.New("a limit must be a whole number of 0 or more")
					}
					return nil
				}
			}
			err := eachMember(n, "the layer "+name, map[string]func(*yaml.Node) error{
				"max_hard_fails": limit(&l.MaxHard), "max_soft_fails": limit(&l.MaxSoft),
			})
			p.Layers[name] = l
			return err
		}
		members[name] = read
	}
	return eachMember(n, "layers", members)
}

func (p *Policy) readClasses(n *yaml.Node) error {
	members := map[string]func(*yaml.Node) error{}
	for _, class := range attest.FailureClasses() {
		members[string(class)] = func(n *yaml.Node) error {
			p.Classes[class] = n.Value
			if n.Value != allow && n.Value != block {
				return errors.New("a failure class is either allow or block")
			}
			return nil
		}
	}
	return eachMember(n, "failure_classes", members)
}

// Tally counts the failures of a run by layer.
type Tally struct{ hard, soft map[string]int }

// Blocks counts a result, and reports whether it blocks the run by itself. A hard failure blocks unless its class is
// allowed or its layer has a limit, which [Policy.Broken] compares at the end. A nil policy allows nothing.
func (p *Policy) Blocks(t *Tally, r attest.Result) bool {
	if r.Status != attest.HardFail && r.Status != attest.SoftFail || r.Skipped {
		return false
	}
	if p == nil {
		return r.Status == attest.HardFail
	}
	if p.Classes[r.FailureClass()] == allow {
		return false
	}
	if t.hard == nil {
		t.hard, t.soft = map[string]int{}, map[string]int{}
	}
	if r.Status == attest.SoftFail {
		t.soft[string(r.Type)]++
		return false
	}
	t.hard[string(r.Type)]++
	return p.Layers[string(r.Type)].MaxHard == nil
}

// Broken returns errors for the limits that a run exceeds. spent is the cost of its models in USD, worse the number
// of results that are worse than in an earlier run.
func (p *Policy) Broken(t Tally, spent float64, worse int) (list []finding.Finding) {
	if p == nil {
		return nil
	}
	add := func(format string, args ...any) {
		list = append(list, rule.PolicyBroken.New(fmt.Sprintf(format, args...)))
	}
	for _, name := range slices.Sorted(maps.Keys(p.Layers)) {
		l := p.Layers[name]
		if n := t.hard[name]; l.MaxHard != nil && n > *l.MaxHard {
			add("hard failures in the layer %s: %d, the policy allows %d", name, n, *l.MaxHard)
		}
		if n := t.soft[name]; l.MaxSoft != nil && n > *l.MaxSoft {
			add("soft failures in the layer %s: %d, the policy allows %d", name, n, *l.MaxSoft)
		}
	}
	if p.MaxCost != nil && spent > *p.MaxCost {
		add("the models cost %v USD, the policy allows %v", spent, *p.MaxCost)
	}
	if p.BlockOnRegression && worse > 0 {
		add("results that are worse than in the earlier run: %d, the policy allows none", worse)
	}
	return list
}
