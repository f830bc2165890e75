package input

import (
	"strings"

	"github.com/urfave/cli/v2"

	"github.com/cupel-dev/cupel/commands/internal/app"
	"github.com/cupel-dev/cupel/commands/internal/cmdline"
	"github.com/cupel-dev/cupel/internal/report"
)

// PassedOver counts files that a command skips because of content, name or cupel.yaml. --show-files lists them.
type PassedOver struct {
	None     string // what they are not: "no OATF document"
	Files    []PassedFile
	excluded int // of the files
	told     map[PassedFile]bool
}

// PassedFile is a skipped file, or an excluded folder.
type PassedFile struct {
	File   string `json:"file"`
	Reason string `json:"reason"`
}

// PassedOverList is the name of the list in a JSON report.
const PassedOverList = "passed_over"

func ShowFilesFlag(category string) cli.Flag {
	return &cli.BoolFlag{Name: "show-files", Category: category, Usage: "list skipped files: other formats, and those that are excluded"}
}

// Add adds a file. excluded is what excludes it, or "" if it is skipped for its content.
func (p *PassedOver) Add(name, excluded string) {
	why := p.None
	if excluded != "" {
		if !strings.HasPrefix(excluded, byFlag) { // which the closing line does not name
			p.excluded++
		}
		why = excluded
	}
	p.Files = append(p.Files, PassedFile{name, why})
}

// AddOnce is Add for a command with two kinds of inputs. A file skipped for both is added once.
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

// List reports the files if --show-files is given.
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

// Warn warns of skipped files if the command does not print a closing line.
func (p *PassedOver) Warn(env cmdline.Env, closing bool) {
	if !closing && len(p.Files) > 0 {
		cmdline.Warn(env, strings.TrimPrefix(p.Text(), "; ")+"; --show-files lists them")
	}
}

// Text returns the end of a closing line, or "" if nothing was skipped.
func (p *PassedOver) Text() string { return passedText(len(p.Files), p.excluded) }

// Rest returns Text for a [report.Tally].
func (p *PassedOver) Rest() string { return strings.TrimPrefix(p.Text(), "; ") }

// passedText formats the number of skipped files. Excluded ones are not included, because the closing line counts
// them.
func passedText(files, excluded int) string {
	if others := files - excluded; others > 0 {
		return "; " + cmdline.Counted(others, "other file") + " skipped"
	}
	return ""
}
