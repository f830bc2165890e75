package commands

import (
	"bytes"
	"context"
	"encoding/json"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/cupel-dev/cupel/attest"
	"github.com/cupel-dev/cupel/commands/internal/cmdline"
)

// TestSpecifications holds that both forms of `cupel version` list every contract, and
// that the protocol's version is the engine's.
func TestSpecifications(t *testing.T) {
	want := []string{
		"reasoning trace format 1", "session log schema 0.2", "evidence contract (ADR-006) 1.0", "OATF SDK specification 0.1",
		"OATF SDK specification 2026-03",
		"attest protocol " + strconv.Itoa(attest.ProtocolVersion),
	}
	var text, document bytes.Buffer
	for format, out := range map[string]*bytes.Buffer{"text": &text, "json": &document} {
		env := cmdline.Env{Context: context.Background(), Stdin: strings.NewReader(""), Stdout: out, Stderr: out}
		if code := Main(env, []string{"cupel", "version", "--format", format}); code != 0 {
			t.Fatalf("%s: exit code %d: %s", format, code, out)
		}
	}
	var inText, inJSON []string
	for _, line := range strings.Split(strings.TrimSpace(text.String()), "\n")[1:] {
		inText = append(inText, strings.Join(strings.Fields(line), " "))
	}
	var answer struct {
		Specifications []struct{ Name, Version string }
	}
	if err := json.Unmarshal(document.Bytes(), &answer); err != nil {
		t.Fatal(err)
	}
	for _, s := range answer.Specifications {
		inJSON = append(inJSON, s.Name+" "+s.Version)
	}
	if !slices.Equal(inText, want) || !slices.Equal(inJSON, want) {
		t.Errorf("text lists %q, json %q, want %q", inText, inJSON, want)
	}
}
