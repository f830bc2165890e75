package tracecmd

import (
	"bytes"
	"crypto/ed25519"
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"slices"
	"strings"

	"github.com/urfave/cli/v2"

	"github.com/cupel-dev/cupel/commands/internal/app"
	"github.com/cupel-dev/cupel/commands/internal/cmdline"
	"github.com/cupel-dev/cupel/commands/internal/input"
	"github.com/cupel-dev/cupel/evidence/seal"
	"github.com/cupel-dev/cupel/internal/digest"
	"github.com/cupel-dev/cupel/internal/door"
	"github.com/cupel-dev/cupel/internal/report"
	"github.com/cupel-dev/cupel/internal/say"
	"github.com/cupel-dev/cupel/trace"
)

// sessionFlags are the flags of `trace verify` that concern session logs.
func sessionFlags() []cli.Flag {
	const category = "Session logs"
	return append([]cli.Flag{
		&cli.BoolFlag{Name: "integrity-only", Category: category, Usage: "check only hashes, order and seals, not payloads"},
		&cli.BoolFlag{Name: "strict-payload", Category: category, Usage: "reject payload members outside the tables"},
		cmdline.OneOf(&cli.StringFlag{Name: "canonicalization", Category: category, Value: "auto", Usage: "`PROFILE` for recomputing hashes: auto, strict (RFC 8785 only) or a profile name"}, canonicalizationWords()...),
		&cli.Int64Flag{Name: "expect-count", Category: category, Usage: "the log must have `N` events"},
		&cli.StringFlag{Name: "expect-head", Category: category, Usage: "the last event must have `HASH`"},
		&cli.StringFlag{Name: "anchor", Category: category, Usage: "anchor `FILE` from cupel trace seal; the log must equal it or extend it"},
		&cli.StringFlag{Name: "after", Category: category, Usage: "anchor `FILE` from cupel trace seal of retired events; the log must continue after them"},
		&cli.StringFlag{Name: "hmac-key-file", Category: category, Usage: "`FILE` with the key of the seal's HMAC"},
		&cli.StringSliceFlag{Name: "key", Category: category, Usage: "`FILE` with an Ed25519 public key (PEM, base64 or hex) that must have signed the log; repeatable: any of them"},
		input.SourcesFlag(category),
		&cli.StringFlag{Name: "state", Category: category, Usage: "continue after the run that wrote `FILE`, and update it"},
		chainFlag(),
		bySessionFlag(),
		&cli.BoolFlag{Name: "secrets", Category: category, Usage: "look for keys, tokens and passwords in transcripts (slower); never shows their values"},
		&cli.BoolFlag{Name: "growing", Category: category, Usage: "accept an unfinished last line: the log is still being written"},
		&cli.BoolFlag{Name: "follow", Category: category, Usage: "verify lines as they arrive, across log rotation, until Ctrl-C or SIGTERM; the verdict decides the exit code"},
		&cli.BoolFlag{Name: "until-seal", Category: category, Usage: "with --follow: end when the log has its CHAIN_SEAL, or a second after its SESSION_END"},
	}, input.FollowFlags(category)...)
}

// canonicalizationWords are the values of --canonicalization.
func canonicalizationWords() (list []cmdline.Word) {
	for _, name := range trace.Canonicalizations() {
		means := "the behavior of a published writer at that time"
		switch name {
		case "auto":
			means = "whichever explains the hashes"
		case "strict", "rfc8785":
			means = "RFC 8785 alone"
		}
		list = append(list, cmdline.Word{Name: name, Means: means})
	}
	return list
}

// single are the flags that require a single input.
var single = []string{"expect-sha256", "expect-count", "expect-head", "anchor", "after", "state", "follow", "checkpoint"}

// sessionOptions reads the flags of sessionFlags.
func sessionOptions(c *cli.Context, opt *trace.Options) error {
	opt.Session.IntegrityOnly, opt.Session.StrictPayload = c.Bool("integrity-only"), c.Bool("strict-payload")
	if opt.Session.IntegrityOnly && opt.Session.StrictPayload {
		return &cmdline.UsageError{Message: "--integrity-only skips payloads, but --strict-payload checks them", Hint: cmdline.LeaveOneHint}
	}
	opt.Session.Canonicalization = c.String("canonicalization")
	if chosen := opt.Session.Canonicalization; chosen != "" && !slices.Contains(trace.Canonicalizations(), chosen) {
		return cmdline.BadValue("canonicalization", chosen, trace.Canonicalizations())
	}
	if c.IsSet("expect-count") {
		count := c.Int64("expect-count")
		if count < 0 {
			return &cmdline.UsageError{Message: fmt.Sprintf("--expect-count is %d, expected 0 or more", count), Hint: ""}
		}
		opt.Session.ExpectCount = &count
	}
	if opt.Session.ExpectHead = strings.TrimPrefix(c.String("expect-head"), digest.Prefix); c.IsSet("expect-head") && !digest.IsHex([]byte(opt.Session.ExpectHead)) {
		return &cmdline.UsageError{Message: fmt.Sprintf("--expect-head is %q, expected 64 lower-case hexadecimal digits", c.String("expect-head")), Hint: ""}
	}
	if err := chainOptions(c); err != nil {
		return err
	}
	if err := bySession(c, opt); err != nil {
		return err
	}
	opt.Secrets = c.Bool("secrets")
	opt.Growing = c.Bool("follow") || c.Bool("growing") || c.IsSet("state")
	if opt.BySession && opt.Growing {
		if !c.IsSet("anchor") {
			return &cmdline.UsageError{Message: "--growing with --by compares sessions with an anchor, but --anchor is missing", Hint: "--by session_id --anchor FILE --growing"}
		}
		opt.Growing, opt.AnchorGrowing = false, true
	}
	for _, name := range []string{"expect-sha256", "expect-count", "expect-head", "anchor", "after"} {
		if opt.Growing && c.IsSet(name) {
			return &cmdline.UsageError{Message: fmt.Sprintf("--%s checks the end of the log, but a growing log has no end yet", name), Hint: "verify the log once more without --state and --follow"}
		}
	}
	return sessionFiles(c, opt)
}

// sessionFiles reads the files that the flags name.
func sessionFiles(c *cli.Context, opt *trace.Options) (err error) {
	if opt.Anchor, err = readAnchor(c, "anchor", app.AnchorFile); err != nil {
		return err
	}
	if opt.After, err = readAnchor(c, "after", app.AfterFile); err != nil {
		return err
	}
	if a := opt.Anchor; a != nil && opt.BySession != (a.By != "") {
		if a.By != "" {
			return &cmdline.UsageError{Message: "the anchor covers many sessions", Hint: "separate the sessions with --by " + a.By}
		}
		return &cmdline.UsageError{Message: "the anchor covers one log, but --by splits the log into sessions", Hint: "`cupel trace seal --by session_id LOG > FILE` writes an anchor of sessions"}
	}
	if a := opt.After; a != nil && a.By != "" {
		return &cmdline.UsageError{Message: "--after applies to one log, but the anchor covers many sessions", Hint: "`cupel trace seal LOG > FILE` writes an anchor of one log"}
	}
	if name := c.String("hmac-key-file"); name != "" {
		key, err := app.KeyFile.Read(c.Context, name)
		if err != nil {
			return err
		}
		if len(key) == 0 {
			return &cmdline.Hinted{Err: fmt.Errorf("the key in %q is empty", name), Hint: "give a key: an HMAC with an empty key proves nothing"}
		}
		opt.Session.HMACKey = key
	}
	for _, name := range c.StringSlice("key") {
		text, err := app.TrustedKeyFile.Read(c.Context, name)
		if err != nil {
			return err
		}
		key, err := publicKey(text)
		if err != nil {
			return app.BadKey(name, err, "`openssl pkey -in PRIVATE -pubout` and `cupel evidence keygen` write such keys")
		}
		opt.Session.TrustedKeys = append(opt.Session.TrustedKeys, key)
	}
	return nil
}

// readAnchor reads the anchor file of a flag. It returns nil if the flag is not set.
func readAnchor(c *cli.Context, flag string, file app.SideFile) (*trace.Anchor, error) {
	name := c.String(flag)
	if name == "" {
		return nil, nil
	}
	a := &trace.Anchor{}
	if err := file.Decode(c.Context, name, a); err != nil {
		return nil, err
	}
	if a.Schema != trace.AnchorSchema || !digest.IsHex([]byte(a.SHA256)) || a.Events < 0 || a.Bytes < 0 || a.Head != "" && !digest.IsHex([]byte(a.Head)) {
		return nil, &cmdline.Hinted{Err: fmt.Errorf("%q is not an anchor", name), Hint: "write an anchor with `cupel trace seal LOG > FILE`"}
	}
	return a, nil
}

// publicKey reads an Ed25519 public key: a PEM file, or its 32 bytes in base64 or hexadecimal.
func publicKey(text []byte) (ed25519.PublicKey, error) {
	bare := string(bytes.TrimSpace(text))
	if key, err := hex.DecodeString(bare); err == nil && len(key) == ed25519.PublicKeySize {
		return key, nil
	}
	if key, err := base64.StdEncoding.DecodeString(bare); err == nil && len(key) == ed25519.PublicKeySize {
		return key, nil
	}
	key, err := seal.ParsePublicKey(text)
	if err != nil {
		return nil, err
	}
	if own, ok := key.(ed25519.PublicKey); ok {
		return own, nil
	}
	return nil, fmt.Errorf("a key of the type %T, expected Ed25519", key)
}

// oneLog rejects flags for a single log if there are several. A chain is a single log.
func oneLog(c *cli.Context, inputs int) error {
	if c.Bool("chain") {
		return nil
	}
	if inputs > 1 && c.IsSet("checkpoint") {
		return &cmdline.UsageError{Message: fmt.Sprintf("--checkpoint covers one log, but there are %d inputs", inputs), Hint: "--chain reads them as the files of one rotated log, oldest first"}
	}
	return app.OneOf(c, inputs, single...)
}

// resumeAt reads the state of an earlier run, if any, and moves the input to the offset where it stopped.
func resumeAt(c *cli.Context, name string, r io.Reader, opt *trace.Options) error {
	for _, flag := range []string{"follow", "state"} {
		if c.IsSet(flag) && input.IsPacked(r) {
			return input.RefusePacked(flag, name)
		}
	}
	state := c.String("state")
	if state == "" {
		return nil
	}
	s := &trace.State{}
	if _, err := door.Stat(state); errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err := app.StateFile.Decode(c.Context, state, s); err != nil {
		return err
	}
	if err := s.Check(); err != nil {
		return unusableState(state, err, app.StateFile.Less)
	}
	if err := s.CheckOptions(*opt); err != nil {
		return unusableState(state, err, "give the options of the earlier run, or "+app.StateFile.Less)
	}
	var err error
	seeker, ok := r.(io.Seeker)
	if ok {
		_, err = seeker.Seek(s.Start(), io.SeekStart)
	}
	if !ok || err != nil {
		return &cmdline.UsageError{Message: "--state needs a regular file: in a pipe, a later run cannot skip what was read", Hint: "save the log as a file first"}
	}
	opt.Resume = s
	return nil
}

// keepState replaces the state file after the report is written, because a run with a lost report must not be
// continued. It reports a missing state, which makes the next run start over.
func (v *LogVerifier) keepState(r *trace.Report) error {
	name, s := v.c.String("state"), r.State
	if name == "" || r.Verdict == "" || r.Family == trace.Transcript { // refused
		return nil
	}
	if s == nil {
		cmdline.Warn(v.env, fmt.Sprintf("no state was written to %q: the next run can continue only a readable session log", name))
		return nil
	}
	text, err := json.Marshal(s)
	if err != nil {
		return err
	}
	if err := v.out.Replace(name, text, 0o600); err != nil {
		return fmt.Errorf("cannot write --state: %w", err)
	}
	return nil
}

// stateKeeper selects the state to keep after following several logs.
type stateKeeper struct {
	last    *trace.Report // whose state it is; nil when that is of no use any more
	rotated bool          // another file has taken the place of a log
}

// take adds the next report. A rewritten log is compared with its earlier state until it has a new one. Rotated
// logs are not compared.
func (k *stateKeeper) take(r *trace.Report) {
	switch {
	case r.Ended == trace.Rotated:
		k.last, k.rotated = nil, true
	case k.last == nil && !k.rotated, r.State != nil:
		k.last = r
	}
}

// keepLast keeps the state of the last followed log. After a rotation the earlier state is useless.
func (v *LogVerifier) keepLast(k stateKeeper) error {
	if k.last != nil {
		return v.keepState(k.last)
	}
	name := v.c.String("state")
	if name == "" {
		return nil
	}
	if err := door.Remove(name); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("cannot remove --state: %w", say.Plain(err))
	}
	return nil
}

// sessionFacts returns further facts of a session log's report.
func sessionFacts(r *trace.Report) (facts []report.Fact) {
	add := func(name, value string) {
		if value != "" {
			facts = append(facts, report.Fact{Name: name, Value: value})
		}
	}
	if string(r.Integrity) != string(r.Verdict) {
		add("integrity", string(r.Integrity))
	}
	if before := r.State; before != nil && before.Errors > r.Errors {
		add("earlier runs", "found "+say.Counted(int64(before.Errors-r.Errors), "error"))
	}
	add("evidence class", string(r.EvidenceClass))
	add("signatures", signatureText(r))
	add("canonicalization", strings.Join(r.Canonicalization, ", "))
	add("head", r.Head)
	add("sources", input.CitedText(r.Cited))
	for _, d := range r.Damage {
		add("damage", damageText(d))
	}
	if r.Undiagnosed != "" {
		add("cause of the damage", "not looked for: "+r.Undiagnosed)
	}
	return facts
}

// signatureText describes the result of a log's signatures, or returns "".
func signatureText(r *trace.Report) string {
	switch s := r.Signatures; {
	case s == nil || s.Ed25519 == trace.SignatureAbsent:
		return ""
	case r.SignatureKey == nil:
		return "ed25519 " + string(s.Ed25519)
	case r.SignatureKey.Basis == trace.KeyTrusted:
		return fmt.Sprintf("ed25519 %s, with the trusted key %s", s.Ed25519, r.SignatureKey.Fingerprint)
	case r.SignatureKey.Basis == trace.KeyUntrusted:
		return fmt.Sprintf("ed25519 %s, with the untrusted key %s", s.Ed25519, r.SignatureKey.Fingerprint)
	}
	return fmt.Sprintf("ed25519 %s, with a key named only in the log: %s", r.Signatures.Ed25519, r.SignatureKey.Fingerprint)
}

// unusableState returns why a run cannot continue from a state.
func unusableState(name string, err error, hint string) error {
	return &cmdline.Hinted{Err: fmt.Errorf("cannot use --state %q: %w", name, err), Hint: hint}
}
