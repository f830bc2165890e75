// Package coverage records how much of an imported input was read.
package coverage

import (
	"fmt"
	"slices"
	"strings"
)

// Record counts what an import read, merged, skipped and lost.
type Record struct {
	Complete   bool        `json:"complete"` // nothing is lost or unread that a check could need
	Spans      SpanCounts  `json:"spans"`
	ModelCalls ModelCounts `json:"model_calls"`
	Lost       []Loss      `json:"lost,omitempty"`
	Agents     []string    `json:"merged_agents,omitempty"` // agents merged because they only contain another agent
}

// SpanCounts counts spans, or the messages of a conversation.
type SpanCounts struct {
	Total    int      `json:"total"`
	Read     int      `json:"read"`     // they are steps, or agents
	Wrappers int      `json:"wrappers"` // chains, turns and the like; evaluations
	Merged   int      `json:"merged"`   // duplicates of another step
	Foreign  int      `json:"foreign"`  // not about agents: HTTP, databases
	Unread   []Unread `json:"unread,omitempty"`
}

// Unread counts spans or parts of one kind that were not read.
type Unread struct {
	Kind    string `json:"kind"`
	Count   int    `json:"count"`
	Example string `json:"example"` // RFC 6901 pointer
}

// ModelCounts counts calls of models.
type ModelCounts struct {
	Seen         int `json:"seen"`
	WithContents int `json:"with_contents"` // whose answer is recorded
}

// Loss is data that is missing in the record.
type Loss struct {
	What    What   `json:"what"`
	Why     string `json:"why"`
	Pointer string `json:"pointer"` // RFC 6901 pointer into the input
}

// What is the kind of a loss.
type What string

// The kinds of losses.
const (
	Calls      What = "calls"       // tool calls can be missing
	Spans      What = "spans"       // spans are missing, and with them perhaps calls
	ModelCalls What = "model_calls" // calls of models are not recorded
	Args       What = "args"
	Results    What = "results"
	Messages   What = "messages" // texts are missing or cut
	Tokens     What = "tokens"
	Times      What = "times"
)

// First returns the first loss of the given kinds, or nil.
func (r *Record) First(kinds ...What) *Loss {
	if r == nil {
		return nil
	}
	for i := range r.Lost {
		if slices.Contains(kinds, r.Lost[i].What) {
			return &r.Lost[i]
		}
	}
	return nil
}

// Add adds a loss unless an equal one exists.
func (r *Record) Add(l Loss) {
	if !slices.Contains(r.Lost, l) {
		r.Lost = append(r.Lost, l)
	}
}

// Text returns the record in one line.
func (r *Record) Text() string {
	var b strings.Builder
	fmt.Fprintf(&b, "%d of %d spans read", r.Spans.Read, r.Spans.Total)
	for _, part := range []struct {
		count int
		name  string
	}{{r.Spans.Merged, "merged"}, {r.Spans.Wrappers, "wrappers"}, {r.Spans.Foreign, "of other kinds"}} {
		if part.count > 0 {
			fmt.Fprintf(&b, ", %d %s", part.count, part.name)
		}
	}
	for _, u := range r.Spans.Unread {
		fmt.Fprintf(&b, ", %d unread (%s, %s)", u.Count, u.Kind, u.Example)
	}
	const shown = 3
	for i, l := range r.Lost {
		if i == shown {
			fmt.Fprintf(&b, "; and %d more losses", len(r.Lost)-shown)
			break
		}
		fmt.Fprintf(&b, "; %s lost: %s (%s)", strings.ReplaceAll(string(l.What), "_", " "), l.Why, l.Pointer)
	}
	return b.String()
}
