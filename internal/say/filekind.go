package say

import "io/fs"

// FileKind names the kind of an irregular file: "a named pipe".
func FileKind(mode fs.FileMode) string {
	switch {
	case mode.IsDir():
		return "a directory"
	case mode&fs.ModeSymlink != 0:
		return "a link"
	case mode&fs.ModeNamedPipe != 0:
		return "a named pipe"
	case mode&fs.ModeSocket != 0:
		return "a socket"
	case mode&fs.ModeDevice != 0:
		return "a device"
	}
	return "an irregular file"
}

// Irregular returns why an irregular file is refused.
func Irregular(mode fs.FileMode) string {
	return "the path is " + FileKind(mode) + ", expected a regular file"
}
