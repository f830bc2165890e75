package payload

import (
	"bytes"
	"strings"
)

// mostStates is how many members a trace state has at most.
const mostStates = 32

// traceStateFault describes a deviation from a W3C trace state (Trace Context level 1 §3.3), or
// returns "". A trace state is a comma-separated list of unique KEY=VALUE members, possibly empty.
func traceStateFault(text []byte) string {
	var keys [][]byte
	for member := range bytes.SplitSeq(text, []byte{','}) {
		if member = trimBlanks(member); len(member) == 0 {
			continue
		}
		key, value, found := bytes.Cut(member, []byte{'='})
		switch {
		case !found:
			return "has a member without an equals sign"
		case !isStateKey(key):
			return "has a key of another form than vendor or tenant@vendor"
		case !isStateValue(value):
			return "has a value that is empty, longer than 256 characters, or not of printable ASCII"
		case len(keys) == mostStates:
			return "has more than 32 members"
		}
		for _, earlier := range keys {
			if bytes.Equal(earlier, key) {
				return "has a key twice"
			}
		}
		keys = append(keys, key)
	}
	return ""
}

// trimBlanks trims a member. bytes.Trim would build a set on each call.
func trimBlanks(member []byte) []byte {
	for len(member) > 0 && isStateBlank(member[0]) {
		member = member[1:]
	}
	for len(member) > 0 && isStateBlank(member[len(member)-1]) {
		member = member[:len(member)-1]
	}
	return member
}

func isStateBlank(c byte) bool { return c == ' ' || c == '\t' }

// isStateKey reports whether a text is a key: up to 256 characters starting with a lower-case
// letter, or a tenant of up to 241 (can start with a digit), @, and a system of up to 14.
func isStateKey(key []byte) bool {
	tenant, system, several := bytes.Cut(key, []byte{'@'})
	if !several {
		return len(key) <= 256 && beginsLower(key) && isStateName(key)
	}
	return 0 < len(tenant) && len(tenant) <= 241 && isStateName(tenant) && strings.IndexByte("_-*/", tenant[0]) < 0 &&
		len(system) <= 14 && beginsLower(system) && isStateName(system)
}

func beginsLower(name []byte) bool { return len(name) > 0 && 'a' <= name[0] && name[0] <= 'z' }

func isStateName(name []byte) bool {
	for _, c := range name {
		if (c < 'a' || c > 'z') && (c < '0' || c > '9') && strings.IndexByte("_-*/", c) < 0 {
			return false
		}
	}
	return true
}

// isStateValue reports whether a text is a value: up to 256 printable ASCII characters without
// commas and equals signs, not ending in a space.
func isStateValue(value []byte) bool {
	if len(value) == 0 || len(value) > 256 || value[len(value)-1] == ' ' {
		return false
	}
	for _, c := range value {
		if c < ' ' || c > '~' || c == ',' || c == '=' {
			return false
		}
	}
	return true
}
