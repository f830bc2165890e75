package lint

import (
	"strings"

	"github.com/cupel-dev/cupel/oatf/internal/place"
	"github.com/cupel-dev/cupel/oatf/internal/profile"
	"github.com/cupel-dev/cupel/oatf/internal/rules"
	"github.com/cupel-dev/cupel/oatf/internal/view"
	"github.com/cupel-dev/cupel/oatf/internal/vocabulary"
	"github.com/cupel-dev/cupel/oatf/model"
)

// lintOwnPayload finds indicators on messages that only the document's actors send, because the named actor, or
// every actor, is on the sending side.
func lintOwnPayload(doc *view.Document, out *reporter) {
	sideSets := sidesOf(doc)
	doc.EachIndicator(func(ind *model.Indicator, at *place.Path) {
		protocol := doc.Protocol(ind)
		sides := doc.Profile.Lint.Senders[ind.SurfaceName()]
		fills := sides.Of(ind.Direction)
		if fills == profile.EitherSide || !doc.Profile.HasSurface(protocol, ind.SurfaceName()) || sideSets.of(ind, protocol) != only(fills) {
			return
		}
		d := out.warn(rules.OwnPayload, at.Field("surface"), "%s is sent by the attacker: a match shows the payload, not that the agent complied", selected(ind))
		d.Help = "look at messages that the agent sends" + instead(doc.Profile, ind, protocol, sides)
	})
}

func selected(ind *model.Indicator) string {
	if ind.Direction == nil {
		return "surface " + string(ind.SurfaceName())
	}
	return "the " + string(*ind.Direction) + " of " + string(ind.SurfaceName())
}

// instead suggests the agent's messages: the operation's other direction, or surfaces of the other side.
func instead(p *profile.Profile, ind *model.Indicator, protocol model.Protocol, sides profile.Sides) string {
	switch {
	case sides.Request == sides.Response && p.HasDirections():
		return ""
	case sides.Request == sides.Response:
		return ": " + strings.Join(otherSurfaces(p, protocol, sides), ", ")
	case *ind.Direction == model.DirectionRequest:
		return ": direction: response"
	}
	return ": direction: request"
}

// otherSurfaces returns a protocol's surfaces that the other side can send.
func otherSurfaces(p *profile.Profile, protocol model.Protocol, mine profile.Sides) (list []string) {
	for _, row := range p.Surfaces {
		if row.Protocol == protocol && p.Lint.Senders[row.Surface] != mine {
			list = append(list, string(row.Surface))
		}
	}
	return list
}

type sideSet uint8

func only(side profile.Side) sideSet { return 1 << side }

// sideSets maps a protocol's actors, all and by name, to sides.
type sideSets map[actorKey]sideSet

type actorKey struct {
	protocol model.Protocol
	named    bool
	actor    string
}

func sidesOf(doc *view.Document) sideSets {
	s := sideSets{}
	doc.EachPhase(func(a *view.Actor, ph view.Phase) {
		side := only(profile.ClientSide)
		if strings.HasSuffix(string(ph.Mode), "_server") {
			side = only(profile.ServerSide)
		}
		protocol := vocabulary.ExtractProtocol(ph.Mode)
		s[actorKey{protocol: protocol}] |= side
		s[actorKey{protocol, true, a.Name}] |= side
	})
	return s
}

// of returns the sides of the actors whose messages an indicator examines.
func (s sideSets) of(ind *model.Indicator, protocol model.Protocol) sideSet {
	if ind.Actor != nil {
		return s[actorKey{protocol, true, *ind.Actor}]
	}
	return s[actorKey{protocol: protocol}]
}
