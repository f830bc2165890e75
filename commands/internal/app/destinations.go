package app

import (
	"bufio"
	"cmp"
	"fmt"
	"io"
	"io/fs"
	"slices"
	"strings"

	"github.com/urfave/cli/v2"

	"github.com/cupel-dev/cupel/commands/internal/cmdline"
	"github.com/cupel-dev/cupel/internal/door"
	"github.com/cupel-dev/cupel/internal/report"
	"github.com/cupel-dev/cupel/internal/say"
	"github.com/cupel-dev/cupel/internal/term"
)

// destinations are the outputs of a report: standard output and files, each with a format.
type destinations struct {
	run    report.Run
	screen *screen
	color  string
	quiet  bool
	limits bool

	formats []string
	writers report.Several
	streams []stream
	files   []*door.Output // of the reports, and what else the run keeps
	walks   bool           // the run's inputs are known when it starts to answer
	whole   *destinations  // the destinations of which these are a section, or nil
}

type stream struct {
	*bufio.Writer
	file *door.Output // nil for standard output
}

type destination struct{ format, path string } // path "": standard output

// readFormats parses the values of --format. Without any, text goes to standard output.
func readFormats(values, known []string) (list []destination, err error) {
	if len(values) == 0 {
		values = []string{"text"}
	}
	stdout := ""
	for _, value := range values {
		format, path, toFile := strings.Cut(value, "=")
		switch {
		case !slices.Contains(known, format):
			return list, cmdline.BadValue("format", format, known)
		case toFile && listed(path, known):
			return list, &cmdline.UsageError{
				Message: fmt.Sprintf("--format %s has several formats, expected one", value),
				Hint:    fmt.Sprintf("give the flag once for each: --format %s", strings.Join(strings.Split(value, ","), " --format ")),
			}
		case toFile && (path == "" || path == "-"):
			return list, &cmdline.UsageError{
				Message: fmt.Sprintf("--format %s has no file name", value),
				Hint:    fmt.Sprintf("--format %[1]s writes to standard output, --format %[1]s=PATH into a file", format),
			}
		case !toFile && stdout != "":
			return list, &cmdline.UsageError{
				Message: fmt.Sprintf("both %s and %s would go to standard output", stdout, format),
				Hint:    fmt.Sprintf("send one of them into a file: --format %s=PATH", format),
			}
		case !toFile:
			stdout = format
		}
		list = append(list, destination{format, path})
	}
	return list, nil
}

// reportFile is the usage of --output of commands that make nothing but a report.
const reportFile = "write the report to `FILE`, like --format FORMAT=FILE"

func reportFileFlag() cli.Flag {
	return &cli.StringFlag{Name: "output", Aliases: []string{"o"}, Category: "Output", Usage: reportFile}
}

func isOutput(f cli.Flag) bool {
	s, ok := f.(*cli.StringFlag)
	return ok && s.Name == "output"
}

// led sends what would go to standard output to the file of --output.
func led(c *cli.Context, list []destination) error {
	path := c.String("output")
	ours := slices.ContainsFunc(c.Command.Flags, func(f cli.Flag) bool { return isOutput(f) && f.(*cli.StringFlag).Usage == reportFile })
	if !ours || path == "" || path == "-" {
		return nil
	}
	i := slices.IndexFunc(list, func(to destination) bool { return to.path == "" })
	if i < 0 {
		return &cmdline.UsageError{Message: fmt.Sprintf("-o %s: every --format has a file", say.Visible(path)), Hint: "leave -o out, or give a --format without a file"}
	}
	list[i].path = path
	return nil
}

// listed reports whether a path looks like a list of formats.
func listed(path string, known []string) bool {
	parts := strings.Split(path, ",")
	return slices.ContainsFunc(parts[1:], func(part string) bool {
		name, _, _ := strings.Cut(part, "=")
		return slices.Contains(known, name)
	})
}

// open creates a writer per --format. After an error, the earlier ones stay open. If a file that is needed would be
// overwritten, no file is opened.
func (d *destinations) open(c *cli.Context) error {
	d.walks = !allFiles(c.Args().Slice())
	values := c.StringSlice("format")
	if values == nil && c.IsSet("format") {
		values = []string{c.String("format")} // of a command that has one
	}
	list, mistake := readFormats(values, d.run.KnownFormats())
	if mistake == nil {
		mistake = led(c, list)
	}
	toStdout := slices.ContainsFunc(list, func(to destination) bool { return to.path == "" })
	if clash := DistinctFiles(d.screen.env, c, toStdout); clash != nil {
		list = slices.DeleteFunc(list, func(to destination) bool { return to.path != "" })
		mistake = clash
	}
	for _, to := range list {
		if err := d.openOne(to); err != nil {
			return err
		}
	}
	return mistake
}

// allFiles reports whether each operand names a file, rather than a folder or pattern.
func allFiles(operands []string) bool {
	return len(operands) > 0 && !slices.ContainsFunc(operands, func(operand string) bool {
		info, err := door.Stat(operand)
		return operand != "-" && (err != nil || info.IsDir())
	})
}

func (d *destinations) openOne(to destination) error {
	if to.path == "" {
		return d.openStdout(to.format)
	}
	f, err := d.create(to.path, 0o666)
	if err != nil {
		return fmt.Errorf("cannot write the %s report: %w", to.format, say.Plain(err))
	}
	return d.add(to.format, stream{bufio.NewWriter(f), f}, report.Options{Color: d.color == "always", Apart: true})
}

// create starts a temporary file that replaces path at the end of the run.
func (d *destinations) create(path string, fresh fs.FileMode) (*door.Output, error) {
	f, err := door.Create(d.screen.env.Context, path, fresh)
	if err == nil {
		d.files = append(d.files, f)
	}
	return f, err
}

// keep atomically writes a file that replaces path at the end of the run.
func (d *destinations) keep(path string, content []byte, fresh fs.FileMode) error {
	f, err := d.create(path, fresh)
	if err != nil {
		return err
	}
	if _, err = f.Write(content); err != nil {
		d.drop(f)
	}
	return err
}

func (d *destinations) drop(f *door.Output) {
	f.Discard()
	d.files = slices.DeleteFunc(d.files, func(other *door.Output) bool { return other == f })
}

func (d *destinations) openStdout(format string) error {
	env := d.screen.env
	return d.add(format, stream{bufio.NewWriterSize(d.screen, 64<<10), nil}, report.Options{
		Color: term.Color(d.color, env.Stdout, env.Getenv), Links: term.Links(d.color, env.Stdout, env.Getenv), Width: term.Width(env.Stdout),
	})
}

func (d *destinations) add(format string, s stream, opt report.Options) error {
	opt.Quiet, opt.Limits = d.quiet, d.limits
	if d.run.Command != MergeCommand { // whose cases took their time elsewhere
		opt.Now = d.screen.env.Now
	}
	w, err := report.New(format, s.Writer, d.run, opt)
	if err != nil {
		return err
	}
	d.formats, d.streams, d.writers = append(d.formats, format), append(d.streams, s), append(d.writers, w)
	return nil
}

// flush writes buffered output and returns the first error.
func (d *destinations) flush() (err error) {
	for _, s := range d.streams {
		err = cmp.Or(err, s.Flush())
	}
	return err
}

func (d *destinations) complete(sum report.Summary) error {
	if err := d.writers.Close(sum); err != nil {
		return err // the others follow from it
	}
	return d.flush()
}

// commit syncs all files, then renames them in order of creation.
func (d *destinations) commit() error {
	defer d.discard()
	for _, f := range d.files {
		if err := f.Sync(); err != nil {
			return err
		}
	}
	for _, f := range d.files {
		if err := f.Commit(); err != nil {
			return err
		}
	}
	return nil
}

// leaveOld discards files that would replace existing ones, unless all inputs are known. It returns their names.
func (d *destinations) leaveOld() (left []string) {
	if !d.walks {
		return nil
	}
	d.files = slices.DeleteFunc(d.files, func(f *door.Output) bool {
		if f.Replaces() {
			left = append(left, f.Name())
			f.Discard()
		}
		return f.Replaces()
	})
	d.silence(func(i int) bool { return d.streams[i].file.Replaces() })
	return left
}

// withhold discards the files in formats that cannot represent a failed run.
func (d *destinations) withhold() {
	d.silence(func(i int) bool {
		mute := report.IsMute(d.formats[i])
		if mute {
			d.drop(d.streams[i].file)
		}
		return mute
	})
}

// discard deletes the temporary files. Reports still go to standard output.
func (d *destinations) discard() {
	if d.whole != nil {
		d.whole.discard()
		return
	}
	for _, f := range d.files {
		f.Discard()
	}
	d.files = nil
	d.silence(func(int) bool { return true })
}

// silence drops further output to files selected by index.
func (d *destinations) silence(given func(i int) bool) {
	for i, s := range d.streams {
		if s.file != nil && given(i) {
			s.Reset(io.Discard)
			d.streams[i].file = nil
		}
	}
}

// MergeCommand is the command that merges reports.
const MergeCommand = "report merge"
