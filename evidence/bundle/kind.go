package bundle

// Kind is what an input is.
type Kind string

// The kinds. The first bytes or the name tell a bundle, the content tells one event from
// a stream of them.
const (
	KindBundle Kind = "bundle" // a manifest and its events, in a tar inside one gzip member
	KindStream Kind = "stream" // one event on each line
	KindEvent  Kind = "event"  // one event, which may stand on several lines
)
