package secrets

import "bytes"

// generalized is what a home folder becomes.
const generalized = "~/**/"

// home goes through a text and generalizes home folders.
type home struct {
	text   []byte
	at     int // what has been read
	last   int // where the last home folder ended
	dst    []byte
	copied int // how much of the text is in dst

	// Inside a path of Windows a backslash becomes a slash: up to a quote, and without one
	// up to the next white space.
	quoted int
	word   bool
}

// root is a home folder that was found.
type root struct {
	start, end int // with the user's name, and what separates it from what follows
	windows    bool
	limit      int // where the path ends when it is quoted, else 0
}

// generalize writes a text with its home folders generalized.
func (s *Scanner) generalize(dst, text []byte) (out []byte, changed bool) {
	h := home{text: text, dst: dst}
	for h.at < len(text) {
		switch c := text[h.at]; {
		case !pathBytes[c]:
			h.at++
		case is(c, isSpace):
			h.word = false
			h.at++
		default:
			if h.next() {
				s.hit(ruleHome)
				changed = true
			}
		}
	}
	if !changed {
		return dst, false
	}
	return append(h.dst, text[h.copied:]...), true
}

// pathBytes are those that mean something to a home folder, and white space.
var pathBytes = func() (of [256]bool) {
	for _, c := range []byte("/:\\ \t\n\f\r") {
		of[c] = true
	}
	return of
}()

// next reads a slash, a backslash or a colon, and says whether it was part of a home folder.
func (h *home) next() bool {
	if r, ok := h.root(); ok {
		h.dst = append(append(h.dst, h.text[h.copied:r.start]...), generalized...)
		h.enter(r)
		return true
	}
	if h.text[h.at] == ':' || !h.word && h.at >= h.quoted {
		h.at++
		return false
	}
	end := separators(h.text, h.at)
	if run := h.text[h.at:end]; bytes.IndexByte(run, '\\') >= 0 {
		h.dst = appendSlashes(append(h.dst, h.text[h.copied:h.at]...), run)
		h.copied = end
	}
	h.at = max(end, h.at+1)
	return false
}

// enter goes on behind a root.
func (h *home) enter(r root) {
	h.at, h.last, h.copied = r.end, r.end, r.end
	switch {
	case !r.windows:
	case r.limit > 0:
		h.quoted = max(h.quoted, r.limit)
	default:
		h.word = true
	}
}

// separators is the end of the separators from i on. A backslash before a quote belongs to
// the quote.
func separators(text []byte, i int) int {
	for i < len(text) && separates(text, i) {
		i++
	}
	return i
}

// separates says whether a path of Windows has a separator at i.
func separates(text []byte, i int) bool {
	switch text[i] {
	case '/':
		return true
	case '\\':
		return i+1 == len(text) || !isPathQuote(text[i+1])
	}
	return false
}

// appendSlashes writes separators of a path of Windows: its slashes, or one when it has
// none, so that no // comes to be where none was.
func appendSlashes(dst, run []byte) []byte {
	n := max(1, bytes.Count(run, []byte("/")))
	for range n {
		dst = append(dst, '/')
	}
	return dst
}

// root is the home folder that begins here, or with the letter before a colon.
func (h *home) root() (r root, ok bool) {
	switch h.text[h.at] {
	case ':':
		return h.drive()
	case '\\':
		return h.share()
	}
	return h.posix()
}

// drive is X:\Users\N. Its letter may have been the end of a name.
func (h *home) drive() (r root, ok bool) {
	start := h.at - 1
	if start < h.last || lower(h.text[start]) < 'a' || lower(h.text[start]) > 'z' || !begins(h.text, start) && !behindURL(h.text, start) {
		return r, false
	}
	i := separators(h.text, h.at+1)
	if i == h.at+1 {
		return r, false
	}
	return h.users(start, i)
}

// share is \\HOST\SHARE\Users\N, or \\HOST\Users\N.
func (h *home) share() (r root, ok bool) {
	start := h.at
	if start+1 == len(h.text) || h.text[start+1] != '\\' || !begins(h.text, start) {
		return r, false
	}
	i := separators(h.text, start)
	_, quoted := closing(h.text, start)
	for range 2 {
		end := component(h.text, i, quoted)
		next := separators(h.text, end)
		if end == i || next == end {
			return r, false
		}
		i = next
		if r, ok = h.users(start, i); ok {
			return r, true
		}
	}
	return r, false
}

// component is the end of a host's or a share's name.
func component(text []byte, i int, quoted bool) int {
	for i < len(text) && !separates(text, i) && !isPathQuote(text[i]) && text[i] >= ' ' && (quoted || text[i] != ' ') {
		i++
	}
	return i
}

// users is the home folder of Windows that begins at start, when Users stands at i.
func (h *home) users(start, i int) (r root, ok bool) {
	const folder = "users"
	from := i + len(folder)
	if !hasFold(h.text, i, folder) || from == len(h.text) || !separates(h.text, from) {
		return r, false
	}
	return h.named(root{start: start, windows: true}, separators(h.text, from))
}

// posix is /home/N, /Users/N or /root.
func (h *home) posix() (r root, ok bool) {
	rest := h.text[h.at:]
	if !begins(h.text, h.at) {
		return r, false
	}
	for _, folder := range [...]string{"/home/", "/Users/"} {
		if bytes.HasPrefix(rest, []byte(folder)) {
			return h.named(root{start: h.at}, h.at+len(folder))
		}
	}
	const super = "/root"
	end := h.at + len(super)
	if !bytes.HasPrefix(rest, []byte(super)) || !endsRoot(h.text, end) {
		return r, false
	}
	f := folders{userName: userName{text: h.text}, level: 1}
	end = max(end, f.follow(end))
	return root{start: h.at, end: slashes(h.text, end)}, true
}

// endsRoot says whether the name of a folder ends at i.
func endsRoot(text []byte, i int) bool {
	return i == len(text) || bytes.IndexByte([]byte(`/\'`), text[i]) >= 0 || endsName(text[i])
}

// slashes is the end of the slashes from i on.
func slashes(text []byte, i int) int {
	for i < len(text) && text[i] == '/' {
		i++
	}
	return i
}

// named is a root with a user's name at i or behind it, in the folder of the users.
func (h *home) named(r root, i int) (root, bool) {
	limit, quoted := closing(h.text, r.start)
	if !quoted {
		limit = len(h.text)
	} else {
		r.limit = limit
	}
	f := folders{userName: userName{text: h.text[:limit], windows: r.windows, quoted: quoted}, level: 1, users: true}
	end := f.follow(i)
	if end == 0 {
		return r, false
	}
	if r.windows {
		r.end = separators(h.text, end)
	} else {
		r.end = slashes(h.text, end)
	}
	return r, true
}
