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

// mostParts bounds the parts of a name to check, from its end.
const mostParts = 8

// parts are the words of a name in lower case, last first.
type parts struct {
	words [mostParts]string
	n     int
}

func (p *parts) add(word string) bool {
	if p.n == mostParts {
		return false
	}
	p.words[p.n] = word
	p.n++
	return true
}

// split splits a name at non-alphanumeric characters and humps: X-Api-Key, x_api_key and xApiKey
// have the same words.
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

// MostName bounds a name in bytes; only the end of a longer one is read.
const MostName = 64

// hump reports whether a camel-case word starts at i.
func hump(name []byte, i int) bool {
	if i == 0 || !upper(name[i]) || !alnum(name[i-1]) {
		return false
	}
	return !upper(name[i-1]) || i+1 < len(name) && lowerCase(name[i+1])
}

// known returns a vocabulary word without allocating; otherwise "?", followed by a secret word at
// its end, as in dbpassword.
func known(word []byte) string {
	for len(word) > 1 && digit(word[len(word)-1]) {
		word = word[:len(word)-1] // password2
	}
	if w, ok := vocabulary[string(word)]; ok {
		return w
	}
	for _, end := range gluedEnds {
		if len(word) > len(end) && string(word[len(word)-len(end):]) == end {
			return end
		}
	}
	return "?"
}

// gluedEnds are secret words that can end longer words.
var gluedEnds = []string{"password", "passwd", "passphrase", "apikey", "secret"}

var (
	strongHeads = []string{
		"password", "passwd", "passcode", "pwd", "pass", "secret", "apikey", "credential", "credentials", "creds", "privatekey", "secretkey",
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

// vocabulary has every word of the classification, to look up words without allocating.
var vocabulary = func() map[string]string {
	all := map[string]string{}
	for _, list := range [][]string{strongHeads, phraseHeads, keyOf, tokenOf, tokenNot, fillers, others} {
		for _, word := range list {
			all[word] = word
		}
	}
	return all
}()

// Classify returns the strength of a name. As in English compounds, the last word decides:
// password_file is a file.
func Classify(name []byte) Strength {
	if !mayBe(name) {
		return None
	}
	if bytes.Contains(name, generalized) { // as in Secret
		name = bytes.ReplaceAll(name, generalized, home)
	}
	p := split(name)
	words := p.words[:p.n]
	for len(words) > 1 && slices.Contains(fillers, words[0]) {
		words = words[1:]
	}
	if len(words) == 0 {
		return None
	}
	head, before := words[0], words[1:]
	switch {
	case slices.Contains(phraseHeads, head), head == "phrase" && any(before, "seed", "recovery"):
		return Phrase
	case slices.Contains(strongHeads, head):
		return strong(head, before)
	}
	switch head {
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
	for _, head := range []string{"pas", "pwd", "sec", "tok", "key", "cre", "aut", "coo", "ses", "sid", "jwt", "sig", "cod", "phr", "mne", "bea"} {
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
func strong(head string, before []string) Strength {
	if any(before, "public", "publishable") {
		return None
	}
	if head == "bearer" {
		return Weak
	}
	return Strong
}

func key(name []byte, before []string) Strength {
	switch {
	case len(before) == 0:
		return Query
	case any(before, "public", "publishable"):
		return None
	case any(before[:min(2, len(before))], keyOf...):
		return Strong
	case environment(name):
		return Weak
	}
	return None
}

func token(name []byte, before []string) Strength {
	switch {
	case len(before) == 0:
		return Weak
	case any(before[:1], tokenNot...):
		return None
	case any(before, tokenOf...), environment(name):
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

func any(words []string, of ...string) bool {
	for _, word := range words {
		if slices.Contains(of, word) {
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
