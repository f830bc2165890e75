package session

import (
	"fmt"
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/cupel-dev/cupel/internal/racetest"
)

// TestInstants reads what the time package writes, of any year and zone.
func TestInstants(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		zone := time.FixedZone("", rapid.IntRange(-23*60, 23*60).Draw(t, "zone")*60)
		want := time.Unix(rapid.Int64Range(-62135510400, 253402214400).Draw(t, "seconds"), rapid.Int64Range(0, 999_999_999).Draw(t, "nanos")).In(zone)
		text := want.Format(time.RFC3339Nano)
		seconds, nanos, ok := instant([]byte(text))
		if got := time.Unix(seconds, int64(nanos)); !ok || !got.Equal(want) {
			t.Fatalf("%s: %s, %v", text, got, ok)
		}
	})
}

// TestNoInstants changes one character of a time, and cuts it anywhere: what is left is
// read as the time package reads it, or not at all.
func TestNoInstants(t *testing.T) {
	for _, text := range []string{"2026-02-28T23:59:59.250+05:30", "2026-10-01T12:30:50.250-23:30"} {
		noInstants(t, text)
	}
}

func noInstants(t *testing.T, text string) {
	read := 0
	try := func(text string) {
		seconds, nanos, ok := instant([]byte(text))
		want, err := time.Parse(time.RFC3339Nano, text)
		if got := time.Unix(seconds, int64(nanos)); ok && (err != nil || !got.Equal(want)) {
			t.Errorf("%q: %s, want %s, %v", text, got, want, err)
		}
		if ok {
			read++
		}
	}
	for i := range len(text) {
		try(text[:i])
		try(text[:i] + "Z")
		for j := range i {
			try(text[:j] + "60" + text[min(len(text), j+2):])
		}
		for _, c := range []byte("0123456789TtZz:.,+- \x00\xff/") {
			try(fmt.Sprintf("%s%c%s", text[:i], c, text[i+1:]))
			try(text[:i] + string([]byte{c}) + text[i+1:])
		}
	}
	if read < 50 {
		t.Errorf("only %d are times", read)
	}
}

// TestInstantsOfAllMonths reads the first and the last day of every month there is, and
// refuses the day before the one and after the other.
func TestInstantsOfAllMonths(t *testing.T) {
	for month := 0; month < 12*10_000; month += racetest.Step(t) {
		first := time.Date(month/12, time.Month(month%12+1), 1, 12, 30, 15, 0, time.UTC)
		last := first.AddDate(0, 1, -1)
		for day := range last.Day() + 2 {
			if day > 1 && day < 28 {
				continue
			}
			text := fmt.Sprintf("%04d-%02d-%02dT12:30:15Z", first.Year(), first.Month(), day)
			seconds, _, ok := instant([]byte(text))
			if want := day > 0 && day <= last.Day(); ok != want || ok && seconds != first.AddDate(0, 0, day-1).Unix() {
				t.Fatalf("%s: %d, %v", text, seconds, ok)
			}
		}
	}
}
