package naive

import "strings"

// UnknownRules are the rules that Unknown judges.
var UnknownRules = []string{Unreadable, "file.empty", "envelope.unknown"}

// Unknown returns the answer for a log of unknown family.
func Unknown(log []byte, limits Limits) Answer {
	var s statements
	records := readLines(log, limits)
	if len(records) == 0 {
		s.reject("file.empty", 0)
	}
	first := firstReadable(records)
	for i, r := range records {
		switch {
		case r.members == nil && first < 0 && foreign(records[:i], limits): // one fault, the first line's
		case r.members == nil:
			s.reject(Unreadable, r.line)
		case i == first:
			s.reject("envelope.unknown", r.line)
		}
	}
	return Answer{Integrity: "rejected", Statements: s.all()}
}

// foreign reports whether lines cannot start a log: after white space and a byte order mark, the text has no
// bracket, or one followed by a zero byte. A line with only a mark is ignored.
func foreign(records []record, limits Limits) bool {
	for _, r := range records {
		text := r.raw
		if exceeded(len(text), limits.LineBytes) {
			text = text[:limits.LineBytes]
		}
		if strings.TrimRight(string(text), " \t\r\n") == "\ufeff" {
			continue
		}
		begin := strings.TrimLeft(strings.TrimPrefix(string(text), "\ufeff"), " \t\r\n")
		return begin != "" && (!strings.ContainsAny(begin[:1], "{[") || strings.HasPrefix(begin[1:], "\x00"))
	}
	return false
}
