package reasoning

import (
	"slices"
	"strings"
	"testing"
	"unsafe"

	"pgregory.net/rapid"
)

func TestCleanPath(t *testing.T) {
	for path, want := range map[string]string{
		"evidence/e1.txt":     "evidence/e1.txt",
		"./evidence//e1.txt":  "evidence/e1.txt",
		"evidence/./e1.txt/":  "evidence/e1.txt",
		"..evidence/e1..txt":  "..evidence/e1..txt",
		".":                   "",
		"a:b":                 "unsafe",
		"ab:c":                "ab:c",
		"1:c":                 "1:c",
		"/etc/passwd":         "unsafe",
		"//server/share":      "unsafe",
		"../e1.txt":           "unsafe",
		"evidence/../../x":    "unsafe",
		"evidence/..":         "unsafe",
		`evidence\e1.txt`:     "unsafe",
		`C:\e1.txt`:           "unsafe",
		"C:/e1.txt":           "unsafe",
		"evidence/e1.txt\x00": "unsafe",
	} {
		got, why := cleanPath(path)
		if why != "" {
			got = "unsafe"
		}
		if got != want {
			t.Errorf("%q: %q (%s), want %q", path, got, why, want)
		}
	}
}

func TestMarkers(t *testing.T) {
	hash := strings.Repeat("0a", 32)
	for statement, want := range map[string][]markerForm{
		"nothing is cited":                                nil,
		"one [evidence:e1:0-5:" + hash + "] marker":       {fullMarker},
		"[evidence:e1] [evidence:e2:0-5:" + hash + "]":    {legacyMarker, fullMarker},
		"[evidence:e1:0-5]":                               {legacyMarker},
		"[evidence:]":                                     {legacyMarker},
		"[evidence:e1:0-5:" + strings.ToUpper(hash) + "]": {brokenMarker},
		"[evidence:e1:0-5:sha256:" + hash + "]":           {brokenMarker},
		"[evidence:e1:0_5:" + hash + "]":                  {brokenMarker},
		"[evidence:e1:-1-5:" + hash + "]":                 {brokenMarker},
		"[evidence::0-5:" + hash + "]":                    {brokenMarker},
		"[evidence:e1 is never closed":                    nil,
		"[evidence: [evidence:e1]":                        {legacyMarker},
	} {
		var got []markerForm
		for _, m := range findMarkers(nil, text{bytes: []byte(statement)}) {
			got = append(got, m.form)
		}
		if !slices.Equal(got, want) {
			t.Errorf("%q: %v, want %v", statement, got, want)
		}
	}
}

// TestStateSize holds the state for each id within the 32 bytes that the limit of
// ids counts with: the value and the 64-bit key.
func TestStateSize(t *testing.T) {
	const key = 8
	for name, size := range map[string]uintptr{
		"evidence": key + unsafe.Sizeof(uint32(0)) + unsafe.Sizeof(extent{}),
		"step":     key + unsafe.Sizeof(step{}),
		"call":     key + unsafe.Sizeof(call{}),
		"claim":    key,
	} {
		if size > 32 {
			t.Errorf("%s: %d bytes", name, size)
		}
	}
}

func TestUint48(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.Int64Range(0, 1<<48-1).Draw(t, "n")
		if got := newUint48(n).int64(); got != n {
			t.Errorf("%d became %d", n, got)
		}
	})
}

func TestTemplatesGiveThePathBack(t *testing.T) {
	part := rapid.StringMatching(`[a-c/.]{0,6}`)
	rapid.Check(t, func(t *rapid.T) {
		id, path := part.Draw(t, "id"), part.Draw(t, "before")+part.Draw(t, "middle")+part.Draw(t, "after")
		template, found := cutID(path, id)
		if found && putID(template, id) != path {
			t.Errorf("%q without %q is %q, which gives %q", path, id, template, putID(template, id))
		}
	})
}

func TestOffsets(t *testing.T) {
	data := []byte("aé😀b") // 1, 2, 4, 1 bytes; 1, 1, 2, 1 UTF-16 units
	for _, c := range []struct {
		read     func([]byte, span) (int64, int64, bool)
		in       span
		from, to int64
		ok       bool
	}{
		{charOffsets, span{from: 0, to: 4}, 0, 8, true},
		{charOffsets, span{from: 1, to: 2}, 1, 3, true},
		{charOffsets, span{from: 2, to: 5}, 0, 0, false},
		{utf16Offsets, span{from: 2, to: 4}, 3, 7, true},
		{utf16Offsets, span{from: 0, to: 5}, 0, 8, true},
		{utf16Offsets, span{from: 3, to: 5}, 0, 0, false}, // inside a pair
	} {
		from, to, ok := c.read(data, c.in)
		if ok != c.ok || ok && (from != c.from || to != c.to) {
			t.Errorf("%v: [%d,%d] %v, want [%d,%d] %v", c.in, from, to, ok, c.from, c.to, c.ok)
		}
	}
}
