package oatf

import (
	"strings"
)

func checkTriggers(c *checker) {
	c.eachPhase(func(_ *actorView, ph phaseView) {
		t := ph.Trigger
		if t == nil {
			return
		}
		at := ph.at.field("trigger")
		if t.Event == nil && (t.Count != nil || t.Match != nil) {
			c.violation("V-019", at, "the trigger counts or matches events but names none").Help = "add event, or leave count and match out"
		}
		if t.Event == nil && t.After == nil {
			c.violation("V-042", at, "the trigger has neither event nor after").Help = "leave the trigger out for a terminal phase"
		}
	})
}

func checkEvents(c *checker) {
	c.eachPhase(func(_ *actorView, ph phaseView) {
		bit, known := modeBit(ph.mode)
		if !known || ph.Trigger == nil || ph.Trigger.Event == nil {
			return
		}
		base, _, _ := ParseEventQualifier(*ph.Trigger.Event)
		for _, row := range eventModes {
			if row.event == base && row.modes&bit != 0 {
				return
			}
		}
		e := c.violation("V-029", ph.at.field("trigger").field("event"), "event %s cannot occur in mode %s", quoted(base), ph.mode)
		e.Help = c.eventHelp(base, ph.mode)
	})
}

// eventHelp says where an event belongs, or which one may have been meant.
func (c *checker) eventHelp(event string, mode Mode) string {
	if modes := EventModes(event); modes != nil {
		return "it occurs in " + strings.Join(names(modes), ", ")
	}
	if hint := c.hint(event, Events(mode)); hint != "" {
		return hint
	}
	return "known in this mode: " + strings.Join(Events(mode), ", ")
}

func checkDurations(c *checker) {
	duration := func(d *Duration, at *place) {
		if d == nil {
			return
		}
		if _, err := d.Duration(); err != nil {
			c.violation("V-038", at, "%v", err)
		}
	}
	duration(c.Attack.GracePeriod, attackPlace.field("grace_period"))
	c.eachPhase(func(_ *actorView, ph phaseView) {
		if ph.Trigger != nil {
			duration(ph.Trigger.After, ph.at.field("trigger").field("after"))
		}
	})
}

func checkExtractors(c *checker) {
	c.eachPhase(func(_ *actorView, ph phaseView) {
		list := ph.at.field("extractors")
		if ph.Extractors != nil && len(ph.Extractors) == 0 {
			c.violation("V-040", list, "the list of extractors is empty").Help = "leave the key out"
		}
		for i := range ph.Extractors {
			if name := ph.Extractors[i].Name; !isName(name) {
				c.violation("V-039", list.element(i).field("name"), "extractor name %s is not of the form [a-z][a-z0-9_]*", quoted(name))
			}
		}
	})
}

func checkActions(c *checker) {
	c.eachPhase(func(_ *actorView, ph phaseView) {
		for i := range ph.OnEnter {
			keys := ph.OnEnter[i].Keys()
			at := ph.at.field("on_enter").element(i)
			switch {
			case len(keys) == 0:
				c.violation("V-043", at, "the entry has no action").Help = "add one of send_notification, send_elicitation, log, or an action of the protocol binding"
			case len(keys) > 1:
				c.violation("V-043", at, "the entry has %d actions: %s", len(keys), preview(strings.Join(keys, ", "))).Help = "give each action an entry of its own"
			}
		}
	})
}
