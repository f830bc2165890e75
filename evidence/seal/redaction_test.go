package seal_test

import (
	"crypto/ed25519"
	"encoding/json"
	"strings"
	"testing"

	"github.com/cupel-dev/cupel/evidence/seal"
)

// TestRedaction checks that the statement contains the whole report, and that the comparison ignores its spelling.
// Other tests check its content.
func TestRedaction(t *testing.T) {
	r := readRecorded(t)
	facts := r.facts(t, "", false)
	facts.Redaction = []byte(`{"schema":"cupel.redaction/1", "events":[{"pointer":"/data/<\u0061>"}],"n":1.0}`)
	key := seal.GenerateKey()
	signer, err := seal.NewSigner(key)
	if err != nil {
		t.Fatal(err)
	}
	trusted := verifierOf(t, key.Public().(ed25519.PublicKey))
	text, err := seal.Attest(t.Context(), signer, facts)
	if err != nil {
		t.Fatal(err)
	}
	a, fault, err := seal.Open(t.Context(), text, trusted)
	if err != nil || fault != nil {
		t.Fatal(fault, err)
	}
	if a.PredicateType != seal.RedactionPredicateType || len(a.Compare(facts)) > 0 || len(a.Unknown) > 0 {
		t.Errorf("%+v", a)
	}
	for report, same := range map[string]bool{
		string(facts.Redaction): true,
		` {"n":1,"events":[ {"pointer":"\/data\/<a>"} ],"schema":"cupel.redaction/1"}` + "\n": true,
		`{"schema":"cupel.redaction/1","events":[],"n":1}`:                                    false,
		`{`: false, "": false,
	} {
		if f := a.HasRedaction([]byte(report)); (f == nil) != same || f != nil && f.Rule != "AttestationPredicate" {
			t.Errorf("%s: %+v", report, f)
		}
	}
	if _, fault := a.Tree(); fault == nil {
		t.Error("there is a tree")
	}
	facts.Tree = &seal.TreeHead{}
	if _, err := seal.Attest(t.Context(), signer, facts); err == nil {
		t.Error("a tree and a redaction")
	}
}

// TestRedactionPredicate refuses a predicate of the type that has no report, or another one.
func TestRedactionPredicate(t *testing.T) {
	for report, want := range map[string]string{
		`{"schema":"cupel.redaction/1"}`: "",
		`{"schema":"cupel.redaction/2"}`: "/predicate/redaction/schema",
		`{}`:                             "/predicate/redaction/schema",
		`[]`:                             "/predicate/redaction",
		`null`:                           "/predicate/redaction",
	} {
		doc := readRecorded(t).statement(t, false)
		set("predicateType", seal.RedactionPredicateType)(doc)
		set("predicate/redaction", json.RawMessage(report))(doc)
		text, err := json.Marshal(doc)
		if err != nil {
			t.Fatal(err)
		}
		envelope, trusted := sealed(t, seal.PayloadType, string(text))
		_, fault, err := seal.Open(t.Context(), envelope, trusted)
		if err != nil {
			t.Fatal(err)
		}
		if fault == nil && want != "" || fault != nil && (fault.Path != want || !strings.HasPrefix(fault.Rule, "AttestationPredicate")) {
			t.Errorf("%s: %+v", report, fault)
		}
	}
}
