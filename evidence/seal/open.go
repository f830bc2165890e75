package seal

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strconv"

	"github.com/cupel-dev/cupel/evidence"
	"github.com/cupel-dev/cupel/evidence/internal/shape"
	"github.com/cupel-dev/cupel/internal/say"
	"github.com/cupel-dev/cupel/internal/strictjson"
)

// Attestation is what stands in an envelope with a good signature.
type Attestation struct {
	KeyID         string // of the key whose signature is good, as the envelope has it
	PredicateType string // PredicateType, TreePredicateType or RedactionPredicateType
	Facts         Facts  // as attested, not compared with any bundle yet

	// Unknown are the JSON pointers of the statement's members that its type does not
	// name. They are signed, and nothing compares them.
	Unknown []string
}

// maxSignatures is how many signatures of an envelope are looked at: each can cost a
// check, and an attestation has one for each key.
const maxSignatures = 100

// Open checks an attestation as far as no bundle is needed, in this order: the signature
// over the pre-authentication encoding, and what it is over (the payload's type, strict
// JSON, an in-toto Statement); the predicate type; that there is one subject with one
// digest; the predicate's shape. The finding is the first fault, nil when there is none
// and the attestation says what it means.
//
// One signature of a trusted key is enough; those of other keys are passed over. The error
// is one of the verifier, or of ctx, which leaves the question open.
func Open(ctx context.Context, text []byte, trusted evidence.Verifier) (*Attestation, *evidence.Finding, error) {
	e, fault := readEnvelope(text)
	if fault != nil {
		return nil, fault, nil
	}
	keyID, fault, err := e.verify(ctx, trusted)
	if fault != nil || err != nil {
		return nil, fault, err
	}
	a, fault := e.statement()
	if fault != nil {
		return nil, fault, nil
	}
	a.KeyID = keyID
	return a, nil, nil
}

// envelope is a DSSE envelope with its payload decoded.
type envelope struct {
	payloadType string
	payload     []byte
	signatures  []signature
}

type signature struct {
	keyID string
	bytes []byte
}

const notSigned = "the attestation is no DSSE envelope"

func readEnvelope(text []byte) (*envelope, *evidence.Finding) {
	doc, err := scan(text)
	if err != nil {
		return nil, fault(ruleSignature, "", notSigned+": "+err.Error())
	}
	r := shape.Reader{Rule: &rules[ruleSignature], What: notSigned}
	root := r.Root(doc)
	e := &envelope{payloadType: r.Text(root, "payloadType"), payload: r.Base64(root, "payload")}
	for _, signed := range r.List(root, "signatures", maxSignatures) {
		e.signatures = append(e.signatures, signature{r.Optional(signed, "keyid"), r.Base64(signed, "sig")})
	}
	return e, r.Fault
}

// verify returns the id of the first trusted key whose signature is good.
func (e *envelope) verify(ctx context.Context, trusted evidence.Verifier) (keyID string, _ *evidence.Finding, _ error) {
	message := PreAuthEncoding(e.payloadType, e.payload)
	bad := -1
	for i, s := range e.signatures {
		err := trusted.Verify(ctx, s.keyID, message, s.bytes)
		switch {
		case err == nil:
			return s.keyID, nil, nil
		case errors.Is(err, evidence.ErrBadSignature):
			bad = i
		case !errors.Is(err, evidence.ErrUnknownKey):
			return "", nil, err
		}
	}
	if bad >= 0 {
		return "", fault(ruleSignature, fmt.Sprintf("/signatures/%d/sig", bad), "the signature is not the key's over this payload and its type"), nil
	}
	f := fault(ruleSignature, "/signatures", "the attestation is not signed by a trusted key")
	f.Found = say.Preview(e.signatures[0].keyID, previewBytes)
	return "", f, nil
}

// statement reads the payload.
func (e *envelope) statement() (*Attestation, *evidence.Finding) {
	if e.payloadType != PayloadType {
		return nil, differs(ruleType, "/payloadType", "the payload is of another type", PayloadType, e.payloadType)
	}
	doc, err := scan(e.payload)
	if err != nil {
		return nil, fault(ruleType, "/payload", "the signed payload is not strict JSON: "+err.Error())
	}
	a := &Attestation{}
	r := shape.Reader{Rule: &rules[ruleType], What: "the payload is no in-toto Statement"}
	root := r.Root(doc)
	r.Fixed(root, "_type", StatementType)
	r.Begin(&rules[rulePredicate], "the predicate has no type")
	a.PredicateType = r.Text(root, "predicateType")
	if r.Fault == nil {
		r.Fault = checkPredicateType(a.PredicateType)
	}
	r.Begin(&rules[ruleSubject], "the subject is not one bundle")
	a.readSubject(&r, root)
	r.Begin(&rules[rulePredicate], "the predicate is not of its type")
	a.readPredicate(&r, r.Object(root, "predicate"))
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

func (a *Attestation) readPredicate(r *shape.Reader, p strictjson.Node) {
	if version, ok := p.Get("schema_version").Int(); !ok || version != predicateVersion {
		r.Refuse(p, "schema_version", strconv.Itoa(predicateVersion))
	}
	semantic := r.Object(p, "semantic_equivalence")
	r.Fixed(semantic, "algorithm", rootAlgorithm)
	a.Facts.RunRoot = r.Sum(semantic, "value").String()
	r.Only(semantic, "algorithm", "value")
	a.readRun(r, r.Object(p, "run"))
	names := []string{"schema_version", "semantic_equivalence", "run"}
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

func (a *Attestation) readRun(r *shape.Reader, run strictjson.Node) {
	f := &a.Facts
	f.RunID = r.Text(run, "run_id")
	f.Events = r.Count(run, "event_count")
	producer := r.Object(run, "producer")
	f.Producer = Producer{r.Text(producer, "name"), r.Text(producer, "version"), r.Optional(producer, "git")}
	window := r.Object(run, "time_window")
	f.Start, f.End = r.Text(window, "start"), r.Text(window, "end")
	r.Only(run, "run_id", "event_count", "producer", "time_window")
	r.Only(producer, "name", "version", "git")
	r.Only(window, "start", "end")
}
