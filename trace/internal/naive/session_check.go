package naive

import "strings"

// Session checks a session log of JSON lines.
func Session(log []byte, opt Options) (Answer, error) {
	records := readLines(log, opt.Limits)
	first := firstReadable(records)
	if first < 0 {
		return Answer{}, ErrFamily
	}
	if strings.HasPrefix(strings.TrimLeft(string(log), " \t\r\n"), "[") {
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
