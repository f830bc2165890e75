package page

// Evidence is the events of an input with the bytes that their content hashes are of.
type Evidence struct {
	Events  []EvidenceEvent
	Members []string // those that are hashed, each the mark of its bytes
	More    int      // events that are not shown
}

// EvidenceEvent is one event.
type EvidenceEvent struct {
	Line     int
	ID       string
	Mark     Mark
	Word     string  // "match", "no hash"
	Pieces   []Piece // the canonical hash input, or its beginning
	Bytes    int     // of all of it
	Whole    bool    // the pieces are all of it
	Computed string  // the content hash; "" for none
	Recorded string  // what the event says it is; "" for nothing
	Left     string  // the members that are not hashed
	Assumed  string  // the member that was assumed
	Recipe   string  // the command that computes the hash from the input; "" where it cannot be shown
}

// Kind implements [View].
func (*Evidence) Kind() string { return "evidence" }

// Differs reports whether the event says another hash than it has.
func (e EvidenceEvent) Differs() bool { return e.Recorded != "" && e.Recorded != e.Computed }
