package voicetest

import (
	"regexp"
	"strings"
	"unicode"
)

// connecting are words at the beginning of a clause that completes a sentence.
var connecting = wordSet(`and or but nor than that which who whose whom what where when whether why how if as because while until unless
	at by for from in into of off on onto out over per since through to toward under up with within without after
	before between beyond so about above across against along among around below during like near next past`)

// auxiliaries can begin an error, which leaves its subject out: "cannot read x".
var auxiliaries = wordSet(`can cannot could must may might shall should will would`)

// predicates are verbs after a subject: a text that begins with one continues a sentence.
var predicates = wordSet(`is are was were isn't has have had does do did accepts adds allows answers applies asks becomes begins belongs
	binds bounds breaks can't carries changed comes compiles completes contains continues contradicts covers cuts
	decides declines defines demands depends describes differ differs disagree disagrees drops ended equals exceed
	exceeds exclude excludes exists expands expects fail failed fails finds finishes fires fits follows forbids gave
	gives goes happens holds ignores includes indents jumps keeps knows lacks leads leaves lies looked loses lost
	makes matched means mentions misleads needs never observes occurs offers opens overlap overlaps panicked panics
	passed proves provides reaches reads receives redirects refers refuses rejects removes repeats replaces requires
	resolves rests returns reveals reverts says searches seals sees sends showed shows skips speaks splits stays
	stopped supports takes treats tries uses violates waits wants went writes wrote`)

// nouns are predicates that can also be nouns: they count at the beginning of a text only.
var nouns = wordSet(`asks calls changes checks cites claims compares counts cut declares ends form lists looks mark marks match
	matches names records reports runs signs starts states stops tells verify`)

// relative are words that begin a clause about the noun before them.
var relative = wordSet(`that which whose who where when`)

// statuses make a sentence without a verb: "unknown key", "no such file".
var statuses = wordSet(`unknown invalid unexpected expected missing malformed unsupported unresolvable repeated`)

// elliptic are words that make an error or a finding without a verb.
var elliptic = wordSet(`no not bad blank given`)

// example matches what a user types or a file holds.
var example = regexp.MustCompile(`^cupel [a-z-]+( |$)|^[-{<#.*\[]|^"predicate"`)

var wordOf = regexp.MustCompile(`[\pL][\pL'’_-]*`)

func wordSet(list string) map[string]bool {
	set := map[string]bool{}
	for _, word := range strings.Fields(list) {
		set[word] = true
	}
	return set
}

// Part reports whether a text is not a message of its own but a part of one: it is an example or a single word, it begins
// or ends in the middle of a sentence, or it only names a thing. Hints are imperatives, so they need no verb.
func (m Message) Part() bool {
	text := strings.TrimRight(m.Text(), "\n")
	all := wordOf.FindAllString(strings.ReplaceAll(text, Value, " "), -1)
	if len(all) < 2 && !strings.ContainsAny(text, "`-") || strings.TrimSpace(text) != text || strings.IndexAny(text, ",;:)(=&") == 0 {
		return true
	}
	known := m.Kind != "text" && m.Kind != Page
	continues := strings.HasPrefix(text, all[0]) && (predicates[all[0]] || nouns[all[0]] && !spoken(all[1:], false))
	connects := strings.HasPrefix(text, all[0]) && connecting[all[0]] && !strings.HasPrefix(text, "for example ")
	switch {
	case m.Kind == "hint":
		return connects
	case continues, connects && !(known && spoken(all[1:], known)), strings.HasSuffix(text, ":"), strings.HasSuffix(text, ","):
		return true
	case example.MatchString(text) && !strings.HasPrefix(text, "--"):
		return true
	case strings.HasSuffix(text, ".") && unicode.IsUpper(rune(text[0])): // a sentence
		return false
	}
	return !spoken(all, known) && (len(all) < 4 || !known)
}

// spoken reports whether words have a verb outside of a relative clause. The text of an error or a finding can leave it out.
func spoken(all []string, known bool) bool {
	for _, word := range all {
		switch {
		case relative[word] && !known:
			return false
		case predicates[word], auxiliaries[word], statuses[word], known && elliptic[word]:
			return true
		}
	}
	return false
}
