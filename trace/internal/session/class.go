package session

import "github.com/cupel-dev/cupel/trace/internal/stream"

// claim holds the facts about an intact log that decide its evidence class.
type claim struct {
	chained   bool
	whole     bool   // the log is of an envelope 1.0
	authority string // of the log
	seal      sealState
	ended     bool // with SESSION_END
	dropped   bool // it has a LOG_DROP
	reset     bool // it has a CHAIN_BROKEN
}

// class returns the evidence class, or "" for a log without hashes.
func (c claim) class() stream.EvidenceClass {
	switch {
	case !c.chained:
		return ""
	case c.whole:
		return c.class1()
	case c.authority == "sdk":
		return stream.NonAuthoritativeEvidence
	case !isServer(c.authority):
		return stream.UnknownEvidence
	case c.seal.Last && c.seal.Complete && c.ended && !c.dropped:
		return stream.AuthoritativeEvidence
	}
	return stream.PartialAuthoritativeEvidence
}

// class1 returns the evidence class of an envelope 1.0 log, which only the server can seal.
func (c claim) class1() stream.EvidenceClass {
	switch {
	case c.seal.Line == 0:
		return stream.NonAuthoritativeEvidence
	case c.dropped || c.reset || !c.seal.Complete || !c.seal.Last:
		return stream.PartialAuthoritativeEvidence
	}
	return stream.AuthoritativeEvidence
}
