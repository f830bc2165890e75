package cmdline

import (
	"strings"

	"github.com/urfave/cli/v2"

	"github.com/cupel-dev/cupel/internal/buildinfo"
)

// HelpSchema names the document of `cupel help --format json`.
const HelpSchema = "cupel.help/1"

// HelpDocument is the help as JSON, the source of texts, manual pages and site.
type HelpDocument struct {
	Schema      string         `json:"schema"`
	Status      string         `json:"status"`
	Site        string         `json:"site"` // where the documentation is published
	Commands    []commandHelp  `json:"commands"`
	Topics      []HelpTopic    `json:"topics"`
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

// HelpTopic is a topic in that document.
type HelpTopic struct {
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

// HelpDocument returns the document about the selected command or group, or about everything.
func (l *commandLine) HelpDocument() HelpDocument {
	cmd := l.Command()
	if cmd != nil && len(cmd.Subcommands) == 0 {
		return HelpDocumentOf(l.App, []Leaf{{l.name(), cmd}}, nil)
	}
	if cmd != nil {
		return HelpDocumentOf(l.App, Leaves(l.name(), cmd.Subcommands), nil)
	}
	var list []HelpTopic
	for _, t := range Topics(l.App) {
		list = append(list, HelpTopic{Name: t.Name, Title: t.Title})
	}
	return HelpDocumentOf(l.App, Leaves("", l.App.Commands), list)
}

// HelpDocumentOf returns the document with commands and topics. Common parts are included.
func HelpDocumentOf(app *cli.App, commands []Leaf, topics []HelpTopic) HelpDocument {
	d := HelpDocument{Schema: HelpSchema, Status: "ok", Site: buildinfo.Site, Commands: []commandHelp{}, Topics: append([]HelpTopic{}, topics...)}
	for _, cmd := range commands {
		d.Commands = append(d.Commands, commandHelp{
			Name: cmd.Name, Title: cmd.Usage, Usage: usageOf(app.Name+" "+cmd.Name, cmd.Command), About: cmd.Description,
			Examples: strings.Split(cmd.UsageText, "\n"), Flags: helpFlags(cmd.Flags), More: ReadMore(app, cmd.Name),
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
			names, usage := DescribeFlag(f)
			list = append(list, helpFlag{strings.TrimSpace(names), group.title, usage})
		}
	}
	return list
}
