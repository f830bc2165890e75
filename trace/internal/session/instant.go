package session

import "time"

// instant reads a time of day as RFC 3339 (section 5.6) writes it, in capitals and
// without leap seconds: 2026-03-01T12:00:00.25+01:00. Digits beyond nanoseconds are
// passed over.
func instant(text []byte) (seconds int64, nanos uint32, ok bool) {
	const form = "0000-00-00T00:00:00"
	if len(text) <= len(form) {
		return 0, 0, false
	}
	for i := range len(form) {
		if digit := text[i]-'0' <= 9; digit != (form[i] == '0') || !digit && text[i] != form[i] {
			return 0, 0, false
		}
	}
	year, month, day := two(text[0:])*100+two(text[2:]), two(text[5:]), two(text[8:])
	hour, minute, second := two(text[11:]), two(text[14:]), two(text[17:])
	// An hour beyond 23 and a day that is none come out as another day.
	at := time.Date(year, time.Month(month), day, hour, minute, second, 0, time.UTC)
	if y, m, d := at.Date(); y != year || int(m) != month || d != day || minute > 59 || second > 59 {
		return 0, 0, false
	}
	nanos, rest, ok := fraction(text[len(form):])
	if !ok {
		return 0, 0, false
	}
	offset, ok := zone(rest)
	return at.Unix() - offset, nanos, ok
}

// two is the number that two digits spell.
func two(text []byte) int { return int(text[0]-'0')*10 + int(text[1]-'0') }

// fraction reads the digits behind a point, if there is one, as nanoseconds.
func fraction(text []byte) (nanos uint32, rest []byte, ok bool) {
	if len(text) == 0 || text[0] != '.' {
		return 0, text, true
	}
	unit := uint32(time.Second)
	i := 1
	for ; i < len(text) && text[i]-'0' <= 9; i++ {
		unit /= 10
		nanos += uint32(text[i]-'0') * unit
	}
	return nanos, text[i:], i > 1
}

// zone reads "Z" or an offset from UTC, in seconds.
func zone(text []byte) (offset int64, ok bool) {
	if string(text) == "Z" {
		return 0, true
	}
	if len(text) != len("+00:00") || text[0] != '+' && text[0] != '-' || text[3] != ':' {
		return 0, false
	}
	for _, i := range [...]int{1, 2, 4, 5} {
		if text[i]-'0' > 9 {
			return 0, false
		}
	}
	hours, minutes := two(text[1:]), two(text[4:])
	if offset = int64(hours*3600 + minutes*60); text[0] == '-' {
		offset = -offset
	}
	return offset, hours < 24 && minutes < 60
}
