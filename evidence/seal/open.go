package seal

import (
	"context"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/cupel-dev/cupel/evidence"
	"github.com/cupel-dev/cupel/evidence/internal/shape"
	"github.com/cupel-dev/cupel/internal/strictjson"
)

// Attestation is the content of an envelope with valid signatures.
type Attestation struct {
	Line          int      // of the file, where that has one attestation per line; else 0
	KeyIDs        []string // of the trusted keys whose signature is good; none where they were not looked at
	PredicateType string   // PredicateType, TreePredicateType or RedactionPredicateType
	Facts         Facts    // as attested, not compared with any bundle yet

	// Unknown lists JSON pointers of unknown members of the statement, which are signed but not compared.
	Unknown []string

	// WithoutGit means that the statement does not name the producer's git, which Trust.WithoutGit accepts.
	WithoutGit bool
}

// Open checks an attestation without a bundle, in this order: signatures over the pre-authentication encoding and
// their content (payload type, strict JSON, in-toto Statement); predicate type; a single subject with one digest;
// the predicate's shape. The finding is the first fault, or nil. Signatures by other keys are skipped. The error is
// a verifier's or ctx's and leaves the result open.
func (e *Envelope) Open(ctx context.Context, trust Trust) (*Attestation, *evidence.Finding, error) {
	keyIDs, fault, err := e.verify(ctx, trust)
	if fault == nil && err == nil {
		var a *Attestation
		if a, fault = e.statement(trust); fault == nil {
			a.KeyIDs, a.Line = keyIDs, e.Line
			return a, nil, nil
		}
	}
	return nil, e.placed(fault), err
}

// Statement returns the in-toto Statement in an envelope, of any predicate type, and the ids of the trusted keys
// that signed it. Without a valid signature it returns a finding and does not read the payload.
func (e *Envelope) Statement(ctx context.Context, trust Trust) (text []byte, keyIDs []string, _ *evidence.Finding, _ error) {
	keyIDs, wrong, err := e.verify(ctx, trust)
	if wrong != nil || err != nil {
		return nil, nil, e.placed(wrong), err
	}
	_, r := e.scanned()
	return e.payload, keyIDs, e.placed(r.Fault), nil
}

// scanned parses the payload. The reader has a fault if it is not a Statement.
func (e *Envelope) scanned() (root strictjson.Node, r shape.Reader) {
	r = shape.Reader{Rule: &rules[ruleType], What: "the payload is not an in-toto Statement"}
	if e.payloadType != PayloadType {
		r.Fault = differs(ruleType, "/payloadType", "the payload does not have the type of an in-toto statement", PayloadType, e.payloadType)
		return root, r
	}
	doc, err := scan(e.payload)
	if err != nil {
		r.Fault = fault(ruleType, "/payload", "the signed payload is not strict JSON: "+err.Error())
		return root, r
	}
	root = r.Root(doc)
	r.Fixed(root, "_type", StatementType)
	return root, r
}

func (e *Envelope) placed(fault *evidence.Finding) *evidence.Finding {
	if fault != nil && e.Line > 0 {
		fault.Line, fault.Column = e.Line, 1
	}
	return fault
}

// Claims returns an envelope's statement regardless of the signer. It proves nothing, but contradictions count.
func (e *Envelope) Claims(trust Trust) (*Attestation, *evidence.Finding) {
	a, fault := e.statement(trust)
	if fault != nil {
		return nil, e.placed(fault)
	}
	a.Line = e.Line
	return a, nil
}

// Foreign reports whether a finding of Open means that only untrusted keys have signed.
func Foreign(f *evidence.Finding) bool {
	return f != nil && f.Rule == rules[ruleSignature].ID && f.Path == "/signatures" && f.Expected != "" && f.Found != ""
}

// Open is [Envelope.Open] for a file with one envelope.
func Open(ctx context.Context, text []byte, trust Trust) (*Attestation, *evidence.Finding, error) {
	e, wrong := ReadOne(text)
	if wrong != nil {
		return nil, wrong, nil
	}
	return e.Open(ctx, trust)
}

// ReadOne is [Read] for a file with one envelope.
func ReadOne(text []byte) (*Envelope, *evidence.Finding) {
	list, wrong := Read(text)
	if wrong == nil && len(list) > 1 {
		wrong = fault(ruleSignature, "", fmt.Sprintf("the file has %d envelopes, expected one", len(list)))
	}
	if wrong != nil {
		return nil, wrong
	}
	return list[0], nil
}

// Known reports whether the statement's type is known or the payload unreadable.
func (e *Envelope) Known() bool {
	doc, err := scan(e.payload)
	if err != nil || !doc.Root().Is(strictjson.Object) {
		return true
	}
	kind, ok := doc.Root().Get("predicateType").Text()
	return !ok || strings.HasPrefix(kind, strings.TrimSuffix(PredicateType, "v1")) || checkPredicateType(kind) == nil
}

func (e *Envelope) statement(trust Trust) (*Attestation, *evidence.Finding) {
	root, r := e.scanned()
	if r.Fault != nil {
		return nil, r.Fault
	}
	a := &Attestation{}
	r.Begin(&rules[rulePredicate], "the predicate has no type")
	a.PredicateType = r.Text(root, "predicateType")
	if r.Fault == nil {
		r.Fault = checkPredicateType(a.PredicateType)
	}
	r.Begin(&rules[ruleSubject], "the subject is not a single bundle")
	a.readSubject(&r, root)
	r.Begin(&rules[rulePredicate], "the predicate does not match its type")
	a.readPredicate(&r, r.Object(root, "predicate"), trust)
	r.Only(root, "_type", "subject", "predicateType", "predicate")
	a.Unknown = r.Unknown
	return a, r.Fault
}

func checkPredicateType(found string) *evidence.Finding {
	const pointer = "/predicateType"
	switch found {
	case PredicateType, TreePredicateType, RedactionPredicateType:
		return nil
	case draftPredicateType:
		f := differs(rulePredicate, pointer, "the predicate type is the draft v0, which is not accepted", PredicateType, found)
		f.Help = "attest the bundle again: `cupel evidence attest` writes v1"
		return f
	}
	return differs(rulePredicate, pointer, "the predicate type is not known", PredicateType, found)
}

func (a *Attestation) readSubject(r *shape.Reader, statement strictjson.Node) {
	for _, s := range r.List(statement, "subject", 1) {
		a.Facts.BundleID = r.Text(s, "name")
		digests := r.Object(s, "digest")
		if digests.Len() != 1 {
			r.Refuse(s, "digest", "one digest, sha256")
		}
		a.Facts.SHA256 = r.Hex(digests, "sha256")
		r.Only(s, "name", "digest")
	}
}

func (a *Attestation) readPredicate(r *shape.Reader, p strictjson.Node, trust Trust) {
	a.Facts.Extent = readExtent(r, p)
	if version, ok := p.Get("schema_version").Int(); !ok || version != predicateVersion {
		r.Refuse(p, "schema_version", strconv.Itoa(predicateVersion))
	}
	semantic := r.Object(p, "semantic_equivalence")
	r.Fixed(semantic, "algorithm", rootAlgorithm)
	a.Facts.RunRoot = r.Sum(semantic, "value").String()
	r.Only(semantic, "algorithm", "value")
	a.readRun(r, r.Object(p, "run"), trust)
	names := []string{"schema_version", "semantic_equivalence", "run", "extent"}
	switch a.PredicateType {
	case TreePredicateType:
		names = append(names, "tree")
		a.readTree(r, r.Object(p, "tree"))
	case RedactionPredicateType:
		names = append(names, "redaction")
		report := r.Object(p, "redaction")
		r.Fixed(report, "schema", RedactionSchema)
		a.Facts.Redaction = slices.Clone(report.Raw())
	}
	r.Only(p, names...)
}

func (a *Attestation) readTree(r *shape.Reader, t strictjson.Node) {
	r.Fixed(t, "algorithm", treeAlgorithm)
	a.Facts.Tree = &TreeHead{Size: r.Count(t, "size"), Root: r.Sum(t, "root")}
	r.Only(t, "algorithm", "size", "root")
}

func (a *Attestation) readRun(r *shape.Reader, run strictjson.Node, trust Trust) {
	f := &a.Facts
	f.RunID = r.Text(run, "run_id")
	f.Events = r.Count(run, "event_count")
	producer := r.Object(run, "producer")
	f.Producer = Producer{Name: r.Text(producer, "name"), Version: r.Text(producer, "version")}
	if a.WithoutGit = trust.WithoutGit && producer.Get("git").Missing(); !a.WithoutGit {
		f.Producer.Git = r.Text(producer, "git")
	}
	window := r.Object(run, "time_window")
	f.Start, f.End = r.Text(window, "start"), r.Text(window, "end")
	r.Only(run, "run_id", "event_count", "producer", "time_window")
	r.Only(producer, "name", "version", "git")
	r.Only(window, "start", "end")
}
