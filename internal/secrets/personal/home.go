// Package personal finds personal data in texts: home folders in paths, mail addresses, telephone
// numbers, payment cards, bank accounts, social security numbers and public IP addresses.
package personal

import "bytes"

// HomeKeywords are the lower-case texts at which to call [Home].
var HomeKeywords = []string{"/home/", "/users/", "home/", `\users\`, "/root", "~"}

// Generalized replaces a home folder, as in ~/**/file (ADR-006 §2).
const Generalized = "~/**"

// Home returns the part of the path at keyword i that names a home folder, and its replacement.
func Home(text []byte, i int) (start, end int, with string, ok bool) {
	switch {
	case text[i] == '~':
		return tilde(text, i)
	case text[i] == '\\':
		return windows(text, i)
	case text[i] == 'h':
		return member(text, i)
	case text[i] != '/':
		return 0, 0, "", false
	}
	if drive(text, i) && foldAt(text, i, "/users/") {
		return windows(text, i)
	}
	rest := text[i:]
	if !pathStart(text, i) {
		return 0, 0, "", false
	}
	switch {
	case bytes.HasPrefix(rest, []byte("/home/")):
		end = userEnd(text, i+len("/home/"))
	case bytes.HasPrefix(rest, []byte("/Users/")):
		end = userEnd(text, i+len("/Users/"))
	case bytes.HasPrefix(rest, []byte("/root")):
		end = i + len("/root")
		if end < len(text) && text[end] != '/' && !nameEnd(text[end]) {
			return 0, 0, "", false
		}
	}
	if end == 0 {
		return 0, 0, "", false
	}
	if login := remoteLogin(text[:i], text[i:end]); login > 0 {
		return i - login, end, "~" + string(text[i-login+bytes.IndexByte(text[i-login:], '@'):i]) + Generalized, true
	}
	return i, end, Generalized, true
}

// remoteLogin returns the length of bob@host: before the home folder /home/bob, as scp and git write
// it: the login repeats the name that the folder hides. It is 0 for another login and without one.
func remoteLogin(before, home []byte) int {
	if !bytes.HasSuffix(before, []byte(":")) {
		return 0
	}
	i := len(before) - 1
	for i > 0 && len(before)-i < maxHost && (isWord(before[i-1]) || before[i-1] == '.' || before[i-1] == '-') {
		i--
	}
	login := string(home[bytes.LastIndexByte(home, '/')+1:]) + "@"
	if i == len(before)-1 || !bytes.HasSuffix(before[:i], []byte(login)) {
		return 0
	}
	if i -= len(login); i > 0 && (isWord(before[i-1]) || bytes.IndexByte([]byte("._-+%"), before[i-1]) >= 0) {
		return 0
	}
	return len(before) - i
}

// maxHost is the longest host name that a remote login is searched for.
const maxHost = 254

// userEnd returns the end of the user name after the users' folder, or 0. If .. leads to another
// user, that one counts.
func userEnd(text []byte, i int) (end int) {
	for {
		for bytes.HasPrefix(text[i:], []byte("/")) || bytes.HasPrefix(text[i:], []byte("./")) {
			i += bytes.IndexByte(text[i:], '/') + 1
		}
		stop := i
		for stop < len(text) && text[stop] != '/' && !nameEnd(text[stop]) {
			stop++
		}
		if !userName(text[i:stop]) {
			return end
		}
		end = stop
		next := bytes.HasPrefix(text[stop:], []byte("/../"))
		if !next {
			return end
		}
		i = stop + len("/../")
	}
}

// nameEnd reports whether a byte ends a name in an unquoted path.
func nameEnd(c byte) bool {
	return c <= ' ' || c == 0x7f || bytes.IndexByte([]byte("\"'`:;,&()[]{}<>|*?\\#!"), c) >= 0
}

// userName reports whether a folder is a user's, not a variable or a relative path.
func userName(name []byte) bool {
	return len(name) > 0 && len(name) <= 64 && name[0] != '$' && name[0] != '%' && name[0] != '.' && name[0] != '~'
}

// pathStart reports whether a path can start at the slash at i, outside of a URL's path.
func pathStart(text []byte, i int) bool {
	if i == 0 {
		return true
	}
	c := text[i-1]
	if bytes.IndexByte([]byte("#.-_~?)]}$%\\"), c) >= 0 {
		return false
	}
	if isWord(c) {
		return flagLetter(text, i-1)
	}
	if c == '/' {
		return true // file:///, or a doubled slash
	}
	return !method(text[:i])
}

// flagLetter reports whether the letter at i can precede a path: in -I/home/bob, a diff header, a
// WSL drive or %f.
func flagLetter(text []byte, i int) bool {
	if i == 0 {
		return false
	}
	c, before := text[i], text[i-1]
	switch before {
	case '-', '%':
		return i == 1 || !isWord(text[i-2])
	case ' ':
		return (c == 'a' || c == 'b') && i >= 4 && (text[i-2] == '-' || text[i-2] == '+' || bytes.HasSuffix(text[:i], []byte("--git ")))
	case '/':
		return i == 1 || !isWord(text[i-2]) || bytes.HasSuffix(text[:i], []byte("/mnt/"))
	}
	return false
}

// methods are HTTP methods before a URL path.
var methods = []string{"GET ", "POST ", "PUT ", "DELETE ", "HEAD ", "PATCH ", "OPTIONS "}

func method(before []byte) bool {
	for _, m := range methods {
		if bytes.HasSuffix(before, []byte(m)) {
			return true
		}
	}
	return false
}

// member finds a path in an archive: home/bob/.ssh.
func member(text []byte, i int) (start, end int, with string, ok bool) {
	if i > 0 && text[i-1] > ' ' && text[i-1] != '"' && text[i-1] != '\'' || !bytes.HasPrefix(text[i:], []byte("home/")) {
		return 0, 0, "", false
	}
	end = userEnd(text, i+len("home/"))
	if end == 0 || !bytes.HasPrefix(text[end:], []byte("/.")) {
		return 0, 0, "", false
	}
	return i, end, Generalized, true
}

// tilde finds ~bob/x.
func tilde(text []byte, i int) (start, end int, with string, ok bool) {
	if i > 0 && text[i-1] > ' ' && bytes.IndexByte([]byte("\"'`=:(,"), text[i-1]) < 0 {
		return 0, 0, "", false
	}
	end = i + 1
	for end < len(text) && (isWord(text[end]) || text[end] == '_' || text[end] == '-') {
		end++
	}
	if end-i < 3 || text[i+1] >= '0' && text[i+1] <= '9' || end == len(text) || text[end] != '/' {
		return 0, 0, "", false
	}
	return i, end, Generalized, true
}

// windows finds C:\Users\bob\x, with either separator, or \\host\share\Users\bob.
func windows(text []byte, i int) (start, end int, with string, ok bool) {
	start = i
	switch {
	case drive(text, i):
		start = i - 2
		if start > 0 && text[start-1] == '/' && (start == 1 || text[start-2] == '/' || text[start-2] <= ' ') {
			start-- // /c:/Users
		}
	case text[i] == '\\':
		for start > 0 && i-start < 256 && !nameEnd(text[start-1]) || start > 0 && text[start-1] == '\\' {
			start--
		}
	}
	from := i + len(`\users\`)
	for from < len(text) && (text[from] == '\\' || text[from] == '/') {
		from++
	}
	end = windowsName(text, from)
	if end == from || !userName(text[from:end]) {
		return 0, 0, "", false
	}
	if end < len(text) && (text[end] == '\\' || text[end] == '/') {
		return start, end + 1, Generalized + "/", true
	}
	return start, end, Generalized, true
}

// windowsName returns the end of a name that can contain blanks: at a separator, else at the first blank.
func windowsName(text []byte, i int) (end int) {
	blank := -1
	for end = i; end < len(text) && end-i < 64; end++ {
		c := text[end]
		if c == '\\' || c == '/' {
			return end
		}
		if c == ' ' && blank < 0 {
			blank = end
			continue
		}
		if c != ' ' && nameEnd(c) {
			break
		}
	}
	if blank >= 0 {
		return blank
	}
	return end
}

// drive reports whether a drive letter and colon precede i.
func drive(text []byte, i int) bool {
	return i >= 2 && text[i-1] == ':' && isLetter(text[i-2]) && (i == 2 || !isWord(text[i-3]) || text[i-3] == '/')
}

func foldAt(text []byte, i int, word string) bool {
	return len(text)-i >= len(word) && bytes.EqualFold(text[i:i+len(word)], []byte(word))
}

func isLetter(c byte) bool { return c|0x20 >= 'a' && c|0x20 <= 'z' }
func isDigit(c byte) bool  { return c >= '0' && c <= '9' }
func isWord(c byte) bool   { return letters[c] != 0 }
