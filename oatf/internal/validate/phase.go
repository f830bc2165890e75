package validate

import (
	"slices"
	"strings"

	"github.com/cupel-dev/cupel/finding"
	"github.com/cupel-dev/cupel/internal/say"
	"github.com/cupel-dev/cupel/oatf/internal/findings"
	"github.com/cupel-dev/cupel/oatf/internal/place"
	"github.com/cupel-dev/cupel/oatf/internal/profile"
	"github.com/cupel-dev/cupel/oatf/internal/protocol"
	"github.com/cupel-dev/cupel/oatf/internal/rules"
	"github.com/cupel-dev/cupel/oatf/internal/view"
	"github.com/cupel-dev/cupel/oatf/internal/vocabulary"
	"github.com/cupel-dev/cupel/oatf/model"
)

func checkTriggers(doc *view.Document, out *findings.List) {
	doc.EachPhase(func(_ *view.Actor, ph view.Phase) {
		t := ph.Trigger
		if t == nil {
			return
		}
		at := ph.At.Field("trigger")
		if t.Event == nil && (t.Count != nil || t.Match != nil) {
			out.Lack(at.Fields("event"), rules.CountNeedsEvent, at, "the trigger has count or match, but no event").Help = "add event, or leave count and match out"
		}
		if t.Event == nil && t.After == nil {
			out.Lack(at.Fields("event", "after"), rules.EventOrAfter, at, "the trigger has neither event nor after").Help = "leave the trigger out for a terminal phase"
		}
	})
}

func checkEvents(doc *view.Document, out *findings.List) {
	doc.EachPhase(func(_ *view.Actor, ph view.Phase) {
		if !vocabulary.IsKnownMode(ph.Mode) || ph.Trigger == nil || ph.Trigger.Event == nil {
			return
		}
		base, _, _ := doc.Profile.SplitEvent(*ph.Trigger.Event)
		if doc.Profile.Occurs(base, ph.Mode) || doc.Profile.Evaluation.Operations && occursLater(doc.Profile, base, ph.Mode) {
			return
		}
		f := out.Violation(rules.KnownEvent, ph.At.Field("trigger").Field("event"), "event %s is not known in revision %s for mode %s",
			say.Quoted(base), doc.Profile.Revision, ph.Mode)
		if f.Help = plainEvent(doc.Profile, base, ph.Mode); f.Help == "" {
			suggestEvent(doc.Profile, out, f, base, ph.Mode)
		}
	})
}

// occursLater reports whether an event that the format does not name is one of a later revision of the protocol, and
// the other side sends it.
func occursLater(p *profile.Profile, event string, mode model.Mode) bool {
	if slices.ContainsFunc(p.Events, func(e profile.Event) bool { return e.Name == event }) {
		return false
	}
	isServer := strings.HasSuffix(string(mode), "_server")
	return slices.ContainsFunc(laterOperations(vocabulary.ExtractProtocol(mode), event), func(o *protocol.Operation) bool {
		fromClient := slices.Contains(o.From, string(protocol.Client))
		return isServer && fromClient || !isServer && (o.Asks() && fromClient || !fromClient)
	})
}

// laterOperations returns the operations of a name in the revisions of a protocol.
func laterOperations(of model.Protocol, name string) []*protocol.Operation {
	return slices.DeleteFunc(slices.Clone(protocol.Operations(name)), func(o *protocol.Operation) bool {
		return o.Protocol != of || o.Name != name
	})
}

// plainEvent explains how to write an event with a colon in revisions without qualifiers. It returns "" for other
// events.
func plainEvent(p *profile.Profile, event string, mode model.Mode) string {
	base, qualifier, found := strings.Cut(event, ":")
	if !found || !p.Occurs(base, mode) {
		return ""
	}
	if path, ok := p.MatchPath(base, mode); ok {
		if !vocabulary.CheckSimplePath(qualifier) { // what needs no quotes
			qualifier = say.Quoted(qualifier)
		}
		return "write event: " + base + " with match: {" + path + ": " + say.Preview(qualifier, say.Usual) + "}"
	}
	return "write event: " + base + ", and its subject under match"
}

func suggestEvent(p *profile.Profile, out *findings.List, f *finding.Finding, event string, mode model.Mode) {
	if modes := p.ModesOf(event); modes != nil {
		f.Help = "use it only in " + strings.Join(vocabulary.Names(modes), ", ")
		return
	}
	if now := p.Renamed[event]; now != "" {
		suggestNewName(p, out, f, event, now, mode)
		return
	}
	known := p.EventsOf(mode)
	if suggest(out, f, event, known); f.Help == "" {
		f.Help = "known in this mode: " + strings.Join(known, ", ")
	}
}

// suggestNewName suggests the current name of an event of an earlier protocol revision.
func suggestNewName(p *profile.Profile, out *findings.List, f *finding.Finding, event, now string, mode model.Mode) {
	f.Help = "it is called " + say.Quoted(now) + " now"
	if !p.Occurs(now, mode) {
		f.Help += ", which occurs in " + strings.Join(vocabulary.Names(p.ModesOf(now)), ", ")
		return
	}
	out.Replace(f, event, now)
}

// suggest suggests a known word. If the unknown word cannot be right, it adds a fix.
func suggest(out *findings.List, f *finding.Finding, word string, known []string) {
	if f.Severity == finding.Error {
		out.Suggest(f, word, known)
		return
	}
	f.Help = out.Hint(word, known)
}

func checkDurations(doc *view.Document, out *findings.List) {
	duration := func(rule rules.Handle, d *model.Duration, at *place.Path) {
		if d == nil {
			return
		}
		if _, err := d.Duration(); err != nil {
			out.Violation(rule, at, "%v", err)
		}
	}
	duration(rules.GracePeriod, doc.Attack.GracePeriod, place.Attack.Field("grace_period"))
	doc.EachPhase(func(_ *view.Actor, ph view.Phase) {
		if ph.Trigger != nil {
			duration(rules.DurationSyntax, ph.Trigger.After, ph.At.Field("trigger").Field("after"))
		}
	})
}

func checkExtractors(doc *view.Document, out *findings.List) {
	doc.EachPhase(func(_ *view.Actor, ph view.Phase) {
		list := ph.At.Field("extractors")
		if ph.Extractors != nil && len(ph.Extractors) == 0 {
			out.Violation(rules.SomeExtractors, list, "the list of extractors is empty").Help = findings.LeaveOutHint
		}
		for i := range ph.Extractors {
			if name := ph.Extractors[i].Name; !vocabulary.IsName(name) {
				out.Violation(rules.ExtractorName, list.Element(i).Field("name"), "extractor name %s is not of the form [a-z][a-z0-9_]*", say.Quoted(name))
			}
		}
	})
}

func checkActions(doc *view.Document, out *findings.List) {
	doc.EachPhase(func(_ *view.Actor, ph view.Phase) {
		list := ph.At.Field("on_enter")
		if ph.OnEnter != nil && len(ph.OnEnter) == 0 {
			out.Violation(rules.SomeActions, list, "the list of actions is empty").Help = findings.LeaveOutHint
		}
		for i := range ph.OnEnter {
			keys := ph.OnEnter[i].Keys()
			at := list.Element(i)
			switch {
			case len(keys) == 0:
				out.Violation(rules.OneAction, at, "the entry has no action").Help = "add one of " + strings.Join(doc.Profile.Actions(), ", ") + ", or an action of the protocol binding"
			case len(keys) > 1:
				out.Violation(rules.OneAction, at, "the entry has %d actions: %s", len(keys), say.Preview(strings.Join(keys, ", "), say.Usual)).Help = "give each action a separate entry"
			}
		}
	})
}
