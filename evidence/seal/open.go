package seal

import (
	"context"
	"errors"
	"fmt"
	"strconv"

	"github.com/cupel-dev/cupel/evidence"
	"github.com/cupel-dev/cupel/internal/say"
	"github.com/cupel-dev/cupel/internal/strictjson"
)

// Attestation is what stands in an envelope with a good signature.
type Attestation struct {
	KeyID         string // of the key whose signature is good, as the envelope has it
	PredicateType string // PredicateType or TreePredicateType
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
	r := reader{rule: ruleSignature, what: notSigned}
	root := r.root(doc)
	e := &envelope{payloadType: r.text(root, "payloadType"), payload: r.base64(root, "payload")}
	for _, signed := range r.list(root, "signatures", maxSignatures) {
		e.signatures = append(e.signatures, signature{r.optional(signed, "keyid"), r.base64(signed, "sig")})
	}
	return e, r.fault
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
	r := reader{rule: ruleType, what: "the payload is no in-toto Statement"}
	root := r.root(doc)
	r.fixed(root, "_type", StatementType)
	r.begin(rulePredicate, "the predicate has no type")
	a.PredicateType = r.text(root, "predicateType")
	if r.fault == nil {
		r.fault = checkPredicateType(a.PredicateType)
	}
	r.begin(ruleSubject, "the subject is not one bundle")
	a.readSubject(&r, root)
	r.begin(rulePredicate, "the predicate is not of its type")
	a.readPredicate(&r, r.object(root, "predicate"))
	r.only(root, "_type", "subject", "predicateType", "predicate")
	a.Unknown = r.unknown
	return a, r.fault
}

func checkPredicateType(found string) *evidence.Finding {
	const pointer = "/predicateType"
	switch found {
	case PredicateType, TreePredicateType:
		return nil
	case draftPredicateType:
		f := differs(rulePredicate, pointer, "the predicate type is the draft v0, which is not accepted", PredicateType, found)
		f.Help = "attest the bundle again: `cupel evidence attest` writes v1"
		return f
	}
	return differs(rulePredicate, pointer, "the predicate type is not known", PredicateType, found)
}

func (a *Attestation) readSubject(r *reader, statement strictjson.Node) {
	for _, s := range r.list(statement, "subject", 1) {
		a.Facts.BundleID = r.text(s, "name")
		digests := r.object(s, "digest")
		if digests.Len() != 1 {
			r.refuse(s, "digest", "one digest, sha256")
		}
		a.Facts.SHA256 = r.hex(digests, "sha256")
		r.only(s, "name", "digest")
	}
}

func (a *Attestation) readPredicate(r *reader, p strictjson.Node) {
	if version, ok := p.Get("schema_version").Int(); !ok || version != predicateVersion {
		r.refuse(p, "schema_version", strconv.Itoa(predicateVersion))
	}
	semantic := r.object(p, "semantic_equivalence")
	r.fixed(semantic, "algorithm", rootAlgorithm)
	a.Facts.RunRoot = r.sum(semantic, "value").String()
	r.only(semantic, "algorithm", "value")
	a.readRun(r, r.object(p, "run"))
	if a.PredicateType != TreePredicateType {
		r.only(p, "schema_version", "semantic_equivalence", "run")
		return
	}
	t := r.object(p, "tree")
	r.fixed(t, "algorithm", treeAlgorithm)
	a.Facts.Tree = &TreeHead{Size: r.count(t, "size"), Root: r.sum(t, "root")}
	r.only(t, "algorithm", "size", "root")
	r.only(p, "schema_version", "semantic_equivalence", "run", "tree")
}

func (a *Attestation) readRun(r *reader, run strictjson.Node) {
	f := &a.Facts
	f.RunID = r.text(run, "run_id")
	f.Events = r.count(run, "event_count")
	producer := r.object(run, "producer")
	f.Producer = Producer{r.text(producer, "name"), r.text(producer, "version"), r.optional(producer, "git")}
	window := r.object(run, "time_window")
	f.Start, f.End = r.text(window, "start"), r.text(window, "end")
	r.only(run, "run_id", "event_count", "producer", "time_window")
	r.only(producer, "name", "version", "git")
	r.only(window, "start", "end")
}
