//go:build unix

package commands_test

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/cupel-dev/cupel/internal/racetest"
)

// recordedCalls returns the numbers that the fake agent of TestFromAgentToAuditor put into the calls of a log, in the
// order of its files.
func recordedCalls(t *testing.T) (numbers []string, files []string) {
	t.Helper()
	files, err := filepath.Glob("log.0*.jsonl")
	check(t, err)
	slices.Sort(files)
	if _, err := os.Stat("log.jsonl"); err == nil {
		files = append(files, "log.jsonl")
	}
	for _, name := range files {
		text, err := os.ReadFile(name)
		check(t, err)
		for _, m := range regexp.MustCompile(`(?m)"n":(\d+).*\n`).FindAllSubmatch(text, -1) {
			numbers = append(numbers, string(m[1]))
		}
	}
	return numbers, files
}

// TestFromAgentToAuditor: a fake agent whose recorder is killed again and again writes events into a log that rotates.
// Then the log is sealed and witnessed, and a second user verifies it with the public files alone.
func TestFromAgentToAuditor(t *testing.T) {
	total := 10_000 / racetest.Share(t, 10)
	const secret = "AKIAQYB2XFCJAEKKCUNM"
	t.Chdir(t.TempDir())
	run := func(args ...string) string {
		t.Helper()
		out, err := exec.Command("cupel", args...).CombinedOutput()
		if err != nil {
			t.Fatalf("%v: %v\n%s", args, err, out)
		}
		return string(out)
	}
	run("evidence", "keygen", "log.pem", "log.pub.pem")
	run("evidence", "keygen", "witness.pem", "witness.pub.pem")
	flags := []string{"record", "-o", "log.jsonl", "--agent", "desk", "--redact", "--rotate-size", "64KiB", "--sign", "log.pem"}
	r := rand.New(rand.NewPCG(1, uint64(total)))
	kills, next := 0, 0
	for rounds := 0; next < total; rounds++ {
		if rounds > total {
			t.Fatalf("%d of %d events after %d rounds", next, total, rounds)
		}
		size := min(1+r.IntN(400), total-next)
		cmd := exec.Command("cupel", flags...)
		in, err := cmd.StdinPipe()
		check(t, err)
		check(t, cmd.Start())
		for n := next; n < next+size; n++ {
			if _, err := fmt.Fprintf(in, `{"event_type":"TOOL_CALL","payload":{"tool_name":"mail","args":{"n":%d,"key":"%s"}}}`+"\n", n, secret); err != nil {
				break // it was killed
			}
			if n > next && r.IntN(300) == 0 {
				check(t, cmd.Process.Kill())
				kills++
				break
			}
		}
		_ = in.Close()
		_ = cmd.Wait() // it was killed
		numbers, _ := recordedCalls(t)
		next = len(numbers) // the agent continues after the last recorded event
	}
	end := exec.Command("cupel", append(flags, "--end")...)
	end.Stdin = strings.NewReader("")
	if out, err := end.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	numbers, files := recordedCalls(t)
	for i, n := range numbers {
		if n != fmt.Sprint(i) {
			t.Fatalf("call %d has the number %s", i, n)
		}
	}
	if len(numbers) != total || kills == 0 || len(files) < 3 {
		t.Fatalf("%d calls, %d kills, %d files", len(numbers), kills, len(files))
	}

	check(t, os.Mkdir("public", 0o777))
	var whole []byte
	for _, name := range files {
		text, err := os.ReadFile(name)
		check(t, err)
		whole = append(whole, text...)
		check(t, os.WriteFile(filepath.Join("public", name), text, 0o666))
	}
	if bytes.Contains(whole, []byte(secret)) {
		t.Error("the log has the secret")
	}
	check(t, os.WriteFile("whole.jsonl", whole, 0o666))
	run("trace", "seal", "--lines", "--checkpoint", "example.com/desk", "--sign", "log.pem", "-o", "log.checkpoint", "whole.jsonl")
	said := run("witness", "--key", "witness.pem", "--name", "example.org/w1", "--state", "w1.json", "--vkey", "log.checkpoint.vkey", "log.checkpoint", "-o", "public/log.cosigned")
	vkey := regexp.MustCompile(`(?m)^vkey +(.*)$`).FindStringSubmatch(said)
	if vkey == nil {
		t.Fatalf("the witness does not say its key:\n%s", said)
	}
	check(t, os.WriteFile("public/witness.vkey", []byte(vkey[1]+"\n"), 0o666))
	for _, name := range []string{"log.checkpoint.vkey", "log.pub.pem"} {
		text, err := os.ReadFile(name)
		check(t, err)
		check(t, os.WriteFile(filepath.Join("public", name), text, 0o666))
	}
	t.Chdir("public")
	run(append([]string{"trace", "verify", "--strict", "--key", "log.pub.pem"}, files...)...)
	check(t, os.WriteFile("whole.jsonl", whole, 0o666)) // what the checkpoint covers
	run("trace", "verify", "--by", "session_id", "--checkpoint", "log.cosigned", "--vkey", "log.checkpoint.vkey", "--vkey", "witness.vkey", "whole.jsonl")
	t.Logf("%d events in %d files, %d kills", total, len(files), kills)
}
