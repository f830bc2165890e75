package commands

import (
	"context"
	"crypto/ed25519"
	"fmt"
	"strconv"

	"github.com/urfave/cli/v2"

	"github.com/cupel-dev/cupel/evidence/bundle"
	"github.com/cupel-dev/cupel/evidence/seal"
	"github.com/cupel-dev/cupel/finding"
)

// attestationFlags name an attestation and the key that is trusted for it.
func attestationFlags(category string) []cli.Flag {
	return []cli.Flag{
		&cli.StringFlag{Name: "attestation", Category: category, Usage: "`FILE` with the attestation of the bundle, as `cupel evidence attest` writes it; takes --key"},
		&cli.StringFlag{Name: "key", Category: category, Usage: "`FILE` with the public key, in PEM, that must have signed the attestation"},
	}
}

// attested is an attestation that a flag names, checked as far as no bundle is needed.
type attested struct {
	name  string
	keyID string            // of the trusted key
	said  *seal.Attestation // nil when there is a fault
	fault *finding.Finding
}

// readAttestation reads what --attestation and --key name; nil when the flags are not
// given. What is wrong with the attestation is its fault, not an error.
func readAttestation(c *cli.Context) (*attested, error) {
	a := &attested{name: c.String("attestation")}
	switch {
	case !c.IsSet("attestation") && !c.IsSet("key"):
		return nil, nil
	case !c.IsSet("attestation"):
		return nil, &usageError{"--key says who must have signed, but --attestation names nothing that is signed", "`cupel evidence attest BUNDLE --key PRIVATE` writes an attestation"}
	case c.Bool("follow"):
		return nil, &usageError{"--attestation is of a bundle, and --follow reads a stream", leaveOneHint}
	case !c.IsSet("key"):
		return nil, &usageError{"--attestation is worth nothing without --key", "--key names the public key of whoever has signed it"}
	}
	key, err := trustedKey(c)
	if err != nil {
		return nil, err
	}
	text, err := attestationFile.read(c.Context, a.name)
	if err != nil {
		return nil, err
	}
	return a, a.open(c.Context, text, key)
}

func trustedKey(c *cli.Context) (ed25519.PublicKey, error) {
	name := c.String("key")
	text, err := trustedKeyFile.read(c.Context, name)
	if err != nil {
		return nil, err
	}
	key, err := seal.ParsePublicKey(text)
	if err != nil {
		return nil, badKey(name, err, "`cupel evidence keygen` writes the public key beside the private one, and `openssl pkey -in key.pem -pubout` prints it")
	}
	return key, nil
}

// open checks the attestation by itself.
func (a *attested) open(ctx context.Context, text []byte, key ed25519.PublicKey) error {
	trusted, err := seal.NewVerifier(key)
	if err != nil {
		return err
	}
	a.keyID = seal.KeyID(key)
	a.said, a.fault, err = seal.Open(ctx, text, trusted)
	if a.fault != nil && a.fault.Found != "" && a.fault.Path == "/signatures" {
		a.fault.Expected = a.keyID
	}
	return err
}

// finding places a finding in the attestation.
func (a *attested) finding(f finding.Finding) finding.Finding {
	f.File = a.name
	f.Detail = bundle.Detail{Pointer: f.Path}
	return f
}

// tree takes the events of the input when the attestation is about their tree; nil when it is
// not.
func (a *attested) tree() *eventLeaves {
	if a == nil || a.said == nil || a.said.Facts.Tree == nil {
		return nil
	}
	return new(eventLeaves)
}

// announce passes on what is wrong with the attestation itself, where findings go out as they
// come: it stands before those of the input.
func (a *attested) announce(live func(finding.Finding)) {
	if a != nil && a.fault != nil && live != nil {
		live(a.finding(*a.fault))
	}
}

// judge adds to the report on an input what the attestation says of it: its own fault before
// all others, and what differs when the input is a valid bundle. Named is the report that
// --redaction names. The error says that the input is nothing that can be attested.
func (a *attested) judge(r *bundle.Report, tree *eventLeaves, named *redaction, opt bundle.Options) error {
	if a == nil {
		return nil
	}
	r.Attestation = &bundle.Attestation{File: a.name, KeyID: a.keyID}
	if a.fault != nil {
		r.Precede(a.finding(*a.fault))
		return nil
	}
	r.Attestation.PredicateType = a.said.PredicateType
	switch {
	case r.Kind != bundle.KindBundle:
		return &hinted{fmt.Errorf("%q is %s, and an attestation is of a bundle", r.Input, kindNames[r.Kind]), "`cupel evidence seal` makes a bundle of events"}
	case r.Verdict != bundle.Valid:
		return nil
	}
	facts, err := factsOf(r, tree)
	if err != nil {
		return err
	}
	follow(r, a.said.Compare(facts), opt, a.finding)
	if r.Errors == 0 {
		r.NotCovered = a.notCovered()
	}
	if a.said.Facts.Redaction == nil {
		return nil
	}
	return a.attestedRedaction(r, named, opt)
}

// notCovered says what a good attestation of a valid bundle leaves open: all bytes of the
// bundle are signed.
func (a *attested) notCovered() []string {
	list := []string{
		a.holder(),
		"whether the events are true, and whether the run did more than they say: the holder of the key says that this is the bundle, and no more",
	}
	for _, pointer := range a.said.Unknown {
		list = append(list, "member "+strconv.Quote(pointer)+" of the attestation: it is signed, but nothing that is known compares it")
	}
	return list
}

// holder is what no attestation proves.
func (a *attested) holder() string {
	return "who holds the key " + a.keyID + ": the attestation is worth as much as the trust in it"
}
