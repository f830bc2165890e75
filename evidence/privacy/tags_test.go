package privacy_test

import (
	"bytes"
	"strings"
	"testing"

	"github.com/cupel-dev/cupel/evidence/privacy"
)

// TestTags: typed tags stay what they are when they are redacted again, equal values have equal ones under
// a key, and none has a part of the value.
func TestTags(t *testing.T) {
	secret := "AKIA" + "QYB2XFCJAEKKCUNM"
	in := `{"type":"t","data":{"a":"` + secret + `","b":"key ` + secret + ` ok","password":"hunter2","m":"bob@corp-mail.net","h":"/home/bob/x","t":"--token=xyz1"}}`
	for _, rules := range []string{privacy.RulesAll, privacy.RulesADR006} {
		for _, key := range [][]byte{nil, bytes.Repeat([]byte("k"), 32)} {
			p, err := privacy.Default().WithSettings(privacy.Settings{Rules: rules, Tags: true, TagKey: key})
			if err != nil {
				t.Fatal(err)
			}
			r := privacy.NewRedactor(p)
			once := redact(r, read([]byte(in)))
			if once.swept || strings.Contains(once.text, secret[:8]) || strings.Contains(once.text, "hunter2") || !strings.Contains(once.text, `"a":"<redacted:aws-access-`) {
				t.Errorf("%s: %s", rules, once.text)
			}
			if twice := redact(r, read([]byte(once.text))); twice.text != once.text {
				t.Errorf("%s: %s\nbecomes %s", rules, once.text, twice.text)
			}
			tag := strings.Split(strings.Split(once.text, `"a":"`)[1], `"`)[0]
			if key != nil && !strings.Contains(once.text, "key "+tag+" ok") {
				t.Errorf("equal values have other tags: %s", once.text)
			}
		}
	}
}

// TestSettings refuses unknown values, and keeps personal data on request.
func TestSettings(t *testing.T) {
	for _, s := range []privacy.Settings{{Rules: "some"}, {Personal: []string{"name"}}} {
		if _, err := privacy.Default().WithSettings(s); err == nil {
			t.Errorf("%+v is accepted", s)
		}
	}
	p, err := privacy.Default().WithSettings(privacy.Settings{Personal: []string{"phone"}})
	if err != nil {
		t.Fatal(err)
	}
	in := `{"type":"t","data":["bob@corp-mail.net","call +49 151 28802031"]}`
	if got := redact(privacy.NewRedactor(p), read([]byte(in))); got.text != `{"type":"t","data":["bob@corp-mail.net","call ***"]}` {
		t.Error(got.text)
	}
}

// TestPolicyRules checks that a policy file adds rules for secrets and exceptions.
func TestPolicyRules(t *testing.T) {
	p := mustParse("rules:\n- {id: acme-token, regex: '\\b(acme_[a-z0-9]{8})\\b', keywords: [acme_]}\nallowlists:\n- regexes: ['^AKIAQYB2']\n")
	in := `{"type":"t","data":["x acme_a1b2c3d4","AKIA` + `QYB2XFCJAEKKCUNM"]}`
	got := redact(privacy.NewRedactor(p), read([]byte(in)))
	if want := strings.Replace(in, "acme_a1b2c3d4", "***", 1); got.text != want {
		t.Errorf("%s, expected %s", got.text, want)
	}
	if p.Digest() == privacy.Default().Digest() {
		t.Error("the digest is that of the default policy")
	}
	for _, bad := range []string{"rules: {}", "rules:\n- {id: a, regx: x}", "rules:\n- {id: a, regex: '[a-z]+'}", "rules:\n- {id: a, regex: '(', keywords: [abc]}", "allowlists:\n- {regexes: ['(']}"} {
		if _, err := privacy.ParsePolicy("p.yaml", []byte(bad), privacy.Default(), nil); err == nil || !strings.HasPrefix(err.Error(), "p.yaml:") {
			t.Errorf("%q: %v", bad, err)
		}
	}
}
