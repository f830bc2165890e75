package secrets_test

import (
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"net/url"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/cupel-dev/cupel/internal/secrets"
)

func scanner(t interface{ Fatal(...any) }) *secrets.Scanner {
	set, err := secrets.Default()
	if err != nil {
		t.Fatal(err)
	}
	return secrets.NewScanner(set)
}

func redacted(t interface{ Fatal(...any) }, text string) string {
	out, _ := scanner(t).Redact([]byte(text), nil, nil)
	return string(out)
}

func quoted(text string) string {
	b, err := json.Marshal(text)
	if err != nil {
		panic(err)
	}
	return string(b)
}

func hexes(text, before string) string {
	var b strings.Builder
	for _, c := range []byte(text) {
		fmt.Fprintf(&b, "%s%02x", before, c)
	}
	return b.String()
}

// carriers write a text in an encoding.
var carriers = map[string]func(string) string{
	"plain":            func(s string) string { return "x " + s + " y" },
	"JSON in a string": func(s string) string { return `{"a":"line\n` + s + `"}` },
	"JSON twice":       func(s string) string { return `{"o":` + quoted(`{"a":"line\n`+s+`"}`) + `}` },
	"percent":          func(s string) string { return "https://h.test/?q=%22" + url.QueryEscape(s) + "%22&z=1" },
	"percent, all":     func(s string) string { return "https://h.test/?q=" + hexes(s, "%") + "&z=1" },
	"base64":           func(s string) string { return "body " + base64.StdEncoding.EncodeToString([]byte("tok "+s+" end")) },
	"base64url":        func(s string) string { return base64.RawURLEncoding.EncodeToString([]byte("tok " + s + " end")) },
	"base64 twice": func(s string) string {
		return base64.StdEncoding.EncodeToString([]byte(base64.StdEncoding.EncodeToString([]byte("tok " + s))))
	},
	"hexadecimal":     func(s string) string { return hex.EncodeToString([]byte("token: " + s)) },
	"\\x escapes":     func(s string) string { return `b"` + hexes(s, `\x`) + `"` },
	"\\u escapes":     func(s string) string { return `"` + strings.ReplaceAll(hexes(s, "|"), "|", `\u00`) + `"` },
	"colours":         func(s string) string { return "\x1b[1;32m" + s + "\x1b[0m" },
	"colour inside":   func(s string) string { return s[:9] + "\x1b[0m" + s[9:] },
	"zero width":      func(s string) string { return s[:9] + "\u200b" + s[9:] },
	"entities":        func(s string) string { return "<a t=&quot;" + s + "&quot;>" },
	"continued line":  func(s string) string { return "run " + s[:9] + "\\\n" + s[9:] },
	"soft line break": func(s string) string { return "token=3D" + s[:9] + "=\n" + s[9:] },
	"wrapped line":    func(s string) string { return s[:9] + "\n" + s[9:] },
	"after a word":    func(s string) string { return "tok_" + s },
	"diff":            func(s string) string { return "@@ -1 +1 @@\n-old\n+" + s + "\n" },
}

// TestCarriers hides one token, made of parts so that no scanner takes this file for a leak, in every
// carrier, and expects that nothing of it is left and that the words around it are.
func TestCarriers(t *testing.T) {
	token := "gh" + "p_" + "R7kQ2mZx9LpW4vTn8YsB3cHd6FgJ1aKe5UoX"
	for name, carry := range carriers {
		text := carry(token)
		got := redacted(t, text)
		if got == text || strings.Contains(got, token[4:16]) || strings.Contains(got, token[20:36]) {
			t.Errorf("%s: %q became %q", name, text, got)
		}
		if strings.HasPrefix(text, "{") && !json.Valid([]byte(got)) {
			t.Errorf("%s: %q is no JSON any more", name, got)
		}
	}
}

// TestRedactIsIdempotent builds texts of fragments on which rules work.
func TestRedactIsIdempotent(t *testing.T) {
	fragments := []string{
		"token", "password", "=", ": ", " ", "\"", "'", "***", "~/**", "/home/bob", `C:\Users\bob`, "\\", "\n", "%22", "%3D", "&", ";", ",", "Bearer ", "Authorization: ",
		"Cookie: ", "sessionid", "a=", "https://", "bob:", "@", "host.net", "--token", "-u ", "Zx9LpW4vTn8YsB3c", "hunter2x", "{\"", "\":\"", "\"}", "eyJhbGciOi", "+49 151 28802031",
		"-----BEGIN RSA PRIVATE KEY-----", "-----END RSA PRIVATE KEY-----", "&quot;", "\x1b[0m", "AKIA" + "QYB2XFCJAEKKCUNM", "é", "<", ">", "name", "value", "dG9rZW46IGFiY2RlZmdoaWprbG1u",
	}
	rapid.Check(t, func(t *rapid.T) {
		text := strings.Join(rapid.SliceOfN(rapid.SampledFrom(fragments), 0, 14).Draw(t, "fragments"), "")
		once := redacted(t, text)
		if twice := redacted(t, once); twice != once {
			t.Fatalf("%q became %q, then %q", text, once, twice)
		}
		if hits := scanner(t).Scan([]byte(once)); len(hits) > 0 {
			t.Fatalf("%q is left with %v in %q", text, hits, once)
		}
	})
}

// TestSpans expects that bytes outside of the hits stay.
func TestSpans(t *testing.T) {
	s := scanner(t)
	rapid.Check(t, func(t *rapid.T) {
		text := []byte(rapid.StringMatching(`[ -~\n]{0,40}(token=|password: |https://a:)[A-Za-z0-9@/"&]{0,30}[ -~\n]{0,40}`).Draw(t, "text"))
		at := 0
		for _, h := range s.Scan(text) {
			if h.Start < at || h.End <= h.Start || h.End > len(text) {
				t.Fatalf("hits overlap or leave the text: %v in %q", h, text)
			}
			at = h.End
		}
	})
}

// TestInnocent: lines of programs and of prose in which nothing is hidden.
func TestInnocent(t *testing.T) {
	for _, text := range []string{
		"\tEncrypt_key      [32]uint8\n", "type PrivateKey = ed25519.PrivateKey", `os.Setenv("PWD="+dir, "x")`, `errors.New("private key: " + err.Error())`,
		`re.compile(r"http[s]?://[-a-zA-Z0-9@:%_+.~#?&]+")`, `"Authorization": (new Buffer(credentials)).toString("base64"),`, "token: next(tokenizer)",
		"use sk-learn-compatible-estimators-2 here", "bearer authentication-and-authorization", "ssh://ec2-user@host/", "token: cl100k", "usage.tokens: 5", "password: ${PASSWORD}",
	} {
		if got := redacted(t, text); got != text {
			t.Errorf("%q becomes %q", text, got)
		}
	}
}
