package transcript

import "testing"

// TestDetectAnything checks that names with quotes, backslashes and wrong escapes do not end the program.
func TestDetectAnything(t *testing.T) {
	for _, text := range []string{`{"\"": 1}`, `{"\\": 1}`, `{"\": 1}`, `{"a\"":[1]}`, `{"\u00": []}`, `{"\ud800": {}}`} {
		if kind, _ := Detect([]byte(text), true, nil); kind.Format != None {
			t.Errorf("%s: %v", text, kind)
		}
	}
}
