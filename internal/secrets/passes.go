package secrets

import (
	"bytes"

	"github.com/cupel-dev/cupel/internal/secrets/layer"
	"github.com/cupel-dev/cupel/internal/secrets/personal"
	"github.com/cupel-dev/cupel/internal/secrets/ruleset"
)

// passes looks at one view after another.
type passes struct {
	scanner *Scanner
	found   func(keyword, start int) bool
	state

	ends   []ended // by rule
	looked uint32  // counts the views
}

// ended is what is known of a rule in a view.
type ended struct {
	look  uint32
	at    int32 // where its last secret ended
	value int32 // the last value that was tried
	run   int32 // where the token ends in which it has failed
	fails int32 // and how often
}

// mostFails is how often a rule is tried within one token.
const mostFails = 8

// state is what is known of the current view.
type state struct {
	view    *layer.View
	text    []byte
	number  uint32 // of the view
	nameEnd int    // names before are done
	keyEnd  int    // the end of the last private key
	keyless bool   // no last line of a private key is ahead
	plain   int    // the end of the last value without quotes
	inside  int    // how many names were read inside of it
	header  int    // the end of the last header that was read

	tokens bool    // of a text that was joined: rules of tokens alone
	at     []int32 // the bytes of the view that it was joined from
	breaks []int   // where
}

// look finds everything in a view.
func (p *passes) look(v *layer.View) {
	p.begin(v, v.Text)
	set := p.scanner.set
	set.search.Find(p.text, p.found)
	if kinds := set.options.Personal &^ (personal.Mail | personal.IBAN); kinds != 0 {
		personal.Numbers(p.text, kinds, func(kind personal.Kind, start, end int) { p.add(start, end, personal.Rules[kind], Personal, "") })
	}
	if set.options.Personal&personal.IBAN != 0 {
		personal.Accounts(p.text, func(start, end int) { p.add(start, end, personal.Rules[personal.IBAN], Personal, "") })
	}
}

// joined looks for tokens in a text that was joined over line breaks.
func (p *passes) joined(v *layer.View, text []byte, at []int32, breaks []int) {
	p.begin(v, text)
	p.tokens, p.at, p.breaks = true, at, breaks
	p.scanner.set.search.Find(text, p.found)
}

func (p *passes) begin(v *layer.View, text []byte) {
	p.looked++
	p.state = state{view: v, text: text, number: p.looked}
	if n := len(p.scanner.set.rules.Rules); len(p.ends) != n {
		p.ends = make([]ended, n)
	}
}

// keyword does what is to be done where a keyword was found.
func (p *passes) keyword(keyword, start int) bool {
	for _, a := range p.scanner.set.actions[keyword] {
		if a.kind == tryRule {
			p.rule(int(a.rule), start)
			continue
		}
		if p.tokens {
			continue
		}
		switch a.kind {
		case tryName:
			p.name(start)
		case tryURL:
			p.url(start)
		case tryKey:
			p.key(start)
		case tryScheme:
			p.scheme(start)
		case tryHome:
			if from, to, with, ok := personal.Home(p.text, start); ok {
				p.add(from, to, ruleHome, Home, with)
			}
		case tryMail:
			if from, to, ok := personal.Email(p.text, start); ok {
				p.add(from, to, personal.Rules[personal.Mail], Personal, "")
			}
		case tryRule:
		}
	}
	return true
}

// rule tries a rule.
func (p *passes) rule(i, start int) {
	r := p.scanner.set.rules.Rules[i]
	end := &p.ends[i]
	if end.look != p.number {
		*end = ended{look: p.number, value: -1}
	}
	if start < int(end.at) || start < int(end.run) && end.fails >= mostFails || p.tokens && r.Mode != ruleset.AtToken && r.Mode != ruleset.Exact {
		return
	}
	var from, to int
	at, first, ok, has := r.Value(p.text, start)
	switch {
	case has && (!ok || int32(at) == end.value):
		return
	case has:
		end.value = int32(at)
		from, to, ok = r.FindValue(p.text, start, at, first)
	default:
		from, to, ok = r.Find(p.text, start)
	}
	if !ok {
		p.failed(end, start)
	}
	if !ok || r.Mode != ruleset.Exact && p.scanner.set.rules.Allows(p.text[from:to]) {
		return
	}
	end.at = int32(to)
	if p.tokens && !p.broken(r, start, from, to) {
		return
	}
	p.add(from, to, r.ID, Secret, "")
	if n := len(p.scanner.hits); n > 0 && r.Mode != ruleset.AtName && p.scanner.hits[n-1].Rule == r.ID {
		p.scanner.hits[n-1].loose = false
	}
}

// failed notes that a rule has failed at start.
func (p *passes) failed(end *ended, start int) {
	if start < int(end.run) {
		end.fails++
		return
	}
	stop := start
	for stop < len(p.text) && p.text[stop] > ' ' && stop-start < mostValue {
		stop++
	}
	end.run, end.fails = int32(stop), 1
}

// broken reports whether a secret in a joined text is one over a break alone: what is before the break
// is none.
func (p *passes) broken(r *ruleset.Rule, start, from, to int) bool {
	for _, b := range p.breaks {
		if from < b && b < to {
			_, _, before := r.Find(p.text[:b], start)
			return !before
		}
	}
	return false
}

// add notes a hit in the bytes that the view was read from.
func (p *passes) add(start, end int, rule string, class Class, with string) {
	if start >= end || bytes.HasPrefix(p.text[start:end], []byte(Stars)) || p.tagged(start) {
		return
	}
	if p.at != nil {
		start, end = int(p.at[start]), int(p.at[end-1])+1
	}
	from, to := p.view.Span(start, end)
	p.scanner.hits = append(p.scanner.hits, Hit{from, to, rule, class, with, true})
}

// TagBegin begins what stands for a secret when tags are asked for: <redacted:RULE>.
const TagBegin = "<redacted:"

// longestTag is the length of the longest tag, with its digest.
const longestTag = 100

// tagged reports whether a byte is within a tag.
func (p *passes) tagged(i int) bool {
	if bytes.HasPrefix(p.text[i:], []byte(TagBegin)) {
		return true
	}
	low := max(0, i-longestTag)
	open := bytes.LastIndex(p.text[low:i], []byte(TagBegin))
	return open >= 0 && bytes.IndexByte(p.text[low+open:i], '>') < 0
}

const (
	keyBegin = "-----BEGIN "
	keyLast  = "-----END "
	keyName  = "PRIVATE KEY"
)

// key hides a private key whose first line begins at i, with all up to its last line. A key without
// that ends where its lines are no base64 of some length any more.
func (p *passes) key(i int) {
	if i < p.keyEnd {
		return
	}
	end, ok := keyLine(p.text, i+len(keyBegin))
	if !ok {
		return
	}
	stop, ok := p.keyStop(end)
	if !ok {
		stop = bodyEnd(p.text, end)
	}
	p.keyEnd = stop
	p.add(i, stop, p.scanner.set.keyRule(), Secret, "")
}

// mostName bounds the name of a key in its first line.
const mostName = 100

// keyLine returns the end of a first or last line of a private key whose name begins at i.
func keyLine(text []byte, i int) (end int, ok bool) {
	line := text[i:min(len(text), i+mostName)]
	n := bytes.Index(line, []byte(keyName))
	if n < 0 || bytes.ContainsAny(line[:n], "\r\n") {
		return 0, false
	}
	end = i + n + len(keyName)
	end += len(prefix(text[end:], " BLOCK"))
	dashes := prefix(text[end:], "-----")
	return end + len(dashes), len(dashes) > 0
}

func prefix(text []byte, p string) []byte {
	if bytes.HasPrefix(text, []byte(p)) {
		return text[:len(p)]
	}
	return nil
}

func (p *passes) keyStop(i int) (end int, ok bool) {
	for !p.keyless {
		n := bytes.Index(p.text[i:], []byte(keyLast))
		if n < 0 {
			p.keyless = true
			break
		}
		i += n + len(keyLast)
		if end, ok := keyLine(p.text, i); ok {
			return end, true
		}
	}
	return 0, false
}

// bodyEnd returns the end of the words from i on that can be a key in base64. A text that is quoted
// has \n between its lines.
func bodyEnd(text []byte, i int) int {
	const least = 16
	for {
		word := i
		for word < len(text) && (text[word] <= ' ' || bytes.HasPrefix(text[word:], []byte(`\n`)) || bytes.HasPrefix(text[word:], []byte(`n`)) && word > 0 && text[word-1] == '\\') {
			if text[word] == '\\' {
				word++
			}
			word++
		}
		end := word
		for end < len(text) && (tokenByte(text[end]) && text[end] != '.' && text[end] != '-' || text[end] == '+' || text[end] == '/' || text[end] == '=') {
			end++
		}
		if end-word < least {
			return i
		}
		i = end
	}
}
