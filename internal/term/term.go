// Package term answers what a stream can show: whether it is a terminal, how wide
// it is, and whether it gets colour. Each stream is asked on its own.
package term

import (
	"io"
	"os"

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
