package page

// Mark says how something came out: an icon and a word, never a colour alone.
type Mark uint8

// The marks, from the least to the most serious. Plain is neither good nor bad; Unanswered
// could not be had.
const (
	Plain Mark = iota
	Good
	Caution
	Bad
	Unanswered
)

var marks = [...]struct{ name, icon, word string }{
	Plain: {"plain", "●", "done"}, Good: {"good", "✓", "passed"},
	Caution: {"caution", "▲", "warnings"}, Bad: {"bad", "✕", "failed"}, Unanswered: {"unanswered", "?", "could not answer"},
}

// String is the name of the mark, which is also its class.
func (m Mark) String() string { return marks[m].name }

// Icon is its sign.
func (m Mark) Icon() string { return marks[m].icon }

// Word is what it says.
func (m Mark) Word() string { return marks[m].word }
