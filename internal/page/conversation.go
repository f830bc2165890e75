package page

import "strconv"

// Conversation is what was said and done in a transcript of a coding agent. Calls, results and
// reasoning are folded.
type Conversation struct {
	Rows []Utterance
	Left int // parts that are not shown
}

// Utterance is one text, call or result.
type Utterance struct {
	Number int // on the page, from 1
	Line   int
	Kind   string // "user", "assistant", "system", "reasoning", "call", "result"
	Name   string // of a call: the tool
	ID     string
	Time   string
	Sub    bool // of a subagent
	Failed bool
	Open   bool // a call without result
	Text   string
	Cut    int64 // bytes that are not shown
}

// Folded says whether the page shows the part when it is asked to.
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

// First says whether a row is the first of its line: findings are shown there.
func (c *Conversation) First(u Utterance) bool {
	return u.Number == 1 || c.Rows[u.Number-2].Line != u.Line
}
