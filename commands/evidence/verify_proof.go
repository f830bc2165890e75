package evidencecmd

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/urfave/cli/v2"

	"github.com/cupel-dev/cupel/commands/internal/app"
	"github.com/cupel-dev/cupel/commands/internal/cmdline"
	"github.com/cupel-dev/cupel/commands/internal/input"
	"github.com/cupel-dev/cupel/evidence"
	"github.com/cupel-dev/cupel/evidence/proof"
	"github.com/cupel-dev/cupel/evidence/seal"
	"github.com/cupel-dev/cupel/finding"
	"github.com/cupel-dev/cupel/internal/digest"
	"github.com/cupel-dev/cupel/internal/report"
	"github.com/cupel-dev/cupel/internal/source"
	"github.com/cupel-dev/cupel/internal/walk"
)

var proofFiles = []string{"*.proof.json"}

// VerifyProofCommand is `cupel evidence verify-proof`.
func VerifyProofCommand(env cmdline.Env) *cli.Command {
	const category = "Proof"
	run := report.Run{
		Command: "evidence verify-proof", Schema: "cupel.proof-check/1", Lists: []string{"inputs"},
		Rules:    func() []finding.Rule { return slices.Concat(proof.Rules(), seal.Rules()) },
		Baseline: "accepted findings do not cause exit code 1, but an invalid proof does",
	}
	return app.Reporting(env, run, &cli.Command{
		Name:      "verify-proof",
		Usage:     "verify that one event is part of a run, without the run",
		ArgsUsage: "PROOF…",
		UsageText: strings.Join([]string{
			"cupel evidence verify-proof event-12.proof.json --attestation run.tree.att.json --key key.pub.pem",
			"cupel evidence verify-proof event-12.proof.json --root sha256:0e2dc894781e53812c1dd7cfaeee724c05030c5644880ccd5127f328b9b43b48 --size 36",
			"cupel evidence verify-proof event-12.proof.json --event event-12.json",
		}, "\n"),
		Description: "A proof is only as good as its root: give a trusted one with --root and --size, or an\nattestation that has both. --event also compares the event itself. Proofs belong to cupel,\nnot to the evidence contract.",
		Flags: append(append([]cli.Flag{
			&cli.StringFlag{Name: "root", Category: category, Usage: "the root of the tree must be `DIGEST`"},
			&cli.Int64Flag{Name: "size", Category: category, Usage: "the run must have `N` events; needed with --root, because a root alone does not fix the event's position"},
			&cli.StringFlag{Name: "event", Category: category, Usage: "`FILE` with the event that the proof must cover"},
		}, attestationFlags(category)...), input.SharedFlags()...),
	}, func(c *cli.Context, out *app.Output) (report.Summary, error) {
		v := &proofRun{out: out}
		err := v.all(env, c)
		return v.summary(), err
	})
}

type proofRun struct {
	out      *app.Output
	root     *evidence.Sum // --root
	size     int64         // --size; 0: the flag is not given
	attested *attested     // --attestation
	event    *evidence.Sum // the content hash of --event
	totals   struct {
		Inputs  int `json:"inputs"`
		Valid   int `json:"valid"`
		Invalid int `json:"invalid"`
	}
}

func (v *proofRun) all(env cmdline.Env, c *cli.Context) error {
	if err := v.flags(c); err != nil {
		return err
	}
	inputs, err := input.OpenInputs(env, c, input.Reads{Patterns: proofFiles})
	if err == nil {
		err = app.OneOf(c, len(inputs), "event")
	}
	if err != nil {
		return err
	}
	for _, in := range inputs {
		if err := v.input(in); err != nil {
			return err
		}
	}
	return nil
}

func (v *proofRun) flags(c *cli.Context) (err error) {
	root, err := digestFlag("root", c.String("root"))
	if err != nil {
		return err
	}
	if c.IsSet("root") {
		sum, ok := digest.Parse([]byte(root))
		if !ok {
			return &cmdline.UsageError{Message: "--root is empty", Hint: "give the root of the tree: \"sha256:\" and 64 hexadecimal digits"}
		}
		v.root = &sum
	}
	if v.size = c.Int64("size"); c.IsSet("size") && (v.size < 1 || v.root == nil) {
		return &cmdline.UsageError{Message: "--size requires --root, and is a number of events", Hint: "use an attestation of the tree, which names the root and the size"}
	}
	attesting, err := readAttestation(c)
	if err != nil {
		return err
	}
	switch v.attested = attesting.named; {
	case v.attested == nil && len(attesting.trust.Keys) > 0:
		return &cmdline.UsageError{Message: "--key verifies an attestation, but --attestation is missing", Hint: "`cupel evidence attest BUNDLE --key PRIVATE --tree` writes an attestation"}
	case v.attested != nil && len(v.attested.list) > 1:
		return &cmdline.UsageError{Message: fmt.Sprintf("--attestation %q holds %d attestations, expected one", v.attested.name, len(v.attested.list)), Hint: "give a file that holds only the attestation of the tree"}
	}
	if c.IsSet("event") {
		v.event, err = contentHashOf(c.Context, c.String("event"))
	}
	return err
}

// contentHashOf hashes the event in the file of --event.
func contentHashOf(ctx context.Context, name string) (*evidence.Sum, error) {
	text, err := app.EventFile.Read(ctx, name)
	if err != nil {
		return nil, err
	}
	r, err := evidence.NewHasher(evidence.Options{}).Hash(text)
	switch {
	case err != nil:
		return nil, err
	case !r.Hashed:
		return nil, &cmdline.Hinted{Err: fmt.Errorf("--event %q has no content hash: %s", name, firstError(r.Findings)), Hint: "give a file that holds only the event, as for `cupel evidence hash`"}
	}
	return &r.Sum, nil
}

func (v *proofRun) input(in walk.Input) error {
	r, err := in.Open()
	if err != nil {
		return v.out.Fail(err)
	}
	defer func() { _ = r.Close() }() // opened for reading: nothing can be lost
	text, err := source.ReadBeyond(r, proof.MaxBytes)
	if err != nil {
		return v.out.Fail(app.ReadFailed(in.Name, err))
	}
	p, fault := proof.Read(text)
	findings := v.judge(p, fault)
	for i := range findings {
		if findings[i].File == "" {
			findings[i].File = in.Name
		}
	}
	return v.answer(in.Name, p, fault == nil, findings)
}

// judge compares a proof with the values in flags, unless the proof itself is faulty.
func (v *proofRun) judge(p proof.Proof, fault *finding.Finding) (list []finding.Finding) {
	add := func(f *finding.Finding) {
		if f != nil {
			list = append(list, *f)
		}
	}
	if add(fault); fault != nil {
		return list
	}
	if v.root != nil {
		add(p.IsOf(proof.Head{Size: v.size, Root: *v.root}))
	}
	if v.attested != nil {
		add(v.attestedHead(p))
	}
	if v.root == nil && v.attested == nil {
		add(p.Unpinned())
	}
	if v.event != nil {
		add(p.Shows(*v.event))
	}
	return list
}

// sized reports whether the tree's size is known. Without it, a path can be valid for several sizes and positions.
func (v *proofRun) sized() bool { return v.size > 0 || v.attested != nil }

// attestedHead compares the proof's root with the attested one.
func (v *proofRun) attestedHead(p proof.Proof) *finding.Finding {
	f := v.attested.fault
	if f == nil {
		var head seal.TreeHead
		if head, f = v.attested.said[0].Tree(); f == nil {
			return p.IsOf(proof.Head{Size: head.Size, Root: head.Root})
		}
	}
	placed := v.attested.finding(*f)
	return &placed
}

type proofRecord struct {
	Input       string            `json:"input"`
	Verdict     string            `json:"verdict"`
	Seq         *int64            `json:"seq"`       // null: the size is not bound, and so neither is the place
	TreeSize    *int64            `json:"tree_size"` // null: not bound
	Root        *string           `json:"root"`
	ContentHash *string           `json:"content_hash"`
	KeyID       *string           `json:"key_id"` // of the key that attested the root
	Findings    []finding.Finding `json:"findings"`
	NotCovered  []string          `json:"not_covered"`
}

func (v *proofRun) answer(name string, p proof.Proof, read bool, findings []finding.Finding) error {
	kept := []finding.Finding{}
	valid := true
	for _, f := range findings {
		valid = valid && f.Severity != finding.Error
		if v.out.Keep(f) {
			kept = append(kept, f)
		}
		if err := v.out.Finding(f); err != nil {
			return err
		}
	}
	record := proofRecord{Input: name, Verdict: "valid", Findings: kept, NotCovered: v.notCovered()}
	a := report.Answer{List: "inputs", Subject: name, Findings: kept, Outcome: report.Outcome{Weight: report.Good, Word: "valid"}}
	v.totals.Inputs++
	if valid {
		v.totals.Valid++
	} else {
		v.totals.Invalid++
		v.out.No()
		record.Verdict, a.Word, a.Weight, a.Reason = "invalid", "invalid", report.Bad, findings[0].Message
	}
	if read {
		root, hash := p.Head.Root.String(), p.ContentHash.String()
		record.Root, record.ContentHash = &root, &hash
		a.Scope = []string{"member of a run of unknown size"}
		if v.sized() {
			record.Seq, record.TreeSize = &p.Seq, &p.Head.Size
			a.Scope = []string{fmt.Sprintf("event %d of a run of %d", p.Seq, p.Head.Size)}
		}
		a.Facts = []report.Fact{{Name: "content hash", Value: hash}, {Name: "root", Value: root}}
	}
	if valid && v.attested != nil {
		record.KeyID = &v.attested.said[0].KeyIDs[0]
		a.Facts = append(a.Facts, report.Fact{Name: "attested by", Value: strings.Join(v.attested.said[0].KeyIDs, ", ")})
	}
	a.Value, a.NotCovered = record, record.NotCovered
	return v.out.Answer(a)
}

func (v *proofRun) notCovered() []string {
	list := []string{"conformance with the evidence contract, which does not define the tree and its proofs", "source, time, run id and producer of the event: the content hash does not cover them"}
	if v.event == nil {
		list = append(list, "the event's content: use --event to compare it with the content hash")
	}
	if !v.sized() {
		list = append(list, "the size of the run and the event's position: the root does not cover them; use --size")
	}
	switch {
	case v.attested != nil:
		list = append(list, v.attested.holders())
	case v.root != nil:
		list = append(list, "the origin of the root: --root is trusted")
	default:
		list = append(list, "whether the root is that of the run: it was compared with nothing")
	}
	return list
}

func (v *proofRun) summary() report.Summary {
	t := v.totals
	s := report.Summary{Value: t, Text: fmt.Sprintf("%s: %d valid, %d invalid", cmdline.Counted(t.Inputs, "proof"), t.Valid, t.Invalid), Weight: report.Good}
	if t.Invalid > 0 {
		s.Weight = report.Bad
	}
	return s
}
