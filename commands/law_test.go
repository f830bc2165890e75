package commands_test

import (
	"bytes"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/cupel-dev/cupel/commands"
	"github.com/cupel-dev/cupel/internal/racetest"
)

// oddPipe is standard input that brings up to a number of bytes at a time.
type oddPipe struct {
	r      io.Reader
	random *rand.Rand
	most   int
}

func (p *oddPipe) Read(b []byte) (int, error) {
	return p.r.Read(b[:min(len(b), 1+p.random.IntN(p.most))])
}

// program runs cupel on an input and returns its output and exit code. The name of the input is replaced by "-".
func program(t *testing.T, stdin io.Reader, name string, args ...string) string {
	t.Helper()
	var out, errs bytes.Buffer
	env := commands.Env{Context: t.Context(), Stdin: stdin, Stdout: &out, Stderr: &errs, Getenv: func(string) string { return "" }}
	code := commands.Main(env, append([]string{"cupel"}, args...))
	return strings.NewReplacer("file://"+name, "-", name, "-").Replace(fmt.Sprintf("exit %d\n%s\n%s", code, out.String(), errs.String()))
}

// verifications are logs of the project and the flags to verify them with. The plan and
// the evidence of a run are named by flags, so that a pipe has them too.
func verifications(t *testing.T) (list []verification) {
	t.Helper()
	const root = "../testdata/examples"
	logs, err := filepath.Glob(root + "/session/*.jsonl")
	if err != nil {
		t.Fatal(err)
	}
	for _, log := range logs {
		list = append(list, verification{log: read(t, log)})
	}
	runs, err := filepath.Glob(root + "/trace/*/trace.jsonl")
	if err != nil {
		t.Fatal(err)
	}
	for _, log := range runs {
		dir := filepath.Dir(log)
		list = append(list, verification{read(t, log), []string{"--evidence-root", dir, "--plan", filepath.Join(dir, "plan.json")}})
	}
	if len(logs) < 5 || len(runs) < 5 {
		t.Fatalf("%d logs, %d runs", len(logs), len(runs))
	}
	var many strings.Builder
	for i := range 1_500 {
		fmt.Fprintf(&many, `{"idx":%d,"kind":"step_started","step_id":"s%d","mood%d":1}`+"\n", i/2, i%900, i)
	}
	for _, log := range []string{many.String(), "", "\n\xff\n"} {
		list = append(list, verification{[]byte(log), []string{"--no-evidence"}})
	}
	return list
}

type verification struct {
	log   []byte
	flags []string
}

func read(t *testing.T, name string) []byte {
	t.Helper()
	text, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	return text
}

// TestOneAnswer: a log has one answer (report, messages and exit code, its name apart),
// whether it is a file or comes through a pipe in whatever pieces, and with any number of
// jobs; in every format, as lines and as an array, good and damaged. The format jsonl alone
// gives findings as they come.
func TestOneAnswer(t *testing.T) {
	formats := []string{"json", "text", "short", "sarif", "github", "junit", "gitlab", "checkstyle", "tap"}
	compared := 0
	for i, v := range racetest.Some(t, verifications(t)) {
		for round := range 6 {
			random := rand.New(rand.NewPCG(uint64(i), uint64(round)))
			log := v.log
			if round%3 == 2 {
				log = []byte("[" + strings.Join(strings.Split(strings.TrimSpace(string(log)), "\n"), ",\r\n") + "]")
			}
			if at := len(log); round > 2 && at > 0 {
				at = random.IntN(at)
				log = append(append(bytes.Clone(log[:at]), []string{"", "\n", "x", "\xff", "]", "{"}[random.IntN(6)]...), log[at+random.IntN(min(40, len(log)-at)):]...)
			}
			name := filepath.Join(t.TempDir(), "log.jsonl")
			if err := os.WriteFile(name, log, 0o600); err != nil {
				t.Fatal(err)
			}
			args := append([]string{"trace", "verify", "--format", formats[random.IntN(len(formats))]}, v.flags...)
			args = append(args, []string{"--strict", "--contiguous", "--max-findings=3", "--max-line-bytes=900", "--max-ids=4", "--check-ids"}[random.IntN(6)])
			want := program(t, nil, name, append(args, "--jobs=1", name)...)
			for jobs := 1; jobs <= 4; jobs++ {
				args := append(args[:len(args):len(args)], fmt.Sprintf("--jobs=%d", jobs))
				piped := program(t, &oddPipe{bytes.NewReader(log), random, 1 << random.IntN(14)}, name, append(args, "--stdin-name="+name, "-")...)
				for way, got := range map[string]string{"a pipe": piped, "a file": program(t, nil, name, append(args, name)...)} {
					if got != want {
						at := 0
						for at < min(len(got), len(want)) && got[at] == want[at] {
							at++
						}
						t.Fatalf("%q, %s, another answer from byte %d on:\n%.600s\nwant\n%.600s", args, way, at, got[max(0, at-200):], want[max(0, at-200):])
					}
				}
			}
			compared++
		}
	}
	t.Logf("%d logs, each read in 9 ways", compared)
}
