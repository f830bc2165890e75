package commands

import (
	"errors"
	"fmt"
	"strings"

	"github.com/urfave/cli/v2"

	"github.com/cupel-dev/cupel/internal/walk"
	"github.com/cupel-dev/cupel/trace"
)

// traceSealCommand is `cupel trace seal`.
func traceSealCommand(env Env) *cli.Command {
	return showingConfig(env, &cli.Command{
		Name:      "seal",
		Usage:     "print an anchor that pins a session log as it is now",
		ArgsUsage: "PATH",
		UsageText: strings.Join([]string{
			"cupel trace seal log.jsonl > log.anchor.json",
			"cupel trace verify --anchor log.anchor.json log.jsonl",
			"cupel trace seal - < log.jsonl",
		}, "\n"),
		Description: "The anchor holds the number of events, the last event's hash, the length and the\nSHA-256 of the log. Keep it where the log's writer cannot reach it: it shows later\nthat the log was not cut or rewritten, and that a longer log still begins with it.\nA log whose integrity is not valid is not sealed. Payload rules are left out.",
		Flags:       append([]cli.Flag{packedFlag("Input")}, inputFlags()...),
		Action: func(c *cli.Context) error {
			inputs, err := openInputs(env, c, reads{As: kindTrace, Patterns: jsonLines, Marker: runFile, Probe: walk.Passing(mayBeTrace), Unpacks: true})
			if err != nil {
				return err
			}
			if len(inputs) != 1 {
				return &usageError{fmt.Sprintf("an anchor is of one log, but there are %d inputs", len(inputs)), ""}
			}
			return sealLog(env, inputs[0])
		},
	})
}

// sealLog verifies a log and prints its anchor.
func sealLog(env Env, in walk.Input) error {
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
		printError(env, fmt.Sprintf("%q is %s and was not sealed", in.Name, answer.Verdict), "`cupel trace verify "+in.Name+"` says why")
		return errNo
	case answer.Family == trace.Reasoning:
		return &hinted{errors.New("a reasoning trace has no chain to seal"), "pin it with `sha256sum` and `cupel trace verify --expect-sha256`"}
	}
	return writeJSON(env.Stdout, answer.Anchor())
}
