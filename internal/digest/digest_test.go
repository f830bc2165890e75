package digest_test

import (
	"strings"
	"testing"

	"github.com/cupel-dev/cupel/internal/digest"
)

// The digest of `printf '{"a":1}' | sha256sum`.
const hexOfA1 = "015abd7f5cc57a2dd94b7590f04ad8084273905ee33ec5cebeae62276a97f862"

func TestText(t *testing.T) {
	sum := digest.Of([]byte(`{"a":1}`))
	if sum.Hex() != hexOfA1 || sum.String() != "sha256:"+hexOfA1 || len(sum.String()) != digest.TextLen {
		t.Errorf("%s, %s", sum.Hex(), sum)
	}
	back, ok := digest.Parse([]byte(sum.String()))
	if !ok || !back.Equal(sum) || back.Equal(digest.Of(nil)) {
		t.Errorf("parsed back: %s, %v", back, ok)
	}
}

// TestRefusals lists spellings of a digest that are valid elsewhere, but not here.
func TestRefusals(t *testing.T) {
	good := "sha256:" + hexOfA1
	for _, text := range []string{
		"", hexOfA1, strings.ToUpper(good), "sha256:" + strings.ToUpper(hexOfA1), "SHA256:" + hexOfA1,
		good + "0", good[:len(good)-1], " " + good, good + "\n", "sha256:" + strings.Repeat("g", 64), "sha256-" + hexOfA1,
	} {
		if sum, ok := digest.Parse([]byte(text)); ok {
			t.Errorf("Parse(%q) = %s", text, sum)
		}
	}
	for _, text := range []string{"", good, hexOfA1[1:], hexOfA1 + "0", strings.ToUpper(hexOfA1)} {
		if digest.IsHex([]byte(text)) {
			t.Errorf("IsHex(%q)", text)
		}
	}
}

// TestParseHexOfEveryByte puts every byte at every place of a digest's digits.
func TestParseHexOfEveryByte(t *testing.T) {
	for at := range 64 {
		for c := range 256 {
			text := []byte(hexOfA1)
			text[at] = byte(c)
			sum, ok := digest.ParseHex(text)
			if want := strings.IndexByte("0123456789abcdef", byte(c)) >= 0; ok != want {
				t.Fatalf("%q: accepted is %v", text, ok)
			}
			if ok && sum.Hex() != string(text) || !ok && sum != (digest.Sum{}) {
				t.Fatalf("%q read as %s", text, sum.Hex())
			}
		}
	}
}
