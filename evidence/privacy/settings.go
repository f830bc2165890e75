package privacy

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"slices"
	"strings"

	"github.com/cupel-dev/cupel/internal/secrets"
	"github.com/cupel-dev/cupel/internal/secrets/personal"
	"github.com/cupel-dev/cupel/internal/secrets/ruleset"
)

// The sets of rules for secrets.
const (
	RulesAll    = "all"    // those of a library, of this project and of the reference
	RulesADR006 = "adr006" // the eleven of the reference, and its 17 forbidden names
)

// Settings configures the search, in addition to classes.
type Settings struct {
	// Rules is RulesAll, RulesADR006, or "" for the former.
	Rules string
	// Personal are the kinds of personal data that are looked for, of [PersonalKinds]; nil: all, but
	// none under RulesADR006.
	Personal []string
	// Tags writes <redacted:RULE> instead of three stars and of removed values; with a TagKey
	// <redacted:RULE:HHHHHHHH>, the first eight digits of the value's HMAC-SHA-256, to make equal
	// values recognizable.
	Tags   bool
	TagKey []byte

	added *ruleset.Form // the rules and allow-lists of a policy file
}

// PersonalKinds returns the names of the kinds of personal data, sorted.
func PersonalKinds() []string {
	var names []string
	for _, name := range personal.Rules {
		names = append(names, name)
	}
	slices.Sort(names)
	return names
}

// WithSettings returns the policy with other settings. It fails for invalid rules and unknown
// names.
func (p *Policy) WithSettings(s Settings) (*Policy, error) {
	q := p.clone()
	if s.added == nil {
		s.added = p.settings.added
	}
	q.settings = s
	options, err := s.options()
	if err != nil {
		return nil, err
	}
	set, err := secrets.NewSet(options)
	if err != nil {
		return nil, err
	}
	q.set = func() *secrets.Set { return set }
	return q, nil
}

func (s *Settings) options() (o secrets.Options, err error) {
	switch s.Rules {
	case "", RulesAll:
		o = secrets.Options{Personal: personal.AllKinds, Context: true, Homes: true}
		o.Rules, err = ruleset.Default()
	case RulesADR006:
		o.Homes = true
		o.Rules, err = ruleset.ADR()
	default:
		return o, fmt.Errorf("unknown rules %q, expected %s or %s", s.Rules, RulesAll, RulesADR006)
	}
	if err != nil {
		return o, err
	}
	if s.Personal != nil {
		o.Personal = 0
		for _, name := range s.Personal {
			kind := kindOf(name)
			if kind == 0 {
				return o, fmt.Errorf("unknown kind of personal data %q, expected %s", name, strings.Join(PersonalKinds(), ", "))
			}
			o.Personal |= kind
		}
	}
	if s.added != nil {
		o.Rules, err = o.Rules.With(s.added, ruleset.Policy)
	}
	return o, err
}

func kindOf(name string) personal.Kind {
	for kind, known := range personal.Rules {
		if known == name {
			return kind
		}
	}
	return 0
}

// builtInSet returns the set of the default settings.
func builtInSet() *secrets.Set {
	set, err := secrets.Default()
	if err != nil {
		panic("privacy: " + err.Error()) // of rules that are compiled in: a bug
	}
	return set
}

// tag returns the function for tags; nil for three stars.
func (s *Settings) tag() func(rule string, hidden []byte) string {
	if !s.Tags {
		return nil
	}
	return func(rule string, hidden []byte) string {
		if len(s.TagKey) == 0 {
			return secrets.TagBegin + rule + ">"
		}
		mac := hmac.New(sha256.New, s.TagKey)
		mac.Write(hidden)
		return secrets.TagBegin + rule + ":" + hex.EncodeToString(mac.Sum(nil)[:4]) + ">"
	}
}

// rules returns the text rules by name.
func (p *Policy) rules() []secrets.Rule { return p.set().Rules() }

// allowlists returns a policy file's allowlists for the digest, or nil.
func (s *Settings) allowlists() any {
	if s.added == nil || len(s.added.Allowlists) == 0 {
		return nil
	}
	return s.added.Allowlists
}
