package v202603

import (
	"slices"
	"strings"

	"go.yaml.in/yaml/v4"

	"github.com/cupel-dev/cupel/internal/say"
	"github.com/cupel-dev/cupel/oatf/internal/migration"
	"github.com/cupel-dev/cupel/oatf/internal/patch"
	"github.com/cupel-dev/cupel/oatf/internal/vocabulary"
	"github.com/cupel-dev/cupel/oatf/model"
)

type indicator struct {
	migration.Object
	protocol model.Protocol
	match    migration.Object    // its pattern or semantic match; nil node if none
	modes    map[model.Mode]bool // of the document's phases
}

func newIndicator(o migration.Object, protocol model.Protocol, modes map[model.Mode]bool) indicator {
	in := indicator{Object: o, protocol: protocol, modes: modes}
	for _, key := range []string{"pattern", "semantic"} {
		if in.match = o.Child(key); in.match.Node != nil {
			break
		}
	}
	return in
}

// named returns the surface of that name in a protocol, or in all if unknown.
func named(protocol model.Protocol, name string) *surface {
	for _, p := range vocabulary.KnownProtocols {
		if protocol != "" && protocol != p {
			continue
		}
		for i := range surfaces[p] {
			if surfaces[p][i].name == name {
				return &surfaces[p][i]
			}
		}
	}
	return nil
}

// bare returns a target of the earlier revision without the envelope that the later has not.
func (s *surface) bare(target string) string {
	if s == nil || s.envelope == "" {
		return target
	}
	if target == s.envelope {
		return ""
	}
	return strings.TrimPrefix(target, s.envelope+".")
}

// up sets an indicator's operation, direction and target from its surface.
func (in indicator) up() {
	name, _ := in.Text("surface")
	s := named(in.protocol, name)
	in.upSurface(s, name)
	in.upTarget(s)
	in.differ(s)
}

// upSurface replaces the surface by an operation and a direction.
func (in indicator) upSurface(s *surface, name string) {
	switch {
	case !in.Has("surface"):
	case s != nil && s.operation != "":
		in.Set("surface", patch.Text(s.operation))
		if in.Has("direction") { // unknown to the earlier revision
			in.Lose("direction", meansNothing, "direction", earlier, later)
		}
		in.Put("direction", patch.Text(s.direction), "surface")
	case s != nil:
		in.Lose("surface", "the surface %s is not a single operation of %s", name, later)
	case in.isKnownProtocol():
		in.Lose("surface", "the surface %s has no counterpart in %s", say.Quoted(name), later)
	}
}

func (in indicator) isKnownProtocol() bool {
	return in.protocol == "" || slices.Contains(vocabulary.KnownProtocols[:], in.protocol)
}

// upTarget sets the indicator's target: that of its match, or its surface's default.
func (in indicator) upTarget(s *surface) {
	if in.Has("target") {
		return
	}
	given, isGiven := in.match.Text("target")
	switch {
	case isGiven:
		key, target := in.Remove(in.match.Node, in.Index(in.match.Node, "target"))
		if bare := s.bare(given); bare != given {
			target = in.Instead(target, patch.Text(bare))
		}
		in.putTarget(key, target)
	case s != nil:
		in.putTarget(patch.Text("target"), patch.Text(s.target))
	case in.isExpression():
		in.putTarget(patch.Text("target"), patch.Text("")) // an expression sees the whole message
	default:
		in.Lost("target", "%s requires a target; none is guessed", later)
	}
}

// isExpression reports whether the indicator has an expression, and no match with a target.
func (in indicator) isExpression() bool {
	return in.match.Node == nil && in.Child("expression").Node != nil
}

// putTarget inserts a target after the surface, or after the other selecting keys.
func (in indicator) putTarget(key, target *yaml.Node) {
	at := -1
	for _, before := range []string{"surface", migration.Prefix + "surface"} {
		if i := in.Index(in.Node, before); i >= 0 && at < 0 {
			at = i + 2
		}
	}
	if at < 0 {
		for _, before := range []string{"id", "protocol"} {
			if i := in.Index(in.Node, before); i >= 0 {
				at = max(at, i+2)
			}
		}
	}
	if at < 0 {
		for _, behind := range []string{"pattern", "expression", "semantic"} {
			at = max(at, in.Index(in.Node, behind))
		}
	}
	in.Insert(in.Node, at, key, target)
}
