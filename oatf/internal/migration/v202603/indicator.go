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

// laterKeys are keys missing in the earlier revision, except surface and target.
var laterKeys = []string{"actor", "direction", "method", "tier"}

// keptTarget is a match's target that differs from the indicator's.
const keptTarget = "match.target"

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

// meant returns the surface for an operation and direction: the only one, or the one whose default target is closest.
func meant(protocol model.Protocol, operation, direction, target string) (best *surface) {
	if operation == "" {
		return nil
	}
	var of []*surface
	for i := range surfaces[protocol] {
		if s := &surfaces[protocol][i]; s.operation == operation && s.direction == direction {
			of = append(of, s)
		}
	}
	if len(of) == 1 {
		return of[0]
	}
	for _, s := range of {
		if leads(s.target, target) && (best == nil || len(s.target) > len(best.target)) {
			best = s
		}
	}
	return best
}

// leads reports whether a path is a prefix of another one.
func leads(path, target string) bool {
	path, target = strings.ReplaceAll(path, "[*]", ""), strings.ReplaceAll(target, "[*]", "")
	return path == "" || target == path || strings.HasPrefix(target, path+".")
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
	name, has := in.Text("surface")
	s := named(in.protocol, name)
	in.upTarget(s, in.upSurface(s, name, has))
	for _, key := range laterKeys {
		in.Restore(key)
	}
	in.differ(s)
}

// upSurface replaces the surface. kept reports that the old one was kept.
func (in indicator) upSurface(s *surface, name string, has bool) (kept bool) {
	switch {
	case !has:
		in.Restore("surface")
		return false
	case s != nil && s.operation != "":
		in.Set("surface", patch.Text(s.operation))
		in.Put("direction", patch.Text(s.direction), "surface")
		if meant(in.protocol, s.operation, s.direction, s.target) != s {
			in.KeepText("surface", name, "direction")
			return true
		}
		return false
	case s != nil:
		in.Lose("surface", "the surface %s is not a single operation of %s", name, later)
		return true
	case in.isKnownProtocol():
		in.Lose("surface", "the surface %s has no counterpart in %s", say.Quoted(name), later)
		return true
	}
	return false
}

func (in indicator) isKnownProtocol() bool {
	return in.protocol == "" || slices.Contains(vocabulary.KnownProtocols[:], in.protocol)
}

// upTarget sets the indicator's target: that of its match, or its surface's default.
func (in indicator) upTarget(s *surface, kept bool) {
	if in.Has("target") || in.Restore("target") {
		return
	}
	given, isGiven := in.match.Text("target")
	switch {
	case isGiven && in.rises(s, kept, given):
		key, target := in.Remove(in.match.Node, in.Index(in.match.Node, "target"))
		bare := s.bare(given)
		if bare != given {
			target = in.Instead(target, patch.Text(bare))
		}
		in.putTarget(key, target)
		if bare != given {
			in.KeepText(keptTarget, given, "target")
		}
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

// rises reports whether a match's target becomes the indicator's, so that converting back finds the surface. kept
// forces it.
func (in indicator) rises(s *surface, kept bool, given string) bool {
	if s == nil {
		return true
	}
	bare := s.bare(given)
	if given == s.target {
		return false
	}
	return kept || meant(in.protocol, s.operation, s.direction, bare) == s
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
		for _, before := range []string{"id", "protocol", migration.Prefix + "direction", migration.Prefix + "actor", migration.Prefix + "method", migration.Prefix + "tier"} {
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

// down sets an indicator's surface from its operation, direction and target.
func (in indicator) down() {
	s, kept := in.downSurface()
	in.downTarget(s, kept)
	for _, key := range laterKeys {
		if in.Has(key) {
			in.Lose(key, "%s of an indicator has no counterpart in %s", key, earlier)
		}
	}
	switch {
	case in.Has("surface"):
		in.differ(s)
	case !in.Has(migration.Prefix + "surface"): // otherwise known
		in.Lost("surface", "%s requires a surface; none is guessed", earlier)
	}
}

// downSurface replaces operation and direction; nil if they match no surface. kept reports that the surface was kept.
func (in indicator) downSurface() (s *surface, kept bool) {
	operation, has := in.Text("surface")
	direction, _ := in.Text("direction")
	target, _ := in.Text("target")
	if old, ok := in.Text(migration.Prefix + "surface"); ok {
		switch s := named(in.protocol, old); {
		case !has:
			in.Restore("surface")
			return s, true
		case s != nil && s.operation == operation && s.direction == direction:
			in.Drop(migration.Prefix + "surface")
			in.Drop("direction")
			in.Set("surface", patch.Text(old))
			return s, true
		}
	}
	switch s := meant(in.protocol, operation, direction, target); {
	case !has:
	case s != nil:
		in.Set("surface", patch.Text(s.name))
		in.Drop("direction")
		return s, false
	case in.isKnownProtocol():
		in.Lose("surface", "the operation %s%s is not a surface of %s, which requires one; none is guessed", say.Quoted(operation), in.side(direction), earlier)
	}
	return nil, false
}

func (in indicator) side(direction string) string {
	switch direction {
	case "":
		return " in both directions"
	case request, response:
		target, _ := in.Text("target")
		return " as a " + direction + " with the target " + say.Quoted(target)
	}
	return ""
}

// downTarget moves the indicator's target to its match, unless it is the default or the match has one.
func (in indicator) downTarget(s *surface, kept bool) {
	node := in.Value("target")
	target, is := migration.String(node)
	own, owned := in.match.Text("target")
	old, enveloped := in.Text(migration.Prefix + keptTarget)
	switch {
	case !is:
	case enveloped && !owned && s.bare(old) == target && in.match.Node != nil:
		in.Drop(migration.Prefix + keptTarget)
		in.lower(in.Instead(node, patch.Text(old)))
	case s != nil && target == s.target && (!owned || !in.rises(s, kept, own)):
		in.Drop("target")
	case s == nil && target == "" && in.isExpression():
		in.Drop("target")
	case owned:
		in.Keep("target") // redundant
	case in.match.Node != nil:
		in.lower(node)
	default:
		in.Lose("target", "the target %s of an indicator without a match has no counterpart in %s", say.Quoted(target), earlier)
	}
}

// lower moves the indicator's target into its match.
func (in indicator) lower(target *yaml.Node) {
	key, _ := in.Remove(in.Node, in.Index(in.Node, "target"))
	in.Insert(in.match.Node, 0, key, target)
}
