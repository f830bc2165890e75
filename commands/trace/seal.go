package tracecmd

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/urfave/cli/v2"

	"github.com/cupel-dev/cupel/commands/internal/app"
	"github.com/cupel-dev/cupel/commands/internal/cmdline"
	"github.com/cupel-dev/cupel/commands/internal/input"
	"github.com/cupel-dev/cupel/internal/walk"
	"github.com/cupel-dev/cupel/trace"
)

// SealCommand is `cupel trace seal`.
func SealCommand(env cmdline.Env) *cli.Command {
	return app.ShowingConfig(env, &cli.Command{
		Name:      "seal",
		Usage:     "print an anchor or write a signed checkpoint that pins the current state of a log",
		ArgsUsage: "PATH…",
		UsageText: strings.Join([]string{
			"cupel trace seal log.jsonl > log.anchor.json",
			"cupel trace verify --anchor log.anchor.json log.jsonl",
			"cupel trace seal - < log.jsonl",
			"cupel trace seal --by session_id sessions.jsonl > sessions.anchor.json",
			"cupel trace seal --checkpoint example.com/agent-7 --sign key.pem -o log.checkpoint log.jsonl",
		}, "\n"),
		Description: "The anchor holds the number of events, the last event's hash, the length and the\nSHA-256 of the log. Keep it where the log's writer cannot reach it: it shows later\nthat the log was not cut or rewritten, and that a longer log still begins with it.\nWith --by, it pins each session of a log, and that there are no others.\nA session log with invalid integrity is not sealed; an unfinished log can be. Payloads are not checked.\nA transcript, or any other file of lines, is sealed up to its last line feed: the\nanchor holds the number of lines, their digest and a Merkle root over them.\nWith --checkpoint, it writes a signed tree head over all lines (C2SP tlog-checkpoint):\nthe leaves are the lines without their line feed; blank lines are not leaves. It then\ncan cover several files of a rotated log, oldest first.",
		Flags: append([]cli.Flag{
			&cli.BoolFlag{Name: "lines", Category: "Input", Usage: "seal the lines of any file, without reading them (the default for transcripts)"},
			input.PackedFlag("Input"), bySessionFlag(),
		}, append(sealCheckpointFlags(), input.InputFlags()...)...),
		Action: func(c *cli.Context) error {
			signed, err := readCheckpointSeal(env, c)
			if err != nil {
				return err
			}
			inputs, err := input.OpenInputs(env, c, input.Reads{As: input.KindTrace, Patterns: input.LogFiles, Marker: input.RunFile, Probe: input.Of(input.KindTrace), Unpacks: true})
			if err != nil {
				return err
			}
			if len(inputs) != 1 && (signed == nil || len(inputs) == 0) {
				return &cmdline.UsageError{Message: fmt.Sprintf("an anchor takes one log, but there are %d inputs", len(inputs)), Hint: "a checkpoint can cover the files of a rotated log"}
			}
			if by := c.String("by"); c.IsSet("by") && !slices.Contains(sessionFields, by) {
				return cmdline.BadValue("by", by, sessionFields)
			}
			if c.IsSet("by") && c.Bool("lines") {
				return &cmdline.UsageError{Message: "--lines seals a number of lines, but --by seals sessions", Hint: cmdline.LeaveOneHint}
			}
			if len(inputs) > 1 {
				if c.Bool("lines") {
					return &cmdline.UsageError{Message: fmt.Sprintf("--lines seals one file, but there are %d", len(inputs)), Hint: "join the files with `cat`"}
				}
				return signed.sealFiles(env, c.IsSet("by"), inputs)
			}
			return sealLog(env, c.Bool("lines"), c.IsSet("by"), signed, inputs[0])
		},
	})
}

// bySessionArgs returns the session arguments of a command line.
func bySessionArgs(sessions bool) string {
	if !sessions {
		return ""
	}
	return "--by session_id "
}

// digestHint explains how to pin a file that cannot be sealed.
const digestHint = "keep its `sha256sum`, and give that to `cupel trace verify --expect-sha256`"

// sealLog verifies a log and prints its anchor, or writes its checkpoint.
func sealLog(env cmdline.Env, lines, sessions bool, signed *checkpointSeal, in walk.Input) error {
	file, err := in.Open()
	if err != nil {
		return err
	}
	defer func() { _ = file.Close() }() // opened for reading: nothing can be lost
	r := bufio.NewReaderSize(file, headBytes)
	if signed != nil {
		return signed.sealCheckpoint(env, lines, sessions, in, r)
	}
	if lines || !sessions && onlyLines(r) {
		return sealLines(env, in, r)
	}
	opt := sealing(in.Name, sessions)
	opt.Sum = true
	answer, err := trace.Verify(env.Context, r, opt)
	if err := refusedSeal(env, bySessionArgs(sessions), in, answer, err); err != nil {
		return err
	}
	if answer.Family == trace.Reasoning {
		return &cmdline.Hinted{Err: errors.New("cannot seal a reasoning trace: it has no hash chain"), Hint: digestHint}
	}
	return app.WriteJSON(env.Stdout, answer.Anchor())
}

// refusedSeal returns an error unless a log was verified and is valid. args are flags for the hint.
func refusedSeal(env cmdline.Env, args string, in walk.Input, answer *trace.Report, err error) error {
	switch {
	case env.Context.Err() != nil:
		return env.Context.Err()
	case err != nil:
		return explained(in, err)
	case answer.Verdict != trace.Valid:
		cmdline.PrintError(env, fmt.Sprintf("%q is %s and was not sealed", in.Name, answer.Verdict), "run `cupel trace verify "+args+in.Name+"` to see why")
		return cmdline.ErrNo
	}
	return nil
}

// onlyLines reports whether an input has JSON lines without a trace record near the start. Such lines are sealed
// unchanged.
func onlyLines(r *bufio.Reader) bool {
	if isTranscript(r) {
		return true
	}
	head, _ := r.Peek(headBytes) // reading again has the error
	if text := bytes.TrimLeft(bytes.TrimPrefix(head, []byte("\ufeff")), " \t\r\n"); len(text) == 0 || text[0] != '{' {
		return false
	}
	records := 0
	for line := range bytes.Lines(head) {
		if line = bytes.TrimSpace(line); !json.Valid(line) {
			continue
		}
		if records++; trace.FamilyOf(line) != trace.Unknown {
			return false
		}
	}
	return records > 0
}

// sealLines prints the anchor of a file's complete lines with any content.
func sealLines(env cmdline.Env, in walk.Input, r io.Reader) error {
	anchor, err := trace.SealLines(env.Context, r, trace.Options{Name: in.Name})
	if err := unsealed(env, in, err); err != nil {
		return err
	}
	return app.WriteJSON(env.Stdout, anchor)
}

// unsealed explains an error of SealLines.
func unsealed(env cmdline.Env, in walk.Input, err error) error {
	switch {
	case env.Context.Err() != nil:
		return env.Context.Err()
	case errors.Is(err, trace.ErrNoLine):
		return &cmdline.Hinted{Err: fmt.Errorf("%q: %w", in.Name, err), Hint: digestHint}
	case err != nil:
		return explained(in, err)
	}
	return nil
}
