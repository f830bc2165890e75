package page

import "strconv"

// Conversation is the view of a coding agent's transcript. Calls, results and reasoning are folded.
type Conversation struct {
	Rows []Utterance
	Left int // parts not shown
}

// Utterance is one text, call or result.
type Utterance struct {
	Number int // from 1
	Line   int
	Kind   string // "user", "assistant", "system", "reasoning", "call", "result"
	Name   string // tool of a call
	ID     string
	Time   string
	Sub    bool // from a subagent
	Failed bool
	Open   bool // call without result
	Text   string
	Cut    int64 // bytes not shown
}

// Folded reports whether the part is collapsed.
func (u Utterance) Folded() bool {
	return u.Kind == "call" || u.Kind == "result" || u.Kind == "reasoning"
}

// Kind implements [View].
func (*Conversation) Kind() string { return "conversation" }

// Place implements [Placer].
func (c *Conversation) Place(line int) string {
	for _, u := range c.Rows {
		if u.Line == line {
			return "u" + strconv.Itoa(u.Number)
		}
	}
	return ""
}

// First reports whether a row is the first of its line, which shows the line's findings.
func (c *Conversation) First(u Utterance) bool {
	return u.Number == 1 || c.Rows[u.Number-2].Line != u.Line
}
