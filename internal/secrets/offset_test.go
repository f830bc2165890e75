package secrets_test

import (
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/cupel-dev/cupel/internal/secrets"
)

// TestOffsets: a secret is found wherever it is in a long text that is made to wear the scanner out, also inside of a
// value without quotes.
func TestOffsets(t *testing.T) {
	set, err := secrets.Default()
	if err != nil {
		t.Fatal(err)
	}
	type carried struct{ before, secret string }
	carriers := []carried{
		{"password=", "Hunter2-Secret9x"},
		{"db.password:", "Hunter2-Secret9x"},
		{"api_key=", "q7Zt0Lm4Xw92Bv61"},
		{"token=", "8fK2mQp0Zx71Lw5T"},
		{"x-auth-token:", "8fK2mQp0Zx71Lw5T"},
		{"--token=", "8fK2mQp0Zx71Lw5T"},
		{"Authorization: Bearer ", "8fK2mQp0Zx71Lw5T9aQ2"},
		{"https://bob:", "Hunter2Secret9x@"},
		{"", "ghp_q7Zt0Lm4Xw92Bv61Cd83Ke57Nf29Pa40Rs1T"},
		{"", "AKIAQYB2XFCJAEKKCUNX"},
	}
	fillers := []string{
		"key=x/", "token=abc/", "auth=(", "jwt=|", "sid=1/", "a-jwt-b:c/", "bearer=/", "secret=/", "sig=/", "pwd:/", "x-api-key:/", "--auth=/",
		"name:token:/", "path=/usr/", "password=${X}/", "password=***/", "key=key=/", "aaaaaaaa/", "mysql -p/", "smbclient/", "-----BEGIN /", "%41/", `\/`,
	}
	rapid.Check(t, func(t *rapid.T) {
		c := rapid.SampledFrom(carriers).Draw(t, "carrier")
		var text strings.Builder
		for range rapid.IntRange(0, 4).Draw(t, "stretches") {
			some := rapid.SliceOfN(rapid.SampledFrom(fillers), 1, 3).Draw(t, "filler")
			text.WriteString(strings.Repeat(strings.Join(some, ""), rapid.IntRange(1, 700).Draw(t, "times")))
			text.WriteString(rapid.SampledFrom([]string{"", " ", "\n"}).Draw(t, "between"))
		}
		start := text.Len() + len(c.before)
		text.WriteString(c.before + c.secret)
		end := text.Len()
		text.WriteString(rapid.SampledFrom([]string{"", " ", "\n", `"`, " key=x/"}).Draw(t, "after"))
		hits := secrets.NewScanner(set).Scan([]byte(text.String()))
		if !slices.ContainsFunc(hits, func(h secrets.Hit) bool { return h.Class == secrets.Secret && h.Start <= start && h.End >= end-1 }) {
			t.Fatalf("%q is not found at %d, after %.200q", c.before+c.secret, start, text.String()[max(0, start-200):start])
		}
	})
}
