package commands

import (
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/cupel-dev/cupel/commands/internal/cmdline"
)

// TestTopics: each topic is listed, found by its name in any letter case, and has a text; none hides a command.
func TestTopics(t *testing.T) {
	env, out := testEnv(t)
	app := newApp(env)
	list := cmdline.Topics(app)
	for _, topic := range list {
		out.Reset()
		if code := Main(env, []string{"cupel", "help", strings.ToUpper(topic.Name)}); code != 0 || out.Len() < 100 || topic.Title == "" {
			t.Errorf("%s: exit code %d, %d bytes", topic.Name, code, out.Len())
		}
		for _, cmd := range app.Commands {
			if cmd.HasName(topic.Name) {
				t.Errorf("topic %s hides the command", topic.Name)
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
	if !strings.HasSuffix(string(document), "\n\n"+cmdline.RulesText()) {
		t.Error("docs/rules.md does not end with what the topic prints")
	}
}

// TestFurtherReading: what the help of a command leads to is there, each once.
func TestFurtherReading(t *testing.T) {
	env, _ := testEnv(t)
	app := newApp(env)
	known, links := cmdline.TopicNames(app), 0
	for _, cmd := range cmdline.Leaves("", app.Commands) {
		more := cmdline.ReadMore(app, cmd.Name)
		if len(more) == 0 {
			t.Errorf("%s: no document is named", cmd.Name)
		}
		for i, topic := range more {
			links++
			if !slices.Contains(known, topic) || slices.Contains(more[:i], topic) {
				t.Errorf("%s: topic %q is not there, or is named twice", cmd.Name, topic)
			}
		}
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
	for _, cmd := range cmdline.Leaves("", newApp(cmdline.Env{}).Commands) {
		if !slices.Contains(cmdline.FlagNames(cmd.Command), "changed") {
			continue
		}
		named++
		if !strings.Contains(section, "`"+cmd.Name) {
			t.Errorf("%s is not named", cmd.Name)
		}
	}
	if named == 0 {
		t.Fatal("no command has the flag")
	}
}
