package envelope_test

import (
	"bytes"
	"fmt"
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/cupel-dev/cupel/evidence/internal/envelope"
)

// TestParseTime checks the forms of RFC 3339 that the contract takes, those that only other readers take, and those
// that every reader refuses.
func TestParseTime(t *testing.T) {
	for _, c := range []struct {
		text    string
		want    string // as it is written; "" for no time
		departs envelope.Spelling
	}{
		{"2026-01-02T03:04:05Z", "2026-01-02T03:04:05Z", ""},
		{"2026-01-02T03:04:05+00:00", "2026-01-02T03:04:05Z", ""},
		{"2026-01-02T03:04:05.1Z", "2026-01-02T03:04:05.100Z", ""},
		{"2026-01-02T03:04:05.12Z", "2026-01-02T03:04:05.120Z", ""},
		{"2026-01-02T03:04:05.120Z", "2026-01-02T03:04:05.120Z", ""},
		{"2026-01-02T03:04:05.0001Z", "2026-01-02T03:04:05.000100Z", ""},
		{"2026-01-02T03:04:05.0000001Z", "2026-01-02T03:04:05.000000100Z", ""},
		{"2026-01-02T03:04:05.000000001Z", "2026-01-02T03:04:05.000000001Z", ""},
		{"2026-01-02T03:04:05.000000000Z", "2026-01-02T03:04:05Z", ""},
		{"0000-01-01T00:00:00Z", "0000-01-01T00:00:00Z", ""},
		{"0000-02-29T00:00:00Z", "0000-02-29T00:00:00Z", ""},
		{"9999-12-31T23:59:59.999999999Z", "9999-12-31T23:59:59.999999999Z", ""},
		{"2000-02-29T00:00:00Z", "2000-02-29T00:00:00Z", ""},
		{"2016-12-31T23:59:60Z", "2016-12-31T23:59:60Z", ""},
		{"2016-12-31T23:59:60.5+00:00", "2016-12-31T23:59:60.500Z", ""},
		{"9999-12-31T23:59:60Z", "9999-12-31T23:59:60Z", ""},

		{"2026-01-02t03:04:05Z", "2026-01-02T03:04:05Z", envelope.LowerCase},
		{"2026-01-02T03:04:05z", "2026-01-02T03:04:05Z", envelope.LowerCase},
		{"2026-01-02 03:04:05Z", "2026-01-02T03:04:05Z", envelope.WithSpace},
		{"2026-01-02T03:04:05-00:00", "2026-01-02T03:04:05Z", envelope.UnknownOffset},
		{"2026-01-02T03:04:05-0000", "2026-01-02T03:04:05Z", envelope.UnknownOffset},
		{"2026-01-02T03:04:05+0000", "2026-01-02T03:04:05Z", envelope.OtherOffset},
		{"2026-01-02T10:00:00+02:00", "2026-01-02T08:00:00Z", envelope.OtherOffset},
		{"2026-01-01T00:30:00.5+05:30", "2025-12-31T19:00:00.500Z", envelope.OtherOffset},
		{"2026-12-31T23:30:00-23:59", "2027-01-01T23:29:00Z", envelope.OtherOffset},
		{"2017-01-01T01:59:60+02:00", "2016-12-31T23:59:60Z", envelope.OtherOffset},
		{"2026-01-02T03:04:60Z", "2026-01-02T03:05:00Z", envelope.OtherLeap},
		{"2026-01-02T03:59:60.25Z", "2026-01-02T04:00:00.250Z", envelope.OtherLeap},
		{"2016-12-31T23:59:60+02:00", "2016-12-31T22:00:00Z", envelope.OtherOffset},

		{"", "", ""},
		{"2026-01-02", "", ""},
		{"2026-01-02T03:04:05", "", ""},
		{"2026-01-02T03:04Z", "", ""},
		{"2026-01-02T03:04:05 Z", "", ""},
		{"2026-01-02T03:04:05Z ", "", ""},
		{" 2026-01-02T03:04:05Z", "", ""},
		{"2026-01-02T03:04:05.Z", "", ""},
		{"2026-01-02T03:04:05,5Z", "", ""},
		{"2026-01-02T03:04:05.1234567890Z", "", ""},
		{"2026-01-02T03:04:05.5", "", ""},
		{"2026-01-02T03:04:05+24:00", "", ""},
		{"2026-01-02T03:04:05+00:60", "", ""},
		{"2026-01-02T03:04:05+0:00", "", ""},
		{"2026-01-02T03:04:05*01:00", "", ""},
		{"2026-01-02T03:04:05+01-00", "", ""},
		{"2026-01-02T03:04:05UTC", "", ""},
		{"2026-1-02T03:04:05Z", "", ""},
		{"2026-00-02T03:04:05Z", "", ""},
		{"2026-13-02T03:04:05Z", "", ""},
		{"2026-01-00T03:04:05Z", "", ""},
		{"2026-04-31T03:04:05Z", "", ""},
		{"2026-02-29T03:04:05Z", "", ""},
		{"1900-02-29T03:04:05Z", "", ""},
		{"2026-01-02T24:00:00Z", "", ""},
		{"2026-01-02T23:60:00Z", "", ""},
		{"2026-01-02T23:59:61Z", "", ""},
		{"2026/01/02T23:59:59Z", "", ""},
		{"2026-01-02T23.59.59Z", "", ""},
		{"٢٠٢٦-01-02T23:59:59Z", "", ""},
		{"0000-01-01T00:00:00+00:01", "", ""},
		{"9999-12-31T23:59:59-00:01", "", ""},
		{"+2026-01-02T03:04:05Z", "", ""},
	} {
		got, departs, ok := envelope.ParseTime([]byte(c.text))
		if ok != (c.want != "") || departs != c.departs || ok && got.String() != c.want {
			t.Errorf("%q is %v, %q, %v", c.text, got, departs, ok)
		}
	}
}

// TestTimeAgainstStandardLibrary compares what is read and written with package time, for
// instants of all years, offsets and precisions.
func TestTimeAgainstStandardLibrary(t *testing.T) {
	first, last := time.Date(0, 1, 1, 0, 0, 0, 0, time.UTC), time.Date(9999, 12, 31, 23, 59, 59, 0, time.UTC)
	instant := rapid.Custom(func(t *rapid.T) time.Time {
		nanos := rapid.OneOf(rapid.Just(0), rapid.Map(rapid.IntRange(0, 999), func(n int) int { return n * 1e6 }), rapid.IntRange(0, 1e9-1)).Draw(t, "nanos")
		return time.Unix(rapid.Int64Range(first.Unix(), last.Unix()).Draw(t, "second"), int64(nanos)).UTC()
	})
	rapid.Check(t, func(t *rapid.T) {
		a, b := instant.Draw(t, "a"), instant.Draw(t, "b")
		text := a.Format(time.RFC3339Nano)
		got, departs, ok := envelope.ParseTime([]byte(text))
		if !ok || departs != "" {
			t.Fatalf("%s: %q, %v", text, departs, ok)
		}
		layout := "2006-01-02T15:04:05Z"
		for _, digits := range []int{9, 6, 3} {
			if unit := pow10(9 - digits); a.Nanosecond()%(unit*1000) != 0 || digits == 3 && a.Nanosecond() != 0 {
				layout = fmt.Sprintf("2006-01-02T15:04:05.%0*dZ", digits, 0)
				break
			}
		}
		if want := a.Format(layout); got.String() != want {
			t.Fatalf("%s is written as %s, expected %s", text, got, want)
		}
		other, _, _ := envelope.ParseTime([]byte(b.Format(time.RFC3339Nano)))
		if got.Compare(other) != a.Compare(b) || got.Leap() {
			t.Fatalf("%v and %v compare as %d", a, b, got.Compare(other))
		}
		zone := time.FixedZone("", 60*rapid.IntRange(-23*60-59, 23*60+59).Draw(t, "minutes"))
		moved := a.In(zone)
		same, departs, ok := envelope.ParseTime([]byte(moved.Format("2006-01-02T15:04:05.999999999-07:00")))
		if year := moved.Year(); year >= 0 && year <= 9999 && (!ok || same != got || (departs == "") != (zoneMinutes(moved) == 0)) {
			t.Fatalf("%v is %v, %q, %v", moved, same, departs, ok)
		}
	})
}

func pow10(n int) int {
	p := 1
	for range n {
		p *= 10
	}
	return p
}

func zoneMinutes(t time.Time) int {
	_, seconds := t.Zone()
	return seconds / 60
}

// TestTimeEveryDay writes and reads each day of four centuries.
func TestTimeEveryDay(t *testing.T) {
	for day := time.Date(1600, 1, 1, 0, 0, 0, 0, time.UTC); day.Year() < 2000; day = day.AddDate(0, 0, 1) {
		text := day.AppendFormat(nil, time.RFC3339)
		if got, _, ok := envelope.ParseTime(text); !ok || !bytes.Equal(got.AppendText(nil), text) {
			t.Fatalf("%s is %v, %v", text, got, ok)
		}
	}
}

// TestLeapSecondOrder holds that a leap second lies between its neighbours.
func TestLeapSecondOrder(t *testing.T) {
	var before envelope.Time
	for i, text := range []string{"2016-12-31T23:59:59.999999999Z", "2016-12-31T23:59:60Z", "2016-12-31T23:59:60.999Z", "2017-01-01T00:00:00Z"} {
		at, _, ok := envelope.ParseTime([]byte(text))
		if !ok || i > 0 && at.Compare(before) <= 0 || at.Leap() != (i == 1 || i == 2) {
			t.Errorf("%s: %v, after the one before: %d", text, ok, at.Compare(before))
		}
		before = at
	}
}
