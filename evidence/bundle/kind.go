package bundle

import "github.com/cupel-dev/cupel/evidence/internal/container"

// Kind is what an input is.
type Kind string

// The kinds. The first bytes or the name tell a bundle, the content tells one event from
// a stream of them.
const (
	KindBundle Kind = "bundle" // a manifest and its events, in a tar inside one gzip member
	KindStream Kind = "stream" // one event on each line
	KindEvent  Kind = "event"  // one event, which may stand on several lines
)

// IsBundle says whether an input is a bundle: it begins as gzip does, or has the name of
// one. Two bytes of its beginning tell.
func IsBundle(head []byte, name string) bool { return container.Sniff(head, name) }
