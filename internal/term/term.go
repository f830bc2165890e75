// Package term answers what a stream can show: whether it is a terminal, how wide
// it is, and whether it gets colour. Each stream is asked on its own.
package term

import (
	"io"
	"os"
	"slices"
	"strconv"

	"golang.org/x/term"
)

// Modes are the values of --color.
var Modes = []string{"auto", "always", "never"}

// IsTerminal reports whether the stream is a terminal.
func IsTerminal(stream any) bool {
	f, ok := stream.(*os.File)
	return ok && term.IsTerminal(int(f.Fd()))
}

// Width is the terminal's width in columns, 0 when the stream is none.
func Width(stream any) int {
	if f, ok := stream.(*os.File); ok {
		if width, _, err := term.GetSize(int(f.Fd())); err == nil {
			return width
		}
	}
	return 0
}

// Color decides for one stream. "always" and "never" are final. In "auto" the
// environment is asked first (NO_COLOR, then FORCE_COLOR and CLICOLOR_FORCE, then
// TERM=dumb), then whether the stream is a terminal.
func Color(mode string, w io.Writer, getenv func(string) string) bool {
	switch {
	case mode != "auto":
		return mode == "always"
	case getenv("NO_COLOR") != "":
		return false
	case on(getenv("FORCE_COLOR")), on(getenv("CLICOLOR_FORCE")):
		return true
	case getenv("TERM") == "dumb":
		return false
	}
	return IsTerminal(w)
}

// Links decides for one stream whether names on it may lead to an address (OSC 8). Without
// colour there are none, nor where the stream is no terminal, unless FORCE_HYPERLINK says so;
// else the terminal has to be one that is known for them.
func Links(mode string, w io.Writer, getenv func(string) string) bool {
	forced := getenv("FORCE_HYPERLINK")
	switch {
	case mode == "never", mode == "auto" && getenv("NO_COLOR") != "":
		return false
	case forced != "":
		return on(forced)
	case getenv("TERM") == "dumb", getenv("CI") != "", !IsTerminal(w):
		return false
	}
	return knowsLinks(getenv)
}

// knowsLinks tells by the variables that terminals set whether they know links. Others show them
// as they should, most of them, but some show the address in the middle of the text.
func knowsLinks(getenv func(string) string) bool {
	if vte, err := strconv.Atoi(getenv("VTE_VERSION")); err == nil {
		return vte > 5000 // 0.50.0 falls over them
	}
	for _, name := range []string{"WT_SESSION", "KITTY_WINDOW_ID", "KONSOLE_VERSION", "DOMTERM"} {
		if getenv(name) != "" {
			return true
		}
	}
	return slices.Contains([]string{"iTerm.app", "WezTerm", "vscode", "ghostty", "Hyper", "rio", "Tabby"}, getenv("TERM_PROGRAM")) ||
		slices.Contains([]string{"xterm-kitty", "xterm-ghostty", "alacritty", "foot", "foot-extra", "contour", "wezterm"}, getenv("TERM"))
}

func on(value string) bool { return value != "" && value != "0" && value != "false" }

// Piped reports whether input waits on the stream: a pipe, a file, a socket or any
// reader that is not a file of the system, but not a terminal or a null device.
func Piped(r io.Reader) bool {
	f, ok := r.(*os.File)
	if !ok {
		return r != nil
	}
	info, err := f.Stat()
	return err == nil && info.Mode()&os.ModeCharDevice == 0 && !info.IsDir()
}
