package evidencecmd

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"slices"
	"strconv"
	"strings"

	"github.com/urfave/cli/v2"

	"github.com/cupel-dev/cupel/commands/internal/app"
	"github.com/cupel-dev/cupel/commands/internal/cmdline"
	"github.com/cupel-dev/cupel/evidence"
	"github.com/cupel-dev/cupel/evidence/bundle"
	"github.com/cupel-dev/cupel/evidence/seal"
	"github.com/cupel-dev/cupel/finding"
	"github.com/cupel-dev/cupel/internal/digest"
	"github.com/cupel-dev/cupel/internal/door"
	"github.com/cupel-dev/cupel/internal/say"
	"github.com/cupel-dev/cupel/internal/timestamp"
	"github.com/cupel-dev/cupel/internal/walk"
)

func attestationFlags(category string) []cli.Flag {
	return []cli.Flag{
		&cli.StringFlag{Name: "attestation", Category: category, Usage: "`FILE` with one attestation per line, from cupel evidence attest; default with --key: the file next to the bundle"},
		&cli.StringSliceFlag{Name: "key", KeepSpace: true, Category: category, Usage: "`FILE` with a public key (PEM or OpenSSH) that must have signed the attestation; repeatable"},
		&cli.IntFlag{Name: "threshold", Category: category, Value: 1, Usage: "`N` of the keys must have signed the attestation"},
	}
}

type attestationOptions struct {
	trust seal.Trust
	stamp *app.Timestamp // over the named file, or nil
	named *attested      // nil: --attestation names none
}

// attested is a file of attestations that was checked without the bundle.
type attested struct {
	name  string
	trust seal.Trust
	text  []byte
	stamp *app.Timestamp // nil without --timestamp
	list  []*seal.Envelope
	said  []*seal.Attestation // to compare; empty after a fault
	other []*seal.Attestation // by other keys; must also be true
	fault *finding.Finding
}

// readAttestation reads --attestation and --key. A malformed attestation is a finding, not an error.
func readAttestation(c *cli.Context) (*attestationOptions, error) {
	named, keys := c.String("attestation"), c.StringSlice("key")
	stamp, err := app.ReadTimestamp(c, "attestation")
	if err != nil {
		return nil, err
	}
	a := &attestationOptions{trust: seal.Trust{Threshold: c.Int("threshold")}, stamp: stamp}
	switch {
	case !c.IsSet("attestation") && len(keys) == 0:
		if c.IsSet("threshold") {
			return nil, &cmdline.UsageError{Message: "--threshold counts keys, but --key is missing", Hint: "give the public key of the signer with --key"}
		}
		return a, nil
	case c.Bool("follow"):
		return nil, &cmdline.UsageError{Message: "--follow reads a stream, but --attestation and --key apply to a bundle", Hint: cmdline.LeaveOneHint}
	case len(keys) == 0:
		return nil, &cmdline.UsageError{Message: "--attestation requires --key", Hint: "give the signer's public key with --key"}
	}
	version, err := compatibleOf(c)
	if err != nil {
		return nil, err
	}
	a.trust.WithoutGit = version == bundle.Version5
	ids := map[string]bool{}
	for _, name := range keys {
		key, err := app.ReadTrustedKey(c, name)
		if err != nil {
			return nil, err
		}
		a.trust.Keys = append(a.trust.Keys, key)
		ids[key.KeyID()] = true
	}
	if a.trust.Threshold < 1 || a.trust.Threshold > len(ids) {
		return nil, &cmdline.UsageError{Message: fmt.Sprintf("--threshold is %d, expected 1 to %d", a.trust.Threshold, len(ids)), Hint: "give the number of --key keys that must have signed"}
	}
	if c.IsSet("attestation") {
		a.named, err = a.read(c.Context, named)
	}
	return a, err
}

func (a *attestationOptions) read(ctx context.Context, name string) (*attested, error) {
	text, err := app.AttestationFile.Read(ctx, name)
	if err != nil {
		return nil, err
	}
	file := &attested{name: name, trust: a.trust, text: text, stamp: a.stamp}
	if file.list, file.fault = seal.Read(text); len(file.list) == 1 {
		err = file.open(ctx, file.list[0])
	}
	return file, err
}

// open checks a single attestation. Only the first fault in the file is kept.
func (a *attested) open(ctx context.Context, e *seal.Envelope) error {
	said, fault, err := e.Open(ctx, a.trust)
	if said != nil {
		a.said = append(a.said, said)
	}
	if a.fault == nil {
		a.fault = fault
	}
	return err
}

// besideEndings are suffixes of attestations next to bundles: run.att.json and run.tar.gz.att.json belong to
// run.tar.gz.
var besideEndings = []string{".att.json", ".sigstore.json"}

// attestationBeside returns the attestation file next to a bundle, or "".
func attestationBeside(in walk.Input) (string, error) {
	if in.Path == "" || !bundle.IsBundle(nil, in.Path) {
		return "", nil
	}
	short := strings.TrimSuffix(strings.TrimSuffix(in.Path, ".tgz"), ".tar.gz")
	for _, start := range []string{short, in.Path} {
		for _, ending := range besideEndings {
			info, err := door.Stat(start + ending)
			switch {
			case err == nil && info.Mode().IsRegular():
				return start + ending, nil
			case err != nil && !errors.Is(err, fs.ErrNotExist):
				return "", fmt.Errorf("cannot look for an attestation next to %q: %w", in.Name, say.Plain(err))
			}
		}
	}
	return "", nil
}

// of returns an input's attestation: the named one or, with --key, the one next to it. It returns nil without
// flags.
func (a *attestationOptions) of(ctx context.Context, in walk.Input) (*attested, error) {
	if a.named != nil || len(a.trust.Keys) == 0 {
		return a.named, nil
	}
	name, err := attestationBeside(in)
	if err != nil {
		return nil, err
	}
	if name == "" {
		return nil, &cmdline.Hinted{Err: fmt.Errorf("%q has no attestation next to it", in.Name), Hint: "--attestation names the file; `cupel evidence attest BUNDLE --key PRIVATE` writes one"}
	}
	file, err := a.read(ctx, name)
	if errors.Is(err, fs.ErrNotExist) {
		err = fmt.Errorf("the attestation %q was removed during the run", name)
	}
	return file, err
}

// unchecked returns the limitation that an attestation next to an input was not verified.
func (a *attestationOptions) unchecked(in walk.Input) ([]string, error) {
	if len(a.trust.Keys) > 0 {
		return nil, nil
	}
	name, err := attestationBeside(in)
	if name == "" {
		return nil, err
	}
	return []string{"the attestation " + strconv.Quote(name) + ": use --key to name the public key that must have signed it"}, nil
}

// finding sets the file of a finding to the attestation.
func (a *attested) finding(f finding.Finding) finding.Finding {
	f.File = a.name
	f.Detail = bundle.Detail{Pointer: f.Path}
	return f
}

// events returns a collector for the events of the input, or nil if no attestation makes a claim about them.
func (a *attested) events() *bundleEvents {
	if a == nil || a.fault != nil {
		return nil
	}
	e := &bundleEvents{}
	if len(a.list) > 1 { // which of them is about the bundle is not known yet
		e.leaves, e.extent = new(eventLeaves), new(seal.ExtentCounter)
	}
	for _, said := range a.said {
		if said.Facts.Tree != nil {
			e.leaves = new(eventLeaves)
		}
		if said.Facts.Extent != nil {
			e.extent = new(seal.ExtentCounter)
		}
	}
	return e
}

// bundleEvents collects what attestations claim about all events of a bundle.
type bundleEvents struct {
	leaves *eventLeaves        // nil: the tree is not asked for
	extent *seal.ExtentCounter // nil: the extent is not asked for
}

// each returns the function for the events of a bundle, or nil if there is nothing to collect.
func (e *bundleEvents) each() func(*evidence.Result) error {
	if e == nil || e.leaves == nil && e.extent == nil {
		return nil
	}
	return func(r *evidence.Result) error {
		if e.extent != nil {
			e.extent.Add(r)
		}
		if e.leaves != nil {
			return e.leaves.add(r)
		}
		return nil
	}
}

// announce reports the attestation's own fault before those of the input, if findings are streamed.
func (a *attested) announce(live func(finding.Finding)) {
	if a != nil && a.fault != nil && live != nil {
		live(a.finding(*a.fault))
	}
}

// judge adds an attestation's faults to an input's report: its own first, then mismatches for a valid bundle. named
// is the report in --redaction. It returns an error if the input cannot have an attestation.
func (a *attested) judge(ctx context.Context, r *bundle.Report, events *bundleEvents, named *redaction, opt bundle.Options) error {
	if a == nil {
		return nil
	}
	r.Attestation = &bundle.Attestation{File: a.name, KeyID: a.trust.Keys[0].KeyID()}
	if r.Kind == bundle.KindBundle && r.Verdict == bundle.Valid {
		if err := a.choose(ctx, r); err != nil {
			return err
		}
	}
	if a.fault != nil {
		r.Precede(a.finding(*a.fault))
		return nil
	}
	if r.Kind != bundle.KindBundle {
		return &cmdline.Hinted{Err: fmt.Errorf("%q is %s, but only a bundle can be attested", r.Input, kindNames[r.Kind]), Hint: "`cupel evidence seal` makes a bundle of events"}
	}
	if r.Verdict != bundle.Valid {
		return nil
	}
	facts, err := factsOf(r, events)
	if err != nil {
		return err
	}
	for _, said := range a.said {
		r.Attestation.PredicateType, r.Attestation.KeyID = said.PredicateType, said.KeyIDs[0]
		if len(said.KeyIDs) > 1 {
			r.Attestation.KeyIDs = said.KeyIDs
		}
		follow(r, said.Compare(facts), opt, a.finding)
		if said.WithoutGit {
			follow(r, []finding.Finding{seal.GitMissing()}, opt, a.finding)
		}
	}
	for _, said := range a.other {
		follow(r, said.Compare(facts), opt, a.finding)
	}
	stamped, found := a.stamp.Judge(a.text)
	follow(r, found, opt, func(f finding.Finding) finding.Finding { return f })
	if r.Errors == 0 {
		r.NotCovered = a.notCovered()
		if r.Timestamp = stamped; stamped != nil {
			r.NotCovered = append(r.NotCovered, timestamp.NotCovered()...)
		}
	}
	for _, said := range a.said {
		if said.Facts.Redaction == nil {
			continue
		}
		if err := a.attestedRedaction(said, r, named, opt); err != nil {
			return err
		}
	}
	return nil
}

// choose opens the attestations about the bundle. If one cannot be verified, the file is faulty, because a false
// attestation must not be ignored. Those by other keys do not count but must be true.
func (a *attested) choose(ctx context.Context, r *bundle.Report) error {
	sum, ok := digest.Parse([]byte(r.SHA256))
	if len(a.list) < 2 || a.fault != nil || !ok {
		return nil
	}
	about := 0
	for _, e := range a.list {
		if !e.About(sum) {
			continue
		}
		if about++; !e.Known() {
			continue
		}
		said, fault, err := e.Open(ctx, a.trust)
		if err != nil {
			return err
		}
		foreign := seal.Foreign(fault)
		if foreign {
			said, fault = e.Claims(a.trust)
		}
		switch {
		case fault != nil:
			a.fault = fault
			return nil
		case foreign:
			a.other = append(a.other, said)
		default:
			a.said = append(a.said, said)
		}
	}
	switch {
	case len(a.said) == 0 && len(a.other) > 0:
		a.fault = seal.AllForeign(len(a.other))
	case len(a.said) == 0:
		a.fault = seal.NotAbout(len(a.list), about)
	}
	return nil
}

// notCovered returns the limitations of a valid attestation, which signs all bytes of the bundle.
func (a *attested) notCovered() []string {
	list := []string{
		a.holders(),
		"whether the events are true and complete: the signature only identifies the bundle",
	}
	for _, said := range a.said {
		for _, pointer := range said.Unknown {
			list = append(list, "member "+strconv.Quote(pointer)+" of the attestation: it is signed, but cupel has nothing to compare it with")
		}
	}
	for _, e := range a.list {
		if e.Sigstore {
			return append(list, "certificates and log entries of the Sigstore bundle: only its signature was checked, with the key")
		}
	}
	return list
}

// holders returns what no attestation proves about key holders.
func (a *attested) holders() string {
	ids := []string{}
	for _, said := range a.said {
		for _, id := range said.KeyIDs {
			if !slices.Contains(ids, id) {
				ids = append(ids, id)
			}
		}
	}
	return holder(strings.Join(ids, " and "))
}

func holder(keyID string) string {
	return "the owner of the key " + keyID + ": trust the attestation only if you trust the owner"
}
