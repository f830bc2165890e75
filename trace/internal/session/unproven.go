package session

// unproven is a bit set of the kinds of content that cannot be verified.
type unproven uint8

const (
	objectHash    unproven = 1 << iota // a hash for an object or array
	redactedValue                      // a value that is gone
	looseMember                        // an id or a time of an event without hashes
)
