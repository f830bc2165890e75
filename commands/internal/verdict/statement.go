// Package verdict creates and reads signed statements on the verdicts of a run: in-toto Statements in DSSE
// envelopes, whose subjects are the inputs with their digests.
package verdict

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"

	"github.com/cupel-dev/cupel/evidence"
	"github.com/cupel-dev/cupel/evidence/seal"
	"github.com/cupel-dev/cupel/finding"
	"github.com/cupel-dev/cupel/internal/decided"
	"github.com/cupel-dev/cupel/internal/digest"
	"github.com/cupel-dev/cupel/internal/jcs"
	"github.com/cupel-dev/cupel/internal/strictjson"
)

// PredicateType is the type of the predicate of a statement.
const PredicateType = "https://cupel.dev/verdict/v1"

// The verdicts of a run.
const (
	Passed = "passed"
	Failed = "failed"
)

// Statement is an in-toto Statement about the inputs of a run.
type Statement struct {
	Type          string    `json:"_type"`
	Subject       []Subject `json:"subject"`
	PredicateType string    `json:"predicateType"`
	Predicate     Predicate `json:"predicate"`
}

// Subject is an input of the run.
type Subject struct {
	Name   string `json:"name"`
	Digest Digest `json:"digest"`
}

// Digest is the digest of an input as it is stored, 64 hexadecimal digits.
type Digest struct {
	SHA256 string `json:"sha256"`
}

// Predicate is the verdict.
type Predicate struct {
	Command    string         `json:"command"`
	Verdict    string         `json:"verdict"` // Passed or Failed
	Inputs     []Input        `json:"inputs"`
	Rules      map[string]int `json:"rules"` // how many findings of each rule were reported
	NotCovered []string       `json:"not_covered"`
	Options    any            `json:"options"`
	Version    string         `json:"cupel_version"`
	Time       string         `json:"time,omitempty"` // RFC 3339, in UTC

	DecidedWith []decided.File `json:"decided_with,omitempty"` // files, other than the inputs, that took part
}

// Input is the verdict on one input, as the command prints it.
type Input struct {
	Name    string `json:"name"`
	Verdict string `json:"verdict"`
}

// Sign returns the statement in a signed envelope, on one line. The result is deterministic if the signature is, as
// for Ed25519.
func (s Statement) Sign(ctx context.Context, signer evidence.Signer) ([]byte, error) {
	s.Type, s.PredicateType = seal.StatementType, PredicateType
	text, err := json.Marshal(s)
	if err != nil {
		return nil, err
	}
	doc, err := strictjson.NewScanner(strictjson.Limits{TextBytes: seal.MaxBytes, Depth: 32, Keys: 1 << 20, Values: 1 << 20}).Scan(text)
	if err != nil {
		return nil, fmt.Errorf("the verdict cannot be signed: %w", err)
	}
	return seal.Sign(ctx, signer, seal.PayloadType, jcs.NewWriter(nil).Append(nil, doc.Root()))
}

// Read returns the statement in an envelope with a signature by a trusted key, and the ids of these keys. Otherwise
// it returns the finding that explains why not.
func Read(ctx context.Context, text []byte, trust seal.Trust) (*Statement, []string, *finding.Finding, error) {
	e, fault := seal.ReadOne(text)
	if fault != nil {
		return nil, nil, fault, nil
	}
	payload, keys, fault, err := e.Statement(ctx, trust)
	if fault != nil || err != nil {
		return nil, nil, fault, err
	}
	s, err := decode(payload)
	if err != nil {
		f := rules[ruleStatement].New("the signed statement is not a verdict of cupel: " + err.Error())
		return nil, nil, &f, nil
	}
	return s, keys, nil, nil
}

// decode reads a statement. The payload is strict JSON.
func decode(payload []byte) (*Statement, error) {
	s := &Statement{}
	d := json.NewDecoder(bytes.NewReader(payload))
	if err := d.Decode(s); err != nil {
		return nil, errors.New("the statement does not have the form of a verdict")
	}
	if _, err := d.Token(); !errors.Is(err, io.EOF) {
		return nil, errors.New("more data follows the statement")
	}
	switch {
	case s.PredicateType != PredicateType:
		return nil, fmt.Errorf("the predicate type is %q, expected %q", s.PredicateType, PredicateType)
	case s.Predicate.Verdict != Passed && s.Predicate.Verdict != Failed:
		return nil, fmt.Errorf("the verdict is %q, expected %q or %q", s.Predicate.Verdict, Passed, Failed)
	case len(s.Subject) == 0:
		return nil, errors.New("the statement has no subject")
	}
	names := map[string]bool{}
	for _, subject := range s.Subject {
		switch {
		case subject.Name == "" || names[subject.Name]:
			return nil, fmt.Errorf("two subjects have the name %q, or a subject has no name", subject.Name)
		case !digest.IsHex([]byte(subject.Digest.SHA256)):
			return nil, fmt.Errorf("the subject %q has no SHA-256 digest", subject.Name)
		}
		names[subject.Name] = true
	}
	return s, nil
}

// Differs returns the finding for a subject whose file has another digest.
func Differs(subject Subject, found string) finding.Finding {
	f := rules[ruleSubject].New(fmt.Sprintf("%q is not a file that the verdict covers", subject.Name))
	f.Expected, f.Found = subject.Digest.SHA256, found
	return f
}

// Missing returns the finding of a subject without a file.
func Missing(subject Subject, why string) finding.Finding {
	return rules[ruleSubject].New(fmt.Sprintf("no file matches the subject %q, SHA-256 %s: %s", subject.Name, subject.Digest.SHA256, why))
}

// Other returns the finding of a file that is not a subject.
func Other(name, found string) finding.Finding {
	return rules[ruleSubject].New(fmt.Sprintf("the verdict does not cover %q, SHA-256 %s", name, found))
}
