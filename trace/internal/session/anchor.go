package session

import (
	"crypto/sha256"
	"fmt"

	"github.com/cupel-dev/cupel/internal/say"
	"github.com/cupel-dev/cupel/trace/internal/stream"
)

// Anchor is a known earlier state of a log. The log must still start with these events.
type Anchor struct {
	Events int64  `json:"events"`
	Head   string `json:"head"` // hash of the last event then; "" for a log without hashes
}

// After identifies the event before the log's first event, for logs whose older events were archived.
type After struct {
	Events int64 // up to it
	Head   string
}

// Set is the state of a log's sessions at an earlier time.
type Set struct {
	Of      map[[sha256.Size]byte]Anchor // by the digests of their ids
	Growing bool                         // they can have grown
}

// anchors compares a log with an anchor, an expected head or an expected number of events.
type anchors struct {
	anchor *Anchor
	count  *int64
	head   string
	out    *reporter

	cut []stream.Damage // missing end
}

// asked reports whether the caller stated how the log must end.
func (p *anchors) asked() bool { return p.head != "" || p.count != nil || p.anchor != nil }

// take compares the event at the anchor's position with the anchor.
func (p *anchors) take(e *event) {
	if a := p.anchor; a != nil && e.nth == a.Events {
		if found := e.hash.head(); a.Head != "" && found != a.Head {
			p.out.fault(e, remark{
				rule: ruleAnchorHead, at: eventHash, message: fmt.Sprintf("event %d is not the one that the anchor ends with", a.Events),
				expected: a.Head, found: found,
			})
		}
	}
}

func (p *anchors) finish(events int64, last position) {
	if a := p.anchor; a != nil && events < a.Events {
		p.short(events, a.Events, "the anchor has", last)
	}
	if want := p.count; want != nil && events < *want {
		p.short(events, *want, "expected", last)
	} else if want != nil && events > *want {
		p.unmet(ruleAnchorCount, fmt.Sprintf("the log has %s, expected %d: %d too many", say.Counted(events, "event"), *want, events-*want), fmt.Sprint(*want), fmt.Sprint(events))
	}
	if want := p.head; want != "" && last.Hash.head() != want {
		p.unmet(ruleAnchorHead, "the last event's hash is not the expected one", want, last.Hash.head())
	}
}

// short reports a log with fewer events than expected.
func (p *anchors) short(events, want int64, says string, last position) {
	missing := want - events
	p.unmet(ruleAnchorCount, fmt.Sprintf("the log has %s, %s %d: %d missing", say.Counted(events, "event"), says, want, missing), fmt.Sprint(want), fmt.Sprint(events))
	p.cut = append(p.cut, stream.Damage{Kind: stream.DamageCut, From: int64(last.Line), To: int64(last.Line), Count: missing})
}

func (p *anchors) unmet(r rule, message, expected, found string) {
	f := rules[r].New(message)
	f.Expected, f.Found = expected, found
	p.out.unmet(f)
}

// notCovered returns a limitation if nothing proves where the log ends.
func (p *anchors) notCovered(events int64) []string {
	if !p.asked() {
		return []string{
			"the tail: events removed from the end leave no mark in the log; only an anchor kept elsewhere reveals that",
			"a rewrite of the whole log: its hashes have no key, so a rewrite can renew them all",
		}
	}
	if a := p.anchor; a != nil && events > a.Events {
		return []string{fmt.Sprintf("the end of the %s after the anchored ones: no anchor covers it yet", say.Counted(events-a.Events, "event"))}
	}
	return nil
}

// withCut appends the missing end of the log to a damage list, up to maxDamage.
func (p *anchors) withCut(list []stream.Damage) []stream.Damage {
	return append(list, p.cut[:min(len(p.cut), max(0, maxDamage-len(list)))]...)
}
