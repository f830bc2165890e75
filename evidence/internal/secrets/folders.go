package secrets

import "bytes"

// folders follows a path from folder to folder, as .. leads out of each and . nowhere.
type folders struct {
	userName
	level int  // how many folders the path is in
	users bool // the first of them is that of the users
}

// follow goes on at i, and returns the end of the last user's name on the path, 0 when there
// is none: the one user's folder may lead to another's. It goes no further than to where
// another path may begin, so that no byte is read for two roots.
func (f *folders) follow(i int) (last int) {
	for i < len(f.text) {
		f.start = f.separators(i)
		end := f.end()
		if end == f.start {
			break
		}
		if f.enter(f.text[f.start:end]) {
			last = end
		}
		if end == len(f.text) || !f.separatesAt(end) {
			break
		}
		i = end
	}
	return last
}

// enter goes into a folder, or out of one, and says whether it has a user's name.
func (f *folders) enter(name []byte) (user bool) {
	switch string(name) {
	case ".":
		return false
	case "..":
		f.level = max(0, f.level-1)
		return false
	}
	f.level++
	switch f.level {
	case 1:
		f.users = f.ofUsers(name)
		return !f.windows && string(name) == "root"
	case 2:
		return f.users
	}
	return false
}

// ofUsers says whether a folder below the first one is that of the users.
func (f *folders) ofUsers(name []byte) bool {
	if f.windows {
		return bytes.EqualFold(name, []byte("users"))
	}
	return string(name) == "home" || string(name) == "Users"
}

// separators is the end of the separators from i on.
func (f *folders) separators(i int) int {
	if f.windows {
		return separators(f.text, i)
	}
	return slashes(f.text, i)
}
