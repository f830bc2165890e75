package session

// part processes the events of a log in file order. Its state and rules are private. Results for later parts are
// stored on the event.
type part interface {
	take(e *event)
	// takeRun is equivalent to take for each event of a run.
	takeRun(r *run)
}

// parts is the state of a log. A family lists only the parts that it needs.
type parts struct {
	beginning  startRule
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

// list returns the parts of an envelope in processing order: causes of faults before consequences.
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
