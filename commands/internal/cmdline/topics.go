package cmdline

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/urfave/cli/v2"

	"github.com/cupel-dev/cupel/commands/internal/rulelist"
	"github.com/cupel-dev/cupel/docs"
	"github.com/cupel-dev/cupel/finding"
	"github.com/cupel-dev/cupel/internal/report"
)

// topic is a help topic other than a command.
type topic struct {
	Name  string // as it is asked for
	Title string
	Text  func(*cli.App) string
}

const topicsTopic = "topics"

// topicsText returns the list of topics: the tables of the program, then the documents by section.
func topicsText(app *cli.App) string {
	var b strings.Builder
	column := 0
	for _, name := range TopicNames(app) {
		column = max(column, len(name)+4)
	}
	write := func(title string, list []topic) {
		fmt.Fprintf(&b, "%s\n", title)
		for _, t := range list {
			fmt.Fprintf(&b, "  %-*s%s\n", column-2, t.Name, t.Title)
		}
		b.WriteString("\n")
	}
	all := Topics(app)
	write("Help", all[:len(all)-len(docs.Names())])
	for _, section := range docs.Sections {
		var list []topic
		for _, name := range section.Names {
			list = append(list, topic{Name: topicOf(app, name), Title: docs.Title(name)})
		}
		write(section.Title, list)
	}
	fmt.Fprintf(&b, "`%s help TOPIC` prints one of them.\n", app.Name)
	return b.String()
}

// documentEnding selects a document with the same name as a command: `cupel help check.md`.
const documentEnding = ".md"

// Topics returns the tables of the program, followed by its documents.
func Topics(app *cli.App) []topic {
	list := []topic{
		{topicsTopic, "This list", topicsText},
		{"exit-codes", "Exit codes", func(*cli.App) string { return exitCodesText() }},
		{"environment", "Environment variables", func(*cli.App) string { return environmentText() }},
		{"rules", "Every rule, with a bad and a good example", func(*cli.App) string { return RulesText() }},
		{"man", "Manual page cupel(1), for man", manPage},
	}
	for _, cmd := range manGroups(app) {
		list = append(list, topic{"man-" + cmd.Name, fmt.Sprintf("Manual page cupel-%s(1)", cmd.Name), func(app *cli.App) string { return groupPage(app, cmd) }})
	}
	for _, name := range docs.Names() {
		list = append(list, topic{topicOf(app, name), docs.Title(name), func(*cli.App) string {
			text, _ := docs.Text(name)
			return text
		}})
	}
	return list
}

func topicOf(app *cli.App, document string) string {
	if slices.ContainsFunc(app.Commands, func(cmd *cli.Command) bool { return cmd.HasName(document) }) {
		return document + documentEnding
	}
	return document
}

// FindTopic returns a topic by name, or by a document's path, "docs/cli.md".
func FindTopic(app *cli.App, words []string) (topic, bool) {
	asked := strings.Join(words, " ")
	name, isDocument := strings.CutSuffix(strings.TrimPrefix(asked, "docs/"), documentEnding)
	for _, t := range Topics(app) {
		if strings.EqualFold(asked, t.Name) || isDocument && strings.EqualFold(name, strings.TrimSuffix(t.Name, documentEnding)) {
			return t, true
		}
	}
	return topic{}, false
}

// TopicNames returns the names of all topics.
func TopicNames(app *cli.App) (names []string) {
	for _, t := range Topics(app) {
		names = append(names, t.Name)
	}
	return names
}

// RulesText is docs/rules.md without its heading.
func RulesText() string {
	var b strings.Builder
	w := bufio.NewWriter(&b)
	if err := errors.Join(ExplainAll(w, rulelist.AllRules(), true), w.Flush()); err != nil {
		panic("rulesText: " + err.Error()) // a strings.Builder takes all
	}
	return b.String()
}

func environmentText() string {
	var b strings.Builder
	b.WriteString("Environment variables:\n\n")
	for _, v := range environment {
		fmt.Fprintf(&b, "  %-28s  %s\n", v.name, v.meaning)
	}
	return b.String()
}

// ReadMore returns the documents on a command, the one with its name first.
func ReadMore(app *cli.App, name string) (names []string) {
	own := strings.ReplaceAll(name, " ", "-")
	if _, ok := docs.Text(own); ok {
		names = append(names, topicOf(app, own))
	}
	for _, document := range AboutOf(app, name).Docs {
		names = append(names, topicOf(app, document))
	}
	return names
}

// ExplainAll writes explanations of rules as plain text or Markdown.
func ExplainAll(w *bufio.Writer, rules []finding.Rule, markdown bool) error {
	var b strings.Builder
	for i, r := range rules {
		if i > 0 {
			b.WriteString("\n")
		}
		if markdown {
			report.ExplainMarkdown(&b, r)
		} else {
			report.ExplainText(&b, r)
		}
	}
	_, err := io.WriteString(w, b.String())
	return err
}

func topicWords(app *cli.App) (words []Word) {
	for _, t := range Topics(app) {
		words = append(words, Word{t.Name, t.Title})
	}
	return words
}

// HelpWords returns the possible arguments of help.
func HelpWords(app *cli.App) []Word {
	return slices.Concat(topicWords(app), commandWords(app.Commands))
}
