package commands

import (
	"github.com/urfave/cli/v2"

	"github.com/cupel-dev/cupel/internal/report"
)

// passedOver are the files of walked folders, and changed files, that a command leaves
// out, because their content or name shows them to be about something else. It says how many, and --show-files which.
type passedOver struct {
	none  string // what they are not: "no OATF document"
	names []string
}

// passedOverList is where the files stand in a JSON report.
const passedOverList = "passed_over"

func showFilesFlag(category string) cli.Flag {
	return &cli.BoolFlag{Name: "show-files", Category: category, Usage: "list the files that are passed over because they are about something else"}
}

// add is told of each file.
func (p *passedOver) add(name string) { p.names = append(p.names, name) }

// list reports the files, where --show-files asks for it.
func (p *passedOver) list(c *cli.Context, out *output) error {
	if !c.Bool("show-files") {
		return nil
	}
	type passedFile struct {
		File string `json:"file"`
	}
	for _, name := range p.names {
		err := out.Answer(report.Answer{List: passedOverList, Value: passedFile{name}, Subject: name, Outcome: report.Outcome{Word: "passed over, " + p.none}})
		if err != nil {
			return err
		}
	}
	return nil
}

// warn says how many there are where a command may print no closing line.
func (p *passedOver) warn(env Env, closing bool) {
	if !closing && len(p.names) > 0 {
		warn(env, counted(len(p.names), "other file")+" passed over; --show-files lists them")
	}
}

// text ends a closing line; "" when nothing was passed over.
func (p *passedOver) text() string {
	if len(p.names) == 0 {
		return ""
	}
	return "; " + counted(len(p.names), "other file") + " passed over"
}
