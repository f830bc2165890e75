package naming

import (
	"bytes"
	"math/bits"
	"slices"
)

// Proof is the evidence a value needs to count as a secret. More certain places need less.
type Proof uint8

// The proofs in ascending order.
const (
	Anything  Proof = iota // no placeholder, variable, path or language word: --token=xyz
	Plausible              // also no word or identifier: password = hunter2
	Coined                 // not words that are joined: sk-abcdefghij1234567890
	Random                 // looks random: token = 8fK2mQp0
	Certain                // upper case, lower case and a digit, at least 8 bytes: prose
)

// Value is an unquoted value that was looked at.
type Value struct {
	text  []byte
	facts facts
	known bool // harmless is known
	never bool // it is a placeholder or a word of a language
}

// Look looks at a value, to judge it by several proofs.
func Look(value []byte) Value {
	s := survey(value)
	if s.has('~') && s.has('*') && bytes.Contains(value, generalized) { // the replacement of a home folder counts as a folder
		value = bytes.ReplaceAll(value, generalized, home)
		s = survey(value)
	}
	return Value{text: value, facts: s}
}

// Secret reports whether an unquoted value can be a secret under the given proof.
func Secret(value []byte, proof Proof) bool {
	v := Look(value)
	return v.Secret(proof)
}

// Secret reports whether the value can be a secret under the given proof.
func (v *Value) Secret(proof Proof) bool {
	value, s := v.text, &v.facts
	if s.length == 0 {
		return false
	}
	switch proof {
	case Anything:
		return !path(value, s) && !prose(value, s) && !v.harmless()
	case Plausible:
		return s.length >= 4 && (s.digits > 0 || s.symbols > 0 && s.upper+s.lower > 0 || mixed(s)) && !counter(s) &&
			!code(value, s) && !path(value, s) && !prose(value, s) && !v.harmless()
	case Coined:
		return s.blanks == 0 && !joined(value) && !v.harmless()
	case Random:
		return random(value, s) && !v.harmless()
	}
	return s.length >= 8 && s.blanks == 0 && s.digits > 0 && (s.upper > 0 && s.lower > 0 || s.symbols > 0 && s.upper+s.lower > 0) &&
		!code(value, s) && !path(value, s) && !v.harmless()
}

// Refuses returns how far into a value that is not a secret under the proof the reason is: what starts earlier and ends
// with the value is not one, either.
func Refuses(value []byte, proof Proof) (until int) {
	if proof == Coined && joined(value) {
		return len(value)
	}
	for _, part := range []string{"***", "...", "…", "${", "$(", "{{", "<redacted", "[REDACTED", "xxxxx", "XXXXX"} {
		until = max(until, bytes.LastIndex(value, []byte(part))+1)
	}
	return until
}

// harmless reports whether the value is a placeholder or a word of a language.
func (v *Value) harmless() bool {
	if !v.known {
		v.known, v.never = true, placeholder(v.text, &v.facts) || word(v.text)
	}
	return v.never
}

// generalized replaces a home folder in redacted text.
var (
	generalized = []byte("~/**")
	home        = []byte("/home/user")
	nobody      = []byte("/home/bob")
)

// facts are properties of a value, collected in one pass.
type facts struct {
	length, upper, lower, digits, symbols, separators, blanks, high int
	changes                                                         int // between letters and digits
	humps                                                           int // from lower to upper case
	distinct                                                        int
	seen                                                            [4]uint64 // the bytes of the value
}

func (s *facts) has(c byte) bool { return s.seen[c>>6]>>(c&63)&1 != 0 }

// kind is what a byte counts as in a survey.
type kind uint8

const (
	symbol kind = iota
	upperLetter
	lowerLetter
	decimal
	separator
	blank
	high
)

var kindOf = func() (of [256]kind) {
	for i := range of {
		switch c := byte(i); {
		case upper(c):
			of[i] = upperLetter
		case lowerCase(c):
			of[i] = lowerLetter
		case digit(c):
			of[i] = decimal
		case c == '-' || c == '_' || c == '.' || c == '/' || c == ':':
			of[i] = separator
		case c == ' ' || c == '\t' || c == '\n' || c == '\r':
			of[i] = blank
		case c >= 0x80:
			of[i] = high
		}
	}
	return of
}()

// steps are what a byte after another one counts as: 1 for a hump, aChange for a change, by their kinds.
var steps = func() (of [8 * 8]uint64) {
	of[lowerLetter<<3|upperLetter] = 1
	for _, letter := range []kind{upperLetter, lowerLetter} {
		of[decimal<<3|letter], of[letter<<3|decimal] = aChange, aChange
	}
	return of
}()

const (
	aChange = 1 << 32
	counted = 255 // bytes of which the kinds are counted in one number, eight bits for each
)

func survey(value []byte) (s facts) {
	s.length = len(value)
	var counts [8]int
	before, stepped, small, large := symbol, uint64(0), uint64(0), uint64(0)
	for len(value) > 0 {
		part, all := value[:min(len(value), counted)], uint64(0)
		value = value[len(part):]
		for _, c := range part {
			bit := uint64(1) << (c & 63)
			switch {
			case c < 64:
				small |= bit
			case c < 128:
				large |= bit
			default:
				s.seen[c>>6] |= bit
			}
			k := kindOf[c] & 7
			all += 1 << (k * 8)
			stepped += steps[before<<3|k]
			before = k
		}
		for k := range counts {
			counts[k] += int(all >> (k * 8) & 0xff)
		}
	}
	s.seen[0], s.seen[1] = small, large
	s.humps, s.changes = int(stepped&(aChange-1)), int(stepped/aChange)
	s.upper, s.lower, s.digits, s.symbols = counts[upperLetter], counts[lowerLetter], counts[decimal], counts[symbol]
	s.separators, s.blanks, s.high = counts[separator], counts[blank], counts[high]
	for _, set := range s.seen {
		s.distinct += bits.OnesCount64(set)
	}
	return s
}

// Limits of the parts of a name that is made of words.
const (
	mostWord   = 15 // letters
	mostOfName = 3  // digits of a number
)

// joined reports whether a value is words and short numbers that are joined: sk-learn-model-2.
func joined(value []byte) bool {
	letters, digits := 0, 0
	for i := 0; i <= len(value); i++ {
		switch {
		case i == len(value) || !alnum(value[i]):
			letters, digits = 0, 0
			continue
		case digit(value[i]):
			digits++
		default:
			letters++
		}
		if letters > 0 && digits > 0 || letters > mostWord || digits > mostOfName {
			return false
		}
	}
	return true
}

func letter(c byte) bool { return upper(c) || lowerCase(c) }

// mixed reports whether a value of letters changes case more often than words do.
func mixed(s *facts) bool { return s.length >= 12 && s.humps >= 3 && s.lower < 4*s.humps }

func counter(s *facts) bool { return s.digits+s.separators == s.length && s.digits < 6 }

func random(value []byte, s *facts) bool {
	switch {
	case s.length < 8, s.blanks > 0, s.high > 0, s.digits+s.separators == s.length, counts(value, s), code(value, s), path(value, s):
		return false
	case s.length >= 16 && s.digits > 0 && hexadecimal(value):
		return true
	case s.digits == 0:
		return s.symbols > 0 && s.length >= 12 && s.upper > 0 && s.lower > 0 && s.humps >= 2 || mixed(s) && s.length >= 16
	case s.changes >= 4, s.changes >= 2 && s.upper > 0 && s.lower > 0 && s.separators == 0 && s.length >= 10, s.symbols > 0 && s.length >= 10 && s.changes >= 1:
		return true
	}
	return s.length >= 20 && s.changes >= 3
}

// counts reports whether a value is the digits in order, as in 0123456789abcdef.
func counts(value []byte, s *facts) bool {
	if s.digits < 10 {
		return false
	}
	next := 0
	for i, c := range value[1:] {
		next += boolInt(c == value[i]+1 || value[i] == '9' && c|0x20 == 'a')
	}
	return next*8 >= len(value)*7
}

func boolInt(b bool) int {
	if b {
		return 1
	}
	return 0
}

func hexadecimal(value []byte) bool {
	for _, c := range value {
		if !digit(c) && (c < 'a' || c > 'f') && (c < 'A' || c > 'F') {
			return false
		}
	}
	return true
}

// Identifier reports whether a value is a UUID, a ULID or a hexadecimal digest.
func Identifier(value []byte) bool {
	if len(value) == 36 && bytes.Count(value, []byte{'-'}) == 4 && hexadecimal(bytes.ReplaceAll(value, []byte{'-'}, nil)) {
		return true
	}
	if hexadecimal(value) && len(value) >= 16 {
		return true
	}
	if len(value) == 26 && value[0] >= '0' && value[0] <= '7' {
		for _, c := range value {
			if !digit(c) && !upper(c) {
				return false
			}
		}
		return true
	}
	return false
}

// placeholder reports whether a value is a placeholder for a secret.
func placeholder(value []byte, s *facts) bool {
	first, last := value[0], value[len(value)-1]
	switch {
	case first == '$' && (len(value) == 1 || letter(value[1]) && plainVariable(value[1:]) || value[1] == '{' || value[1] == '(' || value[1] == '_'):
		return true
	case first == '%' && (last == '%' || len(value) < 4), first == '<', first == '{', first == '[' && last == ']':
		return true
	case s.has('*') && bytes.Contains(value, []byte("***")), s.has('.') && bytes.Contains(value, []byte("...")), s.high > 0 && bytes.Contains(value, []byte("…")):
		return true
	case s.has('$') && (bytes.Contains(value, []byte("${")) || bytes.Contains(value, []byte("$("))), s.has('{') && bytes.Contains(value, []byte("{{")):
		return true
	case s.distinct == 1 && (s.length < 8 || bytes.IndexByte([]byte("xX*.0_-#?"), first) >= 0):
		return s.length >= 2 || s.symbols+s.separators > 0
	case s.has('<') && bytes.Contains(value, []byte("<redacted")), s.has('[') && bytes.Contains(value, []byte("[REDACTED")),
		s.has('x') && bytes.Contains(value, []byte("xxxxx")), s.has('X') && bytes.Contains(value, []byte("XXXXX")):
		return true
	}
	return placeholderWords(value)
}

// plainVariable reports whether a text is a variable name, as after $.
func plainVariable(name []byte) bool {
	for _, c := range name {
		if !alnum(c) && c != '_' {
			return false
		}
	}
	return true
}

// placeholderWords reports whether a value contains an instruction word.
func placeholderWords(value []byte) bool {
	if len(value) > MostName {
		return false
	}
	start := 0
	for i := 0; i <= len(value); i++ {
		if i < len(value) && alnum(value[i]) {
			continue
		}
		if instructions.has(value[start:i]) {
			return true
		}
		start = i + 1
	}
	return false
}

// instructions are words of placeholders, by their length.
var instructions = byLength("your", "changeme", "change", "example", "placeholder", "dummy", "redacted", "insert", "todo", "here", "sample", "replace", "fake", "removed", "hidden", "masked", "omitted", "mocked")

// mostListed is the length of the longest word of a list.
const mostListed = 16

// words are a list by their length.
type words [mostListed + 1][]string

// has reports whether a word is in the list, whatever its case.
func (w *words) has(word []byte) bool {
	if len(word) > mostListed {
		return false
	}
	for _, listed := range w[len(word)] {
		if listed[0] == word[0]|0x20 && bytes.EqualFold(word, []byte(listed)) {
			return true
		}
	}
	return false
}

func byLength(list ...string) *words {
	by := new(words)
	for _, word := range list {
		by[len(word)] = append(by[len(word)], word)
	}
	return by
}

// language are values that programs, schemas and messages use in a secret's place.
var language = byLength(
	"true", "false", "null", "none", "nil", "undefined", "yes", "no", "on", "off", "required", "optional", "unknown", "include", "omit", "same-origin", "string", "str",
	"int", "integer", "bool", "boolean", "number", "object", "array", "any", "bytes", "text", "value", "password", "passwd", "secret", "token", "key", "apikey", "api_key",
	"auto", "default", "inherit", "env", "environment", "basic", "bearer", "digest", "negotiate", "ntlm", "oauth", "oauth2", "apikeyauth", "anonymous", "guest", "disabled", "enabled",
	"valid", "invalid", "expired", "missing", "empty", "set", "unset", "present", "absent", "incorrect", "correct", "wrong", "new", "await", "lambda", "return", "self", "this",
	"optional[str]", "option<string>", "char", "varchar", "uuid", "file", "stdin", "prompt", "header", "query", "cookie", "write-only", "writeonly", "identifier", "keyword", "eof", "pass", "credentials",
)

// word reports whether a value is a language word, ignoring trailing punctuation.
func word(value []byte) bool {
	for len(value) > 0 && punctuation(value[len(value)-1]) {
		value = value[:len(value)-1]
	}
	return len(value) == 0 || language.has(value)
}

func punctuation(c byte) bool {
	switch c {
	case '.', ',', ';', ':', '!', '?', ')':
		return true
	}
	return false
}

// Code reports whether a value is a program expression, or the digits in order.
func Code(value []byte) bool {
	s := survey(value)
	return s.length > 0 && (code(value, &s) || counts(value, &s))
}

// code reports whether a value is an expression: a call, an index, object members.
func code(value []byte, s *facts) bool {
	if s.has('(') {
		if i := bytes.IndexByte(value, '('); i == 0 || identifiers(value[:i]) {
			return true
		}
	}
	if s.has('[') {
		if i := bytes.IndexByte(value, '['); i > 0 && identifiers(value[:i]) {
			return true
		}
	}
	if s.has('>') && bytes.Contains(value, []byte("=>")) || value[0] == '&' || value[0] == '!' && (s.length < 4 || s.upper+s.lower == s.length-1) { // also a tag of YAML

		return true
	}
	if value[0] == '[' && s.has(']') {
		if i := bytes.IndexByte(value, ']'); i+1 == len(value) || identifiers(value[i+1:]) {
			return true // a type
		}
	}
	if !s.has('.') {
		return false
	}
	value = bytes.TrimRight(bytes.TrimLeft(value, "*"), ";,)") // also of a pointer
	return s.separators > 0 && bytes.IndexByte(value, '.') > 0 && identifiers(value) && (s.digits*4 <= s.length || numbered(value))
}

// numbered reports whether the parts of an expression end in their digits and one has none, as in x509.Name.
func numbered(value []byte) bool {
	plain := false
	for part := range bytes.SplitSeq(value, []byte{'.'}) {
		letters := bytes.TrimRight(part, "0123456789")
		if len(letters) == 0 || bytes.ContainsAny(letters, "0123456789") || len(part)-len(letters) > 5 {
			return false
		}
		plain = plain || len(letters) == len(part) && len(part) > 2
	}
	return plain
}

// identifiers reports whether a text is dotted identifiers made of words.
func identifiers(text []byte) bool {
	if len(text) == 0 || !letter(text[0]) && text[0] != '_' {
		return false
	}
	for i, c := range text {
		if !alnum(c) && c != '_' && c != '$' && (c != '.' || i == len(text)-1) && c != '?' && c != '!' {
			return false
		}
	}
	return true
}

var pathStarts = []string{"/", "./", "../", "~/", "file:", "http://", "https://", "s3://", "gs://", "vault:", "op://", "arn:", "env:", "ref+", "secretsmanager:", "keychain:"}

// pathsBy are the starts of paths by their first bytes.
var pathsBy = func() (by [256][]string) {
	for _, start := range pathStarts {
		by[start[0]] = append(by[start[0]], start)
	}
	return by
}()

// path reports whether a value, which is not empty, is the location of a secret.
func path(value []byte, s *facts) bool {
	for _, start := range pathsBy[value[0]] {
		if bytes.HasPrefix(value, []byte(start)) {
			return start != "/" || !base64Like(value)
		}
	}
	return len(value) > 3 && value[1] == ':' && value[2] == '\\' ||
		s.has('.') && slices.Contains([]string{".pem", ".key", ".txt", ".json", ".env", ".yml", ".yaml", ".csv"}, extension(value))
}

func extension(value []byte) string {
	if i := bytes.LastIndexByte(value, '.'); i > 0 && len(value)-i <= 5 {
		return string(value[i:])
	}
	return ""
}

// base64Like reports whether a text that starts with a slash contains no folder name.
func base64Like(value []byte) bool {
	s := survey(value)
	return s.length >= 16 && s.digits > 0 && s.upper > 1 && s.lower > 1 && bytes.Count(value, []byte{'/'})*8 < s.length
}

// prose reports whether a value is a sentence: words separated by blanks, or a count.
func prose(value []byte, s *facts) bool {
	if s.blanks == 0 {
		return false
	}
	plain, words := 0, 0
	for w := range bytes.FieldsSeq(value) {
		words++
		if plainWord(w) {
			plain++
		}
	}
	return plain*4 >= words*3
}

// plainWord reports whether a word of a sentence has no digit and no symbol but the marks around it.
func plainWord(word []byte) bool {
	for len(word) > 0 && mark(word[0]) {
		word = word[1:]
	}
	for len(word) > 0 && mark(word[len(word)-1]) {
		word = word[:len(word)-1]
	}
	for _, c := range word {
		if k := kindOf[c]; k == decimal || k == symbol {
			return false
		}
	}
	return true
}

func mark(c byte) bool { return punctuation(c) || c == '(' || c == '\'' || c == '"' }
