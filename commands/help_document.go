package commands

import (
	"strings"

	"github.com/urfave/cli/v2"

	"github.com/cupel-dev/cupel/internal/buildinfo"
)

const helpSchema = "cupel.help/1"

// helpDocument is the help as JSON: what the texts, the manual page and the site are made of.
type helpDocument struct {
	Schema      string         `json:"schema"`
	Status      string         `json:"status"`
	Site        string         `json:"site"` // where the documentation is published
	Commands    []commandHelp  `json:"commands"`
	Topics      []helpTopic    `json:"topics"`
	ExitCodes   []helpExitCode `json:"exit_codes"`
	Environment []helpVariable `json:"environment"`
}

type commandHelp struct {
	Name     string     `json:"name"` // without the program's: "evidence hash"
	Title    string     `json:"title"`
	Usage    string     `json:"usage"`
	About    string     `json:"about,omitempty"`
	Examples []string   `json:"examples"`
	Flags    []helpFlag `json:"flags"`
	More     []string   `json:"more,omitempty"` // the topics that say more
}

type helpFlag struct {
	Flag  string `json:"flag"` // with its short form and the word for its value: "-q, --quiet"
	Group string `json:"group"`
	About string `json:"about"`
}

type helpTopic struct {
	Name  string `json:"name"`
	Title string `json:"title"`
	Text  string `json:"text,omitempty"`
}

type helpExitCode struct {
	Code    int    `json:"code"`
	Meaning string `json:"meaning"`
}

type helpVariable struct {
	Name    string `json:"name"`
	Meaning string `json:"meaning"`
}

// helpDocument is the document on the command that the arguments lead to: that alone, those of a
// group, or all with the topics.
func (l *commandLine) helpDocument() helpDocument {
	cmd := l.command()
	if cmd != nil && len(cmd.Subcommands) == 0 {
		return helpDocumentOf(l.app, []leaf{{l.name(), cmd}}, nil)
	}
	if cmd != nil {
		return helpDocumentOf(l.app, leaves(l.name(), cmd.Subcommands), nil)
	}
	var list []helpTopic
	for _, t := range topics(l.app) {
		list = append(list, helpTopic{Name: t.name, Title: t.title})
	}
	return helpDocumentOf(l.app, leaves("", l.app.Commands), list)
}

// helpDocumentOf is the document with these commands and topics. What is of all commands is in each.
func helpDocumentOf(app *cli.App, commands []leaf, topics []helpTopic) helpDocument {
	d := helpDocument{Schema: helpSchema, Status: "ok", Site: buildinfo.Site, Commands: []commandHelp{}, Topics: append([]helpTopic{}, topics...)}
	for _, cmd := range commands {
		d.Commands = append(d.Commands, commandHelp{
			Name: cmd.name, Title: cmd.Usage, Usage: usageOf(app.Name+" "+cmd.name, cmd.Command), About: cmd.Description,
			Examples: strings.Split(cmd.UsageText, "\n"), Flags: helpFlags(cmd.Flags), More: readMore(app, cmd.name),
		})
	}
	for _, row := range exitTable {
		d.ExitCodes = append(d.ExitCodes, helpExitCode{row.code, row.meaning})
	}
	for _, v := range environment {
		d.Environment = append(d.Environment, helpVariable{v.name, v.meaning})
	}
	return d
}

func helpFlags(flags []cli.Flag) []helpFlag {
	list := []helpFlag{}
	for _, group := range flagGroups(flags) {
		for _, f := range group.flags {
			names, usage := describeFlag(f)
			list = append(list, helpFlag{strings.TrimSpace(names), group.title, usage})
		}
	}
	return list
}
