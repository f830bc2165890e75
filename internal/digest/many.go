package digest

// Many computes the digests of several messages together, where the processor can: two of
// them side by side take it hardly longer than one, because each step of SHA-256 waits for
// the one before it. Elsewhere it computes one after the other. The zero value is ready; it
// is not safe for concurrent use.
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
