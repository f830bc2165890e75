package secrets

import (
	"bytes"
	"strings"

	"github.com/cupel-dev/cupel/internal/secrets/naming"
)

// operator is the text between a name and its value.
type operator uint8

const (
	noOperator operator = iota
	assigns             // = := =>
	colon               // :
	pair                // , after a quoted name
	element             // > after the name of an XML element
	blank               // only blanks, as after a flag
	sentence            // "is"
)

// named is a name in a text and the text after it.
type named struct {
	start, end int
	strength   naming.Strength
	flag       bool // -name or --name
	quoted     bool
	op         operator
	value      int // start of the value, after blanks
}

// name checks the name around a keyword at i.
func (p *passes) name(i int) {
	if i < p.nameEnd {
		return
	}
	n, ok := p.readName(i)
	if !ok {
		return
	}
	p.operator(&n)
	if n.op == noOperator {
		return
	}
	switch n.strength {
	case naming.Authorization, naming.Cookie:
		if n.start < p.header {
			return
		}
	}
	switch n.strength {
	case naming.Authorization:
		if n.op != sentence && n.op != blank || n.flag {
			p.authorization(&n)
		}
	case naming.Cookie:
		if n.op == colon || n.op == assigns && n.quoted || n.op == pair || n.op == element {
			p.cookies(p.region(n.value))
		}
	default:
		p.assigned(&n)
	}
}

// readName finds the name around i and classifies it.
func (p *passes) readName(i int) (n named, ok bool) {
	text := p.text
	if i < p.nameStart || i >= p.nameStop {
		p.nameStart, p.nameStop = i, i
		for p.nameStop < len(text) && nameByte(text[p.nameStop]) {
			p.nameStop++
		}
	}
	n.start, n.end = i, p.nameStop
	if n.end-i > naming.MostName {
		return n, false
	}
	p.nameEnd = n.end
	for n.start > 0 && nameByte(text[n.start-1]) && i-n.start < naming.MostName {
		n.start--
	}
	for n.end > i && (text[n.end-1] == '.' || text[n.end-1] == '-') {
		n.end--
	}
	dashes := n.start
	for n.start < n.end && text[n.start] == '-' {
		n.start++
	}
	n.flag = n.start > dashes && n.start-dashes <= 2 && (dashes == 0 || text[dashes-1] <= ' ' || isQuote(text[dashes-1]) || text[dashes-1] == '[' || text[dashes-1] == ',')
	name := text[n.start:n.end]
	n.strength = naming.Classify(name)
	if n.strength == naming.Query && bytes.EqualFold(name, []byte("key")) && p.twoWords(n.start) {
		n.strength = naming.Strong
	}
	return n, n.strength != naming.None
}

func nameByte(c byte) bool { return tokenByte(c) }

func isQuote(c byte) bool { return c == '"' || c == '\'' || c == '`' }

func isBlank(c byte) bool { return c == ' ' || c == '\t' }

// keyWords precede the word key, after a blank.
var keyWords = []string{"api", "access", "secret", "private", "encryption", "signing", "account", "license"}

// twoWords reports whether the preceding word makes the word at i a secret's name.
func (p *passes) twoWords(i int) bool {
	if i < 2 || p.text[i-1] != ' ' {
		return false
	}
	end := i - 1
	for _, word := range keyWords {
		start := end - len(word)
		if start >= 0 && bytes.EqualFold(p.text[start:end], []byte(word)) && (start == 0 || !tokenByte(p.text[start-1])) {
			return true
		}
	}
	return false
}

func (p *passes) operator(n *named) {
	text := p.text
	i := n.end
	if j := skipEscapes(text, i); j < len(text) && isQuote(text[j]) && n.start > 0 && (isQuote(text[n.start-1]) || n.flag) {
		n.quoted = true
		i = j + 1
	}
	if i < len(text) && text[i] == ']' {
		i++
	}
	k := skipBlanks(text, i)
	if k == len(text) {
		return
	}
	after := func(c byte) bool { return k+1 < len(text) && text[k+1] == c }
	if n.quoted && k > i || text[k] == '\n' || text[k] == '\r' {
		if value, ok := p.valueMember(i); ok {
			n.op, n.value = colon, value
			return
		}
	}
	switch c := text[k]; {
	case c == '=' && !after('=') && !bytes.HasPrefix(text[k:], []byte("=~ ")):
		n.op, k = assigns, k+1
		if k < len(text) && text[k] == '>' {
			k++
		}
	case c == ':' && after('='), (c == '+' || c == '?' || c == '|') && after('='):
		n.op, k = assigns, k+2
	case c == ':' && !after(':') && !bytes.HasPrefix(text[k:], []byte("://")):
		n.op, k = colon, k+1
		k = p.annotated(n, k)
		if value, ok := p.valueMember(k); ok && bytes.IndexByte(text[k:value], '\n') >= 0 {
			k = value
		}
		if !n.quoted && bytes.EqualFold(text[n.start:n.end], []byte("pass")) {
			n.op = noOperator // from a test report
		}
	case c == ',' && n.quoted:
		n.op = pair
		k = p.pairValue(k + 1)
	case c == '>' && n.start > 0 && text[n.start-1] == '<':
		n.op, k = element, k+1
	case c == '|' && k > i && n.strength == naming.Strong && k+1 < len(text) && isBlank(text[k+1]):
		n.op, k = blank, k+1 // the next cell of a table
	case k > i && n.flag, k > i && isQuoteAt(text, k) && !n.quoted && !p.verb(n):
		n.op = blank
	case k > i && !n.quoted && !p.verb(n):
		n.op, k = p.bare(n, k)
	}
	n.value = skipBlanks(text, k)
}

// verb reports whether a name can be the verb to pass, or starts a longer quoted text.
func (p *passes) verb(n *named) bool {
	return bytes.EqualFold(p.text[n.start:n.end], []byte("pass")) || n.start > 0 && isQuote(p.text[n.start-1])
}

func isQuoteAt(text []byte, i int) bool {
	i = skipEscapes(text, i)
	return i < len(text) && isQuote(text[i])
}

// skipBlanks returns the first non-blank at or after i, across continued lines.
func skipBlanks(text []byte, i int) int {
	for i < len(text) {
		switch {
		case isBlank(text[i]):
			i++
		case bytes.HasPrefix(text[i:], []byte("\\\n")):
			i += 2
		default:
			return i
		}
	}
	return i
}

const mostEscapes = 7

func skipEscapes(text []byte, i int) int {
	for n := 0; i < len(text) && text[i] == '\\' && n < mostEscapes; n++ {
		i++
	}
	return i
}

// mostType limits a type annotation between colon and equals sign.
const mostType = 40

// annotated returns the start of the value after a type annotation: password: str = "…".
func (p *passes) annotated(n *named, i int) int {
	if n.quoted {
		return i
	}
	for j := i; j < len(p.text) && j-i < mostType; j++ {
		switch c := p.text[j]; {
		case c == '=' && j > i && p.text[j-1] == ' ' && j+1 < len(p.text) && p.text[j+1] == ' ':
			n.op = assigns
			return j + 1
		case tokenByte(c), c == ' ', c == '[', c == ']', c == '|', c == '?', c == '<', c == '>', c == '*', c == '&':
		default:
			return i
		}
	}
	return i
}

// pairNames are members that contain the value of a name in the previous member.
var pairNames = []string{"value", "val", "v", "secret", "data", "content"}

// pairValue returns the start of the value after the comma at i: directly, or in the next member,
// as in {"name": "TOKEN", "value": "…"}.
func (p *passes) pairValue(i int) int {
	if value, ok := p.valueMember(i); ok {
		return value
	}
	return skipBlanks(p.text, i)
}

// valueMember returns the start of the value of the next member, if it is one of those names.
func (p *passes) valueMember(i int) (start int, ok bool) {
	k := skipBlanks(p.text, i)
	for k < len(p.text) && (p.text[k] == '\n' || p.text[k] == '\r') {
		k = skipBlanks(p.text, k+1)
	}
	j := skipEscapes(p.text, k)
	if j < len(p.text) && isQuote(p.text[j]) {
		j++
	}
	if j == len(p.text) {
		return 0, false
	}
	for _, name := range pairNames {
		if name[0] != p.text[j]|0x20 || !hasFold(p.text, j, name) {
			continue
		}
		end := skipEscapes(p.text, j+len(name))
		if end < len(p.text) && isQuote(p.text[end]) {
			end++
		}
		end = skipBlanks(p.text, end)
		if end < len(p.text) && (p.text[end] == ':' || p.text[end] == '=') {
			return skipBlanks(p.text, end+1), true
		}
	}
	return 0, false
}

func hasFold(text []byte, i int, word string) bool {
	return len(text)-i >= len(word) && bytes.EqualFold(text[i:i+len(word)], []byte(word))
}

// verbs separate a secret's name and value in a sentence.
var verbs = []string{"is ", "was ", "to ", "is: ", "= "}

// bare reads the text after a name and a blank: a sentence's verb or the value.
func (p *passes) bare(n *named, i int) (operator, int) {
	rest := p.text[i:]
	for _, more := range []string{"", "is set ", "was set ", "set ", "changed ", "is now "} {
		if !bytes.HasPrefix(rest, []byte(more)) {
			continue
		}
		for _, verb := range verbs {
			if bytes.HasPrefix(rest[len(more):], []byte(verb)) {
				return sentence, i + len(more) + len(verb)
			}
		}
	}
	if n.strength == naming.Strong {
		return blank, i
	}
	return noOperator, i
}

// value is a value in a text.
type value struct {
	start, end int
	quoted     bool
}

// valueAt reads the value that starts at i.
func (p *passes) valueAt(i int, op operator) value {
	text := p.text
	if op == element {
		return value{i, p.angled(i), true}
	}
	i = skipPrefix(text, i)
	open := skipEscapes(text, i)
	if open < len(text) && isQuote(text[open]) {
		start := open + 1
		return value{start, p.closing(start, text[open], open-i), true}
	}
	return value{i, p.plainEnd(i), false}
}

// skipPrefix skips the prefix letter of a Python string.
func skipPrefix(text []byte, i int) int {
	if i+1 < len(text) && isQuote(text[i+1]) && bytes.IndexByte([]byte("fbruFBRU"), text[i]) >= 0 {
		return i + 1
	}
	return i
}

// mostInside limits what is looked at of a value that is inside of another one without quotes: by it alone, such a value
// counts wherever it is in the other.
const mostInside = 64

// mostValue is the length from which a value in quotes ends with its line.
const mostValue = 8192

// closed is a closing quote, and where it was looked for.
type closed struct{ from, to int }

// quotes is the number of the kinds of quotes: the signs with up to mostEscapes backslashes.
const quotes = 3 * (mostEscapes + 1)

// closing returns the end of the quote opened before i with the given number of backslashes, or the
// end of the line. A quote that was found is also that of every text between.
func (p *passes) closing(i int, quote byte, escapes int) int {
	last := &p.quotes[bytes.IndexByte([]byte("\"'`"), quote)*(mostEscapes+1)+escapes]
	if i < last.from || i > last.to {
		*last = closed{i, p.close(i, quote, escapes)}
	}
	if last.to-i > mostValue || last.to == len(p.text) {
		if n := bytes.IndexAny(p.text[i:last.to], "\r\n"); n >= 0 {
			return i + n
		}
	}
	return last.to
}

// close returns the end of the quote, that of the text if there is none.
func (p *passes) close(i int, quote byte, escapes int) int {
	for j := i; ; j++ {
		next := bytes.IndexByte(p.text[j:], quote)
		if next < 0 {
			break
		}
		j += next
		n := 0
		for j-n > i && p.text[j-n-1] == '\\' {
			n++
		}
		if n == escapes || escapes == 0 && n%2 == 0 {
			return j - n + boolInt(escapes == 0)*n
		}
		if n < escapes {
			return j - n // the enclosing quote
		}
	}
	return len(p.text)
}

// angled returns the place of the < after i, i if there is none.
func (p *passes) angled(i int) int {
	if i < p.angle.from || i > p.angle.to {
		p.angle = closed{i, len(p.text)}
		if n := bytes.IndexByte(p.text[i:], '<'); n >= 0 {
			p.angle.to = i + n
		}
	}
	if p.angle.to == len(p.text) || p.angle.to-i > mostValue && bytes.IndexByte(p.text[i:p.angle.to], '\n') >= 0 {
		return i
	}
	return p.angle.to
}

func boolInt(b bool) int {
	if b {
		return 1
	}
	return 0
}

// plainEnd returns the end of an unquoted value that begins at i: at white space, a quote, ; or <, and at a comma
// or an ampersand before another name. Trailing brackets and punctuation are excluded, but for a long value inside
// another one.
func (p *passes) plainEnd(i int) int {
	text, end := p.text, i
	inside := p.run < i && i < p.runEnd
	if inside {
		end = p.runEnd // the bytes until there were looked at
	}
	p.run = i
	for end < len(text) {
		c := text[end]
		if c <= ' ' || isQuote(c) || c == ';' || c == '<' && end > i || c == '\\' && endsEscape(text, end) {
			break
		}
		if (c == ',' || c == '&') && nextName(text, end+1) || c == '&' && end+1 < len(text) && text[end+1] == '&' {
			break
		}
		end++
	}
	p.runEnd = end
	if inside && end-i > mostInside {
		return end
	}
	var none [3]bool // kinds of brackets that are not opened
	for end > i && bytes.IndexByte([]byte(",.:;)]}!?"), text[end-1]) >= 0 {
		if kind := strings.IndexByte(")]}", text[end-1]); kind >= 0 && !none[kind] {
			if bytes.IndexByte(text[i:end], "([{"[kind]) >= 0 {
				break
			}
			none[kind] = true
		}
		end--
	}
	return end
}

// endsEscape reports whether the backslash at i starts an escaped line break or quote, which end a
// value.
func endsEscape(text []byte, i int) bool {
	i = skipEscapes(text, i)
	return i < len(text) && bytes.IndexByte([]byte("nrt\"'`"), text[i]) >= 0
}

// nextName reports whether a name with an operator, a blank or the end is at i.
func nextName(text []byte, i int) bool {
	if i == len(text) || text[i] <= ' ' {
		return true
	}
	j := i
	for j < len(text) && tokenByte(text[j]) {
		j++
	}
	return j > i && j < len(text) && (text[j] == '=' || text[j] == ':')
}

func (p *passes) assigned(n *named) {
	if n.value < p.covered {
		return
	}
	v := p.valueAt(n.value, n.op)
	secret := p.text[v.start:v.end]
	if n.value < p.plain {
		secret = secret[:min(len(secret), mostInside)]
	}
	if len(secret) == 0 || v.quoted && !n.quoted && p.closes(n, v.start-1) || !v.quoted && !n.flag && refers(secret, p.text[n.start:n.end]) {
		return
	}
	if !v.quoted && n.value >= p.plain {
		p.plain = v.end
	}
	if n.flag && v.quoted && (v.end == len(p.text) || !isQuote(p.text[v.end]) && p.text[v.end] != '\\') {
		v.end = max(v.start, min(v.end, p.plainEnd(v.start))) // of a quote that is never closed
		if secret = p.text[v.start:v.end]; len(secret) == 0 {
			return
		}
	}
	rule := ruleAssignment
	switch {
	case n.flag:
		rule = ruleFlag
	case n.op == sentence || n.op == blank:
		rule = ruleProse
	case n.strength == naming.Query:
		rule = ruleQuery
	case n.quoted:
		rule = ruleMember
	}
	if !p.isSecret(n, v, secret) {
		return
	}
	hits := len(p.scanner.hits)
	if p.add(v.start, v.end, rule, Secret, ""); len(p.scanner.hits) > hits {
		p.covered = v.end
	}
}

// mostReferred limits what is before the name in another variable's name: a secret is longer.
const mostReferred = 16

// refers reports whether a value is another variable, which ends with a name of several words: clientKey = testClientKey.
func refers(value, name []byte) bool {
	name = name[bytes.LastIndexByte(name, '.')+1:]
	for len(value) > len(name) && strings.IndexByte(",;)}", value[len(value)-1]) >= 0 {
		value = value[:len(value)-1]
	}
	n := len(value) - len(name)
	if n <= 0 || n > mostReferred || !bytes.EqualFold(value[n:], name) || bytes.IndexFunc(value, func(r rune) bool { return r >= 0x80 || !nameByte(byte(r)) }) >= 0 {
		return false
	}
	for i := 1; i < len(name)-1; i++ {
		if name[i] == '_' || name[i] == '-' || name[i] >= 'A' && name[i] <= 'Z' && name[i-1] >= 'a' && name[i-1] <= 'z' {
			return true
		}
	}
	return false
}

// mostBefore limits the examined text before a name on a line.
const mostBefore = 200

// closes reports whether the quote at i closes the string that contains a name, as in "password: " + value.
func (p *passes) closes(n *named, i int) bool {
	text := p.text
	if text[i] == '\'' {
		return false // also an apostrophe
	}
	after := skipBlanks(text, i+1)
	if after == len(text) || bytes.IndexByte([]byte("+.,)%;&"), text[after]) < 0 {
		return false
	}
	line := text[max(0, n.start-mostBefore):n.start]
	line = line[bytes.LastIndexByte(line, '\n')+1:]
	return bytes.Count(line, text[i:i+1])%2 == 1
}

// isSecret applies the proof that the value's place requires.
func (p *passes) isSecret(n *named, v value, secret []byte) bool {
	query := n.op == assigns && (n.start == 0 || bytes.IndexByte([]byte("?&;"), p.text[n.start-1]) >= 0)
	switch n.op {
	case sentence:
		return n.strength == naming.Strong && naming.Secret(secret, naming.Certain)
	case blank:
		if !n.flag {
			looked := naming.Look(secret)
			return n.strength == naming.Strong && (looked.Secret(naming.Certain) || v.quoted && looked.Secret(naming.Plausible))
		}
		if secret[0] == '-' || !v.quoted && proseWords[string(secret)] {
			return false
		}
	case pair:
		return v.quoted && n.strength >= naming.Weak && naming.Secret(secret, naming.Random)
	case noOperator, assigns, colon, element:
	}
	switch n.strength {
	case naming.Phrase:
		if !v.quoted && !n.flag {
			return naming.Secret(secret, naming.Plausible)
		}
		return len(secret) >= 6 && naming.Secret(bytes.ReplaceAll(secret, []byte(" "), []byte("-1")), naming.Anything)
	case naming.Strong:
		if n.flag || n.quoted && v.quoted && !titled(secret) {
			return naming.Secret(secret, naming.Anything)
		}
		return naming.Secret(secret, naming.Plausible)
	case naming.Weak:
		if n.flag {
			return naming.Secret(secret, naming.Anything)
		}
		return weak(secret)
	case naming.Session:
		return naming.Secret(secret, naming.Random) && !naming.Identifier(secret)
	case naming.Query:
		if p.gives(n) {
			return len(secret) >= leastGiven && naming.Secret(secret, naming.Plausible)
		}
		return (query || n.flag) && naming.Secret(secret, naming.Random)
	case naming.None, naming.Cookie, naming.Authorization:
	}
	return false
}

// The lengths of the shortest values that count without the look of chance.
const (
	leastCoined = 8
	leastGiven  = 4 // after a name that gives access
)

// weak checks the value of a name such as token, whose value is often an ordinary word.
func weak(value []byte) bool {
	v := naming.Look(value)
	return v.Secret(naming.Random) || len(value) >= leastCoined && v.Secret(naming.Coined) && v.Secret(naming.Plausible)
}

// gives reports whether the place of a name that is common in queries marks a secret: --key, sig=.
func (p *passes) gives(n *named) bool {
	name := p.text[n.start:n.end]
	if n.flag {
		return bytes.EqualFold(name, []byte("key"))
	}
	return n.op == assigns && p.text[n.end] == '=' && (bytes.EqualFold(name, []byte("sig")) || bytes.EqualFold(name, []byte("signature")))
}

// proseWords follow a flag in prose.
var proseWords = func() map[string]bool {
	words := map[string]bool{}
	for _, word := range strings.Fields("option options flag flags argument arguments parameter parameters is are or and to for can must should instead if when with in the a an not was has " +
		"will may cannot via on at by from as value values takes requires") {
		words[word] = true
	}
	return words
}()

// titled reports whether a value is one capitalized word, as labels are.
func titled(value []byte) bool {
	if value[0] < 'A' || value[0] > 'Z' {
		return false
	}
	for _, c := range value[1:] {
		if c < 'a' || c > 'z' {
			return false
		}
	}
	return true
}
