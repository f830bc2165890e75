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

// TestFromAgentToAuditor: a fake agent whose recorder is killed again and again writes events into a log that rotates
// and has checkpoints. A witness cosigns the last one, and a second user verifies the log with the public files alone.
// Then attackers change the log, some of them with its keys; each change has its rule.
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
	exits := func(code int, args ...string) {
		t.Helper()
		cmd := exec.Command("cupel", args...)
		if out, _ := cmd.CombinedOutput(); cmd.ProcessState.ExitCode() != code {
			t.Errorf("%v: exit code %d, expected %d:\n%s", args, cmd.ProcessState.ExitCode(), code, out)
		}
	}
	run("evidence", "keygen", "log.pem", "log.pub.pem")
	run("evidence", "keygen", "witness.pem", "witness.pub.pem")
	flags := []string{
		"record", "-o", "log.jsonl", "--agent", "desk", "--redact", "--rotate-size", "64KiB", "--sign", "log.pem",
		"--checkpoint", "example.com/desk", "--checkpoint-key", "log.pem", "--checkpoint-every", "100",
	}
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

	var whole []byte
	for _, name := range files {
		text, err := os.ReadFile(name)
		check(t, err)
		whole = append(whole, text...)
	}
	if bytes.Contains(whole, []byte(secret)) {
		t.Error("the log has the secret")
	}
	said := run("witness", "--key", "witness.pem", "--name", "example.org/w1", "--state", "w1.json", "--vkey", "log.jsonl.checkpoint.vkey", "log.jsonl.checkpoint", "-o", "log.cosigned")
	vkey := regexp.MustCompile(`(?m)^vkey +(.*)$`).FindStringSubmatch(said)
	if vkey == nil {
		t.Fatalf("the witness does not say its key:\n%s", said)
	}
	check(t, os.WriteFile("witness.vkey", []byte(vkey[1]+"\n"), 0o666))
	public := append([]string{"log.jsonl.checkpoint.vkey", "log.pub.pem", "log.cosigned", "witness.vkey"}, files...)
	check(t, os.Mkdir("public", 0o777))
	for _, name := range public {
		text, err := os.ReadFile(name)
		check(t, err)
		check(t, os.WriteFile(filepath.Join("public", name), text, 0o666))
	}
	t.Chdir("public")
	keys := []string{"--checkpoint", "log.cosigned", "--vkey", "log.jsonl.checkpoint.vkey", "--vkey", "witness.vkey"}
	run(slices.Concat([]string{"trace", "verify", "--chain", "--strict", "--key", "log.pub.pem", "--checkpoint-state", "seen.json"}, keys, files)...)
	demand := append([]string{"trace", "verify", "--by", "session_id"}, keys...)
	refuse := func(rule, title string, args ...string) {
		t.Helper()
		out, err := exec.Command("cupel", args...).CombinedOutput()
		if err == nil || !bytes.Contains(out, []byte("["+rule+"]")) {
			t.Errorf("%s: %v, expected %s:\n%.2000s", title, err, rule, out)
		}
	}
	lines := bytes.SplitAfter(bytes.TrimSuffix(whole, []byte("\n")), []byte("\n"))
	check(t, os.WriteFile("cut.jsonl", bytes.Join(lines[:len(lines)-1], nil), 0o666))
	refuse("checkpoint.truncated", "an attacker who truncates", append(demand, "cut.jsonl")...)

	// The attacker also has the log's keys, and records another history.
	t.Chdir("..")
	check(t, os.Mkdir("attacker", 0o777))
	forge := func(name string, events int) {
		t.Helper()
		cmd := exec.Command("cupel", "record", "-o", name, "--agent", "desk", "--sign", "log.pem", "--end", "--checkpoint", "example.com/desk", "--checkpoint-key", "log.pem")
		cmd.Stdin = strings.NewReader(strings.Repeat(`{"event_type":"TOOL_CALL","payload":{"tool_name":"mail","args":{"n":"forged"}}}`+"\n", events))
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Fatalf("%v\n%s", err, out)
		}
	}
	forge("attacker/edited.jsonl", len(lines)-2) // all hashes and signatures are right
	forge("attacker/longer.jsonl", len(lines))
	forge("attacker/older.jsonl", 5)
	t.Chdir("public")
	refuse("checkpoint.fork", "an attacker who edits and renews all hashes", append(demand, "../attacker/edited.jsonl")...)
	refuse("checkpoint.rewritten", "an attacker who forks and continues", append(demand, "../attacker/longer.jsonl")...)
	alone := []string{"trace", "verify", "--vkey", "log.jsonl.checkpoint.vkey", "--checkpoint-state", "seen.json", "--checkpoint"}
	refuse("checkpoint.rollback", "an attacker who rolls back, with a checkpoint of then", append(alone, "../attacker/older.jsonl.checkpoint", "../attacker/older.jsonl")...)
	refuse("checkpoint.quorum", "an attacker whose checkpoint no witness saw",
		"trace", "verify", "--vkey", "log.jsonl.checkpoint.vkey", "--vkey", "witness.vkey", "--checkpoint", "../attacker/longer.jsonl.checkpoint", "../attacker/longer.jsonl")
	exits(1, "witness", "--key", "../witness.pem", "--state", "../w1.json", "../attacker/edited.jsonl.checkpoint", "-o", "edited.cosigned")
	t.Logf("%d events in %d files, %d kills, %d bytes per event", total, len(files), kills, len(whole)/len(lines))
}
