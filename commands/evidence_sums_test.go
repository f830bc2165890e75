package commands

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"os"
	"slices"
	"strings"
	"testing"

	evidencecmd "github.com/cupel-dev/cupel/commands/evidence"
	"github.com/cupel-dev/cupel/commands/internal/cmdline"
)

// TestSumOrder holds that what becomes of a listed hash does not depend on the list's order.
func TestSumOrder(t *testing.T) {
	t.Chdir(t.TempDir())
	var lines []string
	for i, name := range []string{"a.ndjson", "b.ndjson", "c.ndjson"} {
		var text strings.Builder
		for n := range 3 + 4*i {
			fmt.Fprintf(&text, `{"specversion":"1.0","type":"t","datacontenttype":"application/json","data":%d}`+"\n", n+100*i)
		}
		if err := os.WriteFile(name, []byte(text.String()), 0o600); err != nil {
			t.Fatal(err)
		}
		printed, _, code := hashSums(t, name, "--envelope-digest")
		if code != 0 {
			t.Fatal(printed)
		}
		lines = append(lines, strings.Split(strings.TrimSpace(printed), "\n")...)
	}
	random := rand.New(rand.NewPCG(1, 0))
	for range 40 {
		list := slices.Clone(lines)
		random.Shuffle(len(list), func(i, j int) { list[i], list[j] = list[j], list[i] })
		list = list[:1+random.IntN(len(list))]
		for range random.IntN(3) {
			at := random.IntN(len(list))
			list[at] = spoiled(list[at], random.IntN(3))
		}
		check := func() (judgedLines []string, said string, code int) {
			if err := os.WriteFile("SUMS", []byte(strings.Join(list, "\n")), 0o600); err != nil {
				t.Fatal(err)
			}
			text, said, code := hashSums(t, "-c", "SUMS")
			return judged(text), warnings(said), code
		}
		text, said, code := check()
		slices.Sort(list)
		if want, saidToo, wantCode := check(); code != wantCode || !slices.Equal(text, want) || said != saidToo {
			t.Fatalf("exit code %d, want %d\n%s\n%s\nwant\n%s\n%s", code, wantCode, text, said, want, saidToo)
		}
	}
}

// spoiled returns a line with another hash, another place, or an input that is not there.
func spoiled(line string, how int) string {
	switch how {
	case 0:
		hash := strings.Index(line, "sha256:")
		return line[:hash+7] + strings.Repeat("0", 64) + line[hash+71:]
	case 1:
		return line + "9"
	}
	return strings.Replace(line, ".ndjson", ".gone", 1)
}

func hashSums(t *testing.T, args ...string) (stdout, stderr string, code int) {
	var out, errs bytes.Buffer
	env := cmdline.Env{Context: t.Context(), Stdin: strings.NewReader(""), Stdout: &out, Stderr: &errs, Getenv: func(string) string { return "" }}
	code = Main(env, append([]string{"cupel", "evidence", "hash"}, args...))
	return out.String(), errs.String(), code
}

// judged returns the lines about listed hashes, and the closing line.
func judged(text string) (list []string) {
	for line := range strings.Lines(text) {
		if strings.HasSuffix(line, ": OK\n") || strings.HasSuffix(line, ": FAILED\n") || strings.HasPrefix(line, "hashes checked") {
			list = append(list, line)
		}
	}
	slices.Sort(list)
	return list
}

// warnings returns the lines about events that are not listed.
func warnings(text string) string {
	var b strings.Builder
	for line := range strings.Lines(text) {
		if strings.HasPrefix(line, "cupel: warning: ") {
			b.WriteString(line)
		}
	}
	return b.String()
}

// TestManySums holds that standard input is read once for all its hashes, and that a list beyond the
// limit is refused.
func TestManySums(t *testing.T) {
	t.Chdir(t.TempDir())
	var text strings.Builder
	for n := range 100 {
		fmt.Fprintf(&text, `{"specversion":"1.0","type":"t","datacontenttype":"application/json","data":%d}`+"\n", n)
	}
	if err := os.WriteFile("a.ndjson", []byte(text.String()), 0o600); err != nil {
		t.Fatal(err)
	}
	sums, _, _ := hashSums(t, "--envelope-digest", "a.ndjson")
	if err := os.WriteFile("SUMS", []byte(strings.ReplaceAll(sums, "a.ndjson", "-")), 0o600); err != nil {
		t.Fatal(err)
	}
	usual := evidencecmd.MaxListedSums
	defer func() { evidencecmd.MaxListedSums = usual }()
	for most, want := range map[int]int{usual: 0, 201: 0, 200: 2} {
		evidencecmd.MaxListedSums = most
		var out, errs bytes.Buffer
		env := cmdline.Env{Context: t.Context(), Stdin: strings.NewReader(text.String()), Stdout: &out, Stderr: &errs, Getenv: func(string) string { return "" }}
		code := Main(env, []string{"cupel", "evidence", "hash", "-q", "-c", "SUMS"})
		if code != want || code == 0 && out.Len()+errs.Len() > 0 || code == 2 && !strings.Contains(errs.String(), `the list "SUMS" has more than 200 hashes`) {
			t.Errorf("at most %d: exit code %d\n%s%s", most, code, out.String(), errs.String())
		}
	}
}
