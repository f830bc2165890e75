// Package naming decides whether a name, such as X-Api-Key or DB_PASSWORD, denotes a secret, and
// whether a value can be one.
package naming

import (
	"bytes"
	"slices"
)

// Strength is the certainty with which a name denotes a secret.
type Strength uint8

const (
	None          Strength = iota
	Query                  // only as a URL parameter: code, sig, key
	Session                // a session, often a public identifier
	Weak                   // token, auth: the value must look random
	Strong                 // password, api_key: the value must be plausible
	Cookie                 // a header of name=value pairs
	Authorization          // a header with a scheme and a credential
	Phrase                 // passphrase, mnemonic: the value can be words
)

// mostParts limits the parts of a name to check, from its end.
const mostParts = 8

// parts are the words of a name in lower case, last first.
type parts struct {
	words [mostParts]*entry
	n     int
}

// entry is a word of the vocabulary, or another one: "?".
type entry struct {
	text  string
	roles role
}

// role is a set of the lists that a word is in.
type role uint8

const (
	strongHead role = 1 << iota
	phraseHead
	ofKey
	ofToken
	notToken
	filler
)

func (p *parts) add(word *entry) bool {
	if p.n == mostParts {
		return false
	}
	p.words[p.n] = word
	p.n++
	return true
}

// split splits a name at non-alphanumeric characters and humps: X-Api-Key, x_api_key and xApiKey have the same words.
func split(name []byte) (p parts) {
	var buffer [MostName]byte
	name = name[max(0, len(name)-MostName):]
	folded := buffer[:0]
	for _, c := range name {
		folded = append(folded, Lower(c))
	}
	end := len(name)
	for i := len(name) - 1; i >= 0; i-- {
		switch {
		case !alnum(name[i]):
			if i+1 < end && !p.add(known(folded[i+1:end])) {
				return p
			}
			end = i
		case hump(name, i):
			if !p.add(known(folded[i:end])) {
				return p
			}
			end = i
		}
	}
	if end > 0 {
		p.add(known(folded[:end]))
	}
	return p
}

// MostName limits a name in bytes; only the end of a longer one is read.
const MostName = 64

// hump reports whether a camel-case word starts at i.
func hump(name []byte, i int) bool {
	if i == 0 || !upper(name[i]) || !alnum(name[i-1]) {
		return false
	}
	return !upper(name[i-1]) || i+1 < len(name) && lowerCase(name[i+1])
}

// known returns the vocabulary's entry; of another word that of a secret word at its end, as in
// dbpassword, else "?".
func known(word []byte) *entry {
	for len(word) > 1 && digit(word[len(word)-1]) {
		word = word[:len(word)-1] // password2
	}
	for _, w := range vocabulary[sum(word)] {
		if string(word) == w.text {
			return w
		}
	}
	for _, end := range gluedEnds {
		if n := len(word) - len(end); n > 0 && word[n] == end[0] && string(word[n:]) == end {
			return known(word[n:])
		}
	}
	return other
}

// other is any word that is not in the vocabulary.
var other = &entry{text: "?"}

// gluedEnds are secret words that can end longer words.
var gluedEnds = []string{"password", "passwd", "passphrase", "apikey", "secret"}

var (
	strongHeads = []string{
		"password", "passwd", "passcode", "pwd", "pass", "secret", "apikey", "credential", "credentials", "creds", "psk", "privatekey", "secretkey",
		"accesskey", "authtoken", "accesstoken", "refreshtoken", "clientsecret", "sessiontoken", "idtoken", "secretaccesskey", "signingkey", "bearer",
	}
	phraseHeads = []string{"passphrase", "mnemonic", "seedphrase"}
	// keyOf are words that make a key secret, keyNot words that make it harmless.
	keyOf = []string{
		"api", "secret", "private", "access", "encryption", "encrypt", "signing", "sign", "master", "account", "auth", "service", "subscription", "consumer",
		"client", "admin", "root", "hmac", "license", "shared", "storage", "deploy", "webhook", "ssh", "jwt", "cookie", "application", "app", "functions", "host", "aes", "rsa",
	}
	tokenOf = []string{
		"access", "auth", "refresh", "bearer", "api", "session", "id", "private", "personal", "vault", "deploy", "bot", "security", "secret", "client", "user", "app",
		"service", "github", "gitlab", "slack", "npm", "x", "gh", "registration", "push", "account", "admin", "root", "ci", "job", "install", "upload", "write", "read", "jwt",
	}
	tokenNot = []string{
		"page", "next", "continuation", "sync", "cursor", "cancel", "cancellation", "pagination", "max", "min", "total", "prompt", "completion", "input", "output", "num",
		"count", "eos", "bos", "pad", "unk", "mask", "sep", "special", "cls", "stop", "start", "end", "per", "first", "last", "prev", "previous", "design", "word", "sub",
		"context", "cached", "reasoning", "resume", "unexpected", "new", "line", "comment", "string", "lookahead", "current", "color", "space", "idempotency",
	}
	fillers = []string{"value", "val", "plain", "plaintext", "raw", "base", "b", "encoded", "old", "decoded"}
	others  = []string{"key", "token", "session", "sid", "cookie", "auth", "authorization", "signature", "sig", "code", "phrase", "seed", "recovery", "set", "proxy", "publishable", "public"}
)

// vocabulary has every word of the classification, by its sum.
var vocabulary = func() (all [1 << 10][]*entry) {
	add := func(roles role, words []string) {
		for _, word := range words {
			same := &all[sum([]byte(word))]
			i := slices.IndexFunc(*same, func(e *entry) bool { return e.text == word })
			if i < 0 {
				i, *same = len(*same), append(*same, &entry{text: word})
			}
			(*same)[i].roles |= roles
		}
	}
	add(strongHead, strongHeads)
	add(phraseHead, phraseHeads)
	add(ofKey, keyOf)
	add(ofToken, tokenOf)
	add(notToken, tokenNot)
	add(filler, fillers)
	add(0, others)
	return all
}()

// sum is a number of ten bits of a word, which few others have.
func sum(word []byte) int {
	if len(word) == 0 {
		return 0
	}
	return (int(word[0])*61 + int(word[len(word)/2])*17 + int(word[len(word)-1])*5 + len(word)) & (1<<10 - 1)
}

// Classify returns the strength of a name. As in English compounds, the last word decides: password_file is a file.
func Classify(name []byte) Strength {
	if !mayBe(name) {
		return None
	}
	if bytes.IndexByte(name, '~') >= 0 && bytes.Contains(name, generalized) { // as in Secret, but the user's name is no word that has a meaning in a name
		name = bytes.ReplaceAll(name, generalized, nobody)
	}
	p := split(name)
	words := p.words[:p.n]
	for len(words) > 1 && words[0].roles&filler != 0 {
		words = words[1:]
	}
	if len(words) == 0 {
		return None
	}
	head, before := words[0], words[1:]
	switch {
	case head.roles&phraseHead != 0, head.text == "phrase" && any(before, "seed", "recovery"):
		return Phrase
	case head.roles&strongHead != 0:
		return strong(head.text, before)
	}
	switch head.text {
	case "authorization":
		return Authorization
	case "cookie":
		return Cookie
	case "key":
		return key(name, before)
	case "token":
		return token(name, before)
	case "auth":
		return Weak
	case "session", "sid":
		return Session
	case "jwt":
		return Weak
	case "signature", "sig", "code":
		return Query
	}
	return None
}

// firsts are the packed first three letters of the heads, which most names lack.
var firsts = func() (set [1 << 15]bool) {
	for _, head := range []string{"pas", "psk", "pwd", "sec", "tok", "key", "cre", "aut", "coo", "ses", "sid", "jwt", "sig", "cod", "phr", "mne", "bea"} {
		set[int(head[0]&31)<<10|int(head[1]&31)<<5|int(head[2]&31)] = true
	}
	return set
}()

// mayBe reports whether a name contains the first letters of a head.
func mayBe(name []byte) bool {
	packed := 0
	for _, c := range name {
		packed = packed<<5&(1<<15-1) | int(c&31)
		if firsts[packed] {
			return true
		}
	}
	return false
}

// strong classifies heads that are secret unless the words before exclude it.
func strong(head string, before []*entry) Strength {
	if any(before, "public", "publishable") {
		return None
	}
	if head == "bearer" {
		return Weak
	}
	return Strong
}

func key(name []byte, before []*entry) Strength {
	switch {
	case len(before) == 0:
		return Query
	case any(before, "public", "publishable"):
		return None
	case are(before[:min(2, len(before))], ofKey):
		return Strong
	case environment(name):
		return Weak
	}
	return None
}

func token(name []byte, before []*entry) Strength {
	switch {
	case len(before) == 0:
		return Weak
	case are(before[:1], notToken):
		return None
	case are(before, ofToken), environment(name):
		return Strong
	}
	return Weak
}

func environment(name []byte) bool {
	separated := false
	for _, c := range name {
		if lowerCase(c) {
			return false
		}
		separated = separated || c == '_'
	}
	return separated
}

// are reports whether one of the words has a role.
func are(words []*entry, roles role) bool {
	for _, word := range words {
		if word.roles&roles != 0 {
			return true
		}
	}
	return false
}

func any(words []*entry, of ...string) bool {
	for _, word := range words {
		if slices.Contains(of, word.text) {
			return true
		}
	}
	return false
}

// Lower converts an ASCII letter to lower case.
func Lower(c byte) byte {
	if upper(c) {
		return c | 0x20
	}
	return c
}

func upper(c byte) bool     { return 'A' <= c && c <= 'Z' }
func lowerCase(c byte) bool { return 'a' <= c && c <= 'z' }
func digit(c byte) bool     { return '0' <= c && c <= '9' }
func alnum(c byte) bool     { return upper(c) || lowerCase(c) || digit(c) }
