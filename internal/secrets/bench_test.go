package secrets_test

import (
	"crypto/sha256"
	"strings"
	"testing"

	"github.com/cupel-dev/cupel/internal/secrets"
)

// texts are what scanners are measured with: the first two are usual, the others are the worst that
// is known for a part of the scanner.
var texts = map[string]string{
	"nothing":     "the tool answered with 12 lines of output and went on to the next file; ",
	"code":        "func (s *Scanner) Next(key string, token int) (err error) {\n\tif key == \"\" { return errors.New(\"no key\") }\n\tx.auth[key] = s.token(2)\n",
	"keywords":    "AKIA-",
	"tokens":      "AKIAQYB2XFCJAEKKCUNX ",
	"assignments": "key=",
	"names":       "password: ",
	"vendors":     "adafruit_discord_twitter = ",
	"sk":          "sk-",
	"dashes":      "-----BEGIN ",
	"keys":        "-----BEGIN RSA PRIVATE KEY-----",
	"headers":     "Authorization: Bearer ",
	"cookies":     "Cookie: a=b; ",
	"urls":        "https://",
	"at signs":    "a@b.c@",
	"digits":      "4111 1111 ",
	"numbers":     "+4",
	"paths":       "/home/",
	"backslashes": `\`,
	"escapes":     `\u0041`,
	"percent":     "%41%4",
	"base64":      "dG9rZW46IGFiY2RlZmdoaWprbG1u ",
	"lines":       "abcdef1\n",
	"quotes":      `password="`,
	"tildes":      "~a/",
	"entities":    "&quot;",
	"commands":    "mysql ",
	"arguments":   `-pass pass:a1b2 `,
	"archives":    "zip ",
	"values":      "key=a1B2c3d4e5f6 ",
	"broken":      "ZXlKaGNIWWlPaU\n",
	"prefixes":    "sgp_ ",
	"parts":       "8Q~",
	"long tokens": "sntrys_eyJpYXQiOGN/rt01/2/ST/M+/6LCJyZWdpb25fdXJs8mpzi ",
	"quoted":      `auth = "=`,
}

// BenchmarkSum reads a text and keeps nothing: the other figures are ratios to it.
func BenchmarkSum(b *testing.B) {
	text := []byte(strings.Repeat(texts["nothing"], 1<<20/len(texts["nothing"])))
	b.SetBytes(int64(len(text)))
	for b.Loop() {
		sha256.Sum256(text)
	}
}

func BenchmarkScan(b *testing.B) {
	set, err := secrets.Default()
	if err != nil {
		b.Fatal(err)
	}
	for name, piece := range texts {
		text := []byte(strings.Repeat(piece, 1<<20/len(piece)))
		b.Run(name, func(b *testing.B) {
			s := secrets.NewScanner(set)
			s.Scan(text) // makes the automata of the rules
			b.SetBytes(int64(len(text)))
			for b.Loop() {
				s.Scan(text)
			}
		})
	}
}
