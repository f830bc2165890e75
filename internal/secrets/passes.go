package secrets

import (
	"bytes"
	"slices"

	"github.com/cupel-dev/cupel/internal/secrets/layer"
	"github.com/cupel-dev/cupel/internal/secrets/personal"
	"github.com/cupel-dev/cupel/internal/secrets/ruleset"
)

// passes searches one view after another.
type passes struct {
	scanner *Scanner
	found   func(keyword, start int) bool
	state

	ends   []ended // by rule
	looked uint32  // number of views
}

// ended is the state of a rule in a view.
type ended struct {
	look  uint32
	value int32 // last value tried
	trace *ruleset.Trace
}

// state is the state of the current view.
type state struct {
	view    *layer.View
	text    []byte
	number  uint32 // of the view
	nameEnd int    // names before it are done
	keyEnd  int    // end of the last private key
	keyless bool   // no private key ends ahead
	plain   int    // end of the last unquoted value
	covered int    // end of the last value of a name that is hidden
	header  int    // end of the last header
	run     int    // start of the last value without quotes, before its punctuation is cut off
	runEnd  int    // its end
	tags    tags   // whether the text has tags
	word    int    // start of the last stretch without an operator
	wordEnd int    // its end

	nameStart, nameStop int            // the last run of bytes of names, from a keyword on
	quotes              [quotes]closed // the last closing quotes
	angle               closed         // the last <

	tokens bool    // joined text: only token rules
	at     []int32 // original offsets of the joined bytes
	breaks []int   // offsets of the joints
}

// look searches a view for everything.
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

// joined searches a text joined across line breaks for tokens.
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

// keyword runs the actions of a keyword.
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

func (p *passes) rule(i, start int) {
	r := p.scanner.set.rules.Rules[i]
	end := &p.ends[i]
	if end.look != p.number {
		if end.trace == nil {
			end.trace = new(ruleset.Trace)
		}
		end.trace.Reset()
		*end = ended{look: p.number, value: -1, trace: end.trace}
	}
	if p.tokens && r.Mode != ruleset.AtToken && r.Mode != ruleset.Exact || r.Named() && !p.operates(start) {
		return
	}
	var from, to int
	at, first, ok, has := r.Value(p.text, start)
	switch {
	case has && (!ok || int32(at) == end.value):
		return
	case has:
		end.value = int32(at)
		from, to, ok = r.FindValue(p.text, start, at, first, end.trace)
	default:
		from, to, ok = r.Find(p.text, start, end.trace)
	}
	if !ok || to <= end.trace.Found || r.Mode != ruleset.Exact && p.scanner.set.rules.Allows(p.text, from, to, end.trace) {
		return
	}
	end.trace.Found = to
	if p.tokens && !p.broken(r, start, from, to) {
		return
	}
	p.add(from, to, r.ID, Secret, "")
	if n := len(p.scanner.hits); n > 0 && r.Mode != ruleset.AtName && p.scanner.hits[n-1].Rule == r.ID {
		p.scanner.hits[n-1].loose = false
	}
}

// mostBetween limits a name, what is between it and its operator, and the operator.
const mostBetween = 80

// operates reports whether an operator can follow the name at start, as in the library's expressions.
func (p *passes) operates(start int) bool {
	if start < p.word || start >= p.wordEnd {
		p.word, p.wordEnd = start, start
		for p.wordEnd < len(p.text) && !operators[p.text[p.wordEnd]] {
			p.wordEnd++
		}
	}
	return p.wordEnd < len(p.text) && p.wordEnd-start < mostBetween
}

// operators are the first bytes of the library's operators.
var operators = [256]bool{'=': true, ':': true, '>': true, '|': true, '?': true, ',': true}

// broken reports whether a joined secret exists only across the break: the part before it is not a secret.
func (p *passes) broken(r *ruleset.Rule, start, from, to int) bool {
	i, at := slices.BinarySearch(p.breaks, from)
	if at {
		i++
	}
	if i == len(p.breaks) || p.breaks[i] >= to {
		return false
	}
	_, _, before := r.Find(p.text[:p.breaks[i]], start, nil)
	return !before
}

// add records a hit in original bytes.
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

// TagBegin starts the replacement <redacted:RULE>.
const TagBegin = "<redacted:"

// longestTag limits a tag with its digest.
const longestTag = 100

// tags reports whether a view has tags.
type tags uint8

const (
	unknownTags tags = iota
	noTags
	someTags
)

// tagged reports whether offset i is inside a tag.
func (p *passes) tagged(i int) bool {
	if p.tags == unknownTags {
		p.tags = noTags
		if bytes.Contains(p.text, []byte(TagBegin)) {
			p.tags = someTags
		}
	}
	if p.tags == noTags {
		return false
	}
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

// key reports a private key from its first line to its last. Without a last line it ends after the last base64 line.
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

// mostName limits the name in a key's first line.
const mostName = 100

// keyLine returns the end of a first or last line of a private key.
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

// bodyEnd returns the end of the base64 words from i. Quoted text has \n between lines.
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
