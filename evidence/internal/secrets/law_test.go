package secrets

import (
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
)

// fragments are what texts are built of that come near to a rule, or match it.
var fragments = func() []string {
	long := func(s string) string { return strings.Repeat(s, 24) }
	return []string{
		"AKIA", "ASIA", "ABCDEFGH", "ABCDEFGHIJKLMNOP", "gh", "ghp_", "gho_", long("a"), long("Z9"), "sk-", "proj-", "xoxb-", "xoxp-", "AIza", "AIza" + strings.Repeat("b-7_c", 7),
		"sk_live_", "pk_test_", "sk_", "-----BEGIN ", "RSA ", "PRIVATE KEY", "-----", "-----BEGIN PRIVATE KEY-----", "-----END PRIVATE KEY-----",
		"eyJ", "eyJAAAAAAAAAA", ".eyJAAAAAAAAAA", ".AAAAAAAAAA", "eyJAAAAAAAAAA.eyJAAAAAAAAAA.", "bearer", "Bearer ", "access", "refresh", "signature", "sig", "=",
		"api", "key", "KEY", "secret", "token", "password", "passwd", "client", "session=", "cookie=", "apikey=", "api_key=", "x-api-key:", "x-token: ",
		"authorization:", "Authorization: ", "Authorization: Bearer ", "--token ", "--password=", "--api-key ", "--", "-p", "-p ", " -p=", "mysql ", "sshpass ",
		"/home/", "/Users/", "/root", "/", "bob", "C:", `C:\Users\`, `C:/Users/`, `\\srv\share\Users\`, `\\`, `\`, "Users", "home", "~", "~/**/", "//", "://", "@", "https://", "u:p@",
		":", ": ", " ", "  ", "\t", "\n", "\r\n", "\f", "\v", `"`, "'", "`", `\"`, `\\\"`, "&", ";", ",", "(", ")", "#", "?", "*", "**", "***", ".", "..", "./", "/../", `\..\`, "-", "_", "+",
		"a", "b", "Z", "7", "\u0130", "\u017f", "\u212a", "\u00e9", "\u5f20", "\x00", "\xff", "to\u212aen", "\u017fecret", "<", ">", "|", "{", "[",
	}
}()

// text is a random one of n fragments.
func text(r *rand.Rand, n int) string {
	var b strings.Builder
	for range n {
		b.WriteString(fragments[r.IntN(len(fragments))])
	}
	return b.String()
}

const (
	random = 12000 // texts
	most   = 14    // fragments of each
)

func TestCleanLaws(t *testing.T) {
	var s Scanner
	changed := 0
	for seed := range uint64(random) {
		r := rand.New(rand.NewPCG(seed, 1))
		in := text(r, 1+r.IntN(most))
		held(t, &s, in)
		if cleaned(&s, in) != in {
			changed++
		}
		if t.Failed() {
			t.Fatalf("seed %d", seed)
		}
	}
	if changed < random/10 || changed > random*9/10 {
		t.Errorf("%d texts of %d changed", changed, random)
	}
}

// TestCleanAround holds that a text is cleaned alike with words before it, and with a line
// behind it.
func TestCleanAround(t *testing.T) {
	var s Scanner
	for seed := range uint64(random) {
		r := rand.New(rand.NewPCG(seed, 3))
		in := text(r, 1+r.IntN(most))
		if strings.HasSuffix(strings.TrimRight(in, "\r"), `\`) {
			continue // the line would go on in the next
		}
		want := "x " + cleaned(&s, in) + "\nx"
		if got := cleaned(&s, "x "+in+"\nx"); got != want {
			t.Fatalf("seed %d: %q becomes %q, want %q", seed, in, got, want)
		}
	}
}

func cleaned(s *Scanner, in string) string {
	out, _ := s.Clean(nil, []byte(in))
	return string(out)
}

// TestCleanWorst holds the laws for the texts that the benchmarks have, shorter.
func TestCleanWorst(t *testing.T) {
	var s Scanner
	for _, texts := range worst(600) {
		for _, in := range texts {
			held(t, &s, in)
			same(t, &s, in, new([shapes]int))
		}
	}
}

// TestShapes compares what is found with another engine's matches of the same table.
func TestShapes(t *testing.T) {
	var s Scanner
	matched := [shapes]int{}
	for seed := range uint64(random) {
		r := rand.New(rand.NewPCG(seed, 2))
		same(t, &s, text(r, 1+r.IntN(most)), &matched)
		if t.Failed() {
			t.Fatalf("seed %d", seed)
		}
	}
	for rule, n := range matched {
		if n < 3 {
			t.Errorf("%s matched %d times", rows[rule].Name, n)
		}
	}
}

// same checks one text.
func same(t testing.TB, s *Scanner, in string, matched *[shapes]int) {
	t.Helper()
	for rule, got := range shapesOf(s, in) {
		want := naiveAll(rule, in)
		if !slices.Equal(got, want) {
			t.Errorf("%s in %q: %v, want %v", rows[rule].Name, in, got, want)
		}
		matched[rule] += len(want)
	}
}

// naiveEnd is where a match ends as the table has it.
func naiveEnd(rule int, in string, m match) int {
	ends := map[int]func(byte) bool{ruleQuery: endsQuery, ruleAssignment: endsAssignment}[rule]
	if ends == nil {
		return int(m.end)
	}
	end := int(m.end)
	for end < len(in) && !ends(in[end]) {
		end++
	}
	return end
}

func FuzzClean(f *testing.F) {
	for _, c := range cleanCases(f) {
		f.Add(c.in)
	}
	for _, s := range fragments {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, in string) {
		var s Scanner
		held(t, &s, in)
		same(t, &s, in, new([shapes]int))
	})
}
