package term

import (
	"bytes"
	"os"
	"strings"
	"testing"
)

// TestColor decides for a stream that is not a terminal.
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
		if got := Color(c.mode, &bytes.Buffer{}, environment(c.env)); got != c.want {
			t.Errorf("Color(%s) with %q = %v", c.mode, c.env, got)
		}
	}
}

// TestLinks decides for a stream that is not a terminal, and for what terminals announce.
func TestLinks(t *testing.T) {
	for _, c := range []struct {
		mode, env string
		want      bool
		known     bool // to a terminal of this environment
	}{
		{"auto", "", false, false},
		{"always", "", false, false},
		{"auto", "FORCE_HYPERLINK=1", true, false},
		{"auto", "FORCE_HYPERLINK=0 VTE_VERSION=6003", false, true},
		{"never", "FORCE_HYPERLINK=1", false, false},
		{"auto", "FORCE_HYPERLINK=1 NO_COLOR=1", false, false},
		{"always", "FORCE_HYPERLINK=1 NO_COLOR=1", true, false},
		{"auto", "VTE_VERSION=6003", false, true},
		{"auto", "VTE_VERSION=5000", false, false},
		{"auto", "VTE_VERSION=new", false, false},
		{"auto", "WT_SESSION=1", false, true},
		{"auto", "TERM_PROGRAM=vscode", false, true},
		{"auto", "TERM_PROGRAM=Apple_Terminal", false, false},
		{"auto", "TERM=xterm-kitty", false, true},
		{"auto", "TERM=xterm-256color", false, false},
	} {
		getenv := environment(c.env)
		if got := Links(c.mode, &bytes.Buffer{}, getenv); got != c.want {
			t.Errorf("Links(%s) with %q = %v", c.mode, c.env, got)
		}
		if got := knowsLinks(getenv); got != c.known {
			t.Errorf("knowsLinks with %q = %v", c.env, got)
		}
	}
}

// environment are variables, NAME=VALUE with blanks between.
func environment(pairs string) func(string) string {
	return func(name string) string {
		for _, pair := range strings.Fields(pairs) {
			if k, v, _ := strings.Cut(pair, "="); k == name {
				return v
			}
		}
		return ""
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
