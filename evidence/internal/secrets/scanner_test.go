package secrets

import (
	"bufio"
	_ "embed"
	"encoding/json"
	"math/rand/v2"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// cleanCase is one of testdata/clean.txt.
type cleanCase struct {
	line    int
	in, out string
	rules   []string
}

//go:embed testdata/clean.txt
var cleanText string

// cleanCases reads them: a text, and what follows it until the next one.
func cleanCases(t testing.TB) (cases []cleanCase) {
	t.Helper()
	lines := bufio.NewScanner(strings.NewReader(cleanText))
	for n := 1; lines.Scan(); n++ {
		kind, rest, _ := strings.Cut(lines.Text(), " ")
		if strings.HasSuffix(kind, "q") {
			text, err := strconv.Unquote(rest)
			if err != nil {
				t.Fatalf("line %d: %v", n, err)
			}
			rest = text
		}
		last := len(cases) - 1
		switch strings.TrimSuffix(kind, "q") {
		case "<":
			cases = append(cases, cleanCase{line: n, in: rest, out: rest})
		case ">":
			cases[last].out = rest
		case "=":
			cases[last].rules = strings.Fields(rest)
		}
	}
	if len(cases) < 150 {
		t.Fatalf("%d cases", len(cases))
	}
	return cases
}

func TestClean(t *testing.T) {
	var s Scanner
	var dst []byte
	for _, c := range cleanCases(t) {
		out, hits := s.Clean(dst, []byte(c.in))
		if string(out) != c.out {
			t.Errorf("line %d: %q\n becomes %q,\n    want %q", c.line, c.in, out, c.out)
		}
		if rules := names(hits); !slices.Equal(rules, c.rules) {
			t.Errorf("line %d: %q by %q, want %q", c.line, c.in, rules, c.rules)
		}
		held(t, &s, c.in)
	}
}

// TestAllocations holds that a text in which nothing is found costs none.
func TestAllocations(t *testing.T) {
	var s Scanner
	for _, in := range append([]string{"/home", `C:\Users`, "token=***", "eyJ.x", "the bearer"}, events...) {
		text := []byte(in)
		if n := testing.AllocsPerRun(10, func() {
			s.Whole(text)
			s.Clean(nil, text)
			s.Sweep(text)
		}); n > 0 {
			t.Errorf("%q: %v allocations", in, n)
		}
	}
}

// TestWhole compares with the table's patterns from a text's beginning to its end.
func TestWhole(t *testing.T) {
	var s Scanner
	seen := map[string]bool{}
	for seed := range uint64(random) {
		r := rand.New(rand.NewPCG(seed, 4))
		in := strings.Repeat(" \u00a0", r.IntN(2)) + text(r, 1+r.IntN(4)) + strings.Repeat("\n", r.IntN(2))
		want := naiveWhole(strings.TrimSpace(in))
		got, ok := s.Whole([]byte(in))
		if got != want || ok != (want != "") {
			t.Fatalf("seed %d: %q is by %q, want %q", seed, in, got, want)
		}
		seen[got] = true
	}
	if len(seen) < 6 {
		t.Errorf("only %v", seen)
	}
}

func names(hits []Hit) (rules []string) {
	for _, h := range hits {
		rules = append(rules, h.Rule)
	}
	return rules
}

// homeLeft is an independent pattern of what must not be left, unless its name is no user's.
var homeLeft = regexp.MustCompile(`(?:^|://|[\s"'=:(,])(?:/(?:home|Users)/([^=\\/\s:"'<>|*?,;&()\[\]{}\x00-\x1f\x7f` + "`" + `]+)|/root(?:[/\s"']|$)|[A-Za-z]:[\\/]Users[\\/]([^=(,&;\[{\\/\s:"'<>|*?\x00-\x1f\x7f` + "`" + `]+))`)

// held checks what holds of every text: what Clean has made, it changes no more, and no
// rule and no home folder is left in it.
func held(t testing.TB, s *Scanner, in string) {
	t.Helper()
	out, hits := s.Clean(nil, []byte(in))
	if (len(hits) == 0) != (string(out) == in) {
		t.Errorf("%q becomes %q by %q", in, out, names(hits))
	}
	clean := strings.Clone(string(out))
	if again, hits := s.Clean(nil, []byte(clean)); string(again) != clean {
		t.Errorf("%q becomes %q and then %q by %q", in, clean, again, names(hits))
	}
	if rule, ok := s.Sweep([]byte(clean)); ok {
		t.Errorf("%q becomes %q, in which %s matches", in, clean, rule)
	}
	if rule, m := naiveLeft(clean); rule != "" {
		t.Errorf("%q becomes %q, in which %s matches %q", in, clean, rule, m)
	}
	for _, m := range homeLeft.FindAllStringSubmatch(clean, -1) {
		if name := m[1] + m[2]; name != "." && name != ".." {
			t.Errorf("%q becomes %q, in which %q is left", in, clean, m[0])
		}
	}
}

func TestUpstream(t *testing.T) {
	cases := map[string]string{}
	read(t, "testdata/upstream.json", &cases)
	if len(cases) < 20 {
		t.Fatalf("%d cases", len(cases))
	}
	for in, want := range cases {
		if got := Upstream(in); got != want {
			t.Errorf("%q becomes %q, want %q", in, got, want)
		}
	}
}

// TestUpstreamVectors runs the pairs that were recorded of the reference.
func TestUpstreamVectors(t *testing.T) {
	folder := os.Getenv("CUPEL_VECTORS")
	if folder == "" {
		t.Log("CUPEL_VECTORS is not set: testdata/upstream.json stands alone")
		return
	}
	type pair struct{ In, Out string }
	var file struct {
		Asserted []pair `json:"asserted_upstream"`
		ADR      []pair `json:"adr_examples"`
		Traps    []pair `json:"behaviour_of_upstream_algorithm_on_traps"`
	}
	read(t, filepath.Join(folder, "evidence/redaction/subject-scrub.json"), &file)
	all := slices.Concat(file.Asserted, file.ADR, file.Traps)
	if len(file.Asserted) != 9 || len(file.ADR) != 2 || len(all) < 29 {
		t.Fatalf("%d, %d and %d pairs", len(file.Asserted), len(file.ADR), len(file.Traps))
	}
	for _, c := range all {
		if got := Upstream(c.In); got != c.Out {
			t.Errorf("%q becomes %q, want %q", c.In, got, c.Out)
		}
	}
	var table struct {
		Rules []struct{ Name, Pattern string }
	}
	read(t, filepath.Join(folder, "evidence/redaction/secret-rules.v1.json"), &table)
	if len(table.Rules) != shapes {
		t.Fatalf("%d rules", len(table.Rules))
	}
	for i, rule := range table.Rules {
		if rows[i].Name != rule.Name || rows[i].Pattern != rule.Pattern {
			t.Errorf("%q %q, want %q %q", rows[i].Name, rows[i].Pattern, rule.Name, rule.Pattern)
		}
	}
}

func read(t *testing.T, path string, into any) {
	t.Helper()
	text, err := os.ReadFile(path)
	if err == nil {
		err = json.Unmarshal(text, into)
	}
	if err != nil {
		t.Fatal(err)
	}
}

func TestForbiddenName(t *testing.T) {
	for name, want := range map[string]bool{
		"token": true, "Access-Token": true, "refresh_token": true, "AUTH TOKEN": true, "idToken": true, "session_token": true,
		"password": true, "PassWd": true, "api_key": true, "secret": true, "client-secret": true, "secretKey": true,
		"Authorization": true, "credential": true, "Credentials": true, "private_key": true, "secret access key": true,
		"_-token- _": true, strings.Repeat("_", 1<<20) + "token": true, "to\u212aen": true, "credent\u0130al": true,
		"": false, "tokens": false, "key": false, "secretaccesskeys": false, "toke": false, "t\u00f6ken": false, "token\xff": false,
		"args_schema_hash": false, strings.Repeat("token", 1<<10): false, "token.": false, "token\x00": false,
	} {
		if got := ForbiddenName([]byte(name)); got != want {
			t.Errorf("ForbiddenName(%.40q) = %v, want %v", name, got, want)
		}
	}
	if len(ForbiddenNames()) != 17 {
		t.Errorf("%d names", len(ForbiddenNames()))
	}
}

func TestFlagBeforeValue(t *testing.T) {
	for element, want := range map[string]bool{
		"--token": true, "--API-Key": true, "--apikey": true, "--api_key": true, "--key": true, "--secret": true,
		"--client-secret": true, "--password": true, "--passwd": true, "--pass": true, "--access-key": true,
		"--access-token": true, "--auth": true, "--authorization": true, "--bearer": true,
		"": false, "-": false, "--": false, "-p": false, "-token": false, "--token=": false, "--token=x": false, "--tokens": false,
		"--token\t": false, "x--token": false, "--authorizations": false,
	} {
		if got := FlagBeforeValue([]byte(element)); got != want {
			t.Errorf("FlagBeforeValue(%q) = %v, want %v", element, got, want)
		}
	}
}

func TestPasswordFlag(t *testing.T) {
	for element, want := range map[string]bool{
		"mysql": true, "/usr/bin/mysqldump": true, `C:\bin\MySQL.exe`: true, "sshpass": true,
		"": false, "mysql-client": false, "xmysql": false, "mysqld": false, "my": false,
	} {
		if got := PasswordCommand([]byte(element)); got != want {
			t.Errorf("PasswordCommand(%q) = %v, want %v", element, got, want)
		}
	}
	for element, want := range map[string]int{
		"-p": 2, "-pabc": 2, "-p=abc": 3, "-p=": 3, "": -1, "-": -1, "-P": -1, "--p": -1, "p": -1,
	} {
		got, ok := PasswordFlag([]byte(element))
		if !ok {
			got = -1
		}
		if got != want {
			t.Errorf("PasswordFlag(%q) = %d, want %d", element, got, want)
		}
	}
}

func TestRules(t *testing.T) {
	seen := map[string]bool{}
	for _, row := range Rules() {
		if row.Name == "" || row.Pattern == "" || row.Does == "" || seen[row.Name] {
			t.Errorf("%+v", row)
		}
		seen[row.Name] = true
	}
	if len(seen) != shapes+4 {
		t.Errorf("%d rules", len(seen))
	}
}
