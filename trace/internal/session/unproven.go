package session

// unproven are kinds of unverifiable content, as bits.
type unproven uint8

const (
	objectHash    unproven = 1 << iota // a hash for an object or array
	redactedValue                      // a value that is gone
	looseMember                        // an id or a time of an event without hashes
)
