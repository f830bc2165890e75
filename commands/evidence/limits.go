package evidencecmd

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/cupel-dev/cupel/commands/internal/app"
	"github.com/cupel-dev/cupel/commands/internal/cmdline"
	"github.com/cupel-dev/cupel/commands/internal/input"
	"github.com/cupel-dev/cupel/evidence"
	"github.com/cupel-dev/cupel/internal/source"
	"github.com/urfave/cli/v2"
)

// limitsOf parses --limits, a JSON object or "@" and the name of a file.
func limitsOf(ctx context.Context, value string) (evidence.Limits, error) {
	text, name := []byte(value), "--limits"
	if path, isFile := strings.CutPrefix(value, "@"); isFile {
		var err error
		if text, err = app.LimitsFile.Read(ctx, path); err != nil {
			return evidence.Limits{}, err
		}
		name = fmt.Sprintf("--limits %q", value)
	}
	limits, err := evidence.ParseLimits(text)
	if err != nil {
		return limits, &cmdline.UsageError{Message: fmt.Sprintf("%s: %v", name, err), Hint: ""}
	}
	return limits, nil
}

func limitsFlag(category string) cli.Flag {
	return &cli.StringFlag{Name: "limits", Category: category, Usage: "override limits with `JSON|@FILE`: " + strings.Join(evidence.LimitNames(), ", ")}
}

// evidenceReads returns the inputs of commands for bundles, streams and events.
func evidenceReads(passed *input.PassedOver) input.Reads {
	return input.Reads{As: input.KindEvidence, Patterns: slices.Concat(input.JSONLines, input.BundleFiles), Probe: input.Of(input.KindEvidence), PassedOver: passed.Add, Packed: []string{source.Gzip}, Unpacks: true}
}
