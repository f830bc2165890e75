package recordcmd

import (
	"context"
	"crypto/ed25519"
	"errors"
	"fmt"
	"io/fs"
	"strconv"
	"time"

	"github.com/urfave/cli/v2"

	"github.com/cupel-dev/cupel/commands/internal/app"
	"github.com/cupel-dev/cupel/commands/internal/cmdline"
	"github.com/cupel-dev/cupel/internal/checkpoint"
	"github.com/cupel-dev/cupel/internal/door"
	"github.com/cupel-dev/cupel/internal/recorder"
	"github.com/cupel-dev/cupel/internal/say"
)

// checkpoints are the flags of the checkpoints that a recording writes.
type checkpoints struct {
	origin, key, every string
}

func (c *checkpoints) flags() []cli.Flag {
	const category = "Checkpoints"
	return []cli.Flag{
		&cli.StringFlag{Name: "checkpoint", Category: category, Destination: &c.origin, Usage: "write signed checkpoints to LOG.checkpoint, under the log's name `ORIGIN` (such as example.com/agent-7); needs --checkpoint-key"},
		&cli.StringFlag{Name: "checkpoint-key", Category: category, Destination: &c.key, Usage: "`FILE` with the private key for checkpoints, Ed25519; --sign-password-file also applies to it"},
		&cli.StringFlag{Name: "checkpoint-every", Category: category, Destination: &c.every, Usage: "write a checkpoint after each `N|TIME`, a number of events or a time such as 30s (default: at the end only)"},
	}
}

// streamHint says who signs an evidence stream.
const streamHint = "`cupel evidence seal` and `cupel evidence attest` complete and sign an evidence stream"

// mistake returns a mistake of the flags.
func (c *checkpoints) mistake(stream bool) error {
	const example = "--checkpoint ORIGIN --checkpoint-key KEY --checkpoint-every 1000"
	switch {
	case c.origin == "" && (c.key != "" || c.every != ""):
		return &cmdline.UsageError{Message: "--checkpoint-key and --checkpoint-every apply to checkpoints, but --checkpoint is missing", Hint: example}
	case c.origin == "":
		return nil
	case stream:
		return &cmdline.UsageError{Message: "--checkpoint is for session logs, but --to is evidence", Hint: streamHint}
	case c.key == "":
		return &cmdline.UsageError{Message: "--checkpoint needs --checkpoint-key: it names the key to sign with", Hint: app.KeygenHint}
	}
	if err := checkpoint.CheckName(c.origin); err != nil {
		return &cmdline.UsageError{Message: "--checkpoint: " + err.Error(), Hint: app.OriginHint}
	}
	_, _, err := c.interval()
	return err
}

// interval returns --checkpoint-every as a number of events or a time. Both are zero without it.
func (c *checkpoints) interval() (events int64, every time.Duration, err error) {
	if c.every == "" {
		return 0, 0, nil
	}
	if events, err = strconv.ParseInt(c.every, 10, 64); err == nil && events > 0 {
		return events, 0, nil
	}
	if every, err = time.ParseDuration(c.every); err == nil && every > 0 {
		return 0, every, nil
	}
	return 0, 0, &cmdline.UsageError{
		Message: fmt.Sprintf("--checkpoint-every is %q, expected a number of events or a time", c.every), Hint: "for example 1000, 30s or 5m",
	}
}

// oldCheckpointFile is LOG.checkpoint as an earlier recording wrote it.
var oldCheckpointFile = app.SideFile{
	From: "the checkpoint", Limit: checkpoint.MaxBytes, Less: "move the file away: a checkpoint has a few lines", Opener: door.NamedText,
}

// sealer writes the checkpoints of a log. It implements recorder.Sealer.
type sealer struct {
	*checkpoint.Lines
	ctx    context.Context
	key    ed25519.PrivateKey
	vkey   checkpoint.Key
	origin string
	name   string                 // of the checkpoint
	old    *checkpoint.Checkpoint // of an earlier recording, or nil
}

// apply adds the checkpoints to the options of a recorder.
func (c *checkpoints) apply(ctx context.Context, opt *recorder.Options, output, password string) error {
	if c.origin == "" {
		return nil
	}
	var err error
	if opt.SealEvents, opt.SealEvery, err = c.interval(); err != nil {
		return err
	}
	key, err := signingKey(ctx, "checkpoint-key", c.key, password)
	if err != nil {
		return err
	}
	s := &sealer{ctx: context.WithoutCancel(ctx), key: key, origin: c.origin, name: output + ".checkpoint"}
	s.vkey = checkpoint.LogKey(s.origin, key.Public().(ed25519.PublicKey))
	if s.old, err = s.readOld(ctx); err != nil {
		return err
	}
	if s.old == nil {
		s.Lines = checkpoint.NewLines()
	} else {
		s.Lines = checkpoint.NewLines(s.old.Size)
	}
	opt.Sealer = s
	return nil
}

// readOld returns the last checkpoint of the log, or nil.
func (s *sealer) readOld(ctx context.Context) (*checkpoint.Checkpoint, error) {
	if _, err := door.Stat(s.name); errors.Is(err, fs.ErrNotExist) {
		return nil, nil //nolint:nilnil // there is none
	}
	text, err := oldCheckpointFile.Read(ctx, s.name)
	if err != nil {
		return nil, err
	}
	old, err := checkpoint.Parse(text)
	if err != nil {
		return nil, s.refusal(err.Error(), "move it away if it is not a checkpoint of the log")
	}
	policy, err := checkpoint.Of(checkpoint.Keys{s.vkey})
	if err != nil {
		return nil, err
	}
	if _, found := old.Judge(policy, time.Now()); len(found) > 0 || old.Origin != s.origin {
		return nil, s.refusal(fmt.Sprintf("it is not signed by %s", say.Quoted(s.vkey.String())), "a log keeps its --checkpoint and its --checkpoint-key")
	}
	return old, nil
}

func (s *sealer) refusal(why, hint string) error {
	return &cmdline.Hinted{Err: fmt.Errorf("cannot continue %q: %s", s.name, why), Hint: hint}
}

// Resume compares the log with its last checkpoint.
func (s *sealer) Resume() (more bool, err error) {
	if s.old == nil {
		err := door.ReplaceFile(s.ctx, s.name+".vkey", []byte(s.vkey.String()+"\n"), 0o666)
		return s.Size() > 0, say.Plain(err)
	}
	if found := s.Compare(s.old, nil); len(found) > 0 {
		return false, s.refusal(found[0].Message, "put all files of the log back, with the numbered ones, or record to another log")
	}
	return s.Size() > s.old.Size, nil
}

// Seal replaces the checkpoint.
func (s *sealer) Seal() error {
	text, err := checkpoint.Sign(s.Head(s.origin), s.key)
	if err != nil {
		return err
	}
	return say.Plain(door.ReplaceFile(s.ctx, s.name, text, 0o666))
}

// signingKey reads the key of a flag.
func signingKey(ctx context.Context, flag, name, password string) (ed25519.PrivateKey, error) {
	key, err := app.ReadPrivateKey(ctx, app.FlagValue{Flag: flag, Value: name}, app.FlagValue{Flag: "sign-password-file", Value: password})
	if err != nil {
		return nil, err
	}
	private, ok := key.(ed25519.PrivateKey)
	if !ok {
		return nil, &cmdline.UsageError{Message: fmt.Sprintf("--%s %q is not an Ed25519 key, which the log needs", flag, name), Hint: app.KeygenHint}
	}
	return private, nil
}
