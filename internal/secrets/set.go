package secrets

import (
	"fmt"
	"slices"
	"sync"

	"github.com/cupel-dev/cupel/internal/secrets/automaton"
	"github.com/cupel-dev/cupel/internal/secrets/personal"
	"github.com/cupel-dev/cupel/internal/secrets/ruleset"
)

// Class is the kind of a finding.
type Class uint8

// The classes; of overlapping hits the higher one prevails.
const (
	Home     Class = iota // a user's folder in a path
	Personal              // personal data
	Secret
)

// Options configures a set.
type Options struct {
	Rules    *ruleset.Set  // default ruleset.Default
	Personal personal.Kind // kinds of personal data
	Context  bool          // names, flags, headers and URL userinfo
	Homes    bool
}

// Set is an immutable configuration of scanners, safe for concurrent use.
type Set struct {
	options Options
	rules   *ruleset.Set
	search  *automaton.Automaton
	actions [][]action // by keyword
}

// action is triggered by a keyword.
type action struct {
	kind actionKind
	rule int32 // for kind tryRule
}

type actionKind uint8

const (
	tryRule actionKind = iota
	tryName
	tryURL
	tryKey
	tryScheme
	tryHome
	tryMail
)

// nameKeywords cover every name of a secret.
var nameKeywords = []string{"pass", "psk", "pwd", "secret", "token", "key", "cred", "auth", "cookie", "session", "sid", "jwt", "sig", "code", "phrase", "mnemonic", "bearer"}

// schemes are HTTP schemes before a credential.
var schemes = []string{"bearer ", "bearer\t", "bearer\n", "bearer\r", "basic "}

// NewSet returns a set, or an error for invalid rules.
func NewSet(options Options) (*Set, error) {
	s := &Set{options: options, rules: options.Rules}
	if s.rules == nil {
		rules, err := ruleset.Default()
		if err != nil {
			return nil, err
		}
		s.rules = rules
	}
	s.make()
	return s, nil
}

func (s *Set) make() {
	var keywords []string
	index := map[string]int{}
	add := func(keyword string, a action) {
		i, ok := index[keyword]
		if !ok {
			i = len(keywords)
			index[keyword] = i
			keywords, s.actions = append(keywords, keyword), append(s.actions, nil)
		}
		s.actions[i] = append(s.actions[i], a)
	}
	for i, rule := range s.rules.Rules {
		for _, keyword := range rule.Keywords {
			add(keyword, action{tryRule, int32(i)})
		}
	}
	each := func(kind actionKind, list ...string) {
		for _, keyword := range list {
			add(keyword, action{kind: kind})
		}
	}
	each(tryKey, "-----begin ")
	if s.options.Context {
		each(tryName, nameKeywords...)
		each(tryURL, "://")
		each(tryScheme, schemes...)
	}
	if s.options.Homes {
		each(tryHome, personal.HomeKeywords...)
	}
	if s.options.Personal&personal.Mail != 0 {
		each(tryMail, "@")
	}
	search, err := automaton.New(keywords)
	if err != nil {
		panic("secrets: " + err.Error()) // a bug: a few thousand rules with short keywords fit
	}
	s.search = search
}

// defaultSet is made when it is first needed.
var defaultSet = sync.OnceValues(func() (*Set, error) {
	return NewSet(Options{Personal: personal.AllKinds, Context: true, Homes: true})
})

// Default returns the set of all rules, names, personal data and home folders. The first call takes
// about ten milliseconds.
func Default() (*Set, error) {
	s, err := defaultSet()
	if err != nil {
		return nil, fmt.Errorf("the built-in rules for secrets: %w", err)
	}
	return s, nil
}

// Credentials returns the set for credentials, without personal data and home folders, which are everywhere in some
// files. The first call creates it.
var Credentials = sync.OnceValues(func() (*Set, error) { return NewSet(Options{Context: true}) })

// Rule describes a rule to readers.
type Rule struct {
	ID, Description, Pattern string
	Class                    Class
	Origin                   ruleset.Origin
	Entropy                  float64
}

// keyRule returns the rule for private keys, which has another name in the eleven.
func (s *Set) keyRule() string {
	if !s.options.Context {
		return "private-key-pem"
	}
	return rulePrivateKey
}

// Rules returns every rule, sorted by id.
func (s *Set) Rules() []Rule {
	var all []Rule
	for _, r := range s.rules.Rules {
		all = append(all, Rule{r.ID, r.Description, r.Expression, Secret, r.Origin, r.Entropy})
	}
	for _, r := range contexts {
		if r.Class == Home && s.options.Homes || r.Class == Secret && s.options.Context ||
			r.Class == Personal && s.options.Personal&kindOf(r.ID) != 0 {
			all = append(all, r)
		}
	}
	slices.SortFunc(all, func(a, b Rule) int {
		if a.ID < b.ID {
			return -1
		}
		return 1
	})
	return all
}

func kindOf(id string) personal.Kind {
	for kind, name := range personal.Rules {
		if name == id {
			return kind
		}
	}
	return 0
}

// Rules implemented in this package.
const (
	ruleAssignment    = "credential-assignment"
	ruleFlag          = "credential-flag"
	ruleMember        = "credential-member"
	ruleProse         = "credential-in-prose"
	ruleQuery         = "credential-parameter"
	ruleAuthorization = "authorization-header"
	ruleCookie        = "cookie"
	ruleScheme        = "http-credential"
	ruleUserinfo      = "url-userinfo"
	rulePrivateKey    = "private-key"
	ruleDeep          = "nested-encoding"
	ruleHome          = "home-path"
)

// contexts describes them.
var contexts = []Rule{
	{ruleAssignment, "Value of a variable, a setting or an argument whose name says that it is a secret", `DB_PASSWORD=… password: … api_key = "…" <token>…</token>`, Secret, ruleset.Own, 0},
	{ruleFlag, "Value of a flag whose name says that it is a secret", `--token=… --token … -password …`, Secret, ruleset.Own, 0},
	{ruleMember, "Value of a member whose name says that it is a secret", `{"privateKey":"…"} {"X-Api-Key":"…"} {"name":"API_TOKEN","value":"…"}`, Secret, ruleset.Own, 0},
	{ruleProse, "Password in a sentence", `the password is …`, Secret, ruleset.Own, 0},
	{ruleQuery, "Parameter of a URL or form that grants access", `?code=… &sig=… ?key=…`, Secret, ruleset.Own, 0},
	{ruleAuthorization, "Credential in a header", `Authorization: Bearer … Proxy-Authorization: Basic …`, Secret, ruleset.Own, 0},
	{ruleCookie, "Cookie values", `Cookie: sessionid=…; Set-Cookie: …`, Secret, ruleset.Own, 0},
	{ruleScheme, "Credential after an HTTP authentication scheme", `Bearer … Basic …`, Secret, ruleset.Own, 0},
	{ruleUserinfo, "User and password in a URL", `postgres://bob:…@host/`, Secret, ruleset.Own, 0},
	{rulePrivateKey, "Private key, with or without its last line", `-----BEGIN … PRIVATE KEY-----`, Secret, ruleset.Own, 0},
	{ruleDeep, "Text that is encoded more than four times, one encoding in the other: what it says is not known", `base64 of base64 of base64 of base64 of base64`, Secret, ruleset.Own, 0},
	{ruleHome, "Home folder of a user in a path", `/home/bob /Users/bob C:\Users\bob ~bob/ \\host\share\Users\bob /root`, Home, ruleset.Own, 0},
	{personal.Rules[personal.Mail], "Email address, except those of RFC 2606", `bob@corp.net`, Personal, ruleset.Own, 0},
	{personal.Rules[personal.Phone], "Telephone number", `+49 151 28802031, (030) 1234567, 555-123-4567, tel. 0151 28802031`, Personal, ruleset.Own, 0},
	{personal.Rules[personal.Card], "Payment card number with a valid Luhn digit", `4111 1111 1111 1111`, Personal, ruleset.Own, 0},
	{personal.Rules[personal.IBAN], "International bank account number, ISO 13616", `DE89 3704 0044 0532 0130 00`, Personal, ruleset.Own, 0},
	{personal.Rules[personal.SSN], "US social security number", `523-23-8556`, Personal, ruleset.Own, 0},
	{personal.Rules[personal.IP], "Public IP address", `93.184.216.34`, Personal, ruleset.Own, 0},
}
