package privacy

import (
	"bytes"

	"github.com/cupel-dev/cupel/evidence"
	"github.com/cupel-dev/cupel/internal/secrets"
	"github.com/cupel-dev/cupel/internal/strictjson"
)

const stars = secrets.Stars

// found is a finding in a value and what to do about it.
type found struct {
	class  Class
	rule   string
	action Action
}

// texts searches texts and reuses memory.
type texts struct {
	set     func() *secrets.Set
	ready   *secrets.Set
	clean   map[string]bool // short texts in which nothing is found
	safe    map[string]bool // and those in which nothing is but home folders
	scanner *secrets.Scanner
	tag     func(rule string, hidden []byte) string
	value   []byte   // unescaped
	key     [64]byte // where names are unescaped
}

func (t *texts) scan() *secrets.Scanner {
	if t.scanner == nil {
		t.scanner = secrets.NewScanner(t.rulesOf())
	}
	return t.scanner
}

func (t *texts) rulesOf() *secrets.Set {
	if t.ready == nil {
		t.ready = t.set()
	}
	return t.ready
}

// of returns the text of a string, valid until the next call, or nil for other kinds.
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

// judge returns a text after redaction. given are findings that are already known. Action "" keeps the text; a
// removed text is nil.
func (t *texts) judge(text []byte, handling Handling, given []secrets.Hit, patterns []*pattern) (after []byte, what found) {
	switch handling {
	case Redacts, Reports, Guards:
		if len(given)+len(patterns) == 0 {
			return t.remembered(text, handling)
		}
		return t.redact(text, found{}, given, patterns)
	case Cuts:
		if name, _, has := bytes.Cut(text, []byte{'='}); has {
			return t.guard(name, found{Forbidden, RuleEnv, Cut}, nil, patterns)
		}
		return t.guard(text, found{}, given, patterns)
	case Scrubs:
		return scrub(text)
	}
	return text, found{}
}

// remembered is judge without given findings. It caches short texts without findings, because texts recur from
// event to event.
func (t *texts) remembered(text []byte, handling Handling) (after []byte, what found) {
	known := &t.clean
	if handling == Guards {
		known = &t.safe
	}
	if (*known)[string(text)] {
		return text, found{}
	}
	if handling == Guards {
		after, what = t.guard(text, found{}, nil, nil)
	} else {
		after, what = t.redact(text, found{}, nil, nil)
	}
	if what.action == "" {
		*known = remember(*known, text, true)
	}
	return after, what
}

// scrub redacts a subject like the contract's reference.
func scrub(text []byte) ([]byte, found) {
	after := upstreamSubject(string(text))
	switch {
	case after == string(text):
		return text, found{}
	case len(after) >= len(stars) && after[len(after)-len(stars):] == stars:
		return []byte(after), found{Sensitive, RuleUpstream, Replaced}
	}
	return []byte(after), found{Sensitive, RuleUpstream, Generalized}
}

// guard redacts a text only if it contains a secret or personal data.
func (t *texts) guard(text []byte, what found, given []secrets.Hit, patterns []*pattern) ([]byte, found) {
	if len(patterns) == 0 && len(given) == 0 {
		if _, hit := t.sweep(text); !hit {
			return text, what
		}
	}
	return t.redact(text, what, given, patterns)
}

// sweep searches a text for a secret or personal data.
func (t *texts) sweep(text []byte) (rule string, hit bool) {
	for _, h := range t.scan().Scan(text) {
		if h.Class > secrets.Home {
			return h.Rule, true
		}
	}
	return "", false
}

// redact applies all text rules to an already changed text.
func (t *texts) redact(text []byte, what found, given []secrets.Hit, patterns []*pattern) ([]byte, found) {
	if len(patterns) == 0 {
		return t.rules(text, what, given)
	}
	if len(given) > 0 {
		text, what = t.rules(text, what, given)
	}
	return t.match(bytes.Clone(text), what, patterns)
}

// rules hides findings in a text. A text that is entirely a secret or personal data is removed, unless tags are
// used. Command arguments become three stars instead, to keep positions.
func (t *texts) rules(text []byte, what found, given []secrets.Hit) (after []byte, all found) {
	var with func(*secrets.Hit, []byte) string
	if t.tag != nil {
		with = func(h *secrets.Hit, hidden []byte) string { return t.tag(h.Rule, hidden) }
	}
	after, hits := t.scan().Redact(text, given, with)
	if len(hits) == 0 {
		return text, what
	}
	if first := &hits[0]; t.tag == nil && len(given) == 0 && whole(text, first) {
		return nil, found{Forbidden, first.Rule, Removed}
	}
	for i := range hits {
		h := &hits[i]
		if h.Class == secrets.Home {
			what = what.and(Sensitive, h.Rule, Generalized)
		} else {
			what = what.and(Forbidden, h.Rule, Replaced)
		}
	}
	return after, what
}

// whole reports whether a hit is the whole text except for white space, and not a home folder.
func whole(text []byte, h *secrets.Hit) bool {
	return h.Class > secrets.Home && h.With == "" && len(bytes.TrimSpace(text[:h.Start])) == 0 && len(bytes.TrimSpace(text[h.End:])) == 0
}

// and combines findings in a text. The first one of the highest class is named. Replacement has precedence over
// generalization.
func (f found) and(class Class, rule string, action Action) found {
	if f.action == "" || class > f.class {
		f.class, f.rule = class, rule
	}
	if f.action != Replaced {
		f.action = action
	}
	return f
}
