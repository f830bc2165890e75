package session

import (
	"fmt"

	"github.com/cupel-dev/cupel/internal/finding"
)

// The codes of a log that does not meet what is known of it from elsewhere.
const (
	codeAnchorCount = "anchor.count"
	codeAnchorHead  = "anchor.head"
)

// passAnchor compares the event up to which the log was anchored.
func (c *Checker) passAnchor(e *event, a *Anchor) {
	if found := hexOf(e.hash); a.Head != "" && found != a.Head {
		c.fault(e, codeAnchorHead, eventHash, "", fmt.Sprintf("event %d is not the one that the anchor ends with", a.Events), a.Head, found)
	}
}

// anchored compares the log's end with what it must be.
func (c *Checker) anchored() {
	if a := c.opt.Anchor; a != nil && c.Events < a.Events {
		c.short(a.Events, "the anchor has")
	}
	if want := c.opt.ExpectCount; want != nil && c.Events < *want {
		c.short(*want, "expected")
	} else if want != nil && c.Events > *want {
		c.unmet(codeAnchorCount, fmt.Sprintf("the log has %d events, expected %d: %d too many", c.Events, *want, c.Events-*want), fmt.Sprint(*want), fmt.Sprint(c.Events))
	}
	if want := c.opt.ExpectHead; want != "" && c.head() != want {
		c.unmet(codeAnchorHead, "the last event's hash is not the expected one", want, c.head())
	}
}

// short reports a log that ends too early, and where it was cut.
func (c *Checker) short(want int64, says string) {
	missing := want - c.Events
	c.unmet(codeAnchorCount, fmt.Sprintf("the log has %d events, %s %d: %d are missing", c.Events, says, want, missing), fmt.Sprint(want), fmt.Sprint(c.Events))
	c.Chain.add("cut", c.Last.Line, c.Last.Line, uint64(missing))
}

func (c *Checker) unmet(code, message, expected, found string) {
	c.Broken++
	c.findings.Add(finding.Finding{Rule: code, Severity: finding.Error, Message: message, Expected: expected, Found: found})
}

// hexOf is a hash as a head shows it, "" for what is none.
func hexOf(l link) string {
	if !l.proper {
		return ""
	}
	return l.Hex()
}
