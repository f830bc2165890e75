package session

// unproven are things that a log may hold and nobody can check, as bits.
type unproven uint8

const (
	objectHash    unproven = 1 << iota // a hash beside an object or an array
	redactedValue                      // a value that is gone
	looseMember                        // an id or a time of an event without hashes
)
