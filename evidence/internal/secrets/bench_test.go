package secrets

import (
	"strings"
	"testing"
)

// worst are, for each rule, texts of a size on which its matcher has the most to do:
// beginnings that come to nothing, matches without end, and what is looked for again and
// again in vain.
func worst(size int) map[string][]string {
	of := func(part string) string { return strings.Repeat(part, size/len(part)) }
	after := func(lead, part string) string { return lead + of(part) }
	return map[string][]string{
		"aws-access-key-id":     {of("AKIA"), of("AKIA "), of("AKIAABCDEFGHIJKLMNO "), of("AKIAABCDEFGHIJKLMNOP ")},
		"github-token":          {of("ghp_"), of("ghp_ "), of("ghp_" + strings.Repeat("a", 36) + "_ "), of("ghp_" + strings.Repeat("a", 36) + " ")},
		"openai-key":            {of("sk-"), after("sk-", "-"), of("sk- "), of("sk-proj-AAAAAAAAAAAAAAAAAAAA ")},
		"slack-token":           {of("xoxb-"), after("xoxb-", "a") + "_", of("xoxb- "), of("xoxb-AAAAAAAAAA ")},
		"google-api-key":        {of("AIza"), of("AIza "), of("AIza" + strings.Repeat("a", 35) + " ")},
		"stripe-key":            {of("sk_live_"), of("sk_live_ "), of("sk_live_AAAAAAAAAAAAAAAA_ "), of("sk_live_AAAAAAAAAAAAAAAA ")},
		"private-key-pem":       {of("-----BEGIN AAAA "), of("-----BEGIN "), of("-----BEGIN PRIVATE KEY-----"), of("-----BEGIN PRIVATE KEY----------END "), after("-----BEGIN PRIVATE KEY-----", "PRIVATE KEY ")},
		"jwt":                   {of("eyJ"), of("eyJ-"), of("eyJAAAAAAAAAA-"), of("eyJAAAAAAAAAA."), of("eyJAAAAAAAAAA.eyJAAAAAAAAAA "), of("eyJAAAAAAAAAA.eyJAAAAAAAAAA.AAAAAAAAAA ")},
		"bearer-token":          {of("bearer "), of("bearer a "), of("bearer\n"), of("bearer\na\n"), after("bearer", " "), of("bearer\nAAAAAAAAAAAAAAAAAAAA\n")},
		"sensitive-query-param": {of("sig="), of("sig=a&"), of("signature="), of("access_token="), of("sig=abcdef&"), of("=")},
		"credential-assignment": {of("token="), of("token ="), of("secret:"), of("password: abcde "), of("client_secret: abcdef "), after("token", " ") + "=", of("token=***")},
		"marker":                {of("token=a "), of("key="), of("key=a&"), of(`key="`), of(`key="a" `), of(`key=\"`), of(`key="\"`), of("authorization:"), of("authorization: a\n"), of("'x authorization: a' "), of("authorization: bearer ")},
		"flag":                  {of("--"), of("--token "), of("--token=a "), of("--authorizatio"), of("mysq -p "), of("mysql -p "), of("-p "), after("mysql", " -pa")},
		"url-userinfo":          {of("//"), of("/"), after("//", "a"), after("//", "@"), of("//a@ "), of("//a@b/")},
		"home-path":             {of("/home/"), of("/home/b"), of("/home/b "), of("/root "), of("/Users/b/x:"), of(`C:\Users\`), of(`C:\Users\b `), of(`C:\Users\b `) + `"`, of(`"C:\Users\b`), of(`\\`), of(`\\a`), of(` \\a\b\Users\c`), of(`'/home/a"/home/a`), of(`'\\`), after(`"C:\Users\b\`, `\`), of("/home/a=C:")},
		"nothing":               {of("the quick brown fox jumps over the lazy dog, "), of("0af7651916cd43dd8448eb211c80319c"), of("2026-01-02T03:04:05.678Z "), of("src/main/java/x.go:17: "), of(" "), of(":"), of("="), of("_")},
	}
}

// BenchmarkWorst is what each rule costs on each of its texts.
func BenchmarkWorst(b *testing.B) {
	all := worst(1 << 20)
	for _, row := range append(Rules(), RuleRow{Name: "nothing"}) {
		texts := all[row.Name]
		if len(texts) == 0 {
			b.Fatalf("no text for %s", row.Name)
		}
		for i, text := range texts {
			b.Run(row.Name+"/"+string(rune('a'+i)), func(b *testing.B) {
				var s Scanner
				var dst []byte
				in := []byte(text)
				b.SetBytes(int64(len(in)))
				b.ReportAllocs()
				for b.Loop() {
					out, hits := s.Clean(dst, in)
					if len(hits) > 0 {
						dst = out[:0]
					}
				}
			})
		}
	}
}
