package session

// part takes the events of a log in file order. It has a state and rules of its own and
// reads no other's; what it learns for the parts after it stands on the event.
type part interface {
	take(e *event)
	// takeRun does what take would with each event of a run.
	takeRun(r *run)
}

// parts are all that is remembered of a log. A family that has no use for one leaves it
// out of its list.
type parts struct {
	beginning  beginning
	identity   identity
	authority  authority
	chain      chain
	versions   versionLog
	seal       seal
	course     course
	eventIDs   eventIDs
	clocks     clocks
	scope      scope
	merkle     merkle
	signatures signatures
	tools      tools
	profiles   profileLog
	anchors    anchors
}

// list returns the parts of an envelope in the order in which they take an event. Those
// that find the cause of an event's faults come before those that name it.
func (p *parts) list(env *envelope) []part {
	list := make([]part, 0, 16)
	if env.ordered && !p.merkle.after {
		list = append(list, &p.beginning)
	}
	list = append(list, &p.identity, &p.authority, &p.chain)
	if env.versions {
		list = append(list, &p.versions)
	}
	list = append(list, &p.seal, &p.course, &p.scope)
	if env.whole {
		list = append(list, &p.merkle)
	}
	if env.chained {
		list = append(list, &p.eventIDs, &p.clocks, &p.signatures, &p.profiles)
	}
	if env.tables {
		list = append(list, &p.tools)
	}
	if p.anchors.anchor != nil {
		list = append(list, &p.anchors)
	}
	return list
}
