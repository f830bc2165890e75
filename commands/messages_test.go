package commands_test

import (
	"encoding/json"
	"io"
	"iter"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/cupel-dev/cupel/commands"
	"github.com/cupel-dev/cupel/internal/voicetest"
)

// TestGeneratedDocumentsMessages: commands/testdata/messages.md has every message of the source.
func TestGeneratedDocumentsMessages(t *testing.T) {
	const path = "testdata/messages.md"
	all, err := messages()
	if err != nil {
		t.Fatal(err)
	}
	text := voicetest.Table(all)
	if *update {
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	have, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(string(have), text); diff != "" {
		t.Errorf("%s is not current; `make docs` writes it (-have +want):\n%s", path, diff)
	}
	t.Logf("%d messages", len(all))
}

// messages are collected once.
var messages = sync.OnceValues(func() ([]voicetest.Message, error) { return voicetest.Collect(os.DirFS("..")) })

// madeOfParts are messages that no single text of the source is.
var madeOfParts = []*regexp.Regexp{
	regexp.MustCompile(`^lines of the history that are not scores are skipped, history .*, count \d+$`), // followed by a log's attributes
	regexp.MustCompile(`nesting is deeper than the limit of \d+$`),                                      // its constant is also compared with a library's message
}

// knowHeard holds what the commands of scripts have said, on standard error and in the findings of
// their documents, against the collected messages.
func knowHeard(t *testing.T, folder string) {
	all, err := messages()
	if err != nil {
		t.Error(err)
		return
	}
	seen := map[string]bool{}
	for text, script := range spoken(t, folder) {
		if seen[text] {
			continue
		}
		seen[text] = true
		if !voicetest.Known(all, text) && !slices.ContainsFunc(madeOfParts, matches(text)) {
			t.Errorf("%s: no message of commands/testdata/messages.md: %s", script, text)
		}
		if wrong := wrongNumber.FindString(text); wrong != "" {
			t.Errorf("%s: %q: one is one, and others are several: %s", script, wrong, text)
		}
	}
	t.Logf("%d messages were said", len(seen))
}

// hintedCall is a command in a message.
var hintedCall = regexp.MustCompile("`cupel ([^`]*)`")

// TestHintedCommands executes every command that a message names, with the placeholders that it has:
// none may be wrong usage. No message sends its reader to a file of the documentation.
func TestHintedCommands(t *testing.T) {
	text, err := os.ReadFile("testdata/messages.md") // every message: a test of its own holds that
	if err != nil {
		t.Fatal(err)
	}
	all := string(text)
	t.Chdir(t.TempDir())
	tried := map[string]bool{}
	for _, m := range regexp.MustCompile(`\bdocs/[a-z-]+\.md\b.*`).FindAllString(all, -1) {
		if strings.Contains(m, " shows ") || strings.Contains(m, " lists ") || strings.Contains(m, " says ") {
			t.Errorf("a message leads to a file: %s", m)
		}
	}
	for _, found := range hintedCall.FindAllStringSubmatch(all, -1) {
		call := found[1]
		if tried[call] || strings.ContainsAny(call, "‹…|<>$") || strings.HasPrefix(call, "attest serve") || strings.HasPrefix(call, "lsp") {
			continue
		}
		tried[call] = true
		args := strings.Fields(strings.NewReplacer("help COMMAND", "help trace verify", "help TOPIC", "help cli", "'", "").Replace(call))
		var said strings.Builder
		env := commands.Env{Context: t.Context(), Stdin: strings.NewReader(""), Stdout: io.Discard, Stderr: &said, Getenv: func(string) string { return "" }}
		code := commands.Main(env, append([]string{"cupel"}, args...))
		for _, wrong := range []string{"unknown command", "unknown flag", "unknown rule", "no command given", "unexpected operand"} {
			if strings.Contains(said.String(), wrong) {
				t.Errorf("`cupel %s`: %s", call, &said)
			}
		}
		if (args[0] == "help" || args[0] == "explain") && code != 0 {
			t.Errorf("`cupel %s`: exit code %d: %s", call, code, &said)
		}
	}
	if len(tried) < 10 {
		t.Fatalf("%d commands in all messages", len(tried))
	}
	t.Logf("%d commands", len(tried))
}

// ownNextSteps are forms of errors that are their own next step.
var ownNextSteps = []*regexp.Regexp{
	// They contain what was expected, or the action to take.
	regexp.MustCompile(`\bexpected\b|\bdid you mean\b`),
	regexp.MustCompile(`[:;,] (or )?(give|leave|name|raise|split|verify) `),
	// They want one of something, and say how many there are.
	regexp.MustCompile(`\b(is about|is of|is made of) one \w+, but there are \d+( inputs)?$`),
	// The findings of the run say what is wrong in which place, each with its help.
	regexp.MustCompile(`^the suite .* has (\d+ faults|1 fault)$|^cannot evaluate "|^no verdict on "`),
	// A fault in an expression or a value is reported with its line and column.
	regexp.MustCompile(`^--(\w+):\d+:\d+: |\[unsupported_method\]$`),
	// They are for the program that sends the requests.
	regexp.MustCompile(`^cannot read requests: `),
	// The name is wrong, and is in the message; if a similar one exists, a hint names it.
	regexp.MustCompile(`\bno such file or directory(: "[^"]*")?$`),
	// The system gives the reason; the action depends on the user.
	regexp.MustCompile(`: (permission denied|no space left on device|input/output error|broken pipe|file too large|is a directory|not a directory|too many open files|read-only file system|bad file descriptor|connection refused)$`),
}

// adviseHeard holds that every error that the commands of scripts have ended with comes with a next step: a
// hint after it, or what was expected within it.
func adviseHeard(t *testing.T, folder string) {
	files, err := filepath.Glob(filepath.Join(folder, "*", "*.txt"))
	if err != nil {
		t.Error(err)
	}
	seen := map[string]bool{}
	for _, path := range files {
		text, err := os.ReadFile(path)
		if err != nil {
			t.Error(err)
		}
		for message := range unadvised(string(text)) {
			if !seen[message] {
				seen[message] = true
				t.Errorf("%s: no hint after it, and no next step in it: %s", filepath.Base(filepath.Dir(path)), message)
			}
		}
	}
}

// unadvised yields the errors of a run that do not say what to do.
func unadvised(stderr string) iter.Seq[string] {
	return func(yield func(string) bool) {
		lines := strings.Split(stderr, "\n")
		for i, line := range lines[:len(lines)-1] { // what a signal has cut off has no end
			message, isError := strings.CutPrefix(line, "cupel: error: ")
			if !isError || strings.HasPrefix(lines[i+1], "cupel: hint: ") {
				continue
			}
			if !slices.ContainsFunc(ownNextSteps, matches(message)) && !yield(message) {
				return
			}
		}
	}
}

// wrongNumber is a count with the wrong form of what is counted.
var wrongNumber = regexp.MustCompile(`(^|[^-.\w])(1 (` + manyThings + `)|(0|[2-9]|[1-9]\d+) (` + oneThing + `))([^-\w ]|$| [^t])`)

const (
	oneThing   = "assertion|byte|command|document|error|event|fault|file|finding|folder|input|key|level|line|member|record|report|rule|run|second|shard|span|step|tool|trace|value|warning"
	manyThings = "assertions|bytes|commands|documents|errors|events|faults|files|findings|folders|inputs|keys|levels|lines|members|records|reports|rules|runs|seconds|shards|spans|steps|tools|traces|values|warnings"
)

func matches(text string) func(*regexp.Regexp) bool {
	return func(pattern *regexp.Regexp) bool { return pattern.MatchString(text) }
}

// spoken yields what is said in a folder of what scripts have printed, with the script's name.
func spoken(t *testing.T, folder string) func(func(text, script string) bool) {
	return func(yield func(text, script string) bool) {
		files, err := filepath.Glob(filepath.Join(folder, "*", "*"))
		if err != nil {
			t.Error(err)
		}
		for _, path := range files {
			text, err := os.ReadFile(path)
			if err != nil {
				t.Error(err)
			}
			list := saidInLines
			if filepath.Ext(path) == ".json" {
				list = saidInJSON
			}
			for _, message := range list(text) {
				if !yield(message, filepath.Base(filepath.Dir(path))) {
					return
				}
			}
		}
	}
}

// saidInLines returns the messages of standard error, without the lines of an input that show a place by a caret.
func saidInLines(text []byte) (list []string) {
	for line := range strings.Lines(string(text)) {
		for _, kind := range []string{"error", "hint", "warning"} {
			message, ok := strings.CutPrefix(line, "cupel: "+kind+": ")
			if !ok || !strings.HasSuffix(line, "\n") {
				continue // of another program, or cut off by a signal
			}
			if strings.Trim(message, " \n") == "^" {
				list = list[:max(len(list)-1, 0)]
			} else {
				list = append(list, strings.TrimSuffix(message, "\n"))
			}
		}
	}
	return list
}

// saidInJSON returns the messages and the help of the findings in a JSON document or its lines.
func saidInJSON(text []byte) (list []string) {
	decoder := json.NewDecoder(strings.NewReader(string(text)))
	for {
		var value any
		if decoder.Decode(&value) != nil {
			return list // the end, or where a signal has cut it off
		}
		list = append(list, saidInValue(value)...)
	}
}

// TestEditorSaysMessages: what the transcripts of the editor's server have in diagnostics, in errors and in what
// is shown to the user are messages of commands/testdata/messages.md.
func TestEditorSaysMessages(t *testing.T) {
	all, err := messages()
	if err != nil {
		t.Fatal(err)
	}
	scripts, err := filepath.Glob("../testdata/lsp/*.script")
	if err != nil {
		t.Fatal(err)
	}
	said := 0
	for _, path := range scripts {
		text, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		for line := range strings.Lines(string(text)) {
			sent, fromServer := strings.CutPrefix(line, "< ")
			var value any
			if !fromServer || json.Unmarshal([]byte(sent), &value) != nil {
				continue
			}
			for _, message := range shownInEditor(value) {
				said++
				if !voicetest.Known(all, message) {
					t.Errorf("%s: no message of commands/testdata/messages.md: %s", filepath.Base(path), message)
				}
			}
		}
	}
	if said < 40 {
		t.Errorf("%d messages: most are not found", said)
	}
	t.Logf("%d messages were said", said)
}

// shownInEditor returns the messages in a value that the server has sent: the first line of each.
func shownInEditor(value any) (list []string) {
	switch value := value.(type) {
	case []any:
		for _, v := range value {
			list = append(list, shownInEditor(v)...)
		}
	case map[string]any:
		for name, v := range value {
			if text, ok := v.(string); ok && name == "message" {
				first, _, _ := strings.Cut(text, "\n")
				list = append(list, first)
			}
			list = append(list, shownInEditor(v)...)
		}
	}
	return list
}

func saidInValue(value any) (list []string) {
	switch value := value.(type) {
	case []any:
		for _, v := range value {
			list = append(list, saidInValue(v)...)
		}
	case map[string]any:
		for name, v := range value {
			if text, ok := v.(string); ok && value["rule"] != nil && value["severity"] != nil && (name == "message" || name == "help") {
				list = append(list, text)
			}
			list = append(list, saidInValue(v)...)
		}
	}
	return list
}
