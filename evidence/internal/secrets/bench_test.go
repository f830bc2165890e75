package secrets

import (
	"crypto/sha256"
	"strings"
	"testing"
	"time"
)

// worst are, for each rule, texts of a size on which it has the most to do:
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
		"home-path":             {of("/home/"), of("/home/b"), of("/home/b "), of("/root "), of("/Users/b/x:"), of(`C:\Users\`), of(`C:\Users\b `), of(`C:\Users\b `) + `"`, of(`"C:\Users\b`), of(`\\`), of(`\\a`), of(` \\a\b\Users\c`), of(`'/home/a"/home/a`), of(`'\\`), after(`"C:\Users\b\`, `\`), of("/home/a=C:"), of("/home/b/../"), after("/home/b", "/.."), of(` "/home/../ /home/b/..`), of(`C:\Users\..\Users\`)},
		"nothing":               {of("the quick brown fox jumps over the lazy dog, "), of("0af7651916cd43dd8448eb211c80319c"), of("2026-01-02T03:04:05.678Z "), of("src/main/java/x.go:17: "), of(" "), of(":"), of("="), of("_")},
	}
}

// BenchmarkWorst cleans all texts of a rule in turn, and names the rate at the slowest of
// them.
func BenchmarkWorst(b *testing.B) {
	all := worst(1 << 20)
	names := []string{"nothing"}
	for _, row := range Rules() {
		names = append(names, row.Name)
	}
	for _, name := range names {
		texts := all[name]
		if len(texts) == 0 {
			b.Fatalf("no text for %s", name)
		}
		b.Run(name, func(b *testing.B) { benchmarkSlowest(b, texts) })
	}
}

func benchmarkSlowest(b *testing.B, texts []string) {
	var s Scanner
	var dst []byte
	best, size := make([]time.Duration, len(texts)), 0
	for _, text := range texts {
		size += len(text)
	}
	b.SetBytes(int64(size))
	b.ReportAllocs()
	for b.Loop() {
		for i, text := range texts {
			in := []byte(text)
			start := time.Now()
			out, hits := s.Clean(dst, in)
			if took := time.Since(start); best[i] == 0 || took < best[i] {
				best[i] = took
			}
			if len(hits) > 0 {
				dst = out[:0]
			}
		}
	}
	slowest := 0.0
	for i, text := range texts {
		slowest = max(slowest, best[i].Seconds()/float64(len(text)))
	}
	b.ReportMetric(1e-6/slowest, "slowest-MB/s")
}

// BenchmarkFloor is SHA-256 of a text as long, on the same machine in the same run.
func BenchmarkFloor(b *testing.B) {
	text := make([]byte, 1<<20)
	b.SetBytes(int64(len(text)))
	for b.Loop() {
		sha256.Sum256(text)
	}
}

// events are texts as events have them: in most there is nothing.
var events = []string{
	"1.0", "assay.tool.decision", "urn:assay:runner:ci-17", "run_0af7651916cd43dd:1234", "2026-01-02T03:04:05.678Z", "tool:read_file",
	"00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01", "assay", "2.6.0", "application/json",
	"sha256:0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef", "allow", "E_POLICY_DENY", "jcs:mcp_policy",
	"src/main/java/com/example/Application.java", "SELECT id, name FROM users WHERE id = 17", "the tool has read 17 files below the workspace's root",
	"https://example.com/api/v1/items?page=2&size=50", "PATH", "GET /api/v1/items HTTP/1.1",
}

// BenchmarkEvent cleans them: it allocates nothing.
func BenchmarkEvent(b *testing.B) {
	var s Scanner
	size := 0
	for _, text := range events {
		size += len(text)
	}
	texts := make([][]byte, len(events))
	for i, text := range events {
		texts[i] = []byte(text)
	}
	b.SetBytes(int64(size))
	b.ReportAllocs()
	for b.Loop() {
		for _, text := range texts {
			if _, ok := s.Whole(text); ok {
				b.Fatal(string(text))
			}
			if _, hits := s.Clean(nil, text); len(hits) > 0 {
				b.Fatal(string(text))
			}
		}
	}
}
