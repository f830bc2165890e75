package tracecmd

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/urfave/cli/v2"

	"github.com/cupel-dev/cupel/commands/internal/app"
	"github.com/cupel-dev/cupel/commands/internal/cmdline"
	"github.com/cupel-dev/cupel/commands/internal/input"
	"github.com/cupel-dev/cupel/internal/door"
	"github.com/cupel-dev/cupel/internal/say"
	"github.com/cupel-dev/cupel/internal/walk"
	"github.com/cupel-dev/cupel/trace"
)

// repairSchema names the JSON form of `trace repair`.
const repairSchema = "cupel.repair/1"

// repaired is the result of `trace repair`.
type repaired struct {
	*trace.Repaired
	input, output string
}

var repairForms = app.Forms[repaired]{{Name: "text", Write: repairText}, {Name: "json", Write: repairJSON}}

// RepairCommand is `cupel trace repair`.
func RepairCommand(env cmdline.Env) *cli.Command {
	return app.ShowingConfig(env, app.Showing(env, app.Shown{Schema: repairSchema, Lists: []string{"findings"}}, repairForms, &cli.Command{
		Name:      "repair",
		Usage:     "write a copy of a coding agent's transcript without its broken records",
		ArgsUsage: "FILE",
		UsageText: strings.Join([]string{
			"cupel trace repair -o copy.jsonl session.jsonl",
			"cupel trace repair --format json -o copy.jsonl session.jsonl",
			"cupel trace repair -o copy.jsonl - < session.jsonl",
		}, "\n"),
		Description: "The copy has one record per line. It omits truncated records, NUL bytes, lines of\nother programs and a byte order mark; the report lists them. Records that need no\nrepair keep their bytes. Contradictions, such as a result without a call, stay. The\noriginal does not change, and FILE must not exist. The copy is verified: if it is still\ninconsistent, the exit code is 1.",
		Flags: append([]cli.Flag{
			&cli.StringFlag{Name: "format", Category: "Output", Value: "text", Usage: "`FORMAT`: text or json"},
			&cli.StringFlag{Name: "output", Aliases: []string{"o"}, Category: "Output", Usage: "write the copy to `FILE`, which must not exist"},
			&cli.IntFlag{Name: "max-line-bytes", Category: "Limits", Usage: "longest line in `BYTES` (default: 16 MiB)"},
			input.PackedFlag("Input"),
		}, input.InputFlags()...),
	}, func(c *cli.Context) (repaired, error) { return repair(env, c) }))
}

func repair(env cmdline.Env, c *cli.Context) (repaired, error) {
	if err := app.AtLeastOne(c, "max-line-bytes"); c.IsSet("max-line-bytes") && err != nil {
		return repaired{}, err
	}
	if err := app.DistinctFiles(env, c, true); err != nil {
		return repaired{}, err
	}
	name := c.String("output")
	inputs, err := input.OpenInputs(env, c, input.Reads{As: input.KindTrace, Patterns: input.LogFiles, Marker: input.RunFile, Probe: input.Of(input.KindTrace), Unpacks: true})
	if err != nil {
		return repaired{}, err
	}
	if len(inputs) == 1 && inputs[0].Path != "" && name == "" {
		if err := readable(inputs[0]); err != nil { // the operand is the first mistake
			return repaired{}, err
		}
	}
	switch {
	case len(inputs) != 1:
		return repaired{}, &cmdline.UsageError{Message: fmt.Sprintf("repair takes one transcript, but there are %d inputs", len(inputs))}
	case name == "":
		return repaired{}, &cmdline.UsageError{Message: "no output file is named for the copy", Hint: "name a new file with -o FILE"}
	}
	in := inputs[0]
	out, err := door.CreateNew(name, 0o600)
	if err != nil {
		return repaired{}, say.Plain(err)
	}
	defer out.Discard()
	buffered := bufio.NewWriter(out)
	done, err := trace.RepairTranscript(env.Context, in.Open, buffered, trace.Options{Name: in.Name, Limits: trace.Limits{LineBytes: c.Int("max-line-bytes")}})
	switch {
	case errors.Is(err, trace.ErrNoTranscript):
		return repaired{}, &cmdline.Hinted{Err: fmt.Errorf("cannot repair %q: %w", in.Name, err), Hint: "use `cupel trace verify`, which detects the format"}
	case env.Context.Err() != nil:
		return repaired{}, env.Context.Err()
	case err != nil:
		return repaired{}, explained(in, err)
	}
	if err := errors.Join(buffered.Flush(), out.Sync()); err != nil {
		return repaired{}, say.Plain(err)
	}
	if err := out.Commit(); err != nil {
		return repaired{}, say.Plain(err)
	}
	if !done.Verdict.Good() {
		return repaired{done, in.Name, name}, cmdline.ErrNo
	}
	return repaired{done, in.Name, name}, nil
}

// readable returns the error of reading the first byte of an input, or nil.
func readable(in walk.Input) error {
	r, err := in.Open()
	if err != nil {
		return err
	}
	defer func() { _ = r.Close() }() // opened for reading: nothing can be lost
	if _, err := io.ReadFull(r, make([]byte, 1)); err != nil && err != io.EOF {
		return app.ReadFailed(in.Name, err)
	}
	return nil
}

// repairText lists the faults, then describes the copy.
func repairText(w *bufio.Writer, r repaired) error {
	for _, f := range r.Findings {
		fmt.Fprintf(w, "%s:%d: %s [%s]\n", say.Visible(r.input), f.Line, say.Visible(f.Message), f.Rule)
	}
	if r.Omitted > 0 {
		fmt.Fprintf(w, "%s more are not listed\n", say.Counted(int64(r.Omitted), "finding"))
	}
	fmt.Fprintf(w, "%s: %s of %s, %d of them recovered, in %s\n", say.Visible(r.output), say.Counted(r.Records, "record"), say.Visible(r.input), r.Recovered, say.Counted(r.Bytes, "byte"))
	output := say.Visible(r.output)
	switch f := r.FirstLeft; {
	case r.Verdict.Good():
		fmt.Fprintf(w, "%s: %s\n", output, r.Verdict)
	case f == nil:
		fmt.Fprintf(w, "%s: could not be verified; `cupel trace verify` says why\n", output)
	default:
		fmt.Fprintf(w, "%s: still %s: %s that repair cannot mend, first at line %d [%s]; `cupel trace verify` lists them, and only a backup has the missing records\n",
			output, r.Verdict, say.Counted(int64(r.Left), "error"), f.Line, f.Rule)
	}
	return nil
}

func repairJSON(w *bufio.Writer, r repaired) error {
	return app.WriteJSON(w, struct {
		Schema string `json:"schema"`
		Status string `json:"status"`
		Input  string `json:"input"`
		Output string `json:"output"`
		*trace.Repaired
	}{repairSchema, "ok", r.input, r.output, r.Repaired})
}
