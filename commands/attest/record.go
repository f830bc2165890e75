package attestcmd

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"strings"

	"github.com/urfave/cli/v2"

	"github.com/cupel-dev/cupel/attest"
	"github.com/cupel-dev/cupel/attest/trajectory"
	"github.com/cupel-dev/cupel/commands/internal/cmdline"
	"github.com/cupel-dev/cupel/commands/internal/input"
)

// RecordCommand is `cupel attest record`.
func RecordCommand(env cmdline.Env) *cli.Command {
	var compare string
	return &cli.Command{
		Name:      "record",
		Usage:     "print the calls of a good trace, for suites to compare later runs with",
		ArgsUsage: "TRACE",
		UsageText: strings.Join([]string{
			"cupel attest record good.json > golden.json",
			"cupel attest record --compare args --from auto session.jsonl > golden.json",
			"cupel attest record good.json | jq '.expect[].name'",
		}, "\n"),
		Description: "A suite names the file: spec: {check: calls, golden: golden.json, order: strict}.\nEdit the file to expect less: its list \"expect\" is the one of the check \"calls\".",
		Flags: []cli.Flag{
			compareFlag(&compare, "`PART` of the calls that later runs must repeat: names, args or results; each includes those before it"),
			importFlag("Input"),
			input.PackedFlag("Input"),
			stdinNameFlag(),
		},
		Action: func(c *cli.Context) error {
			part, err := comparedPart(compare)
			if err != nil {
				return err
			}
			from, err := importFormat(c)
			if err != nil {
				return err
			}
			inputs, err := input.OpenInputs(env, c, dialogReads(c, &input.PassedOver{}))
			if err == nil && len(inputs) != 1 {
				err = notExpected(len(inputs), "one trace to record", "")
			}
			if err != nil {
				return err
			}
			how := reading{attest.NewEngine(attest.Options{}), from}
			t, err := how.one(inputs[0])
			if err != nil {
				return err
			}
			if c := t.Coverage; c != nil && !c.Complete {
				return fmt.Errorf("cannot record %q: the trace is incomplete: %s", t.name, c.Text())
			}
			golden, err := trajectory.Record(how.engine, t.TraceText, part)
			switch {
			case errors.Is(err, trajectory.ErrNoCalls):
				return fmt.Errorf("cannot record %q: %w", t.name, err)
			case err != nil:
				return unusableTrace(t, err)
			}
			return printGolden(env, golden)
		},
	}
}

// printGolden prints the document with one call per line.
func printGolden(env cmdline.Env, g *trajectory.Golden) error {
	var b bytes.Buffer
	line := func(format string, args ...any) { fmt.Fprintf(&b, format, args...) }
	line("{\n  \"schema\": %s,\n  \"trace\": %s,\n  \"expect\": [", compactJSON(g.Schema), compactJSON(g.Trace))
	for i, e := range g.Expect {
		if i > 0 {
			line(",")
		}
		line("\n    %s", compactJSON(e))
	}
	line("\n  ]\n}\n")
	_, err := env.Stdout.Write(b.Bytes())
	return err
}

// compactJSON formats a value of the document, which always can be.
func compactJSON(v any) []byte {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	_ = e.Encode(v) // strings and JSON that was scanned
	return bytes.TrimSpace(b.Bytes())
}
