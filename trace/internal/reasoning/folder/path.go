package folder

import (
	"slices"
	"strings"
)

// Clean removes "." and empty segments from a path. why is the reason if the path is unsafe.
func Clean(path string) (clean, why string) {
	switch {
	case strings.ContainsRune(path, 0):
		return "", "it contains a NUL byte"
	case strings.ContainsRune(path, '\\'):
		return "", "it contains a backslash; segments are separated by \"/\""
	case strings.HasPrefix(path, "/"):
		return "", "it is absolute"
	case len(path) >= 2 && path[1] == ':' && (path[0]|0x20) >= 'a' && (path[0]|0x20) <= 'z':
		return "", "it names a drive"
	}
	clean = path
	for segment := range strings.SplitSeq(path, "/") {
		switch segment {
		case "..":
			return "", "it contains a \"..\" segment"
		case "", ".":
			clean = ""
		}
	}
	if clean == "" { // most writers leave nothing to clean
		clean = strings.Join(slices.DeleteFunc(strings.Split(path, "/"), func(s string) bool { return s == "" || s == "." }), "/")
	}
	return clean, ""
}
