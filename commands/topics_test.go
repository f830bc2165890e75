package commands

import (
	"os"
	"slices"
	"strings"
	"testing"
)

// TestTopics: each topic is listed, found by its name in any letter case, and has a text; none hides a command.
func TestTopics(t *testing.T) {
	env, out := testEnv(t)
	app := newApp(env)
	list := topics(app)
	for _, topic := range list {
		out.Reset()
		if code := Main(env, []string{"cupel", "help", strings.ToUpper(topic.name)}); code != 0 || out.Len() < 100 || topic.title == "" {
			t.Errorf("%s: exit code %d, %d bytes", topic.name, code, out.Len())
		}
		for _, cmd := range app.Commands {
			if cmd.HasName(topic.name) {
				t.Errorf("topic %s hides the command", topic.name)
			}
		}
	}
	t.Logf("%d topics", len(list))
}

// TestRulesTopic: the topic is the document, which is left out of the program.
func TestRulesTopic(t *testing.T) {
	document, err := os.ReadFile("../docs/rules.md")
	if err != nil {
		t.Fatal(err)
	}
	if !strings.HasSuffix(string(document), "\n\n"+rulesText()) {
		t.Error("docs/rules.md does not end with what the topic prints")
	}
}

// TestFurtherReading: what the help of a command leads to is there, each once, and each command of the list is one.
func TestFurtherReading(t *testing.T) {
	env, _ := testEnv(t)
	app := newApp(env)
	known, links := topicNames(app), 0
	left := make(map[string]bool, len(furtherReading))
	for name := range furtherReading {
		left[name] = true
	}
	for _, cmd := range leaves("", app.Commands) {
		delete(left, cmd.name)
		more := readMore(app, cmd.name)
		if len(more) == 0 {
			t.Errorf("%s: no document is named", cmd.name)
		}
		for i, topic := range more {
			links++
			if !slices.Contains(known, topic) || slices.Contains(more[:i], topic) {
				t.Errorf("%s: topic %q is not there, or is named twice", cmd.name, topic)
			}
		}
	}
	if len(left) > 0 {
		t.Errorf("no commands: %v", left)
	}
	t.Logf("%d links", links)
}

// TestChangedFilesTopic: the document on --changed names each command that has it.
func TestChangedFilesTopic(t *testing.T) {
	document, err := os.ReadFile("../docs/cli.md")
	if err != nil {
		t.Fatal(err)
	}
	_, section, _ := strings.Cut(string(document), "\n## Changed files\n")
	section, _, _ = strings.Cut(section, "\n## ")
	section = strings.ReplaceAll(section, "`cupel ", "`")
	named := 0
	for _, cmd := range leaves("", newApp(Env{}).Commands) {
		if !slices.Contains(flagNames(cmd.Command), "changed") {
			continue
		}
		named++
		if !strings.Contains(section, "`"+cmd.name) {
			t.Errorf("%s is not named", cmd.name)
		}
	}
	if named == 0 {
		t.Fatal("no command has the flag")
	}
}
