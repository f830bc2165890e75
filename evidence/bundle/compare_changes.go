package bundle

import (
	"github.com/cupel-dev/cupel/evidence"
	"github.com/cupel-dev/cupel/internal/say"
)

// Change is a value that differs between two events.
type Change struct {
	Pointer string  `json:"pointer"` // JSON pointer (RFC 6901) within the event; a very long one is cut
	A       *string `json:"a"`       // how its canonical JSON begins; nil when it is not there
	B       *string `json:"b"`
}

// MaxChanges limits the listed changes of an event; others are counted.
const MaxChanges = 100

const (
	shownValue   = 80  // bytes of a value
	shownPointer = 400 // bytes of a pointer
)

// compare lists the differences between two events with the same type and subject.
func (d *Difference) compare(a, b *evidence.Event) {
	d.differ(a.Get(evidence.AttrData), b.Get(evidence.AttrData))
	mediaA, mediaB := a.Get(evidence.AttrContentType), b.Get(evidence.AttrContentType)
	if mediaType(mediaA) != mediaType(mediaB) {
		d.differ(mediaA, mediaB)
	}
}

// mediaType returns datacontenttype with the default that the content hash uses.
func mediaType(v evidence.Value) string {
	if text, ok := v.Text(); ok {
		return text
	}
	return "application/json"
}

func (d *Difference) differ(a, b evidence.Value) {
	for x, y := range a.Differences(b) {
		if len(d.Changes) == MaxChanges {
			d.Omitted++
			continue
		}
		place := x
		if !x.Exists() {
			place = y
		}
		d.Changes = append(d.Changes, Change{say.Preview(place.PointerOf(shownPointer), shownPointer), previewOf(x), previewOf(y)})
	}
}

func previewOf(v evidence.Value) *string {
	if !v.Exists() {
		return nil
	}
	text := say.Preview(v.AppendCanonical(nil), shownValue)
	return &text
}
