package tracecmd

import (
	"bufio"
	"bytes"
	"fmt"
	"io"
	"slices"
	"strings"
	"time"

	"github.com/urfave/cli/v2"

	"github.com/cupel-dev/cupel/commands/internal/app"
	"github.com/cupel-dev/cupel/commands/internal/cmdline"
	"github.com/cupel-dev/cupel/commands/internal/input"
	"github.com/cupel-dev/cupel/finding"
	"github.com/cupel-dev/cupel/internal/checkpoint"
	"github.com/cupel-dev/cupel/internal/door"
	"github.com/cupel-dev/cupel/internal/say"
	"github.com/cupel-dev/cupel/internal/walk"
)

// ProveCommand is `cupel trace prove`.
func ProveCommand(env cmdline.Env) *cli.Command {
	const category = "Proof"
	return app.ShowingConfig(env, &cli.Command{
		Name:      "prove",
		Usage:     "prove that a checkpoint covers an event, or continues an older checkpoint",
		ArgsUsage: "[FILE…]",
		UsageText: strings.Join([]string{
			"cupel trace prove --index 3 --checkpoint log.checkpoint -o event-3.tlog-proof log.jsonl",
			"cupel trace prove --check event-3.tlog-proof --event event-3.json --vkey log.checkpoint.vkey",
			"cupel trace prove --consistency old.checkpoint new.checkpoint log.jsonl -o new.proof",
		}, "\n"),
		Description: "An inclusion proof is a C2SP tlog-proof: a few hashes and the checkpoint. Whoever has the\nevent's line verifies it without the log. A consistency proof is what a witness asks for\n(C2SP tlog-witness): `cupel witness` reads it. The log must have the checkpoint's events;\nwhat comes after them is not read into the proof. Proving checks no signature; --check does.",
		Flags: append(slices.Concat([]cli.Flag{
			&cli.Int64Flag{Name: "index", Category: category, Usage: "`N` of the event to prove, from 0; blank lines do not count"},
			&cli.StringFlag{Name: "checkpoint", Category: category, Usage: "`FILE` with the checkpoint for --index"},
			&cli.StringFlag{Name: "consistency", Category: category, Usage: "prove that a checkpoint continues the one in `FILE`; its operands are the newer checkpoint and the log"},
			&cli.StringFlag{Name: "check", Category: category, Usage: "verify the tlog-proof in `FILE`; needs --event, and --vkey or --policy"},
			&cli.StringFlag{Name: "event", Category: category, Usage: "`FILE` with the event's line, for --check"},
			&cli.StringFlag{Name: "output", Aliases: []string{"o"}, Category: category, Usage: "write to `FILE` instead of standard output"},
			input.PackedFlag(category),
		}, keyFlags()), input.InputFlags()...),
		Action: func(c *cli.Context) error {
			if err := app.DistinctFiles(env, c, !c.IsSet("output")); err != nil {
				return err
			}
			modes := 0
			for _, flag := range []string{"index", "consistency", "check"} {
				if c.IsSet(flag) {
					modes++
				}
			}
			if modes != 1 {
				return &cmdline.UsageError{Message: fmt.Sprintf("%d of --index, --consistency and --check are given, expected one", modes), Hint: "cupel trace prove --index N --checkpoint FILE LOG"}
			}
			if c.IsSet("check") {
				return checkProof(env, c)
			}
			text, err := prove(env, c)
			if err != nil {
				return err
			}
			return writeProof(env, c, text)
		},
	})
}

// writeProof writes to the file in -o or to standard output.
func writeProof(env cmdline.Env, c *cli.Context, text []byte) error {
	if name := c.String("output"); c.IsSet("output") && name != "-" {
		return say.Plain(door.ReplaceFile(env.Context, name, text, 0o666))
	}
	_, err := env.Stdout.Write(text)
	return err
}

// readCheckpointFile reads and parses a checkpoint.
func readCheckpointFile(c *cli.Context, from, name string) (*checkpoint.Checkpoint, error) {
	file := checkpointFile
	file.From = from
	text, err := file.Read(c.Context, name)
	if err != nil {
		return nil, err
	}
	check, err := checkpoint.Parse(text)
	if err != nil {
		return nil, file.Unfit(name, err)
	}
	return check, nil
}

// prove returns the text of a proof about a log.
func prove(env cmdline.Env, c *cli.Context) ([]byte, error) {
	for _, flag := range []string{"event", "vkey", "policy"} {
		if c.IsSet(flag) {
			return nil, &cmdline.UsageError{Message: "--" + flag + " applies to --check, which is not given", Hint: cmdline.LeaveOneHint}
		}
	}
	var check *checkpoint.Checkpoint
	var prepare func(*checkpoint.Lines)
	var proof func(*checkpoint.Lines) ([]byte, error)
	var seen *checkpoint.Head
	operands := c.Args().Slice()
	if c.IsSet("index") {
		index := c.Int64("index")
		if !c.IsSet("checkpoint") {
			return nil, &cmdline.UsageError{Message: "--index needs --checkpoint, which is not given", Hint: checkpointHint}
		}
		var err error
		if check, err = readCheckpointFile(c, "--checkpoint", c.String("checkpoint")); err != nil {
			return nil, err
		}
		if index < 0 || index >= check.Size {
			return nil, &cmdline.Hinted{Err: fmt.Errorf("the checkpoint has no event %d", index), Hint: fmt.Sprintf("it covers %s, numbered from 0", say.Counted(check.Size, "event"))}
		}
		prepare = func(l *checkpoint.Lines) { l.ExpectLeaf(check, index) }
		proof = func(l *checkpoint.Lines) ([]byte, error) {
			p, err := l.Inclusion(check, index)
			if err != nil {
				return nil, err
			}
			return p.InclusionText(), nil
		}
	} else {
		if len(operands) == 0 || operands[0] == "" || c.IsSet("checkpoint") {
			return nil, &cmdline.UsageError{Message: "--consistency takes two checkpoints: its value, and the first operand", Hint: "cupel trace prove --consistency OLD NEW LOG"}
		}
		older, err := readCheckpointFile(c, "--consistency", c.String("consistency"))
		if err == nil {
			check, err = readCheckpointFile(c, "NEW", operands[0])
		}
		if err != nil {
			return nil, err
		}
		if older.Origin != check.Origin || older.Size > check.Size {
			return nil, &cmdline.Hinted{Err: fmt.Errorf("the checkpoint %q (%s, %s) does not continue %q (%s, %s)", operands[0], check.Origin, say.Counted(check.Size, "event"), c.String("consistency"), older.Origin, say.Counted(older.Size, "event")), Hint: "give the older checkpoint of the same origin first"}
		}
		seen, operands = &older.Head, operands[1:]
		prepare = func(l *checkpoint.Lines) { l.ExpectOlder(check, older.Size) }
		proof = func(l *checkpoint.Lines) ([]byte, error) {
			p, err := l.Consistency(check, older.Size)
			if err != nil {
				return nil, err
			}
			return p.ConsistencyText(), nil
		}
	}
	inputs, err := input.ExpandInputs(env, c, operands, input.Reads{As: input.KindTrace, Patterns: input.LogFiles, Marker: input.RunFile, Probe: input.Of(input.KindTrace), Unpacks: true})
	if err != nil {
		return nil, err
	}
	if len(inputs) == 0 {
		return nil, &cmdline.UsageError{Message: "a proof takes a log, but there is no input", Hint: "name the log, or the files of a rotated log, oldest first"}
	}
	sizes := []int64{check.Size}
	if seen != nil {
		sizes = append(sizes, seen.Size)
	}
	lines := checkpoint.NewLines(sizes...)
	prepare(lines)
	for _, in := range inputs { // the files of a rotated log are one
		if err := readLines(lines, in); err != nil {
			return nil, err
		}
	}
	if found := lines.Compare(check, seen); len(found) > 0 {
		return nil, unproved(env, chainName(inputs), found[0])
	}
	return proof(lines)
}

// readLines adds the lines of a file to a tree.
func readLines(lines *checkpoint.Lines, in walk.Input) error {
	r, err := in.Open()
	if err != nil {
		return err
	}
	defer func() { _ = r.Close() }() // opened for reading: nothing can be lost
	if _, err := io.Copy(lines, bufio.NewReaderSize(r, headBytes)); err != nil {
		return app.ReadFailed(in.Name, err)
	}
	lines.Close()
	return nil
}

// unproved prints a finding as the reason for a failure, and returns exit code 1.
func unproved(env cmdline.Env, name string, f finding.Finding) error {
	cmdline.PrintError(env, fmt.Sprintf("%s: %s [%s]", name, f.Message, f.Rule), "cupel explain "+f.Rule)
	return cmdline.ErrNo
}

// checkProof is --check.
func checkProof(env cmdline.Env, c *cli.Context) error {
	if !c.IsSet("event") || c.Args().Len() > 0 || c.IsSet("checkpoint") {
		return &cmdline.UsageError{Message: "--check takes a proof and --event, without a log", Hint: "cupel trace prove --check FILE --event FILE --vkey VKEY"}
	}
	policy, err := signPolicy(c, "--check")
	if err != nil {
		return err
	}
	file, name := checkpointFile, c.String("check")
	file.From, file.Less, file.Role = "--check", "`cupel trace prove --index N` writes a proof", "proof"
	text, err := file.Read(c.Context, name)
	if err != nil {
		return err
	}
	event, err := app.EventFile.Read(c.Context, c.String("event"))
	if err != nil {
		return err
	}
	event = bytes.TrimSuffix(event, []byte("\n"))
	p, err := checkpoint.ParseInclusion(text)
	if err != nil {
		return unproved(env, name, checkpoint.Malformed(err))
	}
	result, found := p.Checkpoint.Judge(policy, time.Now())
	if !p.Includes(event) {
		found = append(found, checkpoint.NotIncluded(p.Index))
	}
	for _, f := range found {
		if f.Severity == finding.Error {
			return unproved(env, name, f)
		}
		cmdline.Warn(env, fmt.Sprintf("%s: %s [%s]", name, f.Message, f.Rule))
	}
	_, err = fmt.Fprintf(env.Stdout, "%s: valid (event %d of %d, %s)\n", say.Visible(name), p.Index, result.Size, say.Visible(result.Origin))
	return err
}
