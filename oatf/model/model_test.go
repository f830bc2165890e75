package model

import (
	"testing"
	"time"
)

func TestParseDuration(t *testing.T) {
	for input, want := range map[string]time.Duration{
		"0s": 0, "30s": 30 * time.Second, "5m": 5 * time.Minute, "1h": time.Hour, "2d": 48 * time.Hour, "007s": 7 * time.Second,
		"PT0S": 0, "P0D": 0, "PT30S": 30 * time.Second, "PT5M30S": 330 * time.Second, "PT1H30M15S": 5415 * time.Second,
		"PT1H15S": 3615 * time.Second, "P1DT12H": 36 * time.Hour, "P2D": 48 * time.Hour, "106751d": 106751 * 24 * time.Hour,
	} {
		if got, err := ParseDuration(input); err != nil || got != want {
			t.Errorf("%q: %v, %v; expected %v", input, got, err, want)
		}
	}
	for _, input := range []string{
		"", "abc", "1.5h", "P", "PT", "P1DT", "PT1M1H", "P1W", "P1M", "P1Y", "30", "s", "30 s", " 30s", "30s ", "-5s", "+5s", "1h30m", "pt5m", "5M",
		"P1H", "PT1D", "P1D12H", "PT1.5S", "PT-1S", "PT1S2", "106752d", "99999999999999999999s", "P106751DT24H", "PT9223372037S",
	} {
		if got, err := ParseDuration(input); err == nil {
			t.Errorf("%q: %v", input, got)
		}
	}
}

func TestDateTime(t *testing.T) {
	for text, want := range map[DateTime]string{
		"2026-02-15": "2026-02-15T00:00:00Z", "2026-02-15T10:30:00Z": "2026-02-15T10:30:00Z", "2026-02-15T10:30:00.5+02:00": "2026-02-15T10:30:00.5+02:00",
	} {
		if got, err := text.Time(); err != nil || got.Format(time.RFC3339Nano) != want {
			t.Errorf("%s: %v, %v", text, got, err)
		}
	}
	for _, text := range []DateTime{"", "2026", "2026-13-01", "2026-02-15T10:30:00", "15.02.2026"} {
		if got, err := text.Time(); err == nil {
			t.Errorf("%q: %v", text, got)
		}
	}
}
