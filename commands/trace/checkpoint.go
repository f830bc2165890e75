package tracecmd

import (
	"bufio"
	"context"
	"crypto/ed25519"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"slices"
	"strings"
	"time"

	"github.com/urfave/cli/v2"

	"github.com/cupel-dev/cupel/commands/internal/app"
	"github.com/cupel-dev/cupel/commands/internal/cmdline"
	"github.com/cupel-dev/cupel/finding"
	"github.com/cupel-dev/cupel/internal/checkpoint"
	"github.com/cupel-dev/cupel/internal/door"
	"github.com/cupel-dev/cupel/internal/report"
	"github.com/cupel-dev/cupel/internal/say"
	"github.com/cupel-dev/cupel/internal/timestamp"
	"github.com/cupel-dev/cupel/internal/walk"
	"github.com/cupel-dev/cupel/trace"
)

const checkpointCategory = "Checkpoint"

// sealCheckpointFlags are the flags of `trace seal` for a checkpoint.
func sealCheckpointFlags() []cli.Flag {
	return []cli.Flag{
		&cli.StringFlag{Name: "checkpoint", Category: checkpointCategory, Usage: "write a signed checkpoint instead of an anchor, under the log's name `ORIGIN` (such as example.com/agent-7)"},
		&cli.StringFlag{Name: "sign", Category: checkpointCategory, Usage: "`FILE` with the log's private key, Ed25519, in PEM or as OpenSSH writes it"},
		&cli.StringFlag{Name: "sign-password-file", Category: checkpointCategory, Usage: "`FILE` with the password of the private key, if it is encrypted"},
		&cli.StringFlag{Name: "output", Aliases: []string{"o"}, Category: checkpointCategory, Usage: "write the checkpoint to `FILE`, and the verification key to FILE.vkey"},
	}
}

// keyFlags are the flags that say who must have signed a checkpoint.
func keyFlags() []cli.Flag {
	return []cli.Flag{
		&cli.StringSliceFlag{Name: "vkey", Category: checkpointCategory, Usage: "verification key `VKEY` of the log, or a file with it; repeatable, also for witnesses, each of which must have cosigned"},
		&cli.StringFlag{Name: "policy", Category: checkpointCategory, Usage: "`FILE` with the keys of logs and witnesses and their quorum (C2SP tlog-policy)"},
	}
}

// checkpointFlags are the flags of `trace verify` for a checkpoint.
func checkpointFlags() []cli.Flag {
	return slices.Concat([]cli.Flag{
		&cli.StringFlag{Name: "checkpoint", Category: checkpointCategory, Usage: "`FILE` with a signed checkpoint: the log must have its events and can continue after them; needs --vkey or --policy"},
	}, keyFlags(), []cli.Flag{
		&cli.StringFlag{Name: "checkpoint-state", Category: checkpointCategory, Usage: "remember the last checkpoint in `FILE`, and refuse an older one"},
	}, app.TimestampFlags(checkpointCategory, "checkpoint"))
}

// logSigner returns the private key of a flag, which must be an Ed25519 key.
func logSigner(c *cli.Context, flag, passwordFlag string) (ed25519.PrivateKey, error) {
	if !c.IsSet(flag) {
		return nil, &cmdline.UsageError{Message: "--" + flag + " is missing: it names the key to sign with", Hint: app.KeygenHint}
	}
	if c.IsSet(passwordFlag) && c.String(passwordFlag) == "" {
		return nil, &cmdline.UsageError{Message: "--" + passwordFlag + " is empty, expected the name of a file", Hint: cmdline.LeaveOneHint}
	}
	key, err := app.ReadPrivateKey(c.Context, app.FlagValue{Flag: flag, Value: c.String(flag)}, app.FlagValue{Flag: passwordFlag, Value: c.String(passwordFlag)})
	if err != nil {
		return nil, err
	}
	own, ok := key.(ed25519.PrivateKey)
	if !ok {
		return nil, &cmdline.Hinted{Err: fmt.Errorf("cannot use --%s %q: checkpoints are signed with Ed25519", flag, c.String(flag)), Hint: "`cupel evidence keygen key.pem key.pub.pem` makes such a key"}
	}
	return own, nil
}

// checkpointSeal holds what `trace seal --checkpoint` writes, and where.
type checkpointSeal struct {
	origin, output string
	key            ed25519.PrivateKey
}

// readCheckpointSeal reads the flags. It returns nil if an anchor is asked for.
func readCheckpointSeal(env cmdline.Env, c *cli.Context) (s *checkpointSeal, err error) {
	if err := app.DistinctFiles(env, c, false); err != nil {
		return nil, err
	}
	if !c.IsSet("checkpoint") {
		for _, flag := range []string{"sign", "sign-password-file", "output"} {
			if c.IsSet(flag) {
				return nil, &cmdline.UsageError{Message: "--" + flag + " applies to a checkpoint, but --checkpoint is missing", Hint: sealHint}
			}
		}
		return nil, nil
	}
	s = &checkpointSeal{origin: c.String("checkpoint"), output: c.String("output")}
	switch err := checkpoint.CheckName(s.origin); {
	case err != nil:
		return nil, &cmdline.UsageError{Message: "--checkpoint: " + err.Error(), Hint: app.OriginHint}
	case s.output == "" || s.output == "-":
		return nil, &cmdline.UsageError{Message: "--checkpoint needs the name of a file in -o", Hint: sealHint}
	}
	s.key, err = logSigner(c, "sign", "sign-password-file")
	return s, err
}

// Hints on where checkpoints and keys come from.
const (
	checkpointHint = "`cupel trace seal --checkpoint` writes a checkpoint"
	vkeyHint       = "`cupel trace seal` prints the log's key and writes it to FILE.vkey; get it from the log's operator"
)

const sealHint = "cupel trace seal --checkpoint ORIGIN --sign KEY -o FILE LOG"

// write signs the head of a log and writes the checkpoint and its key.
func (s *checkpointSeal) write(env cmdline.Env, lines *checkpoint.Lines) error {
	lines.Close()
	text, err := checkpoint.Sign(lines.Head(s.origin), s.key)
	if err != nil {
		return err
	}
	vkey := checkpoint.LogKey(s.origin, s.key.Public().(ed25519.PublicKey)).String()
	for name, content := range map[string][]byte{s.output: text, s.output + ".vkey": []byte(vkey + "\n")} {
		if err := door.ReplaceFile(env.Context, name, content, 0o666); err != nil {
			return say.Plain(err)
		}
	}
	_, err = fmt.Fprintf(env.Stdout, "events  %d\nvkey    %s\n", lines.Size(), vkey)
	return err
}

// sealCheckpoint writes the checkpoint of a log. A log that fails verification is not sealed; a transcript or another
// file of lines is sealed up to its last line feed.
func (s *checkpointSeal) sealCheckpoint(env cmdline.Env, lines, sessions bool, in walk.Input, r *bufio.Reader) error {
	tree := checkpoint.NewLines()
	if lines || !sessions && onlyLines(r) {
		anchor, err := trace.SealLines(env.Context, io.TeeReader(r, tree), trace.Options{Name: in.Name})
		if err := unsealed(env, in, err); err != nil {
			return err
		}
		if tree.Cut() {
			cmdline.Warn(env, fmt.Sprintf("the last line of %q has no line feed and is not covered: line %d can still grow", in.Name, anchor.Events+1))
		}
		return s.write(env, tree)
	}
	answer, err := trace.Verify(env.Context, io.TeeReader(r, tree), sealing(in.Name, sessions))
	if err := refusedSeal(env, bySessionArgs(sessions), in, answer, err); err != nil {
		return err
	}
	return s.write(env, tree)
}

// sealing returns the options for a log that is to be sealed.
func sealing(name string, sessions bool) trace.Options {
	return trace.Options{Name: name, BySession: sessions, Unended: true, Session: trace.SessionOptions{IntegrityOnly: true}}
}

// sealFiles writes one checkpoint over the files of a rotated log, oldest first.
func (s *checkpointSeal) sealFiles(env cmdline.Env, sessions bool, inputs []walk.Input) (err error) {
	if !sessions {
		if sessions, err = continued(inputs); err != nil {
			return err
		}
	}
	tree := &checkpointDemand{lines: checkpoint.NewLines()}
	answer, err := trace.VerifyChain(env.Context, segmentsOf(inputs, tree.segment), sealing(chainName(inputs), sessions))
	names := make([]string, len(inputs))
	for i := range inputs {
		names[i] = inputs[i].Name
	}
	if err := refusedSeal(env, "--chain "+bySessionArgs(sessions), walk.Input{Name: strings.Join(names, " ")}, answer, err); err != nil {
		return err
	}
	return s.write(env, tree.lines)
}

// checkpointDemand is --checkpoint of `trace verify` with what the other flags name.
type checkpointDemand struct {
	file   string
	text   []byte         // of the file
	stamp  *app.Timestamp // nil without --timestamp
	check  *checkpoint.Checkpoint
	fault  *finding.Finding // the text is not a checkpoint
	policy *checkpoint.Policy
	state  string
	seen   checkpoint.State
	last   *checkpoint.Head // of the state, or nil
	lines  *checkpoint.Lines
	log    io.Reader // the current one
}

var (
	checkpointFile      = app.SideFile{From: "--checkpoint", Limit: checkpoint.MaxBytes, Less: checkpointHint, Opener: door.NamedText, Role: "checkpoint"}
	checkpointPolicy    = app.SideFile{From: "--policy", Limit: checkpoint.MaxPolicyBytes, Less: "the file holds one line per log, witness and group", Opener: door.NamedText, Role: "policy"}
	checkpointStateFile = app.SideFile{From: "--checkpoint-state", Limit: 16 << 20, Less: "the file holds one checkpoint per origin", Opener: door.NamedText}
	vkeyFile            = app.SideFile{From: "--vkey", Limit: 64 << 10, Less: "the file holds one verification key and nothing else", Opener: door.NamedText}
)

// readCheckpoint reads the flags. It returns nil without --checkpoint.
func readCheckpoint(c *cli.Context) (*checkpointDemand, error) {
	stamp, err := app.ReadTimestamp(c, "checkpoint")
	if err != nil {
		return nil, err
	}
	if !c.IsSet("checkpoint") {
		for _, flag := range []string{"vkey", "policy", "checkpoint-state"} {
			if c.IsSet(flag) {
				return nil, &cmdline.UsageError{Message: "--" + flag + " requires --checkpoint, which is not given", Hint: "--checkpoint FILE --vkey VKEY"}
			}
		}
		return nil, nil
	}
	for _, flag := range []string{"follow", "state", "range", "ranges", "summary"} {
		if c.IsSet(flag) {
			return nil, &cmdline.UsageError{Message: "--checkpoint needs the whole log, but --" + flag + " reads a part", Hint: "verify the log once more without --" + flag}
		}
	}
	d := &checkpointDemand{file: c.String("checkpoint"), state: c.String("checkpoint-state"), stamp: stamp}
	if d.policy, err = signPolicy(c, "--checkpoint"); err != nil {
		return nil, err
	}
	if d.text, err = checkpointFile.Read(c.Context, d.file); err != nil {
		return nil, err
	}
	if d.check, err = checkpoint.Parse(d.text); err != nil {
		f := checkpoint.Malformed(err)
		d.fault = &f
		return d, nil
	}
	if d.state != "" {
		if d.seen, err = readCheckpointState(c.Context, d.state); err != nil {
			return nil, err
		}
		d.last = d.seen.Last(d.check.Origin)
	}
	sizes := []int64{d.check.Size}
	if d.last != nil {
		sizes = append(sizes, d.last.Size)
	}
	d.lines = checkpoint.NewLines(sizes...)
	return d, nil
}

// signPolicy reads --vkey and --policy. One of them is required, because anyone can make a checkpoint.
func signPolicy(c *cli.Context, flag string) (*checkpoint.Policy, error) {
	vkeys, name := c.StringSlice("vkey"), c.String("policy")
	switch {
	case len(vkeys) > 0 && name != "":
		return nil, &cmdline.UsageError{Message: "--policy names all keys, so --vkey has no effect", Hint: cmdline.LeaveOneHint}
	case name != "":
		text, err := checkpointPolicy.Read(c.Context, name)
		if err != nil {
			return nil, err
		}
		p, err := checkpoint.ParsePolicy(text)
		if err != nil {
			return nil, &cmdline.Hinted{Err: fmt.Errorf("cannot use --policy %q: %w", name, err), Hint: "the file has lines such as: log VKEY, witness NAME VKEY, group NAME any NAME…, quorum NAME"}
		}
		return p, nil
	case len(vkeys) == 0:
		return nil, &cmdline.UsageError{Message: flag + " needs --vkey or --policy: anyone can make a checkpoint", Hint: vkeyHint}
	}
	var keys checkpoint.Keys
	for _, vkey := range vkeys {
		k, err := readVKey(c, vkey)
		if err != nil {
			return nil, err
		}
		keys = append(keys, k)
	}
	p, err := checkpoint.Of(keys)
	if err != nil {
		return nil, &cmdline.UsageError{Message: "--vkey: " + err.Error(), Hint: vkeyHint}
	}
	return p, nil
}

// readVKey reads a verification key: the value itself or, without a plus sign, the file that it names.
func readVKey(c *cli.Context, value string) (checkpoint.Key, error) {
	text := value
	if _, err := door.Stat(value); err == nil || !strings.Contains(value, "+") {
		content, err := vkeyFile.Read(c.Context, value)
		if err != nil {
			return checkpoint.Key{}, err
		}
		text = strings.TrimSuffix(string(content), "\n")
	}
	k, err := checkpoint.ParseKey(text)
	if err != nil {
		err = &cmdline.UsageError{Message: "--vkey: " + err.Error(), Hint: vkeyHint}
	}
	return k, err
}

// readCheckpointState reads a state, which can be missing.
func readCheckpointState(ctx context.Context, name string) (s checkpoint.State, err error) {
	var text []byte
	if _, err := door.Stat(name); !errors.Is(err, fs.ErrNotExist) {
		if text, err = checkpointStateFile.Read(ctx, name); err != nil {
			return s, err
		}
	}
	if s, err = checkpoint.ParseState(text); err != nil {
		err = checkpointStateFile.Unfit(name, err)
	}
	return s, err
}

// copied returns a reader that also writes to the tree. A file can still be read again at any place.
func (d *checkpointDemand) copied(r io.Reader) io.Reader {
	if d == nil || d.lines == nil {
		return r
	}
	d.log = io.TeeReader(r, d.lines)
	if file, ok := r.(interface {
		io.ReaderAt
		io.Seeker
	}); ok {
		return struct {
			io.Reader
			io.ReaderAt
			io.Seeker
		}{d.log, file, file}
	}
	return d.log
}

// judge adds the result to the report of a log. It reads the rest of a log that was rejected.
func (d *checkpointDemand) judge(r *trace.Report) error {
	if d == nil || r.Interrupted {
		return nil
	}
	var found []finding.Finding
	if d.fault != nil {
		found = append(found, *d.fault)
	} else {
		var result checkpoint.Result
		result, found = d.check.Judge(d.policy, time.Now())
		r.Checkpoint = &result
		if d.log != nil {
			if _, err := io.Copy(io.Discard, d.log); err != nil {
				return err
			}
		}
		if d.lines.Close(); d.log != nil || r.Verdict != trace.Rejected { // the rest of a rejected chain was not read
			found = append(found, d.lines.Compare(d.check, d.last)...)
		}
	}
	facts, stamped := d.stamp.Judge(d.text)
	found = append(found, stamped...)
	failed := 0
	for i := range found {
		if found[i].File == "" {
			found[i].File = d.file
		}
		if found[i].Severity == finding.Error {
			failed++
		}
	}
	r.Findings = append(r.Findings, found...)
	r.Errors, r.Warnings = r.Errors+failed, r.Warnings+len(found)-failed
	if failed > 0 {
		r.Verdict = worse(r.Verdict)
		r.Checkpoint = nil
		return nil
	}
	r.Timestamp = facts
	r.NotCovered = append(r.NotCovered, d.notCovered(r)...)
	return d.remember()
}

// notCovered lists what a good checkpoint does not prove.
func (d *checkpointDemand) notCovered(r *trace.Report) (list []string) {
	if more := d.lines.Size() - d.check.Size; more > 0 {
		list = append(list, fmt.Sprintf("the last %s: the checkpoint was made before them", say.Counted(more, "event")))
	}
	if len(r.Checkpoint.Cosignatures) == 0 {
		list = append(list, "whether the log shows the same events to others: no witness has cosigned the checkpoint")
	}
	if d.state == "" {
		list = append(list, "whether the checkpoint is the newest: use --checkpoint-state")
	}
	if n := r.Checkpoint.Unchecked; n > 0 {
		list = append(list, fmt.Sprintf("%s: not checked: ML-DSA", say.Counted(int64(n), "cosignature")))
	}
	if r.Timestamp != nil {
		list = append(list, timestamp.NotCovered()...)
	}
	return list
}

// remember stores the checkpoint as the last one of its origin.
func (d *checkpointDemand) remember() error {
	if d.state == "" {
		return nil
	}
	return updateCheckpointState(context.Background(), checkpointStateFile, d.state, func(s *checkpoint.State) error {
		if last := s.Last(d.check.Origin); last == nil || last.Size < d.check.Size {
			s.Remember(d.check, "")
		}
		return nil
	})
}

// checkpointFacts returns what a report says about the checkpoint for people.
func checkpointFacts(r *trace.Report) (facts []report.Fact) {
	c := r.Checkpoint
	if c == nil {
		return nil
	}
	facts = append(facts, report.Fact{Kept: true, Name: "checkpoint", Value: fmt.Sprintf("%s, %s, signed by %s", c.Origin, say.Counted(c.Size, "event"), strings.Join(c.SignedBy, " and "))})
	for _, w := range c.Cosignatures {
		facts = append(facts, report.Fact{Kept: true, Name: "cosigned", Value: w.Name + " at " + w.Time})
	}
	return append(facts, app.TimestampFact(r.Timestamp)...)
}

// segment returns a reader that also writes to the tree. The last line of a segment is complete without a line feed.
func (d *checkpointDemand) segment(r io.Reader) io.Reader {
	if d == nil || d.lines == nil {
		return r
	}
	d.lines.Close()
	return io.TeeReader(r, d.lines)
}
