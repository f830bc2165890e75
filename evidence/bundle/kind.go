package bundle

import "github.com/cupel-dev/cupel/evidence/internal/container"

// Kind is the kind of an input.
type Kind string

// The kinds. A bundle is detected by its first bytes or name, a single event or stream by content.
const (
	KindBundle Kind = "bundle" // a manifest and its events, in a tar inside one gzip member
	KindStream Kind = "stream" // one event on each line
	KindEvent  Kind = "event"  // one event, possibly multi-line

	KindPackage Kind = "package" // bundles with an inventory, which package incident verifies
)

// IsBundle reports whether an input is a bundle, by its name or the first two bytes (gzip).
func IsBundle(head []byte, name string) bool { return container.Sniff(head, name) }
