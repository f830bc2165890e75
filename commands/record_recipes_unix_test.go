//go:build unix

package commands_test

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"syscall"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// recipe returns the first block of docs/record-agents.md that matches a pattern.
func recipe(t *testing.T, pattern string) string {
	t.Helper()
	text, err := os.ReadFile("../docs/record-agents.md")
	check(t, err)
	for _, block := range regexp.MustCompile("(?ms)^```(?:json|sh)\n(.*?)^```$").FindAllStringSubmatch(string(text), -1) {
		if regexp.MustCompile(pattern).MatchString(block[1]) {
			return block[1]
		}
	}
	t.Fatalf("no block matches %s", pattern)
	return ""
}

// eventTypes returns the number of events of each type in a log.
func eventTypes(t *testing.T, name string) map[string]int {
	t.Helper()
	text, err := os.ReadFile(name)
	check(t, err)
	types := map[string]int{}
	for line := range bytes.Lines(text) {
		var event struct {
			Type string `json:"event_type"`
		}
		check(t, json.Unmarshal(line, &event))
		types[event.Type]++
	}
	return types
}

// verified checks that a log is valid, and that its payloads have the required members.
func verified(t *testing.T, args ...string) {
	t.Helper()
	if out, err := exec.Command("cupel", append([]string{"trace", "verify", "--strict-payload"}, args...)...).CombinedOutput(); err != nil {
		t.Errorf("%v: %v\n%s", args, err, out)
	}
}

// TestHookRecipe runs the documented hook commands as Claude Code does, for many tool calls at once.
func TestHookRecipe(t *testing.T) {
	var settings struct {
		Hooks map[string][]struct {
			Hooks []struct{ Type, Command string }
		}
	}
	check(t, json.Unmarshal([]byte(recipe(t, `"hooks"`)), &settings))
	t.Chdir(t.TempDir())
	check(t, os.Mkdir(".claude", 0o777))
	fire := func(event, members string) {
		if len(settings.Hooks[event]) != 1 {
			t.Errorf("the recipe has no hook for %s", event)
			return
		}
		sh := exec.Command("sh", "-c", settings.Hooks[event][0].Hooks[0].Command)
		sh.Stdin = strings.NewReader(`{"session_id":"abc","transcript_path":"/t.jsonl","cwd":"/w","hook_event_name":"` + event + `"` + members + `}`)
		var stderr bytes.Buffer
		sh.Stderr = &stderr
		if out, err := sh.Output(); err != nil || len(out) > 0 { // output would be a decision
			t.Errorf("%s: %v\n%s%s", event, err, out, stderr.Bytes())
		}
	}
	fire("UserPromptSubmit", `,"prompt":"list the files"`)
	const calls = 12
	var wg sync.WaitGroup
	for i := range calls {
		wg.Go(func() {
			call := fmt.Sprintf(`,"tool_name":"Bash","tool_input":{"command":"ls %d"}`, i)
			fire("PreToolUse", call)
			fire("PostToolUse", call+`,"tool_response":{"stdout":"a\nb","interrupted":false}`)
		})
	}
	wg.Wait()
	fire("Stop", `,"stop_hook_active":false`)
	fire("SessionEnd", `,"reason":"exit"`)
	verified(t, "--strict", ".claude/record.jsonl")
	want := map[string]int{"SESSION_START": 1, "LLM_CALL": 1, "TOOL_CALL": calls + 1, "TOOL_RESULT": calls, "SESSION_END": 1}
	if diff := cmp.Diff(want, eventTypes(t, ".claude/record.jsonl")); diff != "" {
		t.Error(diff)
	}
	fire("UserPromptSubmit", `,"prompt":"again"`)
	verified(t, "--growing", ".claude/record.000001.jsonl", ".claude/record.jsonl")
}

// mcpServer is the fake server of TestProxyRecipe. It plays the server's part of a conversation: lines of the client
// start with ">", its own with "<".
const mcpServer = `#!/bin/sh
while IFS= read -r turn <&3; do
  case $turn in
  '>'*) IFS= read -r question || exit 1 ;;
  *) printf '%s\n' "${turn#<}" ;;
  esac
done 3<"$1"
cat
echo bye >&2
exit 7
`

// TestProxyRecipe talks to a fake server through the documented command. The client must see what the server wrote, and
// the verdict on the log must be that on the messages themselves.
func TestProxyRecipe(t *testing.T) {
	var config struct {
		Servers map[string]struct {
			Command string
			Args    []string
		} `json:"mcpServers"`
	}
	check(t, json.Unmarshal([]byte(recipe(t, `mcpServers`)), &config))
	examples, err := filepath.Abs("../testdata/examples/oatf")
	check(t, err)
	text, err := os.ReadFile(filepath.Join(examples, "rug-pull-exploited.jsonl"))
	check(t, err)
	dir := t.TempDir()
	t.Chdir(dir)
	var turns []string
	for line := range strings.Lines(string(text)) {
		if strings.Contains(line, `"result"`) || strings.Contains(line, "tools/list_changed") {
			line = "<" + line
		} else {
			line = ">" + line
		}
		turns = append(turns, line)
	}
	check(t, os.WriteFile("server.txt", []byte(strings.Join(turns, "")), 0o666))
	check(t, os.WriteFile("mcp-server-files", []byte(mcpServer), 0o777))
	t.Setenv("PATH", dir+string(os.PathListSeparator)+os.Getenv("PATH"))
	files := config.Servers["files"]
	for i, arg := range files.Args {
		if arg == "/srv" {
			files.Args[i] = "server.txt"
		}
	}
	cmd := exec.Command(files.Command, files.Args...)
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	in, err := cmd.StdinPipe()
	check(t, err)
	out, err := cmd.StdoutPipe()
	check(t, err)
	check(t, cmd.Start())
	answers := bufio.NewReader(out)
	for _, turn := range turns {
		line := turn[1:]
		if turn[0] == '<' {
			if got, err := answers.ReadString('\n'); err != nil || got != line {
				t.Fatalf("the client got %q, %v, expected %q", got, err, line)
			}
			continue
		}
		for _, part := range []string{line[:len(line)/2], line[len(line)/2:]} {
			_, err := io.WriteString(in, part)
			check(t, err)
		}
	}
	_, err = io.WriteString(in, "no message, no line end")
	check(t, err)
	check(t, in.Close())
	rest, err := io.ReadAll(answers)
	check(t, err)
	_ = cmd.Wait() // its state says more
	if code := cmd.ProcessState.ExitCode(); code != 7 || stderr.String() != "bye\n" {
		t.Errorf("exit code %d, expected that of the server, 7\n%s", code, &stderr)
	}
	if string(rest) != "no message, no line end" {
		t.Errorf("the client got %q at the end", rest)
	}
	verified(t, "--strict", "files.jsonl")
	verdict := func(capture string) string {
		out, err := exec.Command("cupel", "oatf", "eval", "--format", "json", filepath.Join(examples, "rug-pull.yaml"), "--trace", capture).Output()
		if cmd.ProcessState == nil || err == nil {
			t.Errorf("%s: not exploited", capture)
		}
		var report struct {
			Verdicts []struct {
				Verdict  struct{ Result string }
				Delivery struct{ Status string }
			}
			Summary map[string]any
		}
		check(t, json.Unmarshal(out, &report))
		return fmt.Sprint(report.Verdicts, report.Summary)
	}
	if direct, recorded := verdict(filepath.Join(examples, "rug-pull-exploited.jsonl")), verdict("files.jsonl"); direct != recorded || !strings.Contains(direct, "exploited") {
		t.Errorf("the verdict on the log differs:\n%s\n%s", direct, recorded)
	}
}

// TestReceiverRecipe sends the documented request to the receiver and evaluates the log.
func TestReceiverRecipe(t *testing.T) {
	address := regexp.MustCompile(`--otlp (\S+)`).FindStringSubmatch(recipe(t, `--otlp`))
	body := regexp.MustCompile(`(?s)-d '(.*)'`).FindStringSubmatch(recipe(t, `^curl`))
	if address == nil || body == nil {
		t.Fatal("the recipe has no address or no body")
	}
	otlpExample, err := filepath.Abs("../testdata/examples/attest/otel.pb")
	check(t, err)
	t.Chdir(t.TempDir())
	cmd := exec.Command("cupel", "record", "--otlp", strings.Replace(address[1], ":4318", ":0", 1), "-o", "spans.jsonl", "--end")
	said, err := cmd.StderrPipe()
	check(t, err)
	check(t, cmd.Start())
	t.Cleanup(func() { _ = cmd.Process.Kill() }) // it may be gone
	hint, err := bufio.NewReader(said).ReadString('\n')
	check(t, err)
	url := regexp.MustCompile(`http://127\.0\.0\.1:\d+`).FindString(hint)
	post := func(kind, body string) (int, string) {
		resp, err := http.Post(url+"/v1/traces", kind, strings.NewReader(body))
		check(t, err)
		defer func() { _ = resp.Body.Close() }()
		text, err := io.ReadAll(resp.Body)
		check(t, err)
		return resp.StatusCode, string(text)
	}
	if code, text := post("application/json", body[1]); code != http.StatusOK {
		t.Errorf("%d %s", code, text)
	}
	packed, err := os.ReadFile(otlpExample)
	check(t, err)
	if code, text := post("application/x-protobuf", string(packed)); code != http.StatusOK || text != "" {
		t.Errorf("%d %s", code, text)
	}
	check(t, cmd.Process.Signal(syscall.SIGTERM))
	if err := cmd.Wait(); err != nil {
		t.Error(err)
	}
	verified(t, "--strict", "spans.jsonl")
	for _, args := range [][]string{{"attest", "validate", "--from", "otel", "spans.jsonl"}} {
		if out, err := exec.Command("cupel", args...).CombinedOutput(); err != nil {
			t.Errorf("%v: %v\n%s", args, err, out)
		}
	}
}
