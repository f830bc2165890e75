package commands

import (
	"errors"
	"fmt"
	"slices"
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
			"cupel trace seal --by session_id sessions.jsonl > sessions.anchor.json",
		}, "\n"),
		Description: "The anchor holds the number of events, the last event's hash, the length and the\nSHA-256 of the log. Keep it where the log's writer cannot reach it: it shows later\nthat the log was not cut or rewritten, and that a longer log still begins with it.\nWith --by, it pins each session of a log, and that there are no others.\nA log whose integrity is not valid is not sealed; one that has not ended yet can be.\nPayload rules are left out.",
		Flags:       append([]cli.Flag{packedFlag("Input"), bySessionFlag()}, inputFlags()...),
		Action: func(c *cli.Context) error {
			inputs, err := openInputs(env, c, reads{As: kindTrace, Patterns: jsonLines, Marker: runFile, Probe: walk.Passing(mayBeTrace), Unpacks: true})
			if err != nil {
				return err
			}
			if len(inputs) != 1 {
				return &usageError{fmt.Sprintf("an anchor is of one log, but there are %d inputs", len(inputs)), ""}
			}
			if by := c.String("by"); c.IsSet("by") && !slices.Contains(sessionFields, by) {
				return badValue("by", by, sessionFields)
			}
			return sealLog(env, inputs[0], c.IsSet("by"))
		},
	})
}

// bySessionArgs are the arguments that tell sessions apart, as a part of a command line.
func bySessionArgs(sessions bool) string {
	if !sessions {
		return ""
	}
	return "--by session_id "
}

// sealLog verifies a log and prints its anchor.
func sealLog(env Env, in walk.Input, sessions bool) error {
	r, err := in.Open()
	if err != nil {
		return err
	}
	defer func() { _ = r.Close() }() // opened for reading: nothing can be lost
	opt := trace.Options{Name: in.Name, Sum: true, BySession: sessions, Unended: true, Session: trace.SessionOptions{IntegrityOnly: true}}
	answer, err := trace.Verify(env.Context, r, opt)
	switch {
	case env.Context.Err() != nil:
		return env.Context.Err()
	case err != nil:
		return explained(in, err)
	case answer.Verdict != trace.Valid:
		printError(env, fmt.Sprintf("%q is %s and was not sealed", in.Name, answer.Verdict), "`cupel trace verify "+bySessionArgs(sessions)+in.Name+"` says why")
		return errNo
	case answer.Family == trace.Reasoning:
		return &hinted{errors.New("a reasoning trace has no chain to seal"), "pin it with `sha256sum` and `cupel trace verify --expect-sha256`"}
	}
	return writeJSON(env.Stdout, answer.Anchor())
}
