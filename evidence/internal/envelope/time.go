package envelope

import (
	"cmp"
	"strconv"
)

// Time is an instant in the years 0000 to 9999 with nanoseconds. A leap second (second 60 in RFC
// 3339) is a separate instant. The zero Time is the start of 1970.
type Time struct {
	seconds int64  // since 1970, in UTC; of a leap second those of second 59
	nanos   uint32 // below 1e9; of a leap second from 1e9
}

// Spelling describes how a timestamp deviates from the contract's notation, for a message, or is "".
type Spelling string

// Notations that readers of RFC 3339 accept and the contract does not.
const (
	InOrder       Spelling = ""
	LowerCase     Spelling = "a lower-case letter"
	WithSpace     Spelling = "a space between date and time"
	UnknownOffset Spelling = "the offset -00:00, which says that the offset is unknown"
	OtherOffset   Spelling = "an offset other than Z and +00:00"
	OtherLeap     Spelling = "second 60 at another time than 23:59:60"
)

const (
	nanosPerSecond   = 1_000_000_000
	minutesPerDay    = 24 * 60
	secondsPerDay    = minutesPerDay * 60
	daysOfFourCycles = 146_097 // four centuries
	daysToEpoch      = 719_528 // from 0000-01-01 to 1970-01-01
)

// The first second of the year 0000, and the first beyond the year 9999.
const (
	firstSecond = -daysToEpoch * secondsPerDay
	endSecond   = (25*daysOfFourCycles - daysToEpoch) * secondsPerDay
)

// ParseTime parses a timestamp. The contract requires YYYY-MM-DDThh:mm:ss, an optional fraction of 1 to 9 digits, and
// Z or +00:00; leap seconds only at 23:59:60. Other meaningful forms are converted to UTC and returned with their
// first deviation; an impossible second 60 is the second after 59. ok is false if text is not a time.
func ParseTime(text []byte) (t Time, departs Spelling, ok bool) {
	const whole = len("2006-01-02T15:04:05")
	if len(text) <= whole || text[4] != '-' || text[7] != '-' || text[13] != ':' || text[16] != ':' {
		return Time{}, "", false
	}
	century, c := twoDigits(text)
	year, y := twoDigits(text[2:])
	month, m := twoDigits(text[5:])
	day, d := twoDigits(text[8:])
	hour, h := twoDigits(text[11:])
	minute, n := twoDigits(text[14:])
	second, s := twoDigits(text[17:])
	year += 100 * century
	if !(c && y && m && d && h && n && s) || month < 1 || month > 12 || day < 1 || day > daysIn(year, month) ||
		hour > 23 || minute > 59 || second > 60 {
		return Time{}, "", false
	}
	separator, ok := separatorForm(text[10])
	if !ok {
		return Time{}, "", false
	}
	nanos, rest, ok := fraction(text[whole:])
	if !ok {
		return Time{}, "", false
	}
	offset, zone, ok := parseZone(rest)
	if !ok {
		return Time{}, "", false
	}
	if second == 60 {
		second, nanos = 59, nanos+nanosPerSecond
	}
	t = Time{int64(daysSinceEpoch(year, month, day))*secondsPerDay + int64((hour*60+minute-offset)*60+second), nanos}
	if t.seconds < firstSecond || t.seconds >= endSecond {
		return Time{}, "", false // the offset leads out of the years that can be written
	}
	leap := InOrder
	if t.Leap() && (t.seconds-firstSecond)%secondsPerDay != secondsPerDay-1 {
		t, leap = Time{t.seconds + 1, t.nanos - nanosPerSecond}, OtherLeap
	}
	return t, cmp.Or(separator, zone, leap), true
}

func twoDigits(text []byte) (value int, ok bool) {
	tens, ones := text[0]-'0', text[1]-'0'
	return int(tens)*10 + int(ones), tens <= 9 && ones <= 9
}

func separatorForm(c byte) (departs Spelling, ok bool) {
	switch c {
	case 'T':
		return InOrder, true
	case 't':
		return LowerCase, true
	case ' ':
		return WithSpace, true
	}
	return "", false
}

// fraction parses an optional fraction of 1 to 9 digits.
func fraction(text []byte) (nanos uint32, rest []byte, ok bool) {
	if text[0] != '.' {
		return 0, text, true
	}
	i, unit := 1, uint32(nanosPerSecond)
	for ; i < len(text) && text[i]-'0' <= 9; i++ {
		if unit /= 10; unit == 0 {
			return 0, nil, false
		}
		nanos += uint32(text[i]-'0') * unit
	}
	return nanos, text[i:], i > 1
}

// parseZone parses the zone: Z, or an offset in minutes with or without colon.
func parseZone(text []byte) (minutes int, departs Spelling, ok bool) {
	switch {
	case string(text) == "Z" || string(text) == "+00:00":
		return 0, InOrder, true
	case string(text) == "z":
		return 0, LowerCase, true
	case len(text) == len("+0000"):
	case len(text) == len("+00:00") && text[3] == ':':
	default:
		return 0, "", false
	}
	hours, h := twoDigits(text[1:])
	rest, r := twoDigits(text[len(text)-2:])
	if text[0] != '+' && text[0] != '-' || !h || !r || hours > 23 || rest > 59 {
		return 0, "", false
	}
	minutes = hours*60 + rest
	if text[0] == '-' {
		if minutes == 0 {
			return 0, UnknownOffset, true
		}
		minutes = -minutes
	}
	return minutes, OtherOffset, true
}

// Leap reports whether the time is in a leap second.
func (t Time) Leap() bool { return t.nanos >= nanosPerSecond }

// Compare compares times regardless of notation: negative if t is earlier, 0 if equal.
func (t Time) Compare(u Time) int {
	return cmp.Or(cmp.Compare(t.seconds, u.seconds), cmp.Compare(t.nanos, u.nanos))
}

// AppendText appends the time in UTC with Z and the shortest of 0, 3, 6 or 9 fraction digits.
func (t Time) AppendText(dst []byte) []byte {
	const perDay = int64(secondsPerDay)
	since := t.seconds - firstSecond // not negative
	year, month, day := date(int(since / perDay))
	clock, nanos := int(since%perDay), t.nanos
	second := clock % 60
	if t.Leap() {
		second, nanos = 60, nanos-nanosPerSecond
	}
	dst = appendTwo(appendTwo(dst, year/100), year%100)
	dst = appendTwo(append(dst, '-'), month)
	dst = appendTwo(append(dst, '-'), day)
	dst = appendTwo(append(dst, 'T'), clock/3600)
	dst = appendTwo(append(dst, ':'), clock/60%60)
	dst = appendTwo(append(dst, ':'), second)
	return append(appendFraction(dst, nanos), 'Z')
}

func (t Time) String() string { return string(t.AppendText(nil)) }

func appendTwo(dst []byte, n int) []byte { return append(dst, byte('0'+n/10), byte('0'+n%10)) }

func appendFraction(dst []byte, nanos uint32) []byte {
	if nanos == 0 {
		return dst
	}
	dst = append(dst, '.')
	start := len(dst)
	dst = strconv.AppendUint(dst, uint64(nanosPerSecond+nanos), 10) // a leading 1 keeps the zeros
	dst = append(dst[:start], dst[start+1:]...)
	for string(dst[len(dst)-3:]) == "000" {
		dst = dst[:len(dst)-3]
	}
	return dst
}

func isLeapYear(year int) bool { return year%4 == 0 && (year%100 != 0 || year%400 == 0) }

func daysIn(year, month int) int {
	switch month {
	case 2:
		if isLeapYear(year) {
			return 29
		}
		return 28
	case 4, 6, 9, 11:
		return 30
	}
	return 31
}

// daysSinceEpoch returns the days since 1970-01-01. Years start in March, so that the leap day is the last.
func daysSinceEpoch(year, month, day int) int { return daysSinceZero(year, month, day) - daysToEpoch }

func daysSinceZero(year, month, day int) int {
	const beforeMarch = 31 + 29 // of the year 0000, which is a leap year
	if month -= 3; month < 0 {
		month += 12
		year--
	}
	year += 400 // not negative; four centuries have a whole number of days
	return year*365 + year/4 - year/100 + year/400 - daysOfFourCycles + (153*month+2)/5 + day - 1 + beforeMarch
}

func date(days int) (year, month, day int) {
	year = days * 400 / daysOfFourCycles // exact or one too many or too few
	for year > 0 && daysSinceZero(year, 1, 1) > days {
		year--
	}
	for daysSinceZero(year+1, 1, 1) <= days {
		year++
	}
	day = days - daysSinceZero(year, 1, 1)
	for month = 1; day >= daysIn(year, month); month++ {
		day -= daysIn(year, month)
	}
	return year, month, day + 1
}
