package evidencecmd

import (
	"bufio"
	"crypto/sha256"
	"errors"
	"fmt"
	"io"

	"github.com/urfave/cli/v2"

	"github.com/cupel-dev/cupel/commands/internal/app"
	"github.com/cupel-dev/cupel/commands/internal/cmdline"
	"github.com/cupel-dev/cupel/commands/internal/input"
	"github.com/cupel-dev/cupel/evidence"
	"github.com/cupel-dev/cupel/evidence/bundle"
	"github.com/cupel-dev/cupel/evidence/redact"
	"github.com/cupel-dev/cupel/finding"
	"github.com/cupel-dev/cupel/internal/digest"
	"github.com/cupel-dev/cupel/internal/report"
	"github.com/cupel-dev/cupel/internal/walk"
)

// revealFlag returns --reveal, a file of disclosed values.
func revealFlag(category, usage string) cli.Flag {
	return &cli.StringFlag{Name: "reveal", Category: category, Usage: usage}
}

// disclosureFile is a file of values to compare with the commitments in a bundle.
type disclosureFile struct {
	name   string
	file   io.Closer
	opener *redact.Opener
	err    error // of reading the file
}

// readDisclosed opens the file in --reveal. It returns nil without the flag.
func readDisclosed(c *cli.Context) (*disclosureFile, error) {
	switch {
	case !c.IsSet("reveal"):
		return nil, nil
	case c.Bool("follow"):
		return nil, &cmdline.UsageError{Message: "--reveal applies to a bundle, but --follow reads a stream", Hint: cmdline.LeaveOneHint}
	}
	name := c.String("reveal")
	file, err := app.RevealedFile.Open(c.Context, name)
	if err != nil {
		return nil, app.RevealedFile.Unread(err)
	}
	return &disclosureFile{name: name, file: file, opener: redact.NewOpener(heeding(c, file))}, nil
}

// events returns a function that checks events and passes them to other, which can be nil.
func (d *disclosureFile) events(other func(*evidence.Result) error) func(*evidence.Result) error {
	if d == nil {
		return other
	}
	return func(r *evidence.Result) error {
		if d.err == nil {
			d.err = d.opener.Event(r)
		}
		if other != nil {
			return other(r)
		}
		return nil
	}
}

// judge adds the faults and number of values to the report on an input.
func (d *disclosureFile) judge(of *bundle.Report, opt bundle.Options) error {
	if d == nil {
		return nil
	}
	defer func() { _ = d.file.Close() }() // opened for reading: nothing can be lost
	of.Revealed = &bundle.Revealed{File: d.name}
	if of.Verdict != bundle.Valid {
		return nil
	}
	sum, ok := digest.Parse([]byte(of.SHA256))
	if of.Kind != bundle.KindBundle || !ok {
		return &cmdline.Hinted{Err: fmt.Errorf("--reveal applies to a bundle, but %q is %s", of.Input, kindNames[of.Kind]), Hint: "`cupel evidence seal --commit` makes such a bundle of events"}
	}
	var findings []finding.Finding
	if d.err == nil {
		findings, d.err = d.opener.Finish(sum)
	}
	if d.err != nil {
		return app.RevealedFile.Broken(d.name, d.err)
	}
	of.Revealed.Committed, of.Revealed.Values = d.opener.Committed, d.opener.Opened
	follow(of, findings, opt, func(f finding.Finding) finding.Finding {
		f.File = d.name
		f.Detail = bundle.Detail{Pointer: f.Path}
		return f
	})
	if hidden := d.opener.Committed - d.opener.Opened; hidden > 0 && of.Errors == 0 {
		of.NotCovered = append(of.NotCovered, cmdline.Counted(int(hidden), "committed value")+" that "+d.name+" does not disclose")
	}
	return nil
}

// unseal writes the events of a bundle with the disclosed values.
func (d *disclosureFile) unseal(m *input.WriteRun, in walk.Input, r io.Reader, opt bundle.Options) (sum report.Summary, err error) {
	var verified *bundle.Report
	hash, size := sha256.New(), int64(0)
	made, err := m.WriteFile(func(w io.Writer) (bool, error) {
		to := bufio.NewWriter(io.MultiWriter(w, hash))
		opt.Each = func(r *evidence.Result) error {
			text, err := d.opener.Reveal(r)
			if err == nil {
				size += int64(len(text)) + 1
				_, err = to.Write(append(text[:len(text):len(text)], '\n'))
			}
			return err
		}
		if verified, err = bundle.Verify(m.Env.Context, r, in.Size, in.Name, opt); err != nil {
			return false, unmade(m, in, err)
		}
		if err := d.judge(verified, opt); err != nil {
			return false, err
		}
		good, err := m.Good(verified)
		return good, errors.Join(err, to.Flush())
	})
	if verified == nil || err != nil {
		return sum, err
	}
	file := input.MadeFile{}
	if made {
		file.SHA256, file.Bytes = digest.Sum(hash.Sum(nil)).String(), size
		m.Note("revealed", fmt.Sprintf("%d of %s", d.opener.Opened, cmdline.Counted(int(d.opener.Committed), "committed value")))
	}
	return m.Answer("unsealed", verified, file)
}
