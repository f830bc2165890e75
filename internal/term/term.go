// Package term detects the capabilities of a stream: whether it is a terminal, its width and its color support.
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

// Width returns the terminal's width in columns, or 0.
func Width(stream any) int {
	if f, ok := stream.(*os.File); ok {
		if width, _, err := term.GetSize(int(f.Fd())); err == nil {
			return width
		}
	}
	return 0
}

// Color reports whether to use color. "always" and "never" are final. "auto" checks the environment (NO_COLOR, then
// FORCE_COLOR and CLICOLOR_FORCE, then TERM=dumb), then whether the stream is a terminal.
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

// Links reports whether to write hyperlinks (OSC 8): only with color and, unless FORCE_HYPERLINK is
// set, on terminals known to support them.
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

// knowsLinks detects support for hyperlinks from the terminal's environment variables. Some
// terminals without support print the address.
func knowsLinks(getenv func(string) string) bool {
	if vte, err := strconv.Atoi(getenv("VTE_VERSION")); err == nil {
		return vte > 5000 // 0.50.0 crashes
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

// Piped reports whether input is redirected: a pipe, file, socket or other reader, not a terminal or null device.
func Piped(r io.Reader) bool {
	f, ok := r.(*os.File)
	if !ok {
		return r != nil
	}
	info, err := f.Stat()
	return err == nil && info.Mode()&os.ModeCharDevice == 0 && !info.IsDir()
}
