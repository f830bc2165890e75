package secrets

import (
	"bytes"
	"encoding/base64"
	"strings"

	"github.com/cupel-dev/cupel/internal/secrets/naming"
)

// region returns the rest of a header from i, up to the end of the line or the enclosing quote.
func (p *passes) region(i int) (start, end int) {
	defer func() { p.header = end }()
	text := p.text
	i = skipPrefix(text, i)
	open := skipEscapes(text, i)
	if open < len(text) && isQuote(text[open]) {
		return open + 1, p.closing(open+1, text[open], open-i)
	}
	end = i
	for end < len(text) {
		c := text[end]
		if c == '\r' || c == '\n' || isQuote(c) || c == '<' && end > i || c == '\\' && endsEscape(text, end) {
			break
		}
		end++
	}
	return i, end
}

// credentialSchemes are HTTP schemes with a single credential, in lower case; for others the rest is one credential.
var credentialSchemes = map[string]bool{
	"bearer": true, "basic": true, "token": true, "apikey": true, "api-key": true, "key": true, "negotiate": true, "ntlm": true, "bot": true, "ssws": true, "jwt": true,
	"pat": true, "oauth": true, "digest": false, "hawk": false, "aws4-hmac-sha256": false, "signature": false, "sharedkey": true, "sharedaccesssignature": false,
	"genie-key": true, "glssa": true, "splunk": true, "discogs": false, "private": true,
}

// authorization reports the credential of a header.
func (p *passes) authorization(n *named) {
	start, end := p.region(n.value)
	if n.flag || n.op == assigns && !n.quoted && !isQuoteAt(p.text, n.value) {
		v := p.valueAt(n.value, n.op)
		start, end = v.start, v.end
		if !n.flag { // "authorization=Bearer x" without quotes
			_, end = p.region(n.value)
		}
	}
	member := n.quoted && n.op == colon && start > n.value
	if from, to, ok := credential(p.text[start:end], member); ok && (n.op != pair || naming.Secret(p.text[start+from:start+to], naming.Random)) {
		p.add(start+from, start+to, ruleAuthorization, Secret, "")
	}
}

// credential returns the secret part of a header's value. member means that the value is a whole
// member, which needs less proof.
func credential(header []byte, member bool) (from, to int, ok bool) {
	header = bytes.TrimRight(header, " \t,;")
	from = len(header) - len(bytes.TrimLeft(header, " \t"))
	first := bytes.IndexAny(header[from:], " \t")
	if first < 0 {
		proof := naming.Plausible
		if member {
			proof = naming.Anything
		}
		return from, len(header), naming.Secret(header[from:], proof) && !schemeName(header[from:])
	}
	scheme := strings.ToLower(string(header[from : from+first]))
	rest := from + first
	for rest < len(header) && isBlank(header[rest]) {
		rest++
	}
	one, known := credentialSchemes[strings.TrimSuffix(scheme, ":")]
	switch {
	case known && !one:
		return rest, len(header), naming.Secret(bytes.ReplaceAll(header[rest:], []byte(" "), nil), naming.Plausible)
	case known:
		to = rest
		for to < len(header) && !isBlank(header[to]) && header[to] != ',' && header[to] != ')' {
			to++
		}
		proof := naming.Anything
		if to < len(header) {
			proof = naming.Plausible
		}
		return rest, to, naming.Secret(header[rest:to], proof) && !bytes.HasPrefix(header[rest:], []byte("realm="))
	case !bytes.ContainsAny(header[rest:], " \t") && naming.Secret(header[rest:], naming.Random):
		return rest, len(header), true
	}
	return from, from + first, naming.Secret(header[from:from+first], naming.Plausible)
}

func schemeName(word []byte) bool {
	_, known := credentialSchemes[strings.ToLower(string(word))]
	return known
}

// cookieAttributes are not cookies.
var cookieAttributes = []string{"path", "expires", "max-age", "domain", "samesite", "priority", "version"}

// cookies reports the values of secret cookies.
func (p *passes) cookies(start, end int) {
	text := p.text[start:end]
	if bytes.IndexByte(text, '=') < 0 {
		if value := bytes.TrimSpace(text); naming.Secret(value, naming.Random) {
			p.add(start, end, ruleCookie, Secret, "")
		}
		return
	}
	for at := 0; at < len(text); {
		stop := at + len(text[at:])
		if n := bytes.IndexByte(text[at:], ';'); n >= 0 {
			stop = at + n
		}
		if eq := bytes.IndexByte(text[at:stop], '='); eq > 0 {
			name, from := bytes.TrimSpace(text[at:at+eq]), at+eq+1
			if !attribute(name) && cookieSecret(name, text[from:stop]) {
				p.add(start+from, start+stop, ruleCookie, Secret, "")
			}
		}
		at = stop + 1
	}
}

func attribute(name []byte) bool {
	for _, a := range cookieAttributes {
		if bytes.EqualFold(name, []byte(a)) {
			return true
		}
	}
	return false
}

// cookieSecret reports whether a cookie can grant access.
func cookieSecret(name, value []byte) bool {
	if naming.Secret(value, naming.Random) {
		return true
	}
	lower := bytes.ToLower(name)
	access := bytes.Contains(lower, []byte("sess")) || bytes.Contains(lower, []byte("sid")) || bytes.Contains(lower, []byte("auth")) || naming.Classify(name) > naming.Query
	return access && len(value) >= 6 && naming.Secret(value, naming.Plausible)
}

// Limits of credentials that follow only a scheme.
const (
	leastBearer = 16
	sureBearer  = 20
)

func (p *passes) scheme(i int) {
	text := p.text
	if i > 0 && tokenByte(text[i-1]) {
		return
	}
	start := i
	for start < len(text) && text[start] > ' ' {
		start++
	}
	for start < len(text) && text[start] <= ' ' {
		start++
	}
	end := start
	for end < len(text) && (tokenByte(text[end]) || bytes.IndexByte([]byte("~+/="), text[end]) >= 0) {
		end++
	}
	credential := text[start:end]
	if text[i]|0x20 == 'b' && text[i+1]|0x20 == 'a' {
		if len(credential) >= 8 && userAndPassword(credential) {
			p.add(start, end, ruleScheme, Secret, "")
		}
		return
	}
	if bearer(credential) {
		p.add(start, end, ruleScheme, Secret, "")
	}
}

func bearer(credential []byte) bool {
	if len(credential) < leastBearer {
		return false
	}
	v := naming.Look(credential)
	return v.Secret(naming.Random) || len(credential) >= sureBearer && v.Secret(naming.Coined)
}

// userAndPassword reports whether a credential is user:password in base64.
func userAndPassword(credential []byte) bool {
	plain, err := base64.RawStdEncoding.AppendDecode(nil, bytes.TrimRight(credential, "="))
	if err != nil {
		return false
	}
	i := bytes.IndexByte(plain, ':')
	if i < 0 || i == len(plain)-1 {
		return false
	}
	for _, c := range plain {
		if c < ' ' || c == 0x7f {
			return false
		}
	}
	return true
}

// url reports the userinfo of the URL with "://" at i if it has a password or is a token. Userinfo
// ends at the last @ of the authority, because passwords can contain one.
func (p *passes) url(i int) {
	text := p.text
	start, at := i+len("://"), -1
	end := start
	for end < len(text) && !endsAuthority(text[end]) {
		if text[end] == '@' {
			at = end
		}
		end++
	}
	if at < 0 {
		return
	}
	user := text[start:at]
	if len(user) == 0 {
		return
	}
	n := bytes.IndexByte(user, ':')
	if (n >= 0 && naming.Secret(user[n+1:], naming.Anything) || n < 0 && loneUser(user)) && bytes.IndexByte([]byte("${[("), user[0]) < 0 {
		p.add(start, at, ruleUserinfo, Secret, "")
	}
}

// loneUser reports whether the user of a URL without a password is a token, and not the name of somebody.
func loneUser(user []byte) bool {
	return naming.Secret(user, naming.Random) || len(user) >= 8 && bytes.IndexByte(user, '-') < 0 && bytes.IndexByte(user, '.') < 0 && bytes.IndexByte(user, '_') < 0 &&
		naming.Secret(user, naming.Plausible) && naming.Secret(user, naming.Coined)
}

func endsAuthority(c byte) bool {
	return bytes.IndexByte([]byte(" \t\n\r\f/\\?#<>\"'`"), c) >= 0
}
