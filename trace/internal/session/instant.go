package session

import (
	"encoding/binary"
	"time"
)

// instant parses an RFC 3339 (section 5.6) timestamp with capital T and Z and without leap seconds:
// 2026-03-01T12:00:00.25+01:00. Digits beyond nanoseconds are ignored.
func instant(text []byte) (seconds int64, nanos uint32, ok bool) {
	if len(text) <= len(form) {
		return 0, 0, false
	}
	for _, w := range formWords {
		if !w.fits(binary.LittleEndian.Uint64(text[w.at:])) {
			return 0, 0, false
		}
	}
	year, month, day := two(text[0:])*100+two(text[2:]), two(text[5:]), two(text[8:])
	hour, minute, second := two(text[11:]), two(text[14:]), two(text[17:])
	if month < 1 || month > 12 || day < 1 || day > daysOf(year, month) || hour > 23 || minute > 59 || second > 59 {
		return 0, 0, false
	}
	nanos, rest, ok := fraction(text[len(form):])
	if !ok {
		return 0, 0, false
	}
	offset, ok := zone(rest)
	return int64(daysBefore(year, month)+day-1)*86400 + int64(hour*3600+minute*60+second) - offset, nanos, ok
}

// form is the pattern of a timestamp; 0 matches any digit.
const form = "0000-00-00T00:00:00"

// formWords are the pattern in words of eight characters. The last two words overlap.
var formWords = [...]formWord{formWordAt(0), formWordAt(8), formWordAt(len(form) - 8)}

type formWord struct {
	at   int
	form uint64
	room uint64 // what takes the highest bit of each byte, if added to one that is too far from the form's
}

func formWordAt(at int) formWord {
	w := formWord{at: at}
	for i := range 8 {
		above := 1 // the least difference that is too much
		if form[at+i] == '0' {
			above = 10
		}
		w.form |= uint64(form[at+i]) << (8 * i)
		w.room |= uint64(0x80-above) << (8 * i)
	}
	return w
}

// fits reports whether eight characters match the pattern.
func (w *formWord) fits(text uint64) bool {
	const highs = 0x8080808080808080
	far := text ^ w.form // for a digit, its value: '0' has none of those bits
	return (far|(far&^highs+w.room))&highs == 0
}

func daysOf(year, month int) int {
	if month == 2 && year%4 == 0 && (year%100 != 0 || year%400 == 0) {
		return 29
	}
	return monthDays[month] - monthDays[month-1]
}

// monthDays are the days before each month of a common year.
var monthDays = [...]int{0, 31, 59, 90, 120, 151, 181, 212, 243, 273, 304, 334, 365}

// daysBefore returns the days from 1970 to the first of a month, negative before 1970. Years start in March.
func daysBefore(year, month int) int {
	const to1970 = 719528 // days from the year 0
	leapt := year
	if month <= 2 {
		leapt--
	}
	return 365*year + floor(leapt, 4) - floor(leapt, 100) + floor(leapt, 400) + 1 + monthDays[month-1] - to1970
}

// floor divides and rounds down.
func floor(a, b int) int {
	if a < 0 {
		return -1 // of the year before 0
	}
	return a / b
}

func two(text []byte) int { return int(text[0]-'0')*10 + int(text[1]-'0') }

// fraction parses optional decimals as nanoseconds and returns the rest.
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

// zone parses "Z" or an offset from UTC, in seconds.
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
