package digest

// Many computes several digests together. On processors with SHA extensions it interleaves two
// messages, which takes hardly longer than one: each step of SHA-256 waits for the previous one.
// The zero value is ready. It is not safe for concurrent use.
type Many struct {
	pair pair
	sums []Sum
}

// Sums returns the digest of each message, valid until the next call.
func (m *Many) Sums(messages [][]byte) []Sum {
	if cap(m.sums) < len(messages) {
		m.sums = make([]Sum, len(messages))
	}
	m.sums = m.sums[:len(messages)]
	if !m.pair.compute(m.sums, messages) {
		for i, message := range messages {
			m.sums[i] = Of(message)
		}
	}
	return m.sums
}
