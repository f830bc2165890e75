package commands

import (
	"bufio"
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"

	"github.com/cupel-dev/cupel/internal/report"
	"github.com/cupel-dev/cupel/internal/term"
)

// destinations are where one report goes: standard output and files, each in a format.
type destinations struct {
	run    report.Run
	screen *screen
	color  string
	quiet  bool

	formats []string
	writers report.Several
	streams []stream
}

// stream is one destination.
type stream struct {
	*bufio.Writer
	file *os.File // nil for standard output
}

// open makes a writer for each --format; none means text on standard output. After an
// error those before the mistake are open.
func (d *destinations) open(formats []string) error {
	if len(formats) == 0 {
		formats = []string{"text"}
	}
	stdout := ""
	for _, spec := range formats {
		format, path, toFile := strings.Cut(spec, "=")
		if !slices.Contains(report.Formats(), format) {
			return badValue("format", format, report.Formats())
		}
		if !toFile && stdout != "" {
			return &usageError{
				fmt.Sprintf("both %s and %s would go to standard output", stdout, format),
				fmt.Sprintf("send one of them into a file: --format %s=PATH", format),
			}
		}
		if toFile {
			if err := d.openFile(format, path); err != nil {
				return err
			}
			continue
		}
		stdout = format
		if err := d.openStdout(format); err != nil {
			return err
		}
	}
	return nil
}

func (d *destinations) openFile(format, path string) error {
	f, err := os.Create(path)
	if err != nil {
		return &hinted{fmt.Errorf("cannot write the %s report: %w", format, err), ""}
	}
	return d.add(format, stream{bufio.NewWriter(f), f}, report.Options{Color: d.color == "always"})
}

func (d *destinations) openStdout(format string) error {
	env := d.screen.env
	return d.add(format, stream{bufio.NewWriterSize(d.screen, 64<<10), nil}, report.Options{
		Color: term.Color(d.color, env.Stdout, env.Getenv), Width: term.Width(env.Stdout),
	})
}

func (d *destinations) add(format string, s stream, opt report.Options) error {
	opt.Quiet = d.quiet
	w, err := report.New(format, s.Writer, d.run, opt)
	if err != nil {
		return err
	}
	d.formats, d.streams, d.writers = append(d.formats, format), append(d.streams, s), append(d.writers, w)
	return nil
}

func (d *destinations) flush() error {
	var errs []error
	for _, s := range d.streams {
		errs = append(errs, s.Flush())
	}
	return errors.Join(errs...)
}

// close completes every format with the summary, and closes the files.
func (d *destinations) close(sum report.Summary) error {
	for _, err := range []error{d.writers.Close(sum), d.flush(), d.closeFiles()} {
		if err != nil {
			return err // the others follow from it
		}
	}
	return nil
}

func (d *destinations) closeFiles() error {
	var errs []error
	for _, s := range d.streams {
		if s.file != nil {
			errs = append(errs, s.file.Close())
		}
	}
	return errors.Join(errs...)
}
