package format

import (
	"slices"
	"strings"
	"testing"
)

func TestMarkers(t *testing.T) {
	hash := strings.Repeat("0a", 32)
	for statement, want := range map[string][]markerForm{
		"nothing is cited":                                nil,
		"one [evidence:e1:0-5:" + hash + "] marker":       {fullMarker},
		"[evidence:e1] [evidence:e2:0-5:" + hash + "]":    {legacyMarker, fullMarker},
		"[evidence:e1:0-5]":                               {legacyMarker},
		"[evidence:]":                                     {legacyMarker},
		"[evidence:e1:0-5:" + strings.ToUpper(hash) + "]": {legacyMarker},
		"[evidence:e1:0-5:sha256:" + hash + "]":           {legacyMarker},
		"[evidence:e1:0_5:" + hash + "]":                  {brokenMarker},
		"[evidence:e1:-1-5:" + hash + "]":                 {brokenMarker},
		"[evidence::0-5:" + hash + "]":                    {brokenMarker},
		"[evidence:e1 is never closed":                    nil,
		"[evidence: [evidence:e1]":                        {legacyMarker},
	} {
		var got []markerForm
		for _, m := range findMarkers(nil, Text{Bytes: []byte(statement)}) {
			got = append(got, m.form)
		}
		if !slices.Equal(got, want) {
			t.Errorf("%q: %v, want %v", statement, got, want)
		}
	}
}

// TestMalformedHash holds that no change of a hash makes a marker better: whatever is not
// 64 lower-case hexadecimal digits leaves it without one.
func TestMalformedHash(t *testing.T) {
	hash := strings.Repeat("0a", 32)
	var wrong []string
	for i := range hash {
		for _, c := range []string{"", "A", "g", ":", " ", "0a"} {
			wrong = append(wrong, hash[:i]+c+hash[i+1:])
		}
		wrong = append(wrong, hash[:i])
	}
	for _, h := range append(wrong, "sha256:"+hash, hash+"0", hash+":") {
		m := readMarker([]byte("[evidence:e1:0-5:" + h + "]"))
		if m.form != legacyMarker || m.lacks == "" {
			t.Errorf("hash %q: form %d without %q", h, m.form, m.lacks)
		}
	}
}

func TestLacking(t *testing.T) {
	hash := strings.Repeat("0a", 32)
	for text, want := range map[string]string{
		"[evidence:]":                          "no span and no hash",
		"[evidence:e1]":                        "no span and no hash",
		"[evidence:e1:page]":                   "no span and no hash",
		"[evidence:e1:0-9]":                    "no hash",
		"[evidence:e1:0-9:]":                   "no hash",
		"[evidence:e1:" + hash + "]":           "no span",
		"[evidence:e1:0-9:" + hash[1:] + "]":   "no hash of 64 lower-case hexadecimal digits",
		"[evidence:e1:0-9:" + hash + "]":       "",
		"[evidence:e1:page:" + hash + "]":      "",
		"[evidence:urn:e:1:0-9:" + hash + "]":  "",
		"[evidence:e1:page:" + hash[1:] + "]":  "no hash of 64 lower-case hexadecimal digits",
		"[evidence:e1:9:" + hash + ":" + "00]": "",
	} {
		if m := readMarker([]byte(text)); m.lacks != want {
			t.Errorf("%s is without %q, want %q", text, m.lacks, want)
		}
	}
}
