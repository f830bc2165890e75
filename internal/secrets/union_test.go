package secrets_test

import (
	"bytes"
	"regexp"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/cupel-dev/cupel/internal/secrets"
	"github.com/cupel-dev/cupel/internal/secrets/naming"
	"github.com/cupel-dev/cupel/internal/secrets/ruleset"
)

// values are drawn for the places that the eleven rules know.
var values = rapid.OneOf(
	rapid.StringMatching(`[a-z0-9]{6,12}`), rapid.StringMatching(`[A-Za-z0-9_-]{6,40}`), rapid.StringMatching(`[A-Za-z0-9#*^_!][!-#%-_a-~]{5,19}`),
	rapid.SampledFrom([]string{"hunter2x", "${TOKEN}", "<token>", "next(tokenizer)", "string", "correcthorse", "a/b/c.pem", "Tr0ub4dor&3"}),
)

// places write a value where the eleven rules look for one.
var places = []func(t *rapid.T, v string) string{
	func(t *rapid.T, v string) string {
		name := rapid.SampledFrom([]string{"api_key", "API-KEY", "apikey", "secret", "token", "Password", "passwd", "access_key", "client_secret"}).Draw(t, "name")
		return name + rapid.SampledFrom([]string{"=", ": ", " = ", ":"}).Draw(t, "operator") + v
	},
	func(t *rapid.T, v string) string {
		name := rapid.SampledFrom([]string{"token", "api-key", "apikey", "key", "secret", "client-secret", "password", "pass", "access-key", "access-token", "auth", "bearer"}).Draw(t, "flag")
		return "run --" + name + rapid.SampledFrom([]string{"=", " ", ` "`}).Draw(t, "between") + v
	},
	func(t *rapid.T, v string) string {
		return "https://h.net/?a=1&" + rapid.SampledFrom([]string{"access_token", "refresh-token", "sig", "signature"}).Draw(t, "parameter") + "=" + v
	},
	func(t *rapid.T, v string) string {
		return rapid.SampledFrom([]string{"Bearer ", "bearer\n", "BEARER  "}).Draw(t, "scheme") + v + v + v
	},
	func(_ *rapid.T, v string) string { return "git clone https://bob:" + v + "@h.net/x" },
	func(_ *rapid.T, v string) string { return "git clone https://" + v + "@h.net/x" },
	func(t *rapid.T, _ string) string {
		rules, err := ruleset.ADR()
		if err != nil {
			t.Fatal(err)
		}
		token := rapid.StringMatching(rules.Rules[rapid.IntRange(0, 7).Draw(t, "rule")].Expression).Draw(t, "token")
		return "x " + token + rapid.SampledFrom([]string{"", " y", ",", ")", `"`, "\n"}).Draw(t, "after")
	},
}

// TestUnion checks that values that one of the eleven rules of the reference hides are also hidden by default, unless
// they do not look like a secret.
func TestUnion(t *testing.T) {
	rules, err := ruleset.ADR()
	if err != nil {
		t.Fatal(err)
	}
	set, err := secrets.NewSet(secrets.Options{Rules: rules, Homes: true})
	if err != nil {
		t.Fatal(err)
	}
	eleven, all := secrets.NewScanner(set), scanner(t)
	rapid.Check(t, func(t *rapid.T) {
		v := values.Draw(t, "value")
		text := []byte(places[rapid.IntRange(0, len(places)-1).Draw(t, "place")](t, v))
		found := all.Scan(text)
		for _, h := range eleven.Scan(text) {
			start := h.Start
			if h.Rule == "bearer-token" { // the scheme stays
				start += len("bearer")
			}
			start += len(text[start:h.End]) - len(bytes.TrimLeft(text[start:h.End], " \n="))
			end, at := start+len(shown(h.Rule, text[start:h.End])), start
			for _, f := range found {
				if f.Start <= at {
					at = max(at, f.End)
				}
			}
			if value := text[start:end]; at < end && !noSecret(h.Rule, value, text) && !noSecret(h.Rule, text[start:h.End], text) {
				t.Errorf("%s hides %q of %q, the default hides %v", h.Rule, value, text, found)
			}
		}
	})
}

// endsValue is what ends values in programs, markup, shells and forms, and what is after it.
var endsValue = regexp.MustCompile(`[\x60\\<;].*|&&.*|[,&][\w.-]+[=:].*`)

// shown is the part of a value before what ends values, and without the punctuation after it.
func shown(rule string, value []byte) []byte {
	if rule != "url-userinfo" {
		if m := endsValue.FindIndex(value); m != nil {
			value = value[:m[0]]
		}
		value = bytes.TrimRight(value, ",.:)]}!?&")
	}
	return value
}

// noSecret reports whether a value does not look like a secret: a placeholder, a variable, a word, words that are
// joined, a path, a sentence or an expression of a program.
func noSecret(rule string, value, text []byte) bool {
	look := naming.Plausible
	switch {
	case len(value) == 0, value[0] == '-' && bytes.Contains(text, []byte("--")), rule == "credential-flag-value" && len(value) < 3: // another flag, a word
		return true
	case bytes.Contains(value, []byte("EXAMPLE")), ruleset.Entropy(value) < 2.5 && len(value) > 12:
		return true
	case rule == "credential-flag-value" && !bytes.Contains(text, []byte("--key")):
		look = naming.Anything
	case rule == "url-userinfo":
		user, password, has := bytes.Cut(value, []byte{':'})
		if has {
			return len(user) == 0 || user[0] == '$' || !naming.Secret(password, naming.Anything)
		}
		return user[0] == '$' || len(user) < 8 || bytes.ContainsAny(user, "-._") || !naming.Secret(user, naming.Coined) || !naming.Secret(user, naming.Plausible) // a name
	case rule == "credential-assignment" && strings.HasPrefix(string(text), "token") && len(value) < 8:
		return true // the name of a token of a language
	case rule == "openai-key", rule == "slack-token", rule == "bearer-token":
		look = naming.Coined
	}
	if rule == "credential-assignment" && strings.HasPrefix(string(text), "token") && !naming.Secret(value, naming.Coined) {
		return true
	}
	return !naming.Secret(value, look)
}

// TestLibraryRules draws a text for each rule of the library, and expects that what the rule finds in it is
// hidden.
func TestLibraryRules(t *testing.T) {
	rules, err := ruleset.Default()
	if err != nil {
		t.Fatal(err)
	}
	all, total, hidden := scanner(t), 0, 0
	var missed []string
	for _, r := range rules.Rules {
		if r.Origin != ruleset.Library {
			continue
		}
		total++
		if hides(all, r) {
			hidden++
		} else {
			missed = append(missed, r.ID)
		}
	}
	t.Logf("%d of %d rules, without %q", hidden, total, missed)
	if hidden < 195 {
		t.Errorf("%d of %d rules of the library fire, expected at least 195; not %q", hidden, total, missed)
	}
}

// hides reports whether one of a few texts of a rule's expression is hidden.
func hides(s *secrets.Scanner, r *ruleset.Rule) bool {
	texts := rapid.StringMatching(r.Expression)
	for seed := range 40 {
		text := texts.Example(seed)
		for _, h := range s.Scan([]byte("> " + text + "\n")) {
			if h.Class == secrets.Secret && h.Start < len("> "+text) {
				return true
			}
		}
	}
	return false
}
