package simulate_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/cupel-dev/cupel/oatf/model"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/cupel-dev/cupel/oatf"
	"github.com/cupel-dev/cupel/oatf/internal/value"
	"github.com/cupel-dev/cupel/oatf/simulate"
)

// happening is an event with its moment.
type happening struct {
	simulate.Event
	at time.Duration
}

// dialect is in what a revision's runs differ from another's.
type dialect struct {
	revision oatf.Revision
	content  func(params oatf.Object) oatf.Value  // of a request, as triggers see it
	entry    func(answer oatf.Object) oatf.Object // that states an answer of a tool
	answer   func(entry oatf.Object) oatf.Value   // that an entry states
	lists    bool                                 // tools/list is answered
	open     bool                                 // events that no mode has are observed
}

var dialects = []dialect{
	{
		revision: oatf.SDK01,
		content: func(params oatf.Object) oatf.Value {
			return append(slices.Clone(params), oatf.Member{Key: "params", Value: params})
		},
		entry:  func(answer oatf.Object) oatf.Object { return answer },
		answer: func(entry oatf.Object) oatf.Value { return entry },
	},
	{
		revision: oatf.V202603,
		content:  func(params oatf.Object) oatf.Value { return params },
		entry:    func(answer oatf.Object) oatf.Object { return oatf.Object{{Key: "content", Value: answer}} },
		answer: func(entry oatf.Object) oatf.Value {
			content, _ := entry.Get("content")
			return content
		},
		lists: true, open: true,
	},
}

// naive works out a run from the whole list of events: phase by phase of one actor after the
// other, each question answered from the beginning.
type naive struct {
	dialect
	under  oatf.Profile
	actors []oatf.Actor
	events []happening
	end    time.Duration
}

// span is the time of an actor in a phase: the events from first up to, without, last.
type span struct {
	actor, phase int
	first, last  int
	entered      time.Duration
	reason       model.AdvanceReason // "" when it does not end
	left         time.Duration
}

// spans returns the phases that an actor comes through.
func (n *naive) spans(actor int) (list []span) {
	s := span{actor: actor}
	for {
		if s = n.ending(s); s.reason == "" || s.phase+1 == len(n.actors[actor].Phases) {
			return append(list, s)
		}
		list = append(list, s)
		s = span{actor: actor, phase: s.phase + 1, first: s.last, entered: s.left}
	}
}

// ending returns a phase with its end.
func (n *naive) ending(s span) span {
	t := n.actors[s.actor].Phases[s.phase].Trigger
	s.last = len(n.events)
	if t == nil {
		return s
	}
	if t.After != nil {
		after, _ := t.After.Duration()
		if late := slices.IndexFunc(n.events[s.first:], func(e happening) bool { return e.at >= s.entered+after }); late >= 0 {
			s.last = s.first + late
		}
		if s.entered+after <= n.end {
			s.reason, s.left = model.AdvanceTimeout, s.entered+after
		}
	}
	if t.Event == nil {
		return s
	}
	needed := int64(1)
	if t.Count != nil {
		needed = *t.Count
	}
	for i := s.first; i < s.last; i++ {
		if n.counted(s, i+1) >= needed && n.matches(s, i) {
			s.last, s.reason, s.left = i+1, model.AdvanceEventMatched, n.events[i].at
			return s
		}
	}
	return s
}

// counted returns how many events of a phase, before the one at index before, match its trigger.
func (n *naive) counted(s span, before int) (count int64) {
	for i := s.first; i < before; i++ {
		if n.matches(s, i) {
			count++
		}
	}
	return count
}

// matches reports whether one event matches the trigger of a phase.
func (n *naive) matches(s span, i int) bool {
	e := n.events[i]
	t := n.actors[s.actor].Phases[s.phase].Trigger
	if !n.sees(s.actor, i) || t == nil || t.Event == nil {
		return false
	}
	alone := oatf.Trigger{Event: t.Event, Match: t.Match}
	seen := &oatf.ProtocolEvent{EventType: e.Type, Content: n.content(e.Content.(oatf.Object))}
	r, err := n.under.EvaluateTrigger(&alone, seen, 0, &oatf.TriggerState{}, "mcp")
	return err == nil && r.Advanced
}

func (n *naive) sees(actor, i int) bool {
	e := n.events[i]
	known := slices.Contains(n.under.Events("mcp_server"), e.Type) || n.open && n.under.EventModes(e.Type) == nil
	return e.Actor == n.actors[actor].Name || e.Actor == "" && known
}

// at returns the phase of an actor when it observes an event, -1 when it does not.
func (n *naive) at(actor, i int) int {
	for _, s := range n.spans(actor) {
		if s.first <= i && i < s.last && n.sees(actor, i) {
			return s.phase
		}
	}
	return -1
}

// captured returns the values that the templates of an actor see while it answers an event.
func (n *naive) captured(actor, upTo int) map[string]string {
	seen := map[string]string{}
	for i := 0; i <= upTo; i++ {
		for k := range n.actors {
			if i == upTo && k > actor {
				break // it observes the event later
			}
			phase := n.at(k, i)
			if phase < 0 {
				continue
			}
			for _, x := range n.actors[k].Phases[phase].Extractors {
				if text, ok, _ := oatf.EvaluateExtractor(&x, n.events[i].Content, model.SourceRequest); ok {
					seen[n.actors[k].Name+"."+x.Name] = text
					if k == actor {
						seen[x.Name] = text
					}
				}
			}
		}
	}
	return seen
}

// response is what an actor answers to an event, "" when it answers nothing.
func (n *naive) response(actor, i int) string {
	e := n.events[i]
	phase := n.at(actor, i)
	state := oatf.ComputeEffectiveState(n.actors[actor].Phases, phase)
	switch {
	case phase >= 0 && e.Type == "tools/list" && n.lists:
		return n.list(actor, i, state)
	case phase < 0 || e.Type != "tools/call":
		return ""
	}
	tools, _ := oatf.ResolveWildcardPath("tools[*]", state)
	for _, tool := range tools {
		name, _ := oatf.ResolveSimplePath("name", tool)
		asked, _ := oatf.ResolveSimplePath("name", e.Content)
		if name != asked {
			continue
		}
		raw, _ := oatf.ResolveWildcardPath("responses[*]", tool)
		if len(raw) == 0 {
			return `{"content":[]}`
		}
		var entries []oatf.ResponseEntry
		for _, v := range raw {
			entry, _ := n.under.ResponseOf(v)
			entries = append(entries, *entry)
		}
		chosen, _ := n.under.SelectResponse(entries, e.Content)
		if chosen == nil {
			return "nothing matches"
		}
		body, _ := oatf.InterpolateValue(n.answer(chosen.Static), n.captured(actor, i), &e.Content, nil)
		return string(value.JSON(nil, body))
	}
	return "nothing matches"
}

// list is what an actor answers to tools/list.
func (n *naive) list(actor, i int, state oatf.Value) string {
	tools, _ := oatf.ResolveWildcardPath("tools[*]", state)
	shown := []oatf.Value{}
	for _, tool := range tools {
		definition := oatf.Object{}
		for _, m := range tool.(oatf.Object) {
			if m.Key != "responses" {
				definition = append(definition, m)
			}
		}
		body, _ := oatf.InterpolateValue(definition, n.captured(actor, i), &n.events[i].Content, nil)
		shown = append(shown, body)
	}
	return string(value.JSON(nil, oatf.Object{{Key: "tools", Value: shown}}))
}

// account is what the naive run says of every actor.
func (n *naive) account() string {
	var b strings.Builder
	for k, a := range n.actors {
		for _, s := range n.spans(k) {
			fmt.Fprintf(&b, "%s phase %d from %s to %s %s, counted %d\n", a.Name, s.phase, s.entered, s.left, s.reason, n.counted(s, s.last))
		}
		for i := range n.events {
			if r := n.response(k, i); r != "" {
				fmt.Fprintf(&b, "%s answers %d: %s\n", a.Name, i, r)
			}
		}
	}
	return b.String()
}

// simulated is the same account of a simulation.
func simulated(t *rapid.T, doc *oatf.Document, events []happening, end time.Duration) string {
	phases, answers := map[string]string{}, map[string]string{}
	entered, index, number := map[string]time.Duration{}, map[string]int{}, 0
	sim, err := simulate.New(doc, simulate.Options{Each: func(s *simulate.Step) error {
		switch s.Kind {
		case simulate.Enter:
			entered[s.Actor] = s.Elapsed
		case simulate.Advance:
			phases[s.Actor] += fmt.Sprintf("%s phase %d from %s to %s %s, counted %d\n", s.Actor, index[s.Actor], entered[s.Actor], s.Elapsed, s.Reason, s.Count)
			index[s.Actor]++
		case simulate.Respond:
			answer := "nothing matches"
			if s.HasValue {
				answer = string(value.JSON(nil, s.Value))
			}
			answers[s.Actor] += fmt.Sprintf("%s answers %d: %s\n", s.Actor, number, answer)
		}
		return nil
	}})
	if err != nil {
		t.Fatal(err)
	}
	if err := sim.Begin(t.Context()); err != nil {
		t.Fatal(err)
	}
	for i := range events {
		number = i
		if err := sim.Take(t.Context(), &events[i].Event); err != nil {
			t.Fatal(err)
		}
	}
	if err := sim.Wait(t.Context(), end-sim.Now()); err != nil {
		t.Fatal(err)
	}
	var b strings.Builder
	for _, a := range sim.Actors() {
		b.WriteString(phases[a.Name])
		if !a.Complete {
			fmt.Fprintf(&b, "%s phase %d from %s to 0s , counted %d\n", a.Name, a.Index, a.Entered, a.Count)
		}
		b.WriteString(answers[a.Name])
	}
	return b.String()
}

// TestNaiveRun: a simulation says the same as a naive account of the whole list.
func TestNaiveRun(t *testing.T) {
	for _, d := range dialects {
		t.Run(string(d.revision), func(t *testing.T) { rapid.Check(t, d.compare) })
	}
}

// compare runs one document both ways.
func (d dialect) compare(t *rapid.T) {
	n := &naive{dialect: d, under: oatf.Under(d.revision), actors: rapid.SliceOfN(rapid.Custom(d.drawActor), 2, 3).Draw(t, "actors")}
	for i := range n.actors {
		n.actors[i].Name = string(rune('a' + i))
	}
	doc := oatf.Normalize(&oatf.Document{OATF: "0.1", Revision: d.revision, Attack: oatf.Attack{Execution: oatf.Execution{Actors: n.actors}}})
	if result := oatf.Validate(doc); !result.Valid() {
		t.Fatalf("the law draws an invalid document: %v", result.Errors)
	}
	n.actors = doc.Attack.Execution.Actors
	now := time.Duration(0)
	for range rapid.IntRange(0, 12).Draw(t, "events") {
		now += time.Duration(rapid.IntRange(0, 4).Draw(t, "pause")) * time.Second
		n.events = append(n.events, drawEvent(t, now))
	}
	n.end = now + time.Duration(rapid.IntRange(0, 6).Draw(t, "wait"))*time.Second
	want := n.account()
	if diff := cmp.Diff(want, simulated(t, doc, n.events, n.end)); diff != "" {
		t.Errorf("(-naive +simulated)\n%s", diff)
	}
}

func (d dialect) drawActor(t *rapid.T) oatf.Actor {
	a := oatf.Actor{Mode: "mcp_server"}
	count := rapid.IntRange(1, 4).Draw(t, "phases")
	for i := range count {
		ph := oatf.Phase{}
		if i == 0 || rapid.Bool().Draw(t, "states") {
			ph.State = d.drawState(t)
		}
		if i+1 < count || rapid.Bool().Draw(t, "ends") {
			ph.Trigger = d.drawTrigger(t)
		}
		if rapid.Bool().Draw(t, "extracts") {
			ph.Extractors = []oatf.Extractor{{Name: "x", Source: model.SourceRequest, Type: model.ExtractorJSONPath, Selector: "$.arguments.s"}}
		}
		a.Phases = append(a.Phases, ph)
	}
	return a
}

// foreign returns an event that no mode has, if triggers may name such.
func (d dialect) foreign() string {
	if d.open {
		return "vendor/method"
	}
	return "tools/list"
}

func (d dialect) drawTrigger(t *rapid.T) *oatf.Trigger {
	trigger := &oatf.Trigger{}
	timed := rapid.Bool().Draw(t, "timed")
	if timed {
		after := oatf.Duration(fmt.Sprintf("%ds", rapid.IntRange(0, 6).Draw(t, "after")))
		trigger.After = &after
	}
	if timed && rapid.Bool().Draw(t, "only timed") {
		return trigger
	}
	event := rapid.SampledFrom([]string{"tools/call", "tools/call:one", "tools/list", d.foreign()}).Draw(t, "event")
	trigger.Event = &event
	if rapid.Bool().Draw(t, "counts") {
		count := int64(rapid.IntRange(1, 3).Draw(t, "count"))
		trigger.Count = &count
	}
	if rapid.Bool().Draw(t, "matches") {
		path := rapid.SampledFrom([]string{"arguments.n", "params.arguments.n"}).Draw(t, "path")
		least := oatf.Number("2")
		trigger.Match = oatf.MatchPredicate{{Path: path, Condition: oatf.Condition{Operators: &oatf.MatchCondition{GTE: &least}}}}
	}
	return trigger
}

func (d dialect) drawState(t *rapid.T) oatf.Value {
	text := func(s string) oatf.Value {
		return d.entry(oatf.Object{{Key: "content", Value: []oatf.Value{oatf.Object{{Key: "type", Value: "text"}, {Key: "text", Value: s}}}}})
	}
	var tools []oatf.Value
	for _, name := range []string{"one", "two"} {
		var responses []oatf.Value
		if rapid.Bool().Draw(t, "fallback") {
			responses = append(responses, text(rapid.SampledFrom([]string{"{{x}}", "{{a.x}} {{b.x}}", "plain", `\{{x}}`}).Draw(t, "text")))
		}
		if rapid.Bool().Draw(t, "chosen") {
			entry := append(oatf.Object{{Key: "when", Value: oatf.Object{{Key: "arguments.n", Value: oatf.Number("3")}}}}, text("three {{request.arguments.s}} {{x}}").(oatf.Object)...)
			responses = append(responses, entry)
		}
		tool := oatf.Object{{Key: "name", Value: name}, {Key: "description", Value: rapid.SampledFrom([]string{"{{x}}", "it"}).Draw(t, "description")}}
		if len(responses) > 0 {
			tool = append(tool, oatf.Member{Key: "responses", Value: responses})
		}
		tools = append(tools, tool)
	}
	return oatf.Object{{Key: "tools", Value: tools}}
}

func drawEvent(t *rapid.T, at time.Duration) happening {
	content := oatf.Object{
		{Key: "name", Value: rapid.SampledFrom([]string{"one", "two", "none"}).Draw(t, "tool")},
		{Key: "arguments", Value: oatf.Object{
			{Key: "n", Value: oatf.Number(rapid.SampledFrom([]string{"1", "2", "3.0"}).Draw(t, "n"))},
			{Key: "s", Value: rapid.SampledFrom([]string{"", "s", "{{x}}"}).Draw(t, "s")},
		}},
	}
	return happening{simulate.Event{
		Type: rapid.SampledFrom([]string{"tools/call", "tools/call", "tools/list", "run_started", "vendor/method"}).Draw(t, "type"), Content: content,
		Actor: rapid.SampledFrom([]string{"", "", "a", "b"}).Draw(t, "actor"), Elapsed: &at,
	}, at}
}
