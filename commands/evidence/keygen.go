package evidencecmd

import (
	"crypto/ed25519"
	"errors"
	"fmt"
	"io/fs"

	"github.com/urfave/cli/v2"

	"github.com/cupel-dev/cupel/commands/internal/cmdline"
	"github.com/cupel-dev/cupel/evidence/seal"
	"github.com/cupel-dev/cupel/internal/door"
	"github.com/cupel-dev/cupel/internal/say"
)

// KeygenCommand is `cupel evidence keygen`.
func KeygenCommand(env cmdline.Env) *cli.Command {
	return &cli.Command{
		Name:        "keygen",
		Usage:       "create an Ed25519 key pair for attestations",
		ArgsUsage:   "PRIVATE PUBLIC",
		UsageText:   "cupel evidence keygen key.pem key.pub.pem\ncupel evidence keygen keys/ci.pem ci.pub.pem\n(umask 077; cupel evidence keygen key.pem key.pub.pem)",
		Description: "The private key is PKCS#8, not encrypted, in a file that only its owner can read; the\npublic key is SubjectPublicKeyInfo. Both are PEM. Neither file can exist already, because\nan overwritten key is lost.",
		Action: func(c *cli.Context) error {
			if c.Args().Len() != 2 {
				return &cmdline.UsageError{Message: fmt.Sprintf("%s, expected two files: for the private and for the public key", cmdline.Counted(c.Args().Len(), "file")), Hint: "`cupel evidence keygen key.pem key.pub.pem` writes both"}
			}
			private, public := c.Args().Get(0), c.Args().Get(1)
			key := seal.GenerateKey()
			own := key.Public().(ed25519.PublicKey)
			if err := writeKey(private, seal.EncodePrivateKey(key), 0o600); err != nil {
				return err
			}
			if err := writeKey(public, seal.EncodePublicKey(own), 0o666); err != nil {
				_ = door.Remove(private) // half a pair is of no use; the first error says why
				return err
			}
			_, err := fmt.Fprintf(env.Stdout, "key-id  %s  %s\n", seal.KeyID(own), say.Visible(public))
			return err
		},
	}
}

func writeKey(name string, text []byte, mode fs.FileMode) error {
	err := door.WriteNew(name, text, mode)
	if there := thereAlready(name, err, "keys"); there != nil {
		return there
	}
	if err != nil {
		return fmt.Errorf("cannot write a key: %w", say.Plain(err))
	}
	return nil
}

// thereAlready returns the error for an existing file, or nil for other errors.
func thereAlready(name string, err error, what string) error {
	if !errors.Is(err, fs.ErrExist) {
		return nil
	}
	return cmdline.IsThere(name, "name a new file; "+what+" are never overwritten")
}
