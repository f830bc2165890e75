package simulate_test

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/cupel-dev/cupel/oatf"
	"github.com/cupel-dev/cupel/oatf/simulate"
)

// TestLibrary runs the documents of the public library: every tool that a server has answers a
// call, every agent a message, every user a tool, and of their responses nothing is left out
// but what the library's list names as no binding's. They are read where CUPEL_VECTORS leads to.
func TestLibrary(t *testing.T) {
	root := os.Getenv("CUPEL_VECTORS")
	if root == "" {
		t.Log("CUPEL_VECTORS is not set: no document is run")
		return
	}
	dir := filepath.Join(root, "oatf-2026-03", "library")
	list, err := os.ReadFile(filepath.Join(dir, "expected.tsv"))
	if err != nil {
		t.Fatal(err)
	}
	rows := strings.Split(strings.TrimSpace(string(list)), "\n")[1:]
	if len(rows) == 0 {
		t.Fatal("no documents")
	}
	for _, row := range rows {
		// The columns: the file, errors, warnings, tiers, keys that no binding has.
		columns := strings.Split(row, "\t")
		t.Run(filepath.Base(columns[0]), func(t *testing.T) {
			text, err := os.ReadFile(filepath.Join(dir, columns[0]))
			if err != nil {
				t.Fatal(err)
			}
			loaded, err := oatf.Load(text)
			if valid := columns[1] == "-"; valid != (err == nil) {
				t.Fatalf("%v, expected %s", err, columns[1])
			} else if valid {
				runPublished(t, loaded.Document, columns[4])
			}
		})
	}
}

// runPublished sends each actor of a document what its first state answers; foreign are the keys
// that no binding has.
func runPublished(t *testing.T, doc *oatf.Document, foreign string) {
	answered, left := 0, map[string]bool{}
	sim, err := simulate.New(doc, simulate.Options{Each: func(s *simulate.Step) error {
		if s.Kind == simulate.Respond {
			answered++
		}
		if s.Kind == simulate.Respond && !s.HasValue || s.Skipped {
			t.Errorf("%s", stepLine(s))
		}
		for _, w := range s.Warnings {
			switch key, _, ok := strings.Cut(w.Message, " has no meaning here"); {
			case ok:
				left["responses[]."+strings.Trim(key, `"`)] = true
			case w.Code != "W-004": // what a document refers to need not be in these events
				t.Errorf("%s: %s", stepLine(s), w.Message)
			}
		}
		return nil
	}})
	if err != nil {
		t.Fatal(err)
	}
	if err := sim.Begin(context.Background()); err != nil {
		t.Fatal(err)
	}
	events := 0
	for _, a := range doc.Attack.Execution.Actors {
		for _, e := range asking(&a) {
			events++
			if err := sim.Take(context.Background(), &e); err != nil {
				t.Fatal(err)
			}
		}
	}
	if answered != events {
		t.Errorf("%d of %d events were answered", answered, events)
	}
	want := map[string]bool{}
	if strings.HasPrefix(foreign, "responses[].") {
		want[foreign] = true
	}
	if diff := cmp.Diff(want, left); diff != "" {
		t.Errorf("keys of responses (-expected +left out)\n%s", diff)
	}
}

// asking are events that an actor answers from the state of its first phase.
func asking(a *oatf.Actor) (events []simulate.Event) {
	add := func(event string, content oatf.Object) {
		events = append(events, simulate.Event{Type: event, Actor: a.Name, Content: content})
	}
	switch a.Mode {
	case "mcp_server":
		add("initialize", nil)
		names, _ := oatf.ResolveWildcardPath("tools[*].name", a.Phases[0].State)
		for _, name := range names {
			add("tools/call", oatf.Object{{Key: "name", Value: name}})
		}
	case "a2a_server":
		add("agent_card/get", nil)
		add("message/send", oatf.Object{{Key: "message", Value: oatf.Object{}}})
	case "ag_ui_client":
		add("tool_call_start", oatf.Object{{Key: "toolCallId", Value: "1"}, {Key: "toolCallName", Value: "any"}})
	}
	return events
}
