package tracecmd

import (
	"crypto/ed25519"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/urfave/cli/v2"

	"github.com/cupel-dev/cupel/commands/internal/app"
	"github.com/cupel-dev/cupel/commands/internal/cmdline"
	"github.com/cupel-dev/cupel/finding"
	"github.com/cupel-dev/cupel/internal/checkpoint"
	"github.com/cupel-dev/cupel/internal/door"
	"github.com/cupel-dev/cupel/internal/say"
)

// WitnessCommand is `cupel witness`.
func WitnessCommand(env cmdline.Env) *cli.Command {
	const category = "Witness"
	return &cli.Command{
		Name:      "witness",
		Usage:     "cosign a log's checkpoint if it continues the last one that was cosigned",
		ArgsUsage: "FILE [PROOF]",
		UsageText: strings.Join([]string{
			"cupel witness --key w.pem --name example.org/w1 --state w1.json --vkey log.checkpoint.vkey log.checkpoint -o log.cosigned",
			"cupel witness --key w.pem --state w1.json new.checkpoint new.proof -o new.cosigned",
			"cupel witness --key w.pem --key-password-file w.pass --state w1.json new.checkpoint new.proof",
		}, "\n"),
		Description: "A witness never cosigns two histories of a log: it keeps the last checkpoint of each origin\nin its state file, and cosigns another one only if the proof shows that it continues that\none. `cupel trace prove --consistency OLD NEW LOG` writes the proof. The first checkpoint of\nan origin needs no proof, but --vkey. The state is on the disk before the cosignature\nis written. Never use a key with two state files, and never restore an old one.",
		Flags: []cli.Flag{
			&cli.StringFlag{Name: "key", Category: category, Usage: "`FILE` with the witness's private key, Ed25519, in PEM or as OpenSSH writes it"},
			&cli.StringFlag{Name: "key-password-file", Category: category, Usage: "`FILE` with the password of the private key, if it is encrypted"},
			&cli.StringFlag{Name: "state", Category: category, Usage: "`FILE` with the checkpoints that were cosigned; made if it is missing"},
			&cli.StringFlag{Name: "name", Category: category, Usage: "`NAME` of the witness (such as example.org/w1), for a new state"},
			&cli.StringFlag{Name: "vkey", Category: category, Usage: "verification key `VKEY` of the log, or a file with it, for a new origin"},
			&cli.StringFlag{Name: "output", Aliases: []string{"o"}, Category: category, Usage: "write the cosigned checkpoint to `FILE` instead of standard output"},
		},
		Action: func(c *cli.Context) error {
			if err := app.DistinctFiles(env, c, !c.IsSet("output")); err != nil {
				return err
			}
			return cosign(env, c)
		},
	}
}

const witnessHint = "cupel witness --key KEY --state FILE CHECKPOINT PROOF"

// lastSecond is later than any cosignature: a witness does not judge those of others.
var lastSecond = time.Unix(1<<62, 0)

// refusedError is why a witness does not cosign a checkpoint.
type refusedError struct{ why, hint string }

func (e *refusedError) Error() string { return e.why }

func cosign(env cmdline.Env, c *cli.Context) error {
	operands := c.Args().Slice()
	switch {
	case len(operands) < 1 || len(operands) > 2:
		return &cmdline.UsageError{Message: fmt.Sprintf("%s, expected a checkpoint and a proof", cmdline.Counted(len(operands), "operand")), Hint: witnessHint}
	case slices.Contains(operands, ""):
		return &cmdline.UsageError{Message: "an operand is empty, expected the name of a file", Hint: witnessHint}
	case c.String("state") == "":
		return &cmdline.UsageError{Message: "--state is missing: a witness must remember what it cosigned", Hint: witnessHint}
	}
	key, err := logSigner(c, "key", "key-password-file")
	if err != nil {
		return err
	}
	check, err := readCheckpointFile(c, "CHECKPOINT", operands[0])
	if err != nil {
		return err
	}
	proof := &checkpoint.Proof{Checkpoint: check}
	if len(operands) == 2 {
		if proof, err = readConsistency(c, operands[1], check); err != nil {
			return err
		}
	}
	at, err := app.TimeOfRun(env)
	if err != nil {
		return err
	}
	name := c.String("name")
	side := checkpointStateFile
	side.From = "--state"
	err = updateCheckpointState(env.Context, side, c.String("state"), func(s *checkpoint.State) error {
		vkey, err := logOf(c, s, check)
		if err == nil {
			name, err = witnessName(name, s, key)
		}
		if err != nil {
			return err
		}
		if err := mayCosign(s, proof, len(operands) == 2); err != nil {
			return err
		}
		s.Witness = checkpoint.CosignerKey(name, key.Public().(ed25519.PublicKey)).String()
		s.Remember(check, vkey)
		return nil
	})
	if refused, ok := errors.AsType[*refusedError](err); ok {
		cmdline.PrintError(env, operands[0]+": "+refused.why, refused.hint)
		return cmdline.ErrNo
	}
	if err != nil {
		return err
	}
	text, err := check.Cosign(name, key, at)
	if err != nil {
		return err
	}
	if !c.IsSet("output") || c.String("output") == "-" {
		return writeProof(env, c, text)
	}
	if err := say.Plain(door.ReplaceFile(env.Context, c.String("output"), text, 0o666)); err != nil {
		return err
	}
	_, err = fmt.Fprintf(env.Stdout, "cosigned  %s, %s\nvkey      %s\n", say.Visible(check.Origin), say.Counted(check.Size, "event"), checkpoint.CosignerKey(name, key.Public().(ed25519.PublicKey)))
	return err
}

// readConsistency reads a proof, whose checkpoint must be the one to cosign.
func readConsistency(c *cli.Context, name string, check *checkpoint.Checkpoint) (*checkpoint.Proof, error) {
	file := checkpointFile
	file.From, file.Less, file.Role = "PROOF", "`cupel trace prove --consistency OLD NEW LOG` writes a proof", "proof"
	text, err := file.Read(c.Context, name)
	if err != nil {
		return nil, err
	}
	p, err := checkpoint.ParseConsistency(text)
	if err != nil {
		return nil, file.Unfit(name, err)
	}
	if p.Checkpoint.Head != check.Head {
		return nil, &cmdline.Hinted{Err: fmt.Errorf("the proof %q belongs to another checkpoint", name), Hint: file.Less}
	}
	p.Checkpoint = check
	return p, nil
}

// logOf verifies the log's signature by the key in --vkey or, for a known origin, by the key of the state. It returns
// the key.
func logOf(c *cli.Context, s *checkpoint.State, check *checkpoint.Checkpoint) (string, error) {
	known, given := s.Logs[check.Origin].VKey, c.String("vkey")
	if known == "" && given == "" {
		return "", &cmdline.UsageError{Message: fmt.Sprintf("the state does not know the log %s: --vkey must name its key", say.Quoted(check.Origin)), Hint: vkeyHint}
	}
	if given == "" {
		given = known
	}
	k, err := readVKey(c, given)
	if err != nil {
		return "", err
	}
	if known != "" && k.String() != known {
		return "", &refusedError{"the state has another key for this log than --vkey", "a log keeps its key; a new key needs a new origin"}
	}
	policy, err := checkpoint.Of(checkpoint.Keys{k})
	if err != nil {
		return "", &cmdline.UsageError{Message: "--vkey: " + err.Error(), Hint: vkeyHint}
	}
	if _, found := check.Judge(policy, lastSecond); len(found) > 0 {
		for _, f := range found {
			if f.Severity == finding.Error || f.Rule == "checkpoint.origin" {
				return "", &refusedError{fmt.Sprintf("%s [%s]", f.Message, f.Rule), "cupel explain " + f.Rule}
			}
		}
	}
	return k.String(), nil
}

// witnessName returns the name of the witness, which a state keeps together with the key.
func witnessName(name string, s *checkpoint.State, key ed25519.PrivateKey) (string, error) {
	known, _, _ := strings.Cut(s.Witness, "+")
	switch {
	case name == "" && known == "":
		return "", &cmdline.UsageError{Message: "a new state needs the name of the witness: --name is missing", Hint: "--name example.org/w1"}
	case name == "":
		name = known
	}
	if err := checkpoint.CheckName(name); err != nil {
		return "", &cmdline.UsageError{Message: "--name: " + err.Error(), Hint: "a name such as example.org/w1"}
	}
	own := checkpoint.CosignerKey(name, key.Public().(ed25519.PublicKey)).String()
	if s.Witness != "" && s.Witness != own {
		return "", &refusedError{"the state belongs to another witness: " + s.Witness, "one state serves one key and one name"}
	}
	return name, nil
}

// mayCosign returns nil if a checkpoint continues the last one of its origin.
func mayCosign(s *checkpoint.State, p *checkpoint.Proof, given bool) error {
	check := p.Checkpoint
	last := s.Last(check.Origin)
	if last == nil {
		last = &checkpoint.Head{Origin: check.Origin}
	}
	if !given && check.Size == last.Size {
		p.Index = last.Size // no proof is needed
	}
	const hint = "`cupel trace prove --consistency OLD NEW LOG` writes a proof from the last cosigned checkpoint"
	switch {
	case p.Index > check.Size || last.Size > check.Size:
		return &refusedError{fmt.Sprintf("the checkpoint has %s, but the last one that was cosigned has %d", say.Counted(check.Size, "event"), last.Size), "a witness does not cosign an older checkpoint"}
	case p.Index != last.Size:
		return &refusedError{fmt.Sprintf("conflict: the proof begins at size %d, but the last cosigned checkpoint has size %d", p.Index, last.Size), hint}
	case check.Size == last.Size && last.Size > 0 && check.Root != last.Root:
		return &refusedError{fmt.Sprintf("conflict: another checkpoint of size %d was cosigned: the log has two histories", last.Size), "cupel explain checkpoint.fork"}
	case !p.Continues(last.Size, last.Root):
		return &refusedError{fmt.Sprintf("the proof does not show that the checkpoint continues the last one, of size %d", last.Size), hint}
	}
	return nil
}
