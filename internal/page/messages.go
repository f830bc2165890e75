package page

// Messages is the view of captured messages and the indicator matches in them.
type Messages struct {
	Watched []Watched
	More    int // hidden indicators without match
	Rows    []Message
	Total   int    // messages in the captures
	Hidden  string // why message contents are hidden, or ""
	Left    string // which messages are hidden, or ""
}

// Watched is an indicator and its result.
type Watched struct {
	ID, Description, Looks string
	Mark                   Mark
	Word                   string // "matched"
	Evidence               string
	Place                  string // in words, or ""
	Row                    int    // message number; 0 if not on the page
}

// Message is a captured message, or a placeholder for hidden ones.
type Message struct {
	Number    int // in the run, from 1
	Skipped   int // number of hidden messages; 0 for a message
	Input     string
	Line      int
	Direction string // "incoming", "outgoing" or, if unknown, ""
	What      string // "tools/call request"
	Actor     string
	Phase     string
	Time      string
	Pieces    []Piece // content
	Notes     []MessageNote
}

// MessageNote is an indicator's match in a message.
type MessageNote struct {
	ID       string // of the indicator
	Mark     Mark
	Word     string
	Path     string // path in the message; "" for all of it
	Operator string
	Evidence string
}

// Arrow returns the direction's symbol.
func (m Message) Arrow() string {
	return map[string]string{"incoming": "→", "outgoing": "←"}[m.Direction]
}

// From returns the sender.
func (m Message) From() string {
	return map[string]string{"incoming": "from the agent", "outgoing": "to the agent"}[m.Direction]
}

func (*Messages) Kind() string { return "messages" }
