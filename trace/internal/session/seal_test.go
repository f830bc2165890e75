package session_test

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"strings"
	"testing"

	"github.com/cupel-dev/cupel/internal/sessiontest"
	"github.com/cupel-dev/cupel/trace/internal/session"
	"github.com/cupel-dev/cupel/trace/internal/stream"
)

// sealWith returns a log of two events whose seal carries the given HMAC in its payload.
func sealWith(mac func(head string) string) []string {
	l := sessiontest.New()
	start := l.Event("SESSION_START", `{"agent_id":"a","environment":"dev","framework":"f","framework_version":"1","sdk_version":"1"}`)
	payload := fmt.Sprintf(`{"ingestion_service_id":"i","seal_timestamp":"t","session_digest":%q`, l.Head())
	if text := mac(l.Head()); text != "" {
		payload += fmt.Sprintf(`,"server_hmac":%q`, text)
	}
	return []string{start, l.Event("CHAIN_SEAL", payload+"}")}
}

func hmacOf(key string) func(head string) string {
	return func(head string) string {
		h := hmac.New(sha256.New, []byte(key))
		h.Write([]byte(head))
		return hex.EncodeToString(h.Sum(nil))
	}
}

// TestHMAC: a line end that closes the key's file may or may not belong to the key, but
// one alone; without a key the HMAC is unchecked, and with one it must be there.
func TestHMAC(t *testing.T) {
	for _, c := range []struct {
		mac  func(string) string
		file string // "" for no key
		want stream.SignatureState
	}{
		{hmacOf("key"), "key", stream.SignatureValid},
		{hmacOf("key"), "key\n", stream.SignatureValid},
		{hmacOf("key"), "key\r\n", stream.SignatureValid},
		{hmacOf("key\n"), "key\n", stream.SignatureValid},
		{hmacOf("key\r\n"), "key\r\n", stream.SignatureValid},
		{hmacOf("key\r"), "key\r\n", stream.SignatureInvalid},
		{hmacOf("key"), "key\n\n", stream.SignatureInvalid},
		{hmacOf("key"), "other", stream.SignatureInvalid},
		{func(head string) string { return strings.ToUpper(hmacOf("key")(head)) }, "key", stream.SignatureInvalid},
		{hmacOf("key"), "", stream.SignatureUnchecked},
		{func(string) string { return "" }, "", stream.SignatureAbsent},
		{func(string) string { return "" }, "key", stream.SignatureInvalid},
	} {
		opt := session.Options{}
		if c.file != "" {
			opt.HMACKey = []byte(c.file)
		}
		a := check(t, session.V0, sealWith(c.mac), 0, opt)
		if a.Signatures.HMAC != c.want || (a.Integrity == stream.IntegrityValid) == (c.want == stream.SignatureInvalid) {
			t.Errorf("key %q: HMAC %s, integrity %s, expected %s; %q", c.file, a.Signatures.HMAC, a.Integrity, c.want, a.errors())
		}
		if said := strings.Contains(strings.Join(a.NotCovered, "\n"), "the seal's HMAC: no key"); said != (c.want == stream.SignatureUnchecked) {
			t.Errorf("key %q: not covered are %q", c.file, a.NotCovered)
		}
	}
}

// TestSessionDigest tries the constructions of a seal's session_digest, each whole and
// with one digit changed.
func TestSessionDigest(t *testing.T) {
	for name, c := range map[string]struct {
		digest func(head string) string
		good   bool
		noted  bool
	}{
		"the hash before":              {func(h string) string { return h }, true, false},
		"with its prefix":              {func(h string) string { return "sha256:" + h }, true, false},
		"its first digits":             {func(h string) string { return h[:16] }, true, false},
		"too few digits":               {func(h string) string { return h[:15] }, true, true},
		"the first digits of another":  {func(string) string { return "0123456789abcdef" }, true, true},
		"the digest over everything":   {func(h string) string { return sumOf("5e551017-0000-4000-8000-000000000001" + h + h) }, true, false},
		"without the last one again":   {func(h string) string { return sumOf("5e551017-0000-4000-8000-000000000001" + h) }, false, false},
		"a digest of something else":   {func(string) string { return sumOf("") }, false, false},
		"a digest in capitals":         {func(string) string { return strings.ToUpper(sumOf("")) }, true, true},
		"the hash before, with a tail": {func(h string) string { return h + "0" }, true, true},
	} {
		l := sessiontest.New()
		lines := []string{l.Event("SESSION_START", `{"agent_id":"a","environment":"dev","framework":"f","framework_version":"1","sdk_version":"1"}`)}
		lines = append(lines, l.Event("CHAIN_SEAL", fmt.Sprintf(`{"ingestion_service_id":"i","seal_timestamp":"t","session_digest":%q}`, c.digest(l.Head()))))
		a := check(t, session.V0, lines, 0, session.Options{})
		var rules []string
		for _, f := range a.findings {
			rules = append(rules, f.Rule)
		}
		want := ""
		switch {
		case !c.good:
			want = "seal.digest"
		case c.noted:
			want = "seal.digest_unrecognised"
		}
		if got := strings.Join(rules, " "); got != want {
			t.Errorf("%s: %q, want %q", name, got, want)
		}
	}
}

func sumOf(text string) string {
	sum := sha256.Sum256([]byte(text))
	return hex.EncodeToString(sum[:])
}
