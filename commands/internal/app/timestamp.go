package app

import (
	"fmt"
	"time"

	"github.com/urfave/cli/v2"

	"github.com/cupel-dev/cupel/commands/internal/cmdline"
	"github.com/cupel-dev/cupel/finding"
	"github.com/cupel-dev/cupel/internal/door"
	"github.com/cupel-dev/cupel/internal/report"
	"github.com/cupel-dev/cupel/internal/timestamp"
)

var (
	timestampFile = SideFile{"--timestamp", timestamp.MaxBytes, "the file holds the response of a timestamp authority and nothing else", door.Named, "timestamp"}
	authorityFile = SideFile{"--tsa-cert", timestamp.MaxCertBytes, "the file holds the certificates of one timestamp authority", door.NamedText, "certificates of the timestamp authority"}
)

// TimestampFlags are the flags for a timestamp over the file of another flag.
func TimestampFlags(category, over string) []cli.Flag {
	return []cli.Flag{
		&cli.StringFlag{Name: "timestamp", Category: category, Usage: "`FILE` with an RFC 3161 timestamp (.tsr or token) over the file in --" + over + "; needs --tsa-cert"},
		&cli.StringFlag{Name: "tsa-cert", Category: category, Usage: "`FILE` with trusted certificates in PEM, to which the signer of the timestamp must lead"},
	}
}

// Timestamp is --timestamp with --tsa-cert.
type Timestamp struct {
	file    string
	der     []byte
	trusted *timestamp.Authorities
}

// ReadTimestamp reads the flags. It returns nil without them.
func ReadTimestamp(c *cli.Context, over string) (*Timestamp, error) {
	example := fmt.Sprintf("--%s FILE --timestamp FILE --tsa-cert FILE", over)
	switch stamped, certs := c.IsSet("timestamp"), c.IsSet("tsa-cert"); {
	case !stamped && !certs:
		return nil, nil
	case !certs:
		return nil, &cmdline.UsageError{Message: "--timestamp needs --tsa-cert: anyone can make a timestamp", Hint: "get the certificate from the timestamp authority: --tsa-cert FILE"}
	case !stamped:
		return nil, &cmdline.UsageError{Message: "--tsa-cert requires --timestamp, which is not given", Hint: example}
	case !c.IsSet(over):
		return nil, &cmdline.UsageError{Message: "--timestamp covers the file in --" + over + ", which is not given", Hint: example}
	}
	t := &Timestamp{file: c.String("timestamp")}
	name := c.String("tsa-cert")
	text, err := authorityFile.Read(c.Context, name)
	if err != nil {
		return nil, err
	}
	if t.trusted, err = timestamp.ParseAuthorities(text); err != nil {
		return nil, &cmdline.Hinted{Err: fmt.Errorf("cannot use --tsa-cert %q: %w", name, err), Hint: "`openssl x509 -inform DER -in FILE` prints a certificate in PEM"}
	}
	t.der, err = timestampFile.Read(c.Context, t.file)
	return t, err
}

// Judge verifies the timestamp over a message. Its facts are nil after an error.
func (t *Timestamp) Judge(message []byte) (*timestamp.Facts, []finding.Finding) {
	if t == nil {
		return nil, nil
	}
	facts, found := timestamp.Verify(t.der, message, t.trusted, time.Now())
	for i := range found {
		found[i].File = t.file
	}
	if facts != nil {
		facts.File = t.file
	}
	return facts, found
}

// TimestampFact returns the line about a verified timestamp, if any.
func TimestampFact(f *timestamp.Facts) []report.Fact {
	if f == nil {
		return nil
	}
	return []report.Fact{{Kept: true, Name: "timestamp", Value: f.String()}}
}
