package evidencecmd

import (
	"bufio"
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"

	"github.com/urfave/cli/v2"

	"github.com/cupel-dev/cupel/commands/internal/app"
	"github.com/cupel-dev/cupel/commands/internal/cmdline"
	"github.com/cupel-dev/cupel/commands/internal/input"
	"github.com/cupel-dev/cupel/evidence/redact"
)

// redactProofFlags returns the flags for redactions that can be proved.
func redactProofFlags() []cli.Flag {
	const category = "Proof"
	return []cli.Flag{
		&cli.BoolFlag{Name: "commit", Category: category, Usage: "add a commitment to every changed value to the report; needs --report and --secrets"},
		&cli.StringFlag{Name: "secrets", Category: category, Usage: "write the values, their salts and the original's hashes to `FILE`, readable by its owner only; --disclose reads it"},
		&cli.BoolFlag{Name: "link-original", Category: category, Usage: "add the original's hashes to the report; a reader can then test guesses of redacted values"},
		&cli.BoolFlag{Name: "verify", Category: category, Usage: "verify that the second operand is the redacted form of the first, and that --report lists the changes"},
		&cli.StringFlag{Name: "reveal", Category: category, Usage: "check the values in `FILE`, disclosed ones or all secrets, against the commitments of --report"},
		&cli.StringSliceFlag{Name: "disclose", KeepSpace: true, Category: category, Usage: "write the openings of the commitments at `LINE:POINTER` and below it (* is every line), from --secrets; repeatable"},
	}
}

// proves reports whether a run uses an existing redaction instead of making one.
func proves(c *cli.Context) bool {
	return c.Bool("verify") || c.IsSet("reveal") || c.IsSet("disclose")
}

// proving returns the function for flags that use an existing redaction.
func proving(env cmdline.Env) func(*cli.Context) error {
	verify, reveal := redactVerifying(env), redactRevealing(env)
	return func(c *cli.Context) error {
		switch {
		case c.Bool("verify"):
			return verify.Action(c)
		case c.IsSet("reveal"):
			return reveal.Action(c)
		}
		return disclose(env, c)
	}
}

// oneProof returns an error for flags of another mode.
func oneProof(c *cli.Context, own string, others ...string) error {
	for _, name := range append(others, "verify", "reveal", "disclose", "commit", "link-original", "check", "diff") {
		if name != own && c.IsSet(name) {
			return &cmdline.UsageError{Message: fmt.Sprintf("--%s and --%s cannot be used together", own, name), Hint: "`cupel help evidence redact` shows the usage"}
		}
	}
	return nil
}

// commits checks the flags of a redaction that can be proved.
func (m *redactRun) commits() error {
	c := m.c
	m.opt.LinkOriginal, m.opt.Original = c.Bool("link-original"), c.Bool("commit")
	switch {
	case c.Bool("commit") && (c.String("report") == "" || c.String("secrets") == ""):
		return &cmdline.UsageError{Message: "--commit requires --report and --secrets", Hint: "use --report for the commitments, and --secrets for a private file with the values"}
	case c.IsSet("secrets") && !c.Bool("commit"):
		return &cmdline.UsageError{Message: "--secrets requires --commit or --disclose", Hint: "--commit writes such a file, and --disclose reads one"}
	case c.Bool("link-original") && c.String("report") == "":
		return &cmdline.UsageError{Message: "--link-original requires --report", Hint: "use --report: the report records the hashes of the original"}
	case c.String("secrets") == "-":
		return secretsOnStdout()
	case c.Bool("link-original"):
		m.out.Warn("the report will contain hashes of the original, so its readers can test guesses of redacted values")
	}
	return nil
}

// keepSecrets creates the file of secrets, which must not exist.
func (m *redactRun) keepSecrets(to *redactTarget) (err error) {
	if !m.c.Bool("commit") {
		return nil
	}
	if to.secrets, err = m.out.MakeNew(m.c.String("secrets"), 0o600); err != nil {
		return cmp.Or(thereAlready(m.c.String("secrets"), err, "secrets"), input.PlainWrite(err))
	}
	to.opened = bufio.NewWriter(to.secrets)
	to.committer = redact.NewCommitter(to.opened)
	return nil
}

// commit sets the options that commit to changed values.
func (t *redactTarget) commit(opt *redact.Options) {
	if t.committer == nil {
		return
	}
	write := opt.OnEvent
	opt.OnChange = t.committer.Change
	opt.OnEvent = func(e *redact.Event) error {
		return errors.Join(t.committer.Event(e), write(e))
	}
}

func (t *redactTarget) closeSecrets(answer *redact.Report) error {
	if t.committer == nil {
		return nil
	}
	return errors.Join(t.committer.Close(answer), t.opened.Flush())
}

// disclose writes the values and salts that open some commitments.
func disclose(env cmdline.Env, c *cli.Context) error {
	if err := app.DistinctFiles(env, c, c.String("output") == "" || c.String("output") == "-"); err != nil {
		return err
	}
	if err := oneProof(c, "disclose", "report"); err != nil {
		return err
	}
	values, err := disclosedValues(c.StringSlice("disclose"))
	switch {
	case err != nil:
		return err
	case c.String("secrets") == "":
		return &cmdline.UsageError{Message: "--disclose requires --secrets", Hint: app.SecretsFile.Less}
	case c.NArg() > 0:
		return &cmdline.UsageError{Message: "--disclose reads only the --secrets file: give no operand", Hint: ""}
	}
	name := c.String("secrets")
	file, err := app.SecretsFile.Open(c.Context, name)
	if err != nil {
		return app.SecretsFile.Unread(err)
	}
	defer func() { _ = file.Close() }() // opened for reading: nothing can be lost
	var text bytes.Buffer
	missing, fault, err := redact.Disclose(heeding(c, file), &text, values)
	switch {
	case c.Context.Err() != nil:
		return c.Context.Err()
	case err != nil:
		return app.SecretsFile.Broken(name, err)
	case fault != nil:
		return &cmdline.Hinted{Err: fmt.Errorf("cannot use --secrets %q: %s", name, fault.Message), Hint: app.SecretsFile.Less}
	case len(missing) > 0:
		return &cmdline.Hinted{Err: fmt.Errorf("--secrets %q has no value at %q", name, placeOf(missing[0])), Hint: "look up the line and the pointer in the file, or in the report of the redaction"}
	}
	return writeOutput(env, c, text.Bytes())
}

// everyLine selects the events on all lines in --disclose.
const everyLine = "*"

func disclosedValues(list []string) (values []redact.Value, err error) {
	for _, value := range list {
		digits, pointer, found := strings.Cut(value, ":")
		line, err := strconv.Atoi(digits)
		if digits == everyLine {
			line, err = 0, nil
		}
		if !found || err != nil || line < 1 && digits != everyLine || pointer != "" && pointer[0] != '/' {
			return nil, &cmdline.UsageError{Message: fmt.Sprintf("--disclose is %q, expected LINE:POINTER", value), Hint: "for example 3:/data/args/token, or *:/data/args for all events"}
		}
		values = append(values, redact.Value{Line: line, Pointer: pointer})
	}
	return values, nil
}

// placeOf formats values as LINE:POINTER.
func placeOf(v redact.Value) string {
	if v.Line == 0 {
		return everyLine + ":" + v.Pointer
	}
	return strconv.Itoa(v.Line) + ":" + v.Pointer
}

// heeding returns a reader that fails once the run is canceled.
func heeding(c *cli.Context, r io.Reader) io.Reader { return &cancelReader{c, r} }

type cancelReader struct {
	c *cli.Context
	r io.Reader
}

func (h *cancelReader) Read(p []byte) (int, error) {
	if err := h.c.Context.Err(); err != nil {
		return 0, err
	}
	return h.r.Read(p)
}
