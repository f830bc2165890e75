package secrets

// Work returns the number of bytes that the rules have read since the last call, again and again.
func (s *Scanner) Work() (bytes int) {
	for _, end := range s.passes.ends {
		if end.trace != nil {
			bytes += end.trace.Work
			end.trace.Work = 0
		}
	}
	return bytes
}
