package naive

// UnknownRules are the rules that Unknown judges.
var UnknownRules = []string{Unreadable, "file.empty", "envelope.unknown"}

// Unknown is what there is to say of a log that neither Reasoning nor Session takes.
func Unknown(log []byte, limits Limits) Answer {
	var s statements
	records := readLines(log, limits)
	if len(records) == 0 {
		s.reject("file.empty", 0)
	}
	first := firstReadable(records)
	for i, r := range records {
		switch {
		case r.members == nil:
			s.reject(Unreadable, r.line)
		case i == first:
			s.reject("envelope.unknown", r.line)
		}
	}
	return Answer{Integrity: "rejected", Statements: s.all()}
}
