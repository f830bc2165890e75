package app

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"strings"

	"github.com/urfave/cli/v2"

	"github.com/cupel-dev/cupel/commands/internal/cmdline"
	"github.com/cupel-dev/cupel/evidence/seal"
	"github.com/cupel-dev/cupel/internal/config"
	"github.com/cupel-dev/cupel/internal/decided"
	"github.com/cupel-dev/cupel/internal/door"
	"github.com/cupel-dev/cupel/internal/say"
	"github.com/cupel-dev/cupel/internal/source"
)

// SideFile is a kind of file other than inputs, named by a flag or environment variable. It is read whole, up to a
// limit.
type SideFile struct {
	From   string // what names it
	Limit  int    // in bytes
	Less   string // what to do about a larger one
	Opener func(context.Context, string) (io.ReadCloser, error)
	Role   string // in the verdict, for the reports; "" for keys and passwords, whose digests stay private
}

var (
	// KeyFile is read as raw bytes, because a key can contain anything.
	KeyFile = SideFile{"--hmac-key-file", 64 << 10, "the file holds the key and nothing else", door.Named, ""}

	// SigningKeyFile and TrustedKeyFile are PEM files. They can be pipes.
	SigningKeyFile = SideFile{"--key", 64 << 10, "the file holds one private key and nothing else", door.Named, ""}
	TrustedKeyFile = SideFile{"--key", 64 << 10, "the file holds one public key and nothing else", door.Named, ""}

	PasswordFile = SideFile{"--key-password-file", 4 << 10, "the file holds the password and nothing else", door.Named, ""}

	AttestationFile = SideFile{"--attestation", seal.MaxBytes, "`cupel evidence attest BUNDLE` writes an attestation", door.NamedText, "attestation"}

	// RedactionFile is a redaction report, read event by event.
	RedactionFile = SideFile{From: "--redaction", Less: "`cupel evidence redact --report FILE` writes a report", Opener: door.NamedText, Role: "redaction report"}

	// ReportFile, SecretsFile and RevealedFile are read in the same way.
	ReportFile   = SideFile{From: "--report", Less: RedactionFile.Less, Opener: door.NamedText, Role: "redaction report"}
	SecretsFile  = SideFile{From: "--secrets", Less: "`cupel evidence seal --commit` and `redact --commit` write a file of secrets", Opener: door.NamedText}
	RevealedFile = SideFile{From: "--reveal", Less: "`cupel evidence redact --disclose` writes what can be revealed", Opener: door.NamedText, Role: "disclosure"}

	ContextFile = SideFile{"--context", 4 << 20, "`cupel evidence pack --write-context FILE` writes one", door.NamedText, "context"}

	// EventFile is one event, on one or several lines.
	EventFile = SideFile{"--event", 16 << 20, "the file holds one event", door.NamedText, "event"}

	AfterFile  = SideFile{"--after", 64 << 10, "`cupel trace seal LOG > FILE` writes an anchor", door.NamedText, "anchor"}
	AnchorFile = SideFile{"--anchor", 64 << 20, "an anchor has about 200 bytes per session: seal fewer sessions", door.NamedText, "anchor"}

	// StateFile is replaced at the end of the run, so it must be a regular file. A state with 4,000,000 tool ids
	// has about 90 MB.
	StateFile = SideFile{"--state", 256 << 20, "remove the file to verify the log from the start", openListedFile, "state"}

	// baselineFile has about 200 bytes per entry, so at most 300,000 entries.
	baselineFile = SideFile{"--baseline", 64 << 20, "--write-baseline writes a baseline; --ignore leaves out a whole rule", door.NamedText, "baseline"}

	LimitsFile = SideFile{"--limits", 64 << 10, "the file holds one JSON object of limits", door.NamedText, "limits"}

	SumsFile = SideFile{From: "--check-sums", Opener: door.NamedText, Role: "list of hashes"}

	// projectConfigFile is read by package config, which has its own limit.
	projectConfigFile = SideFile{"--config", config.MaxBytes, "the file holds a few lists of rule ids", nil, ""}

	PolicyFile = SideFile{"--policy", config.MaxBytes, "`cupel help evidence-redact` describes policy files", door.NamedText, "policy"}

	TagKeyFile = SideFile{"--tag-key-file", 64 << 10, "the file holds the bytes of a key, 32 are usual", door.Named, ""}

	SuiteFile = SideFile{"--assertions", 16 << 20, "split the suite: --assertions is repeatable", nil, ""}
)

// PlanFile returns the plan of `trace verify`, whose size limit is that of a line.
func PlanFile(c *cli.Context) SideFile {
	limit := cmp.Or(c.Int("max-line-bytes"), source.DefaultMaxLine)
	return SideFile{"--plan", limit, say.RaiseHint("--max-line-bytes"), door.NamedText, "plan"}
}

// EngineConfigFile returns the engine's configuration, named by --config of `attest serve`, --engine-config of
// other commands, or an environment variable.
func EngineConfigFile(from string) SideFile {
	return SideFile{from, config.MaxBytes, "`cupel help attest-serve` lists the keys of a configuration", door.NamedText, "engine configuration"}
}

// Open opens a file. If it is read to its end, it becomes part of the signed verdict.
func (s SideFile) Open(ctx context.Context, name string) (io.ReadCloser, error) {
	r, err := s.Opener(ctx, name)
	if err != nil || s.Role == "" {
		return r, err
	}
	return decided.Of(ctx).Reading(s.Role, name, r), nil
}

// Read reads a file. The error names the file and the flag.
func (s SideFile) Read(ctx context.Context, name string) ([]byte, error) {
	r, err := s.Open(ctx, name)
	if err != nil {
		return nil, s.Unread(err)
	}
	defer func() { _ = r.Close() }() // opened for reading: nothing can be lost
	return s.ReadAll(r, name)
}

// Unread returns the error for a file that could not be opened.
func (s SideFile) Unread(err error) error {
	named := cmdline.Unread(s.From, say.Plain(err))
	if at, ok := errors.AsType[*fs.PathError](err); ok && at.Op == "read" {
		named = s.unreadable(at.Path, at.Err)
	}
	if packed, ok := errors.AsType[*source.CompressedError](err); ok {
		return &cmdline.Hinted{Err: named, Hint: cmdline.UnpackHint(packed)}
	}
	if _, ok := errors.AsType[*source.TooLargeError](err); ok {
		return &cmdline.Hinted{Err: named, Hint: s.Less}
	}
	if _, ok := errors.AsType[*door.RefusedError](err); ok {
		return &cmdline.Hinted{Err: named, Hint: fmt.Sprintf("give %s a regular file", s.From)}
	}
	return named
}

func (s SideFile) unreadable(name string, why error) error {
	return cmdline.Unread(fmt.Sprintf("%s %q", s.From, name), why)
}

func (s SideFile) ReadAll(r io.Reader, name string) ([]byte, error) {
	text, err := source.ReadAll(r, s.Limit)
	var large *source.TooLargeError
	switch {
	case errors.As(err, &large):
		return nil, &cmdline.Hinted{Err: s.unreadable(name, fmt.Errorf("%w, the limit for such a file", large)), Hint: s.Less}
	case err != nil:
		return nil, s.Broken(name, err)
	}
	return text, nil
}

// Broken returns the error for a file that could not be read to its end.
func (s SideFile) Broken(name string, err error) error {
	if at, ok := errors.AsType[*fs.PathError](err); ok {
		err = at.Err // the message names the file already
	}
	return s.unreadable(name, err)
}

// Decode reads a JSON file that cupel wrote.
func (s SideFile) Decode(ctx context.Context, name string, into any) error {
	text, err := s.Read(ctx, name)
	if err != nil {
		return err
	}
	if err := json.Unmarshal(text, into); err != nil {
		return s.Unfit(name, err)
	}
	return nil
}

// Unfit returns the error for a file in another format than expected.
func (s SideFile) Unfit(name string, why error) error {
	return &cmdline.Hinted{Err: s.unreadable(name, errors.New(Misread(why))), Hint: s.Less}
}

// Misread describes an error in a JSON file that cupel wrote.
func Misread(err error) string {
	syntax, ok := errors.AsType[*json.SyntaxError](err)
	switch {
	case errors.Is(err, io.EOF), ok && syntax.Offset == 0:
		return "it is empty"
	case errors.Is(err, io.ErrUnexpectedEOF):
		return "invalid JSON: the text ends too early"
	case ok:
		return fmt.Sprintf("invalid JSON at byte %d", syntax.Offset)
	}
	if kind, ok := errors.AsType[*json.UnmarshalTypeError](err); ok {
		return fmt.Sprintf("%s cannot be %s", cmp.Or(kind.Field, "the document"), say.Article(kind.Value))
	}
	return strings.TrimPrefix(err.Error(), "json: ")
}

func openListedFile(ctx context.Context, name string) (io.ReadCloser, error) {
	f, err := door.NamedFile(ctx, name)
	if err != nil {
		return nil, err
	}
	return f, nil
}

// BadKey returns the error for an unusable key in --key, with a hint.
func BadKey(name string, err error, hint string) error { return badKey("key", name, err, hint) }

func badKey(flag, name string, err error, hint string) error {
	return &cmdline.Hinted{Err: fmt.Errorf("cannot use --%s %q: %w", flag, name, err), Hint: hint}
}
