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

// The sets of secret rules.
const (
	RulesAll    = "all"    // those of a library, of this project and of the reference
	RulesADR006 = "adr006" // the eleven of the reference, and its 17 forbidden names
)

// Settings configures the search for secrets and personal data.
type Settings struct {
	// Rules is RulesAll, RulesADR006, or "" for RulesAll.
	Rules string
	// Personal lists the kinds of personal data to search for, from [PersonalKinds]. nil means all, or none under
	// RulesADR006.
	Personal []string
	// Tags replaces values by <redacted:RULE> instead of three stars. With a TagKey the tag is
	// <redacted:RULE:HHHHHHHH>, with the first eight digits of the value's HMAC-SHA-256, so that equal values can
	// be recognized.
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

// WithSettings returns the policy with other settings. It returns an error for invalid rules and unknown names.
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

func builtInSet() *secrets.Set {
	set, err := secrets.Default()
	if err != nil {
		panic("privacy: " + err.Error()) // of rules that are compiled in: a bug
	}
	return set
}

// tag returns the function that creates tags, or nil for three stars.
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

func (p *Policy) rules() []secrets.Rule { return p.set().Rules() }

// allowlists returns a policy file's allowlists for the digest, or nil.
func (s *Settings) allowlists() any {
	if s.added == nil || len(s.added.Allowlists) == 0 {
		return nil
	}
	return s.added.Allowlists
}
