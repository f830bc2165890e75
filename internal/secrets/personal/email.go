package personal

import "bytes"

// notDomains are suffixes of files and of units of a system that look like domains, and domains reserved by RFC 2606 and RFC 6761.
var notDomains = []string{
	"png", "jpg", "jpeg", "gif", "svg", "webp", "ico", "js", "ts", "css", "html", "json", "md", "py", "go", "rs", "txt", "yml", "yaml", "toml", "lock",
	"example", "test", "invalid", "localhost", "local", "internal", "service", "socket", "timer", "slice", "mount",
}

var exampleDomains = []string{"example.com", "example.org", "example.net", "users.noreply.github.com", "noreply.github.com"}

// notPeople are account names that belong to no person.
var notPeople = []string{"git", "hg", "svn", "noreply", "no-reply", "root", "postmaster", "mailer-daemon", "nobody"}

// Email returns the mail address with @ at i.
func Email(text []byte, i int) (start, end int, ok bool) {
	start = i
	for start > 0 && i-start < 64 && localByte(text[start-1]) {
		start--
	}
	for start < i && (text[start] == '.' || text[start] == '-' || text[start] == '/') {
		start++
	}
	end = i + 1
	for end < len(text) && end-i < 255 && (isWord(text[end]) || text[end] == '-' || text[end] == '.') {
		end++
	}
	for end > i+1 && (text[end-1] == '.' || text[end-1] == '-') {
		end--
	}
	dot := bytes.LastIndexByte(text[i:end], '.') + i
	if start == i || dot <= i+1 || end-dot < 3 {
		return 0, 0, false
	}
	for _, c := range text[dot+1 : end] {
		if !isLetter(c) {
			return 0, 0, false
		}
	}
	if inURL(text, start) || end < len(text) && (text[end] == ':' && end+1 < len(text) && !isBlank(text[end+1]) || text[end] == '/') {
		return 0, 0, false // remote copy or URL
	}
	return start, end, !oneOf(text[start:i], notPeople) && !oneOf(text[dot+1:end], notDomains) && !ofExample(text[i+1:end])
}

func localByte(c byte) bool {
	return isWord(c) || bytes.IndexByte([]byte("._%+-"), c) >= 0
}

func isBlank(c byte) bool { return c == ' ' || c == '\t' || c == '\n' || c == '\r' }

// inURL reports whether start is the userinfo of a URL other than mailto:.
func inURL(text []byte, start int) bool {
	return bytes.HasSuffix(text[:start], []byte("//"))
}

func oneOf(word []byte, list []string) bool {
	for _, w := range list {
		if bytes.EqualFold(word, []byte(w)) {
			return true
		}
	}
	return false
}

func ofExample(domain []byte) bool {
	for _, d := range exampleDomains {
		if len(domain) >= len(d) && bytes.EqualFold(domain[len(domain)-len(d):], []byte(d)) && (len(domain) == len(d) || domain[len(domain)-len(d)-1] == '.') {
			return true
		}
	}
	return false
}
