package naive

import "strings"

// isArray reports whether a log is an array of records. Before the first record, a line with a list that does not
// consist of objects is an ordinary line.
func isArray(log string) bool {
	first, rest, _ := strings.Cut(strings.TrimLeft(log, space), "\n")
	first = strings.TrimRight(first, space)
	lone := strings.HasSuffix(first, "]") && !strings.HasPrefix(strings.TrimLeft(first[1:], space), "{")
	return strings.HasPrefix(first, "[") && !(lone && strings.HasPrefix(strings.TrimLeft(rest, space), "{"))
}

const space = " \t\r\n"

// Session checks a session log of JSON lines.
func Session(log []byte, opt Options) (Answer, error) {
	records := readLines(log, opt.Limits)
	first := firstReadable(records)
	if first < 0 {
		return Answer{}, ErrFamily
	}
	if isArray(string(log)) {
		return Answer{}, ErrLayout
	}
	s := &session{opt: opt, family: FamilyOf(records[first].members)}
	s.envelope = envelopes[s.family]
	if s.family == "" {
		return Answer{}, ErrFamily
	}
	s.key = publicKey(records[first].members)
	for _, r := range records {
		reader{s}.read(r)
	}
	reader{s}.unknown(records)
	s.bytesOf(log, opt.Expected)
	for _, rules := range []interface{ check() }{links{s}, identities{s}, clocks{s}, seals{s}, proofs{s}, ends{s}, payloads{s}} {
		rules.check()
	}
	return Answer{Family: s.family, Integrity: s.integrity(), Class: s.class(), Statements: s.all()}, nil
}
