package commands

import (
	"strconv"
	"strings"

	"github.com/urfave/cli/v2"

	"github.com/cupel-dev/cupel/internal/config"
	"github.com/cupel-dev/cupel/internal/report"
)

// passedOver are the files of walked folders, and changed files, that a command leaves
// out, because their content or name shows them to be about something else, or because
// cupel.yaml excludes them. It says how many, and --show-files which.
type passedOver struct {
	none     string // what they are not: "no OATF document"
	files    []passedFile
	excluded int // of the files
	told     map[passedFile]bool
}

// passedFile is one of them, or a folder that is excluded.
type passedFile struct {
	File   string `json:"file"`
	Reason string `json:"reason"`
}

// passedOverList is where the files stand in a JSON report.
const passedOverList = "passed_over"

func showFilesFlag(category string) cli.Flag {
	return &cli.BoolFlag{Name: "show-files", Category: category, Usage: "list the files that are passed over because they are about something else, or excluded by cupel.yaml"}
}

// add is told of each file, and why cupel.yaml excludes it; "" when its content is the reason.
func (p *passedOver) add(name, excluded string) {
	why := p.none
	if excluded != "" {
		p.excluded++
		why = excluded
	}
	p.files = append(p.files, passedFile{name, why})
}

// addOnce is add for a command that finds inputs of two kinds: what is left out of both is told once.
func (p *passedOver) addOnce(name, excluded string) {
	f := passedFile{name, excluded}
	if p.told[f] {
		return
	}
	if p.told == nil {
		p.told = map[passedFile]bool{}
	}
	p.told[f] = true
	p.add(name, excluded)
}

// list reports the files, where --show-files asks for it.
func (p *passedOver) list(c *cli.Context, out *output) error {
	if !c.Bool("show-files") {
		return nil
	}
	for _, f := range p.files {
		err := out.Answer(report.Answer{List: passedOverList, Value: f, Subject: f.File, Outcome: report.Outcome{Word: "passed over, " + f.Reason}})
		if err != nil {
			return err
		}
	}
	return nil
}

// warn says how many there are where a command may print no closing line.
func (p *passedOver) warn(env Env, closing bool) {
	if !closing && len(p.files) > 0 {
		warn(env, strings.TrimPrefix(p.text(), "; ")+"; --show-files lists them")
	}
}

// text ends a closing line; "" when nothing was passed over.
func (p *passedOver) text() string { return passedText(len(p.files), p.excluded) }

// passedText is that text for so many files, of which some are excluded.
func passedText(files, excluded int) string {
	text := ""
	if others := files - excluded; others > 0 {
		text = "; " + counted(others, "other file") + " passed over"
	}
	if excluded > 0 {
		text += "; " + strconv.Itoa(excluded) + " excluded by " + config.Name
	}
	return text
}
