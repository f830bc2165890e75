package page

// Mark is a result as an icon and a word: never only a color.
type Mark uint8

// The marks in order of severity. Plain is neutral; Unanswered means no result.
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

// String returns the name of the mark, which is also its CSS class.
func (m Mark) String() string { return marks[m].name }

// Icon returns the mark's symbol.
func (m Mark) Icon() string { return marks[m].icon }

// Word returns the mark's word.
func (m Mark) Word() string { return marks[m].word }
