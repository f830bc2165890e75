//go:build unix

package commands_test

import (
	"context"
	"os"
	"strings"
	"syscall"
	"testing"
)

// named is a file that the user names, as an operand or by a flag.
type named struct {
	args string // NAME is replaced by the file
	text string // of a sound one
	code int    // with it
	flag string // that names it, and that errors name; "": an operand
	// file says that the flag takes regular files alone: the run replaces them.
	file bool
	raw  bool // not a text: compressed bytes are also valid
	// endless is an operand, which the user may name however long it is.
	endless bool
}

// checkpointText is a checkpoint that no known key has signed, of another log.
var checkpointText = strings.ReplaceAll(hostileCheckpoint, "VALUE", "example.com/log")

func namedFiles(t *testing.T) []named {
	document := exampleText(t, "oatf/rug-pull.yaml")
	agentTrace := exampleText(t, "attest/refund.json")
	session := exampleText(t, "session/refund.jsonl")
	return []named{
		{args: "trace verify NAME", text: traceText, endless: true},
		{args: "trace report NAME", text: traceText, endless: true},
		{args: "trace seal NAME", text: session, endless: true},
		{args: "record --from auto -o new.log NAME", text: exampleText(t, "transcripts/session.jsonl"), endless: true},
		{args: "trace prove --index 0 --checkpoint NAME log.jsonl", text: checkpointText, code: 1, flag: "--checkpoint"},
		{args: "trace prove --consistency NAME newer log.jsonl", text: checkpointText, code: 1, flag: "--consistency"},
		{args: "trace prove --index 0 --checkpoint newer NAME", text: session, code: 1, endless: true},
		{args: "trace prove --check NAME --event event.json --vkey " + strangeVKey, text: "c2sp.org/tlog-proof@v1\nindex 0\n\n" + checkpointText, code: 1, flag: "--check"},
		{args: "witness --key key.pem --state new.state --vkey " + strangeVKey + " NAME", text: checkpointText, code: 1},
		{args: "evidence hash NAME", text: eventText, endless: true},
		{args: "oatf lint NAME", text: document, endless: true},
		{args: "oatf fmt -l NAME", text: document, endless: true},
		{args: "oatf fmt NAME", text: document, endless: true},
		{args: "oatf migrate --to 2026-03 NAME", text: document, endless: true},
		{args: "oatf migrate --to 2026-03 -d NAME", text: document, endless: true},
		{args: "oatf normalize NAME", text: document, endless: true},
		{args: "attest validate NAME", text: agentTrace, endless: true},
		{args: "attest record NAME", text: agentTrace, endless: true},
		{args: "attest eval --assertions suite.yaml NAME", text: agentTrace, endless: true},
		{args: "attest eval --assertions suite.yaml --trace NAME", text: agentTrace, endless: true},
		{args: "attest eval --assertions NAME trace.json", text: suiteText, flag: "--assertions"},
		{args: "attest eval --engine-config NAME --assertions suite.yaml trace.json", text: "max_concurrent: 3\n", flag: "--engine-config"},
		{args: "attest validate --engine-config NAME trace.json", text: "max_concurrent: 3\n", flag: "--engine-config"},
		{args: "attest serve --config NAME", text: "max_concurrent: 3\n", flag: "--config"},
		{args: "oatf lint --config NAME a.yaml", text: configText, flag: "--config"},
		{args: "trace verify --plan NAME trace.jsonl", text: `{"id":"p1","nodes":[{"id":"canary"}]}`, flag: "--plan"},
		{args: "trace verify --hmac-key-file NAME log.jsonl", text: "key", code: 1, flag: "--hmac-key-file", raw: true},
		{args: "trace verify --anchor NAME log.jsonl", text: "", flag: "--anchor"},
		{args: "trace verify --state NAME log.jsonl", text: "", flag: "--state", file: true},
		{args: "trace verify --baseline NAME log.jsonl", text: `{"schema":"cupel.baseline/1","findings":[]}`, flag: "--baseline"},
		{args: "oatf lint --baseline NAME a.yaml", text: `{"schema":"cupel.baseline/1","findings":[]}`, flag: "--baseline"},
		{args: "evidence hash --limits @NAME event.json", text: limitsText, flag: "--limits"},
		{args: "evidence hash --check-sums NAME", text: "", flag: "--check-sums", endless: true},
	}
}

// words returns the arguments of a run on the file of that name.
func (n named) words(name string) []string {
	return strings.Fields(strings.ReplaceAll(n.args, "NAME", name))
}

// layNamed changes to a new folder that has the files the runs also read.
func layNamed(t *testing.T) {
	t.Helper()
	files := map[string]string{
		"suite.yaml": suiteText, "trace.json": exampleText(t, "attest/refund.json"), "a.yaml": exampleText(t, "oatf/rug-pull.yaml"),
		"trace.jsonl": traceText, "log.jsonl": logText, "event.json": eventText, "newer": checkpointText,
		"key.pem": "-----BEGIN PRIVATE KEY-----\nMC4CAQAwBQYDK2VwBCIEIAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA\n-----END PRIVATE KEY-----\n",
	}
	t.Chdir(t.TempDir())
	for name, text := range files {
		writeFile(t, name, []byte(text))
	}
}

// sound writes the sound file of the kind; what only cupel writes, it writes.
func (n named) sound(t *testing.T, name string) {
	t.Helper()
	text := n.text
	switch n.flag {
	case "--anchor":
		text = runWithin(t, t.Context(), strings.NewReader(""), "trace", "seal", "log.jsonl").stdout
	case "--check-sums":
		text = runWithin(t, t.Context(), strings.NewReader(""), "evidence", "hash", "event.json").stdout
	case "--state":
		if got := runWithin(t, t.Context(), strings.NewReader(""), "trace", "verify", "--state", name, "log.jsonl"); got.code != 0 {
			t.Fatal(got)
		}
		return
	}
	writeFile(t, name, []byte(text))
}

// TestNamedFiles reads what the user names, through links and pipes too, and stops where
// it has a limit.
func TestNamedFiles(t *testing.T) {
	for _, n := range namedFiles(t) {
		t.Run(strings.ReplaceAll(n.args, "/", "_"), func(t *testing.T) {
			layNamed(t)
			run := func(name string) ran {
				return runWithin(t, t.Context(), strings.NewReader(""), n.words(name)...)
			}
			n.sound(t, "sound")
			if got := run("sound"); got.code != n.code {
				t.Fatalf("exit code %d, expected %d\n%s%s", got.code, n.code, got.stdout, got.stderr)
			}
			symlink(t, "sound", "link")
			if got := run("link"); got.code != n.code {
				t.Errorf("a link: exit code %d\n%s%s", got.code, got.stdout, got.stderr)
			}
			mkfifo(t, "pipe")
			n.pipe(t, run)
			writeFile(t, "packed", []byte("\xfd7zXZ\x00canary"))
			if !n.raw {
				n.refuse(t, run, "packed", "xz -dc FILE")
			}
			symlink(t, "nothing", "dangling")
			if n.flag != "--state" { // there may be no state yet
				n.refuse(t, run, "missing", "no such file")
				n.refuse(t, run, "dangling", "no such file")
			}
			if !n.endless {
				n.refuse(t, run, "/dev/zero", map[bool]string{true: "a device", false: "larger than"}[n.file])
			}
		})
	}
}

// pipe runs the command on a pipe that somebody writes the sound text to.
func (n named) pipe(t *testing.T, run func(string) ran) {
	t.Helper()
	if n.file {
		n.refuse(t, run, "pipe", "a named pipe")
		return
	}
	text, err := os.ReadFile("sound")
	if err != nil {
		t.Fatal(err)
	}
	wrote := make(chan error, 1)
	go func() { wrote <- os.WriteFile("pipe", text, 0) }()
	if got := run("pipe"); got.code != n.code {
		t.Errorf("a pipe: exit code %d\n%s%s", got.code, got.stdout, got.stderr)
	}
	if err := within(t, wrote); err != nil {
		t.Error(err)
	}
}

// refuse expects the run to fail with a message that names the file, and the flag.
func (n named) refuse(t *testing.T, run func(string) ran, name, says string) {
	t.Helper()
	got := run(name)
	if got.code != 2 || !strings.Contains(got.stderr, name) || !strings.Contains(got.stderr, says) || !strings.Contains(got.stderr, n.flag) {
		t.Errorf("%s: exit code %d, expected 2 and %q, %q, %q\n%s%s", name, got.code, n.flag, name, says, got.stdout, got.stderr)
	}
	if strings.Contains(got.stdout+got.stderr, canary) {
		t.Errorf("%s: its bytes are shown\n%s%s", name, got.stdout, got.stderr)
	}
}

// TestNamedPipesEndWithCtrlC names pipes that are never opened for writing, and pipes without writes: Ctrl-C ends
// every wait.
func TestNamedPipesEndWithCtrlC(t *testing.T) {
	cases := 0
	for _, n := range namedFiles(t) {
		if n.file {
			continue // no pipe is opened
		}
		cases++
		t.Run(strings.ReplaceAll(n.args, "/", "_"), func(t *testing.T) {
			layNamed(t)
			mkfifo(t, "pipe")
			ctx, interrupt := context.WithCancel(t.Context())
			go interrupt()
			if got := runWithin(t, ctx, strings.NewReader(""), n.words("pipe")...); got.code != 130 {
				t.Errorf("nobody opens it: exit code %d, expected 130\n%s%s", got.code, got.stdout, got.stderr)
			}
			mkfifo(t, "silent")
			ctx, interrupt = context.WithCancel(t.Context())
			opened := make(chan *os.File, 1)
			go func() {
				w, err := os.OpenFile("silent", os.O_WRONLY, 0) // waits for the reader
				if err != nil {
					t.Error(err)
				}
				interrupt()
				opened <- w
			}()
			if got := runWithin(t, ctx, strings.NewReader(""), n.words("silent")...); got.code != 130 {
				t.Errorf("nobody writes to it: exit code %d, expected 130\n%s%s", got.code, got.stdout, got.stderr)
			}
			if err := within(t, opened).Close(); err != nil {
				t.Error(err)
			}
		})
	}
	t.Logf("%d cases", 2*cases)
}

func symlink(t *testing.T, target, name string) {
	t.Helper()
	if err := os.Symlink(target, name); err != nil {
		t.Fatal(err)
	}
}

func mkfifo(t *testing.T, name string) {
	t.Helper()
	if err := syscall.Mkfifo(name, 0o644); err != nil {
		t.Fatal(err)
	}
}
