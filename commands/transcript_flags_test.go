package commands

import (
	"bufio"
	"bytes"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/urfave/cli/v2"

	"github.com/cupel-dev/cupel/commands/internal/cmdline"
)

// flagOfTranscripts is a row of testdata/transcript_flags.txt.
type flagOfTranscripts struct {
	command, flag string
	class         string // "works", "refused" or "common"
	args          []string
}

func flagsOfTranscripts(t *testing.T) (list []flagOfTranscripts) {
	t.Helper()
	text, err := os.ReadFile("testdata/transcript_flags.txt")
	if err != nil {
		t.Fatal(err)
	}
	command := ""
	for lines := bufio.NewScanner(bytes.NewReader(text)); lines.Scan(); {
		line := lines.Text()
		switch words := strings.Fields(line); {
		case len(words) == 0 || strings.HasPrefix(line, "#"):
		case !strings.HasPrefix(line, "\t"):
			command = line
		case words[0] == "common":
			for _, flag := range words[1:] {
				list = append(list, flagOfTranscripts{command, flag, "common", nil})
			}
		default:
			list = append(list, flagOfTranscripts{command, words[1], words[0], words[2:]})
		}
	}
	return list
}

// TestTranscriptFlags gives each flag of the commands that read transcripts with one: it works, or is refused by name. A
// flag without a row fails.
func TestTranscriptFlags(t *testing.T) {
	session, err := os.ReadFile("../testdata/examples/transcripts/session.jsonl")
	if err != nil {
		t.Fatal(err)
	}
	rows := flagsOfTranscripts(t)
	commands := 0
	for _, cmd := range cmdline.Leaves("", newApp(cmdline.Env{}).Commands) {
		of := slices.DeleteFunc(slices.Clone(rows), func(r flagOfTranscripts) bool { return r.command != cmd.Name })
		if len(of) == 0 {
			continue
		}
		commands++
		for _, f := range cmd.Flags {
			if name := f.Names()[0]; !slices.ContainsFunc(of, func(r flagOfTranscripts) bool { return r.flag == name }) {
				t.Errorf("%s --%s: say in testdata/transcript_flags.txt whether it works with a transcript", cmd.Name, name)
			}
		}
		for _, r := range of {
			if !slices.ContainsFunc(cmd.Flags, func(f cli.Flag) bool { return f.Names()[0] == r.flag }) {
				t.Errorf("%s has no flag --%s", cmd.Name, r.flag)
			}
			if r.class != "common" {
				t.Run(cmd.Name+" "+r.flag, func(t *testing.T) { r.try(t, session) })
			}
		}
	}
	if commands != 5 {
		t.Errorf("%d commands, expected 5", commands)
	}
}

func (r flagOfTranscripts) try(t *testing.T, session []byte) {
	t.Helper()
	dir := t.TempDir()
	files := map[string][]byte{"session.jsonl": session, "key": []byte(strings.Repeat("ab", 32))}
	for _, name := range []string{"log.tsr", "authority.pem"} {
		text, err := os.ReadFile("../testdata/timestamp/" + name)
		if err != nil {
			t.Fatal(err)
		}
		files[name] = text
	}
	for name, text := range files {
		if err := os.WriteFile(filepath.Join(dir, name), text, 0o666); err != nil {
			t.Fatal(err)
		}
	}
	t.Chdir(dir)
	seal := func(name string, args ...string) {
		env, out := testEnv(t)
		Main(env, append([]string{"cupel", "trace", "seal"}, args...))
		if err := os.WriteFile(name, out.Bytes(), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	seal("anchor.json", "session.jsonl")
	env, _ := testEnv(t)
	Main(env, []string{"cupel", "evidence", "keygen", "key.pem", "key.pub.pem"})
	seal("sealed.txt", "--checkpoint", "example.com/a", "--sign", "key.pem", "-o", "log.checkpoint", "session.jsonl")
	vkey, err := os.ReadFile("log.checkpoint.vkey")
	if err == nil {
		err = os.WriteFile("policy.txt", []byte("log "+string(vkey)+"quorum none\n"), 0o666)
	}
	if err != nil {
		t.Fatal(err)
	}
	env, _ = testEnv(t)
	var said strings.Builder
	env.Stderr = &said
	code := Main(env, slices.Concat([]string{"cupel"}, strings.Fields(r.command), r.args, []string{"session.jsonl"}))
	named := strings.Contains(said.String(), "--"+r.flag+" ") && strings.Contains(said.String(), "transcript")
	switch {
	case r.class == "refused" && (code != 2 || !named):
		t.Errorf("exit code %d, expected 2 and a message that names the flag:\n%s", code, said.String())
	case r.class == "works" && code == 2:
		t.Errorf("exit code 2:\n%s", said.String())
	case r.class != "refused" && r.class != "works":
		t.Errorf("the class is %q", r.class)
	}
}
