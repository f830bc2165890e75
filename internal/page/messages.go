package page

// Messages are the messages of captures that an attack was judged by, with what its indicators
// found in them.
type Messages struct {
	Watched []Watched
	More    int // indicators that did not match and are not shown
	Rows    []Message
	Total   int    // messages of the captures
	Hidden  string // why nothing shows what the messages say; "": it does
	Left    string // which messages are not shown; "": all are
}

// Watched is an indicator and what it found.
type Watched struct {
	ID, Description, Looks string
	Mark                   Mark
	Word                   string // "matched"
	Evidence               string
	Place                  string // in words; "" for none
	Row                    int    // the number of the message; 0: it is not on the page
}

// Message is a message of a capture, or what stands for messages that are not shown.
type Message struct {
	Number    int // in the run, from 1
	Skipped   int // how many are not shown; 0: it is a message
	Input     string
	Line      int
	Direction string // "incoming", "outgoing"; "" when it is not known
	What      string // "tools/call request"
	Actor     string
	Phase     string
	Time      string
	Pieces    []Piece // what it says
	Notes     []MessageNote
}

// MessageNote is what an indicator found in a message.
type MessageNote struct {
	ID       string // of the indicator
	Mark     Mark
	Word     string
	Path     string // where in the message; "" for all of it
	Operator string
	Evidence string
}

// Arrow is the sign of a direction.
func (m Message) Arrow() string {
	return map[string]string{"incoming": "→", "outgoing": "←"}[m.Direction]
}

// From says who sent the message.
func (m Message) From() string {
	return map[string]string{"incoming": "from the agent", "outgoing": "to the agent"}[m.Direction]
}

// Kind implements [View].
func (*Messages) Kind() string { return "messages" }
