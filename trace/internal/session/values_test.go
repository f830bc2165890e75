package session

import (
	"encoding/json"
	"math/big"
	"regexp"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/cupel-dev/cupel/internal/strictjson"
)

// FuzzIntegral compares the reading of integers with exact rational arithmetic.
func FuzzIntegral(f *testing.F) {
	for _, seed := range []string{"0", "-0", "5.0", "50e-1", "18446744073709551616", "1E3", "-2.5", "0.1e1", "1e-400", "123456789012345678901234567890e-12"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		doc, err := strictjson.NewScanner(strictjson.Limits{}).Scan([]byte(text))
		if err != nil || !doc.Root().Is(strictjson.Number) || len(text) > 400 {
			return
		}
		want, ok := new(big.Rat).SetString(text)
		if !ok {
			return // an exponent beyond what big.Rat reads
		}
		negative, magnitude, whole, wide := integral([]byte(text))
		if whole != want.IsInt() {
			t.Fatalf("%s: whole is %v", text, whole)
		}
		if !whole {
			return
		}
		if wide == new(big.Int).Abs(want.Num()).IsUint64() {
			t.Fatalf("%s: wide is %v", text, wide)
		}
		if !wide && (new(big.Int).Abs(want.Num()).Uint64() != magnitude || negative != (want.Sign() < 0)) {
			t.Fatalf("%s: %v %d", text, negative, magnitude)
		}
	})
}

// TestUUIDs puts every byte at every place of a UUID, and cuts it anywhere.
func TestUUIDs(t *testing.T) {
	const uuid = "0123abCD-45ef-FA67-89bc-defABCDEF012"
	form := regexp.MustCompile(`^[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}$`)
	for i := range len(uuid) + 1 {
		if i < len(uuid) == isUUID([]byte(uuid[:i])) {
			t.Errorf("%q", uuid[:i])
		}
		for c := range 256 {
			text := []byte(uuid + " ")
			text[i] = byte(c)
			if text = text[:max(len(uuid), i+1)]; isUUID(text) != form.Match(text) {
				t.Errorf("%q: %v", text, isUUID(text))
			}
		}
	}
}

// TestASCIIJSON: the spelling is JSON of the same text, in ASCII alone, and the short
// escapes are used where there are any.
func TestASCIIJSON(t *testing.T) {
	for r := range rune(0x11000) {
		text := "a" + string(r) + "b"
		got := asciiJSON([]byte(text))
		var back string
		if err := json.Unmarshal(got, &back); err != nil || back != strings.ToValidUTF8(text, "\uFFFD") {
			t.Fatalf("%q is spelled %s, which reads %q, %v", text, got, back, err)
		}
		for _, c := range got {
			if c >= utf8.RuneSelf || c < ' ' {
				t.Fatalf("%q is spelled %q", text, got)
			}
		}
	}
	if got := string(asciiJSON([]byte("\"\\/\b\f\n\r\t\x01\x7fé😀"))); got != `"\"\\/\b\f\n\r\t\u0001`+"\x7f"+`\u00e9\ud83d\ude00"` {
		t.Error(got)
	}
}

func TestIsUUID(t *testing.T) {
	good := "795B929E-9a9a-40fd-aa7b-5bf55eb561a4"
	if !isUUID([]byte(good)) {
		t.Errorf("%s is refused", good)
	}
	for i := range good {
		for _, c := range "g-/:@G`{0 " {
			text := []byte(good)
			text[i] = byte(c)
			hyphen := good[i] == '-'
			if want := hyphen && c == '-' || !hyphen && c == '0'; isUUID(text) != want {
				t.Errorf("%s: %v", text, !want)
			}
		}
	}
	if isUUID([]byte(good[1:])) || isUUID([]byte(good+"0")) || isUUID(nil) {
		t.Error("another length is accepted")
	}
}
