package commands

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

	"github.com/cupel-dev/cupel/evidence/seal"
	"github.com/cupel-dev/cupel/internal/config"
	"github.com/cupel-dev/cupel/internal/door"
	"github.com/cupel-dev/cupel/internal/say"
	"github.com/cupel-dev/cupel/internal/source"
)

// sideFile is a kind of file that a flag, or a variable of the environment, names beside the
// inputs. It is read whole, so it has a limit; a pipe or a device that delivers more is left at
// the limit.
type sideFile struct {
	from  string // what names it
	limit int    // in bytes
	less  string // what to do about a larger one
	open  func(context.Context, string) (io.ReadCloser, error)
}

var (
	// keyFile is read as the bytes that it has: a key may look like anything.
	keyFile = sideFile{"--hmac-key-file", 64 << 10, "the file holds the key and nothing else", door.Named}

	// signingKeyFile and trustedKeyFile are keys in PEM files, and may come from a pipe.
	signingKeyFile = sideFile{"--key", 64 << 10, "the file holds one private key and nothing else", door.Named}
	trustedKeyFile = sideFile{"--key", 64 << 10, "the file holds one public key and nothing else", door.Named}

	passwordFile = sideFile{"--key-password-file", 4 << 10, "the file holds the password and nothing else", door.Named}

	attestationFile = sideFile{"--attestation", seal.MaxBytes, "`cupel evidence attest BUNDLE` writes an attestation", door.NamedText}

	// redactionFile is a report on a redaction, which is read event by event.
	redactionFile = sideFile{from: "--redaction", less: "`cupel evidence redact --report FILE` writes a report", open: door.NamedText}

	// reportFile, secretsFile and revealedFile are read in the same way.
	reportFile   = sideFile{from: "--report", less: redactionFile.less, open: door.NamedText}
	secretsFile  = sideFile{from: "--secrets", less: "`cupel evidence redact --commit` writes a file of secrets", open: door.NamedText}
	revealedFile = sideFile{from: "--reveal", less: "`cupel evidence redact --disclose` writes what can be revealed", open: door.NamedText}

	// eventFile is one event, which may stand on several lines.
	eventFile = sideFile{"--event", 16 << 20, "the file holds one event", door.NamedText}

	anchorFile = sideFile{"--anchor", 64 << 10, "`cupel trace seal LOG > FILE` writes an anchor", door.NamedText}

	// stateFile is renewed at the end of the run, so it must be a file. The state of
	// 4,000,000 tool ids has about 90 MB.
	stateFile = sideFile{"--state", 256 << 20, "remove the file to verify the log from its beginning", openListedFile}

	// baselineFile has some 200 bytes an entry: at most 300,000 entries.
	baselineFile = sideFile{"--baseline", 64 << 20, "--write-baseline writes a baseline; --ignore leaves out a whole rule", door.NamedText}

	// limitsFile holds eight numbers.
	limitsFile = sideFile{"--limits", 64 << 10, "the file holds one JSON object of limits", door.NamedText}

	// sumsFile is read line by line, and may have any number of them.
	sumsFile = sideFile{from: "--check-sums", open: door.NamedText}

	// projectConfigFile is read by package config, which holds the limit.
	projectConfigFile = sideFile{"--config", config.MaxBytes, "the file holds a few lists of rule ids", nil}

	policyFile = sideFile{"--policy", config.MaxBytes, "docs/evidence-redact.md shows what a policy file says", door.NamedText}

	tagKeyFile = sideFile{"--tag-key-file", 64 << 10, "the file holds the bytes of a key, 32 are usual", door.Named}

	suiteFile = sideFile{"--assertions", 16 << 20, "split the suite: --assertions is repeatable", nil}
)

// planFile is the plan of `trace verify`, which may have as many bytes as a line.
func planFile(c *cli.Context) sideFile {
	limit := cmp.Or(c.Int("max-line-bytes"), source.DefaultMaxLine)
	return sideFile{"--plan", limit, say.RaiseHint("--max-line-bytes"), door.NamedText}
}

// engineConfigFile is the engine's configuration, which `attest serve` takes as --config,
// the other commands as --engine-config, and all of them from the environment.
func engineConfigFile(from string) sideFile {
	return sideFile{from, config.MaxBytes, "docs/attest-serve.md lists the keys of a configuration", door.NamedText}
}

// read reads the file of that name to its end. The error names the file and what named it.
func (s sideFile) read(ctx context.Context, name string) ([]byte, error) {
	r, err := s.open(ctx, name)
	if err != nil {
		return nil, s.unread(err)
	}
	defer func() { _ = r.Close() }() // opened for reading: nothing can be lost
	return s.readAll(r, name)
}

// unread words why the file could not be opened.
func (s sideFile) unread(err error) error {
	named := unread(s.from, say.Plain(err))
	if at, ok := errors.AsType[*fs.PathError](err); ok && at.Op == "read" {
		named = s.unreadable(at.Path, at.Err)
	}
	if packed, ok := errors.AsType[*source.CompressedError](err); ok {
		return &hinted{named, unpackHint(packed)}
	}
	if _, ok := errors.AsType[*source.TooLargeError](err); ok {
		return &hinted{named, s.less}
	}
	if _, ok := errors.AsType[*door.RefusedError](err); ok {
		return &hinted{named, fmt.Sprintf("%s takes a file that stays where it is", s.from)}
	}
	return named
}

// unreadable names a file of the kind that cannot be read.
func (s sideFile) unreadable(name string, why error) error {
	return unread(fmt.Sprintf("%s %q", s.from, name), why)
}

// readAll reads an open file of the kind to its end.
func (s sideFile) readAll(r io.Reader, name string) ([]byte, error) {
	text, err := source.ReadAll(r, s.limit)
	var large *source.TooLargeError
	switch {
	case errors.As(err, &large):
		return nil, &hinted{s.unreadable(name, fmt.Errorf("%w, the limit of such a file", large)), s.less}
	case err != nil:
		return nil, s.broken(name, err)
	}
	return text, nil
}

// broken words why an open file of the kind could not be read to its end.
func (s sideFile) broken(name string, err error) error {
	if at, ok := errors.AsType[*fs.PathError](err); ok {
		err = at.Err // the message names the file already
	}
	return s.unreadable(name, err)
}

// decode reads a file of JSON that cupel wrote.
func (s sideFile) decode(ctx context.Context, name string, into any) error {
	text, err := s.read(ctx, name)
	if err != nil {
		return err
	}
	if err := json.Unmarshal(text, into); err != nil {
		return s.unfit(name, err)
	}
	return nil
}

// unfit says why the text of a file is none of its kind.
func (s sideFile) unfit(name string, why error) error {
	return &hinted{s.unreadable(name, errors.New(misread(why))), s.less}
}

// misread words what is wrong with a file of JSON that cupel wrote.
func misread(err error) string {
	syntax, ok := errors.AsType[*json.SyntaxError](err)
	switch {
	case errors.Is(err, io.EOF), ok && syntax.Offset == 0:
		return "it is empty"
	case errors.Is(err, io.ErrUnexpectedEOF):
		return "invalid JSON: it ends too early"
	case ok:
		return fmt.Sprintf("invalid JSON at byte %d", syntax.Offset)
	}
	if kind, ok := errors.AsType[*json.UnmarshalTypeError](err); ok {
		return fmt.Sprintf("%s cannot be %s", cmp.Or(kind.Field, "the document"), say.Article(kind.Value))
	}
	return strings.TrimPrefix(err.Error(), "json: ")
}

// openListedFile is door.NamedFile as a stream.
func openListedFile(ctx context.Context, name string) (io.ReadCloser, error) {
	f, err := door.NamedFile(ctx, name)
	if err != nil {
		return nil, err
	}
	return f, nil
}
