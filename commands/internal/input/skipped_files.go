package input

import (
	"strings"

	"github.com/urfave/cli/v2"

	"github.com/cupel-dev/cupel/commands/internal/app"
	"github.com/cupel-dev/cupel/commands/internal/cmdline"
	"github.com/cupel-dev/cupel/internal/report"
)

// PassedOver counts files of walks and changed files that a command skips because of content, name
// or cupel.yaml. --show-files lists them.
type PassedOver struct {
	None     string // what they are not: "no OATF document"
	Files    []PassedFile
	excluded int // of the files
	told     map[PassedFile]bool
}

// PassedFile is one of them, or a folder that is excluded.
type PassedFile struct {
	File   string `json:"file"`
	Reason string `json:"reason"`
}

// PassedOverList is the list in a JSON report.
const PassedOverList = "passed_over"

// ShowFilesFlag is --show-files.
func ShowFilesFlag(category string) cli.Flag {
	return &cli.BoolFlag{Name: "show-files", Category: category, Usage: "list skipped files: other formats, and those that cupel.yaml excludes"}
}

// Add adds a file with the reason of its exclusion, "" for its content.
func (p *PassedOver) Add(name, excluded string) {
	why := p.None
	if excluded != "" {
		p.excluded++
		why = excluded
	}
	p.Files = append(p.Files, PassedFile{name, why})
}

// AddOnce is Add for a command that finds two kinds of inputs: a file skipped for both is added once.
func (p *PassedOver) AddOnce(name, excluded string) {
	f := PassedFile{name, excluded}
	if p.told[f] {
		return
	}
	if p.told == nil {
		p.told = map[PassedFile]bool{}
	}
	p.told[f] = true
	p.Add(name, excluded)
}

// List reports the files, where --show-files asks for it.
func (p *PassedOver) List(c *cli.Context, out *app.Output) error {
	if !c.Bool("show-files") {
		return nil
	}
	for _, f := range p.Files {
		err := out.Answer(report.Answer{List: PassedOverList, Value: f, Subject: f.File, Outcome: report.Outcome{Word: "passed over, " + f.Reason}})
		if err != nil {
			return err
		}
	}
	return nil
}

// Warn returns how many there are where a command may print no closing line.
func (p *PassedOver) Warn(env cmdline.Env, closing bool) {
	if !closing && len(p.Files) > 0 {
		cmdline.Warn(env, strings.TrimPrefix(p.Text(), "; ")+"; --show-files lists them")
	}
}

// Text ends a closing line; "" when nothing was passed over.
func (p *PassedOver) Text() string { return passedText(len(p.Files), p.excluded) }

// Rest is Text for a [report.Tally].
func (p *PassedOver) Rest() string { return strings.TrimPrefix(p.Text(), "; ") }

// passedText formats the number of files without those that are excluded, which the closing line counts.
func passedText(files, excluded int) string {
	if others := files - excluded; others > 0 {
		return "; " + cmdline.Counted(others, "other file") + " skipped"
	}
	return ""
}
