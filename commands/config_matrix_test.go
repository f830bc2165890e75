package commands

import (
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/urfave/cli/v2"

	"github.com/cupel-dev/cupel/commands/internal/cmdline"
)

// configMatrix has a line for each key of cupel.yaml, with its effect in a file that was found and not named.
var configMatrix = []struct {
	key, line string
	found     bool
}{
	{"exclude", "exclude: [old/]", true},
	{"per-file-ignores", "per-file-ignores: {a.yaml: [W-002]}", true},
	{"strict", "strict: true", true},
	{"select", "select: [V-]", true},
	{"ignore", "ignore: [W-004]", true},
	{"fail-on", "fail-on: warning", true},
	{"require", "require: [chain]", true},
	{"oatf.revision", "oatf: {revision: 2026-03}", true},
	{"evidence.classes", "evidence: {classes: [{pointer: /data/**, class: public}, {pointer: /subject, class: sensitive}, {pattern: 'ghp_', class: forbidden}]}", false},
	{"attest.pairs", "attest: {pairs: [{suite: s.yaml, traces: [t.json]}]}", true},
}

// matrixInputs are operands that commands of a family read.
var matrixInputs = map[string]string{"oatf": "a.yaml", "check": "a.yaml", "trace": "log.jsonl", "evidence": "run.ndjson", "attest": "t.json"}

// matrixNeeds are the flags without which a command does not run.
var matrixNeeds = map[string][]string{
	"oatf migrate": {"--to", "2026-03"}, "oatf eval": {"--trace", "log.jsonl"},
	"oatf simulate": {"--wait", "1s"}, "attest eval": {"--assertions", "s.yaml"}, "evidence attest": {"--key", "key.pem"}, "evidence pack": {"--output", "day.tar"}, "evidence prove": {"--seq", "0"}, "trace prove": {"--index", "0", "--checkpoint", "log.checkpoint"},
}

type matrixSetting struct {
	Key, From string
	Value     any
	Withheld  []string
}

// TestConfigMatrix combines every key, every command that reads cupel.yaml, and every source of the file: found,
// found and trusted, named, or missing.
func TestConfigMatrix(t *testing.T) {
	t.Chdir(t.TempDir())
	text := ""
	for _, k := range configMatrix {
		text += k.line + "\n"
	}
	writeFiles(t, map[string]string{
		"a.yaml": "oatf: \"0.1\"\nattack: {}\n", "log.jsonl": "{\"event_type\":\"ERROR\"}\n", "run.ndjson": `{"specversion":"1.0"}`,
		"t.json": `{"trace_id":"t","output":{},"steps":[]}`, "cupel.yaml": text, "named/cupel.yaml": text, "s.yaml": "assertions: [{assertion_id: a, type: content, spec: {target: output, check: contains, value: x}}]\n",
	})
	env, _ := testEnv(t)
	for _, args := range [][]string{{"evidence", "keygen", "key.pem", "key.pub.pem"}, {"trace", "seal", "--config=", "--lines", "--checkpoint", "example.com/a", "--sign", "key.pem", "-o", "log.checkpoint", "log.jsonl"}} {
		if code := Main(env, append([]string{"cupel"}, args...)); code != 0 {
			t.Fatalf("%v: exit code %d", args, code)
		}
	}
	commands := 0
	for _, cmd := range cmdline.Leaves("", newApp(env).Commands) {
		if !slices.ContainsFunc(cmd.Flags, func(f cli.Flag) bool { return f.Names()[0] == "show-config" }) {
			continue
		}
		commands++
		family, _, _ := strings.Cut(cmd.Name, " ")
		for _, way := range []struct {
			name  string
			flags []string
			file  string // that what holds comes from; "": none
		}{
			{"found", nil, "cupel.yaml"},
			{"trusted", []string{"--trust-config"}, "cupel.yaml"},
			{"named", []string{"--config", "named/cupel.yaml"}, "named/cupel.yaml"},
			{"none", []string{"--config="}, ""},
		} {
			settings := shownSettings(t, slices.Concat(strings.Fields(cmd.Name), matrixNeeds[cmd.Name], way.flags, []string{matrixInputs[family]}))
			for _, k := range configMatrix {
				at := slices.IndexFunc(settings, func(s matrixSetting) bool { return s.Key == k.key })
				var is matrixSetting
				if at >= 0 {
					is = settings[at]
				}
				inForce := way.file != "" && (k.found || way.name != "found")
				switch fromFile := way.file != "" && strings.HasPrefix(is.From, way.file+":"); {
				case fromFile != inForce:
					t.Errorf("%s, %s, %s: it comes from %q, expected in force: %v", cmd.Name, way.name, k.key, is.From, inForce)
				case (is.Withheld != nil) != (way.file != "" && !inForce):
					t.Errorf("%s, %s, %s: withheld is %q", cmd.Name, way.name, k.key, is.Withheld)
				}
			}
		}
	}
	if commands < 20 {
		t.Errorf("%d commands show a configuration", commands)
	}
}

// shownSettings returns the settings that --show-config prints.
func shownSettings(t *testing.T, args []string) []matrixSetting {
	t.Helper()
	env, out := testEnv(t)
	env.Stderr = new(strings.Builder)
	last := len(args) - 1
	Main(env, slices.Concat([]string{"cupel"}, args[:last], []string{"--show-config", "--format", "json"}, args[last:]))
	var doc struct {
		Configs []struct{ Settings []matrixSetting }
	}
	if err := json.Unmarshal(out.Bytes(), &doc); err != nil {
		return textSettings(t, args)
	}
	if len(doc.Configs) != 1 {
		t.Errorf("%q: %d configurations: %s", args, len(doc.Configs), out)
		return nil
	}
	return doc.Configs[0].Settings
}

// textSettings returns the settings of a command that shows them only as text.
func textSettings(t *testing.T, args []string) (list []matrixSetting) {
	t.Helper()
	env, out := testEnv(t)
	Main(env, slices.Concat([]string{"cupel"}, args[:len(args)-1], []string{"--show-config"}, args[len(args)-1:]))
	for line := range strings.Lines(out.String()) {
		key, rest, ok := strings.Cut(strings.TrimSpace(line), ": ")
		if !ok || !strings.HasPrefix(line, "  ") {
			continue
		}
		s := matrixSetting{Key: key, From: "default"}
		for _, file := range []string{"named/cupel.yaml:", "cupel.yaml:"} {
			if at := strings.Index(rest, "("+file); at >= 0 {
				s.From = rest[at+1:]
				break
			}
		}
		if _, held, ok := strings.Cut(rest, "withheld"); ok {
			s.Withheld = []string{held}
		}
		list = append(list, s)
	}
	if list == nil {
		t.Errorf("%q: %s", args, out)
	}
	return list
}

// TestFoundConfigWeakensNothing checks that redaction changes the same values and a check finds the same faults with
// and without a found configuration.
func TestFoundConfigWeakensNothing(t *testing.T) {
	leaky, err := os.ReadFile("../testdata/examples/evidence/leaky.ndjson")
	if err != nil {
		t.Fatal(err)
	}
	t.Chdir(t.TempDir())
	classes := configMatrix[slices.IndexFunc(configMatrix, func(k struct {
		key, line string
		found     bool
	},
	) bool {
		return !k.found
	})]
	writeFiles(t, map[string]string{"leaky.ndjson": string(leaky), "cupel.yaml": classes.line + "\n"})
	for _, command := range []string{"evidence redact --check", "evidence redact --diff", "evidence redact", "evidence lint"} {
		run := func(flags ...string) string {
			env, out := testEnv(t)
			env.Stderr = new(strings.Builder)
			Main(env, slices.Concat([]string{"cupel"}, strings.Fields(command), flags, []string{"leaky.ndjson"}))
			return out.String()
		}
		none := run("--config=")
		if got := run(); got != none {
			t.Errorf("%s: a file that was found changes the answer:\n%s\nexpected:\n%s", command, got, none)
		}
		for _, flags := range [][]string{{"--trust-config"}, {"--config", "cupel.yaml"}} {
			if run(flags...) == none {
				t.Errorf("%s %q: the classes have no effect", command, flags)
			}
		}
	}
}

func writeFiles(t *testing.T, files map[string]string) {
	t.Helper()
	for name, text := range files {
		if err := os.MkdirAll(filepath.Dir(name), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(name, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
}
