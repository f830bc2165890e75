package term

import (
	"bytes"
	"os"
	"strings"
	"testing"
)

// TestColor decides for a stream that is no terminal.
func TestColor(t *testing.T) {
	for _, c := range []struct {
		mode, env string
		want      bool
	}{
		{"auto", "", false},
		{"always", "", true},
		{"always", "NO_COLOR=1 TERM=dumb", true},
		{"never", "FORCE_COLOR=1", false},
		{"auto", "FORCE_COLOR=1", true},
		{"auto", "FORCE_COLOR=0", false},
		{"auto", "FORCE_COLOR=false", false},
		{"auto", "CLICOLOR_FORCE=1", true},
		{"auto", "CLICOLOR_FORCE=0", false},
		{"auto", "FORCE_COLOR=1 NO_COLOR=1", false},
		{"auto", "FORCE_COLOR=1 TERM=dumb", true},
		{"auto", "TERM=dumb", false},
	} {
		getenv := func(name string) string {
			for _, pair := range strings.Fields(c.env) {
				if k, v, _ := strings.Cut(pair, "="); k == name {
					return v
				}
			}
			return ""
		}
		if got := Color(c.mode, &bytes.Buffer{}, getenv); got != c.want {
			t.Errorf("Color(%s) with %q = %v", c.mode, c.env, got)
		}
	}
}

func TestPiped(t *testing.T) {
	r, w, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	defer w.Close()
	null, err := os.Open(os.DevNull)
	if err != nil {
		t.Fatal(err)
	}
	defer null.Close()
	dir, err := os.Open(".")
	if err != nil {
		t.Fatal(err)
	}
	defer dir.Close()
	if !Piped(r) || !Piped(strings.NewReader("")) || Piped(null) || Piped(dir) || Piped(nil) {
		t.Error(Piped(r), Piped(strings.NewReader("")), Piped(null), Piped(dir), Piped(nil))
	}
	if IsTerminal(null) || Width(null) != 0 || Width(&bytes.Buffer{}) != 0 {
		t.Error("a null device is no terminal")
	}
}
