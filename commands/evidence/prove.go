package evidencecmd

import (
	"bytes"
	"fmt"
	"strings"

	"github.com/urfave/cli/v2"

	"github.com/cupel-dev/cupel/commands/internal/app"
	"github.com/cupel-dev/cupel/commands/internal/cmdline"
	"github.com/cupel-dev/cupel/commands/internal/input"
	"github.com/cupel-dev/cupel/evidence"
	"github.com/cupel-dev/cupel/evidence/proof"
)

// ProveCommand is `cupel evidence prove`.
func ProveCommand(env cmdline.Env) *cli.Command {
	const category = "Proof"
	return app.ShowingConfig(env, &cli.Command{
		Name:      "prove",
		Usage:     "prove that one event is part of a bundle, without the other events",
		ArgsUsage: "BUNDLE",
		UsageText: strings.Join([]string{
			"cupel evidence prove run.tar.gz --seq 12 -o event-12.proof.json",
			"cupel evidence attest run.tar.gz --key key.pem --tree -o run.tree.att.json",
			"cupel evidence verify-proof event-12.proof.json --attestation run.tree.att.json --key key.pub.pem",
		}, "\n"),
		Description: "The proof is a path in the tree of RFC 6962 over the content hashes of the bundle. It\nbelongs to cupel, not to the evidence contract. It is only as good as its root: publish\nthe root in an attestation with --tree. The bundle is verified first.",
		Flags: append([]cli.Flag{
			&cli.Int64Flag{Name: "seq", Category: category, Usage: "`N` of the event to prove: its assayseq"},
			outputFileFlag(category),
		}, append(oneBundleFlags(category), input.InputFlags()...)...),
		Action: func(c *cli.Context) error {
			p, err := prove(env, c)
			if err != nil {
				return err
			}
			var text bytes.Buffer
			if err := app.WriteJSON(&text, p); err != nil {
				return err
			}
			return writeOutput(env, c, text.Bytes())
		},
	})
}

func prove(env cmdline.Env, c *cli.Context) (proof.Proof, error) {
	if err := app.DistinctFiles(env, c, !c.IsSet("output")); err != nil {
		return proof.Proof{}, err
	}
	seq := c.Int64("seq")
	if !c.IsSet("seq") || seq < 0 {
		return proof.Proof{}, &cmdline.UsageError{Message: "--seq is missing: it selects the event", Hint: "give the assayseq of the event, from 0"}
	}
	all := &eventLeaves{wanted: seq}
	r, err := soundBundle(env, c, "proved", all.each())
	switch {
	case err != nil:
		return proof.Proof{}, err
	case seq >= r.Events:
		return proof.Proof{}, &cmdline.Hinted{Err: fmt.Errorf("%q has no event %d", r.Input, seq), Hint: fmt.Sprintf("the events have the numbers 0 to %d", r.Events-1)}
	}
	return all.tree.Prove(seq, all.found)
}

// eventLeaves collects the content hashes of a bundle in a tree, and that of one event.
type eventLeaves struct {
	tree   proof.Tree
	next   int64
	wanted int64
	found  evidence.Sum
}

// each returns the function for the events of a bundle, or nil if no tree is needed.
func (l *eventLeaves) each() func(*evidence.Result) error {
	if l == nil {
		return nil
	}
	return l.add
}

func (l *eventLeaves) add(r *evidence.Result) error {
	if l.next == l.wanted {
		l.found = r.Sum
	}
	l.next++
	return l.tree.Add(r.Sum)
}
