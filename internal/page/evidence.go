package page

// Evidence is the view of events with the bytes that their content hashes cover.
type Evidence struct {
	Events  []EvidenceEvent
	Members []string // hashed members, each the mark of its bytes
	More    int      // events not shown
}

// EvidenceEvent is one event.
type EvidenceEvent struct {
	Line     int
	ID       string
	Mark     Mark
	Word     string  // "match", "no hash"
	Pieces   []Piece // canonical hash input, possibly truncated
	Bytes    int     // total size
	Whole    bool    // the pieces are complete
	Computed string  // computed content hash, or ""
	Recorded string  // recorded content hash, or ""
	Left     string  // members that are not hashed
	Assumed  string  // the member that was assumed
	Recipe   string  // command that computes the hash, or "" if it cannot be shown
}

func (*Evidence) Kind() string { return "evidence" }

// Differs reports a content hash mismatch.
func (e EvidenceEvent) Differs() bool { return e.Recorded != "" && e.Recorded != e.Computed }
