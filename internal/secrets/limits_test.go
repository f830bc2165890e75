package secrets_test

import (
	"bytes"
	"encoding/base64"
	"encoding/hex"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/cupel-dev/cupel/internal/secrets"
)

// noise returns letters and digits that look random, the same for the same seed.
func noise(seed uint64, size int) string {
	const letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789"
	random := rand.New(rand.NewPCG(seed, 1))
	b := make([]byte, size)
	for i := range b {
		b[i] = letters[random.IntN(len(letters))]
	}
	return string(b)
}

func encoded(text string, times int) string {
	for range times {
		text = base64.StdEncoding.EncodeToString([]byte(text))
	}
	return text
}

// TestLength: no length of a secret, or of what is around it, hides it. The last bytes must be gone, too.
func TestLength(t *testing.T) {
	token := "gh" + "p_" + noise(1, 36)
	for name, c := range map[string]struct{ text, secret string }{
		"long member":          {`{"password":"` + noise(2, 30_000) + `"}`, noise(2, 30_000)},
		"long value":           {"password=" + noise(3, 30_000) + " x", noise(3, 30_000)},
		"long element":         {"<password>" + noise(4, 30_000) + "</password>", noise(4, 30_000)},
		"long header":          {"Authorization: Bearer " + noise(5, 30_000) + "\nx", noise(5, 30_000)},
		"long cookies":         {"Cookie: " + strings.Repeat("a=b; ", 5_000) + "session=" + noise(6, 30) + "\n", noise(6, 30)},
		"long password in URL": {"postgres://bob:" + noise(7, 10_000) + "@host/db", noise(7, 10_000)},
		"long web token":       {"a eyJ" + noise(8, 80) + ".eyJ" + noise(9, 90_000) + "." + noise(10, 80) + " b", noise(10, 80)},
		"long vendor token":    {"a sk-ant-api03-" + noise(11, 50_000) + " b", noise(11, 50_000)},
		"long word after it":   {"AKIA" + strings.ToUpper(noise(12, 16)) + " sk_live_" + noise(13, 20_000), noise(13, 20_000)},
		"long command":         {"mysql " + strings.Repeat("--no-beep ", 3_000) + "-p" + noise(14, 20) + "\n", noise(14, 20)},
		"long name before":     {"token_" + strings.Repeat("a", 56) + "_password=" + noise(15, 20), noise(15, 20)},
		"many failures":        {strings.Repeat("gh"+"p_x_", 100) + token, token[4:]},
		"many lines":           {"x=" + strings.Join(strings.Split(strings.Repeat(strings.ToUpper(noise(16, 20))+"\n", 400), "\n"), "\n") + token[:20] + "\n" + token[20:] + "\n", token[20:]},
		"many separators":      {strings.Repeat("a/", 300) + encoded("token: "+token, 1), encoded("token: "+token, 1)},
		"separator after it":   {encoded("the token is: "+token+"  ", 1) + "--" + hex.EncodeToString([]byte{1, 2, 0xff, 0xfe, 3, 4, 5, 6}), encoded("the token is: "+token+"  ", 1)},
		"hexadecimal in path":  {"/blob/0x" + hex.EncodeToString([]byte("token: "+token)) + "/x", hex.EncodeToString([]byte("token: " + token))},
		"too many encodings":   {encoded("token: "+token, 5), encoded("token: "+token, 5)},
		"encoded ten times":    {encoded("token: "+token, 10), encoded("token: "+token, 10)},
		"padded entities":      {"ghp&#" + strings.Repeat("0", 40) + "95;" + token[4:], token[4:]},
		"long colour":          {token[:9] + "\x1b[" + strings.Repeat("1;", 60) + "m" + token[9:], token[9:]},
	} {
		got := redacted(t, c.text)
		end := c.secret[len(c.secret)*3/4:]
		if strings.Contains(got, end) || strings.Contains(got, c.secret[:len(c.secret)/4]) {
			t.Errorf("%s: %d bytes became %d, of which one is %.80q", name, len(c.text), len(got), got)
		}
	}
}

// TestArrayLength: the same for secrets that are spread over texts.
func TestArrayLength(t *testing.T) {
	token := "eyJ" + noise(1, 900) + ".eyJ" + noise(2, 2_000) + "." + noise(3, 40)
	command := []string{"run", "-x", strings.Repeat("a b ", 30_000), "--password", "Hunter2-Secret9x"}
	for name, c := range map[string]struct {
		texts []string
		text  int
	}{
		"token":   {[]string{strings.Repeat("a b ", 600) + token[:2_000], token[2_000:] + strings.Repeat(" b a", 600)}, 1},
		"command": {command, 4},
	} {
		texts := make([][]byte, len(c.texts))
		for i, text := range c.texts {
			texts[i] = []byte(text)
		}
		hit := false
		scanner(t).Array(texts, func(text int, h secrets.Hit) { hit = hit || text == c.text && h.Class == secrets.Secret })
		if !hit {
			t.Errorf("%s: nothing is found in text %d", name, c.text)
		}
	}
}

// TestMaskedLength: an excerpt does not show the end of a secret that begins far before.
func TestMaskedLength(t *testing.T) {
	secret := noise(1, 30_000)
	text := []byte(`{"password":"` + secret + `","a":1}`)
	got := secrets.Masked(text, len(text)-6)
	if len(got) != len(text) || bytes.Contains(got, []byte(secret[29_000:])) {
		t.Errorf("the excerpt shows %.60q", got[len(got)-60:])
	}
}
