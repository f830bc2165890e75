package tracecmd

import (
	"errors"
	"fmt"
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
		Usage:     "print an anchor that pins a session log as it is now",
		ArgsUsage: "PATH",
		UsageText: strings.Join([]string{
			"cupel trace seal log.jsonl > log.anchor.json",
			"cupel trace verify --anchor log.anchor.json log.jsonl",
			"cupel trace seal - < log.jsonl",
		}, "\n"),
		Description: "The anchor holds the number of events, the last event's hash, the length and the\nSHA-256 of the log. Keep it where the log's writer cannot reach it: it shows later\nthat the log was not cut or rewritten, and that a longer log still begins with it.\nA log whose integrity is not valid is not sealed. Payload rules are left out.",
		Flags:       append([]cli.Flag{input.PackedFlag("Input")}, input.InputFlags()...),
		Action: func(c *cli.Context) error {
			inputs, err := input.OpenInputs(env, c, input.Reads{As: input.KindTrace, Patterns: input.JsonLines, Marker: input.RunFile, Probe: walk.Passing(input.MayBeTrace), Unpacks: true})
			if err != nil {
				return err
			}
			if len(inputs) != 1 {
				return &cmdline.UsageError{Message: fmt.Sprintf("an anchor is of one log, but there are %d inputs", len(inputs)), Hint: ""}
			}
			return sealLog(env, inputs[0])
		},
	})
}

// sealLog verifies a log and prints its anchor.
func sealLog(env cmdline.Env, in walk.Input) error {
	r, err := in.Open()
	if err != nil {
		return err
	}
	defer func() { _ = r.Close() }() // opened for reading: nothing can be lost
	opt := trace.Options{Name: in.Name, Sum: true, Session: trace.SessionOptions{IntegrityOnly: true}}
	answer, err := trace.Verify(env.Context, r, opt)
	switch {
	case env.Context.Err() != nil:
		return env.Context.Err()
	case err != nil:
		return explained(in, err)
	case answer.Verdict != trace.Valid:
		cmdline.PrintError(env, fmt.Sprintf("%q is %s and was not sealed", in.Name, answer.Verdict), "`cupel trace verify "+in.Name+"` says why")
		return cmdline.ErrNo
	case answer.Family == trace.Reasoning:
		return &cmdline.Hinted{Err: errors.New("a reasoning trace has no chain to seal"), Hint: "pin it with `sha256sum` and `cupel trace verify --expect-sha256`"}
	}
	return app.WriteJSON(env.Stdout, answer.Anchor())
}
