package simulate_test

import (
	"context"
	"slices"
	"strconv"
	"testing"

	"pgregory.net/rapid"

	"github.com/cupel-dev/cupel/oatf"
	"github.com/cupel-dev/cupel/oatf/simulate"
)

// aboutA counts the events that, to the trigger of an AG-UI client, are about the tool "a".
func aboutA(events []simulate.Event) (count int64, err error) {
	loaded, err := oatf.ParseOptions{Revision: oatf.V202603}.Load([]byte(`{oatf: "0.1", attack: {execution: {mode: ag_ui_client,
  phases: [{state: {}, trigger: {event: tool_call_args, match: {toolCallName: a}, count: 1000000}}]}}}`))
	if err != nil {
		return 0, err
	}
	sim, err := simulate.New(loaded.Document, simulate.Options{})
	if err != nil {
		return 0, err
	}
	if err := sim.Begin(context.Background()); err != nil {
		return 0, err
	}
	for i := range events {
		if err := sim.Take(context.Background(), &events[i]); err != nil {
			return 0, err
		}
	}
	return sim.Actors()[0].Count, nil
}

// callEvent returns an event of a call, with the name of its tool unless it is "".
func callEvent(kind, id, name string) simulate.Event {
	content := oatf.Object{{Key: "toolCallId", Value: id}}
	if name != "" {
		content = append(content, oatf.Member{Key: "toolCallName", Value: name})
	}
	return simulate.Event{Type: kind, Content: content}
}

// TestNamesOfCalls: an event is about the tool that it names, or that the last one before it
// named which began a call of its id, in the same stream.
func TestNamesOfCalls(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var events []simulate.Event
		var want int64
		for range rapid.IntRange(0, 20).Draw(t, "events") {
			id, name := rapid.SampledFrom([]string{"1", "2"}).Draw(t, "id"), rapid.SampledFrom([]string{"a", "b", ""}).Draw(t, "name")
			kind := rapid.SampledFrom([]string{"tool_call_start", "tool_call_chunk", "tool_call_args", "tool_call_args", "run_started"}).Draw(t, "kind")
			events = append(events, callEvent(kind, id, name))
			if kind == "tool_call_args" && toolOf(events) == "a" {
				want++
			}
		}
		got, err := aboutA(events)
		if err != nil || got != want {
			t.Errorf("%d events are about the tool, expected %d: %v", got, want, err)
		}
	})
}

// toolOf returns the tool that the last of some events is about.
func toolOf(events []simulate.Event) string {
	text := func(e *simulate.Event, key string) string {
		v, _ := e.Content.(oatf.Object).Get(key)
		s, _ := v.(string)
		return s
	}
	last := &events[len(events)-1]
	if name := text(last, "toolCallName"); name != "" {
		return name
	}
	for i := len(events) - 2; i >= 0; i-- {
		e := &events[i]
		begins := e.Type == "tool_call_start" || e.Type == "tool_call_chunk"
		switch name := text(e, "toolCallName"); {
		case e.Type == "run_started":
			return ""
		case begins && name != "" && text(e, "toolCallId") == text(last, "toolCallId"):
			return name
		}
	}
	return ""
}

// TestForgottenCalls: of a stream with very many calls the oldest are forgotten, and of very
// long ids and names all.
func TestForgottenCalls(t *testing.T) {
	events := []simulate.Event{callEvent("tool_call_start", "first", "a")}
	for i := range 1023 {
		events = append(events, callEvent("tool_call_start", strconv.Itoa(i), "b"))
	}
	first := callEvent("tool_call_args", "first", "")
	long := string(slices.Repeat([]byte("x"), 1<<20))
	for _, c := range []struct {
		events []simulate.Event
		want   int64
	}{
		{append(slices.Clip(events), first), 1},
		{append(slices.Clip(events), callEvent("tool_call_start", "one more", "b"), first), 0},
		{[]simulate.Event{callEvent("tool_call_start", long, "a"), callEvent("tool_call_args", long, "")}, 0},
	} {
		if got, err := aboutA(c.events); err != nil || got != c.want {
			t.Errorf("after %d events: %d, expected %d: %v", len(c.events), got, c.want, err)
		}
	}
}
