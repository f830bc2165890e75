//go:build unix

package commands

import (
	"os"
	"strings"
	"testing"
)

// TestChainOfHostileNames checks that names of segments cannot forge a line in places, messages, causes and damages.
func TestChainOfHostileNames(t *testing.T) {
	log, err := os.ReadFile("../testdata/examples/session/refund.jsonl")
	if err != nil {
		t.Fatal(err)
	}
	lines := strings.SplitAfter(string(log), "\n")
	t.Chdir(t.TempDir())
	names := []string{"2\nforged: valid \x1b[31m", "1\r\nforged", "0"}
	for i, part := range [][]string{lines[4:6], lines[:4], lines[6:]} {
		if err := os.WriteFile(names[i], []byte(strings.Join(part, "")), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	for _, format := range []string{"text", "short", "jsonl", "sarif", "github", "junit", "gitlab", "checkstyle", "tap"} {
		_, out, _ := runHere(t, append([]string{"trace", "verify", "--chain", "--format", format}, names...)...)
		for line := range strings.Lines(out) {
			if strings.HasPrefix(line, "forged") || strings.ContainsAny(strings.TrimSuffix(line, "\n"), "\x1b\r") {
				t.Errorf("%s: a forged line %q", format, line)
			}
		}
		if !strings.Contains(out, "forged") {
			t.Errorf("%s names no segment:\n%s", format, out)
		}
	}
}
