package lint

import (
	"slices"
	"strings"

	"github.com/cupel-dev/cupel/internal/say"
	"github.com/cupel-dev/cupel/oatf/internal/place"
	"github.com/cupel-dev/cupel/oatf/internal/profile"
	payloads "github.com/cupel-dev/cupel/oatf/internal/protocol"
	"github.com/cupel-dev/cupel/oatf/internal/rules"
	"github.com/cupel-dev/cupel/oatf/internal/view"
	"github.com/cupel-dev/cupel/oatf/model"
)

// lintWrappedTargets finds indicators with a target in the envelope, explicit or by default.
func lintWrappedTargets(doc *view.Document, out *reporter) {
	stands := sidesOf(doc)
	doc.EachIndicator(func(ind *model.Indicator, at *place.Path) {
		lintDefaultTarget(doc, out, ind, at)
		target, at := targetOf(ind, at)
		if target == nil {
			return
		}
		protocol := doc.Protocol(ind)
		first, rest, _ := strings.Cut(*target, ".")
		first = strings.TrimSuffix(first, "[*]")
		if alias, _ := payloads.AliasOf(protocol, *target); alias != payloads.NoAlias || !slices.Contains(doc.Profile.Lint.Envelope[protocol], first) {
			return
		}
		if first == "params" && stands.of(ind, protocol)&only(profile.ClientSide) != 0 {
			return // a client observes a call's params with the result
		}
		out.warn(rules.EnvelopeTarget, at, "target %s begins with %s, which is not part of the message that indicators see", say.Quoted(*target), first).Help = inside(rest)
	})
}

// inside returns the replacement for a target, given the path inside the message.
func inside(rest string) string {
	if rest == "" {
		return `write a target inside it, or "" for all of it`
	}
	return "write a member inside it, such as " + say.Preview(rest, say.Usual)
}

// targetOf returns an indicator's effective target and its place, or nil.
func targetOf(ind *model.Indicator, at *place.Path) (*string, *place.Path) {
	switch p, s := ind.Pattern, ind.Semantic; {
	case p != nil && p.Target != nil:
		return p.Target, at.Field("pattern").Field("target")
	case s != nil && s.Target != nil:
		return s.Target, at.Field("semantic").Field("target")
	case p != nil || s != nil:
		return ind.Target, at.Field("target")
	}
	return nil, at
}

// lintDefaultTarget finds an indicator whose default target begins at the envelope.
func lintDefaultTarget(doc *view.Document, out *reporter, ind *model.Indicator, at *place.Path) {
	row, known := doc.Surface(ind)
	if !known || row.Target != "params" && row.Target != "result" {
		return
	}
	defaulted := func(target *string) bool { return target == nil || *target == row.Target }
	if p := ind.Pattern; p != nil && defaulted(p.Target) || ind.Semantic != nil && defaulted(ind.Semantic.Target) {
		out.warn(rules.EnvelopeTarget, at.Field("surface"), "the default target %s of surface %s is not part of the message that indicators see", say.Quoted(row.Target), row.Surface).Help = `give a target inside it, or "" for all of it`
	}
}
