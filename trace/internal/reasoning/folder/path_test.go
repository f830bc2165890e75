package folder

import "testing"

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
		got, why := Clean(path)
		if why != "" {
			got = "unsafe"
		}
		if got != want {
			t.Errorf("%q: %q (%s), want %q", path, got, why, want)
		}
	}
}
