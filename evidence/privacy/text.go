package privacy

import (
	"bytes"

	"github.com/cupel-dev/cupel/evidence"
	"github.com/cupel-dev/cupel/evidence/internal/secrets"
	"github.com/cupel-dev/cupel/internal/strictjson"
)

// stars stand for a secret.
const stars = "***"

// found is what is found in a value and what is done about it.
type found struct {
	class  Class
	rule   string
	action Action
}

// texts judges the texts of values and reuses its memory.
type texts struct {
	scanner secrets.Scanner
	value   []byte   // unescaped
	key     [64]byte // where names are unescaped
	clean   []byte
}

// of returns the text of a string, valid until the next call; nil for other kinds.
func (t *texts) of(v evidence.Value) []byte {
	if v.Kind() != evidence.KindString {
		return nil
	}
	raw := v.Raw()
	raw = raw[1 : len(raw)-1]
	if bytes.IndexByte(raw, '\\') < 0 {
		return raw
	}
	t.value = strictjson.AppendUnescaped(t.value[:0], raw)
	return t.value
}

// judge says what becomes of a text. From is where it is the value of a flag. An action "" leaves it as it is; what is to be removed has no text.
func (t *texts) judge(text []byte, handling Handling, from int, patterns []*pattern) (after []byte, what found) {
	switch handling {
	case Redacts, Reports:
		return t.redact(text, found{}, from, patterns)
	case Guards:
		return t.guard(text, found{}, patterns)
	case Cuts:
		if name, _, has := bytes.Cut(text, []byte{'='}); has {
			return t.guard(name, found{Forbidden, RuleEnv, Cut}, patterns)
		}
		return t.guard(text, found{}, patterns)
	case Scrubs:
		return scrub(text)
	}
	return text, found{}
}

// scrub does what the contract's reference does with a subject.
func scrub(text []byte) ([]byte, found) {
	after := secrets.Upstream(string(text))
	switch {
	case after == string(text):
		return text, found{}
	case len(after) >= len(stars) && after[len(after)-len(stars):] == stars:
		return []byte(after), found{Sensitive, RuleUpstream, Replaced}
	}
	return []byte(after), found{Sensitive, RuleUpstream, Generalized}
}

// guard leaves a text as it is unless it holds a secret.
func (t *texts) guard(text []byte, what found, patterns []*pattern) ([]byte, found) {
	if len(patterns) == 0 {
		if _, hit := t.scanner.Sweep(text); !hit {
			return text, what
		}
	}
	return t.redact(text, what, shows, patterns)
}

// redact applies every rule of texts. What was done to the text before.
func (t *texts) redact(text []byte, what found, from int, patterns []*pattern) ([]byte, found) {
	after, clean, hit := t.rules(text, what)
	if !hit && from == shows && len(patterns) == 0 {
		return text, what // the usual case: what is a secret as a whole has a hit, too
	}
	if rule, whole := t.scanner.Whole(text); whole {
		return nil, found{Forbidden, rule, Removed}
	}
	if hidden, hit := hide(t.clean[:0], text, from); hit {
		t.clean = hidden
		return hidden, what.and(Sensitive, "flag", Replaced)
	}
	if len(patterns) > 0 {
		return t.match(text, what, patterns)
	}
	return after, clean
}

// rules applies the rules that replace parts of a text.
func (t *texts) rules(text []byte, what found) (after []byte, all found, hit bool) {
	after, hits := t.scanner.Clean(t.clean[:0], text)
	if len(hits) == 0 {
		return text, what, false
	}
	t.clean = after
	for _, hit := range hits {
		action := Replaced
		if hit.Rule == "home-path" {
			action = Generalized
		}
		what = what.and(classOf(hit.Rule), hit.Rule, action)
	}
	return after, what, true
}

// and adds what else was found in the same text: the first of the highest class has the
// word, and what was replaced is more than generalized.
func (f found) and(class Class, rule string, action Action) found {
	if f.action == "" || class > f.class {
		f.class, f.rule = class, rule
	}
	if f.action != Replaced {
		f.action = action
	}
	return f
}
