package seal_test

import (
	"bytes"
	"context"
	"crypto"
	"crypto/ed25519"
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"errors"
	"os"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/cupel-dev/cupel/evidence"
	"github.com/cupel-dev/cupel/evidence/seal"
	"github.com/cupel-dev/cupel/internal/digest"
)

// recorded is what another implementation made of one key and one bundle: Python's json
// with sorted keys and its cryptography package. OpenSSL 3.0 reads the same keys, except for
// the private one in the second version of PKCS#8, which other libraries write.
type recorded struct {
	Seed      string `json:"seed_hex"`
	KeyID     string `json:"key_id"`
	Private   string `json:"private_pem"`
	PrivateV2 string `json:"private_pem_v2"`
	Public    string `json:"public_pem"`
	Bundle    struct {
		SHA256   string
		Root     string
		RunID    string `json:"run_id"`
		Events   int64
		Producer seal.Producer
		Start    string
		End      string
		TreeRoot string `json:"tree_root"`
	}
	Attestations []struct {
		Git      string
		Tree     bool
		Envelope json.RawMessage
	}
}

func readRecorded(t *testing.T) (r recorded) {
	t.Helper()
	text, err := os.ReadFile("../../testdata/evidence/attestation.json")
	if err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(text, &r); err != nil || len(r.Attestations) == 0 {
		t.Fatal(err, len(r.Attestations))
	}
	return r
}

func (r recorded) facts(t *testing.T, git string, tree bool) seal.Facts {
	t.Helper()
	b := r.Bundle
	f := seal.Facts{
		SHA256: sumOf(t, "sha256:"+b.SHA256), BundleID: b.Root, RunRoot: b.Root, RunID: b.RunID, Events: b.Events,
		Producer: b.Producer, Start: b.Start, End: b.End,
	}
	f.Producer.Git = git
	if tree {
		f.Tree = &seal.TreeHead{Size: b.Events, Root: sumOf(t, b.TreeRoot)}
	}
	return f
}

func sumOf(t *testing.T, text string) evidence.Sum {
	t.Helper()
	sum, ok := digest.Parse([]byte(text))
	if !ok {
		t.Fatalf("%q is no digest", text)
	}
	return sum
}

func verifierOf(t *testing.T, keys ...crypto.PublicKey) (trust seal.Trust) {
	t.Helper()
	for _, key := range keys {
		v, err := seal.NewVerifier(key)
		if err != nil {
			t.Fatal(err)
		}
		trust.Keys = append(trust.Keys, v)
	}
	return trust
}

// TestRecordedAttestations makes and opens what another implementation made, byte for
// byte.
func TestRecordedAttestations(t *testing.T) {
	r := readRecorded(t)
	seed, err := hex.DecodeString(r.Seed)
	if err != nil {
		t.Fatal(err)
	}
	key := ed25519.NewKeyFromSeed(seed)
	public := key.Public().(ed25519.PublicKey)
	signer, err := seal.NewSigner(key)
	if err != nil || signer.KeyID() != r.KeyID {
		t.Fatal(err, signer.KeyID())
	}
	for _, c := range r.Attestations {
		facts := r.facts(t, c.Git, c.Tree)
		var want bytes.Buffer
		if err := json.Compact(&want, c.Envelope); err != nil {
			t.Fatal(err)
		}
		got, err := seal.Attest(t.Context(), signer, facts)
		if err != nil || string(got) != want.String()+"\n" {
			t.Errorf("%v\n got %s\nwant %s", err, got, want.Bytes())
		}
		a, fault, err := seal.Open(t.Context(), c.Envelope, verifierOf(t, public))
		if err != nil || fault != nil {
			t.Fatal(fault, err)
		}
		if differences := a.Compare(facts); len(differences) > 0 || !slices.Equal(a.KeyIDs, []string{r.KeyID}) || len(a.Unknown) > 0 {
			t.Errorf("%+v, key %s, unknown %v", differences, a.KeyIDs, a.Unknown)
		}
	}
}

// TestKeyFiles reads the recorded keys, in both versions of PKCS#8, and writes them
// again.
func TestKeyFiles(t *testing.T) {
	r := readRecorded(t)
	for _, text := range []string{r.Private, r.PrivateV2, "a remark\n" + r.Private + "\n\n"} {
		signer, err := seal.ParsePrivateKey([]byte(text), nil)
		if err != nil {
			t.Fatal(err)
		}
		key := signer.(ed25519.PrivateKey)
		if got := string(seal.EncodePrivateKey(key)); got != r.Private {
			t.Errorf("private key written as\n%s, want\n%s", got, r.Private)
		}
		if got := string(seal.EncodePublicKey(key.Public().(ed25519.PublicKey))); got != r.Public {
			t.Errorf("public key written as\n%s, want\n%s", got, r.Public)
		}
	}
	public, err := seal.ParsePublicKey([]byte(r.Public))
	if err != nil || seal.KeyID(public) != r.KeyID {
		t.Error(err)
	}
	if bytes.Equal(seal.GenerateKey(), seal.GenerateKey()) {
		t.Error("two new keys are the same")
	}
}

// TestKeyFilesRefused has every text that is given for a key by mistake.
func TestKeyFilesRefused(t *testing.T) {
	r := readRecorded(t)
	rsa := "-----BEGIN PUBLIC KEY-----\nMFwwDQYJKoZIhvcNAQEBBQADSwAwSAJBAKj34GkxFhD90vcNLYLInFEX6Ppy1tPf\n9Cnzj4p4WGeKLs1Pt8QuKUpRKfFLfRYC9AIKjbJTWit+CqvjWYzvQwECAwEAAQ==\n-----END PUBLIC KEY-----\n"
	private := func(text string) error { _, err := seal.ParsePrivateKey([]byte(text), nil); return err }
	public := func(text string) error { _, err := seal.ParsePublicKey([]byte(text)); return err }
	for _, c := range []struct {
		name string
		err  error
		want string
	}{
		{"nothing", private(""), `no PEM block, expected "BEGIN PRIVATE KEY"`},
		{"the other half", private(r.Public), `a PEM block "PUBLIC KEY", expected "PRIVATE KEY"`},
		{"the secret half", public(r.Private), `a PEM block "PRIVATE KEY", expected "PUBLIC KEY"`},
		{"encrypted", private(strings.ReplaceAll(r.Private, "PRIVATE", "ENCRYPTED PRIVATE")), "the private key is encrypted"},
		{"two keys", public(r.Public + r.Public), "more data follows the first PEM block, expected one key"},
		{"no key in it", public("-----BEGIN PUBLIC KEY-----\nAAAA\n-----END PUBLIC KEY-----\n"), `cannot read the PEM block "PUBLIC KEY": `},
		{"another algorithm", public(rsa), "a key of the type *rsa.PublicKey, expected Ed25519 or ECDSA P-256"},
	} {
		if c.err == nil || !strings.HasPrefix(c.err.Error(), c.want) {
			t.Errorf("%s: %v, want %s", c.name, c.err, c.want)
		}
	}
}

// sealed signs any payload of any type: what an attestation must not be.
func sealed(t *testing.T, payloadType, payload string) (text []byte, trusted seal.Trust) {
	t.Helper()
	signer, key := testSigner(t, 'a')
	signature, err := signer.Sign(t.Context(), pae(payloadType, payload))
	if err != nil {
		t.Fatal(err)
	}
	return envelopeOf(t, payloadType, []byte(payload), map[string]any{"keyid": signer.KeyID(), "sig": base64.StdEncoding.EncodeToString(signature)}), verifierOf(t, key)
}

// pae returns the encoding once more, as the protocol's text has it.
func pae(payloadType, payload string) []byte {
	n := func(s string) string { text, _ := json.Marshal(len(s)); return string(text) }
	return []byte(strings.Join([]string{"DSSEv1", n(payloadType), payloadType, n(payload), payload}, " "))
}

func envelopeOf(t *testing.T, payloadType string, payload []byte, signatures ...any) []byte {
	t.Helper()
	text, err := json.Marshal(map[string]any{"payloadType": payloadType, "payload": base64.StdEncoding.EncodeToString(payload), "signatures": signatures})
	if err != nil {
		t.Fatal(err)
	}
	return text
}

// TestRuleExamples opens the examples of the table: the statements signed, the envelopes
// as they are.
func TestRuleExamples(t *testing.T) {
	for _, r := range seal.Rules() {
		for _, c := range []struct{ text, want string }{{r.Bad, r.ID}, {r.Good, ""}} {
			text, trusted := sealed(t, seal.PayloadType, c.text)
			if strings.Contains(c.text, `"payloadType"`) {
				text = []byte(c.text)
			}
			if got := faultOf(t, text, trusted); got != c.want {
				t.Errorf("%s: %q for %s", r.ID, got, c.text)
			}
		}
	}
}

func faultOf(t *testing.T, text []byte, trusted seal.Trust) string {
	t.Helper()
	a, fault, err := seal.Open(t.Context(), text, trusted)
	switch {
	case err != nil:
		t.Fatal(err)
	case (a == nil) == (fault == nil):
		t.Fatalf("%v and %v", a, fault)
	case fault != nil:
		return fault.Rule
	}
	return ""
}

// change is a statement or an envelope with one thing done to it.
type change struct {
	name string
	do   func(doc map[string]any)
	want string // rule and pointer
}

func at(doc any, path string) any {
	for _, step := range strings.Split(path, "/") {
		switch v := doc.(type) {
		case map[string]any:
			doc = v[step]
		case []any:
			doc = v[0]
		}
	}
	return doc
}

// set and drop reach the member of an object: the last step of a path.
func set(path string, value any) func(map[string]any) {
	return func(doc map[string]any) { parent, name := split(doc, path); parent[name] = value }
}

func drop(path string) func(map[string]any) {
	return func(doc map[string]any) { parent, name := split(doc, path); delete(parent, name) }
}

func split(doc map[string]any, path string) (map[string]any, string) {
	i := strings.LastIndex(path, "/")
	if i < 0 {
		return doc, path
	}
	return at(doc, path[:i]).(map[string]any), path[i+1:]
}

// TestStatements signs a good statement with one thing done to it each time.
func TestStatements(t *testing.T) {
	r := readRecorded(t)
	const sum = "sha256:abababababababababababababababababababababababababababababababab"
	for _, tree := range []bool{false, true} {
		changes := []change{
			{"nothing", func(map[string]any) {}, ""},
			{"type of before", set("_type", "https://in-toto.io/Statement/v0.1"), "AttestationPayloadType /_type"},
			{"no type", drop("_type"), "AttestationPayloadType /_type"},
			{"draft", set("predicateType", "https://docs.getassay.dev/attestation/evidence-bundle/v0"), "AttestationPredicate /predicateType"},
			{"another predicate", set("predicateType", "https://slsa.dev/provenance/v1"), "AttestationPredicate /predicateType"},
			{"no predicate type", drop("predicateType"), "AttestationPredicate /predicateType"},
			{"draft and no subject", func(d map[string]any) { set("predicateType", "x")(d); drop("subject")(d) }, "AttestationPredicate /predicateType"},
			{"no subject", drop("subject"), "AttestationSubject /subject"},
			{"empty subject", set("subject", []any{}), "AttestationSubject /subject"},
			{"subject of two", set("subject", []any{map[string]any{}, map[string]any{}}), "AttestationSubject /subject"},
			{"subject is a string", set("subject", []any{"x"}), "AttestationSubject /subject/0"},
			{"no name", drop("subject/0/name"), "AttestationSubject /subject/0/name"},
			{"two digests", set("subject/0/digest/sha512", "x"), "AttestationSubject /subject/0/digest"},
			{"another digest", set("subject/0/digest", map[string]any{"sha512": "x"}), "AttestationSubject /subject/0/digest/sha256"},
			{"digest with its prefix", set("subject/0/digest/sha256", sum), "AttestationSubject /subject/0/digest/sha256"},
			{"upper case", set("subject/0/digest/sha256", strings.ToUpper(sum[7:])), "AttestationSubject /subject/0/digest/sha256"},
			{"no subject, no predicate", func(d map[string]any) { drop("subject")(d); drop("predicate")(d) }, "AttestationSubject /subject"},
			{"no predicate", drop("predicate"), "AttestationPredicate /predicate"},
			{"version 2", set("predicate/schema_version", 2), "AttestationPredicate /predicate/schema_version"},
			{"version as text", set("predicate/schema_version", "1"), "AttestationPredicate /predicate/schema_version"},
			{"another algorithm", set("predicate/semantic_equivalence/algorithm", "assay-run-root-v2"), "AttestationPredicate /predicate/semantic_equivalence/algorithm"},
			{"no root", drop("predicate/semantic_equivalence/value"), "AttestationPredicate /predicate/semantic_equivalence/value"},
			{"no run", drop("predicate/run"), "AttestationPredicate /predicate/run"},
			{"no run id", drop("predicate/run/run_id"), "AttestationPredicate /predicate/run/run_id"},
			{"count as text", set("predicate/run/event_count", "3"), "AttestationPredicate /predicate/run/event_count"},
			{"negative count", set("predicate/run/event_count", -1), "AttestationPredicate /predicate/run/event_count"},
			{"negative zero", set("predicate/run/event_count", json.Number("-0")), "AttestationPredicate /predicate/run/event_count"},
			{"count with a fraction", set("predicate/run/event_count", json.Number("3.0")), "AttestationPredicate /predicate/run/event_count"},
			{"no producer", set("predicate/run/producer", nil), "AttestationPredicate /predicate/run/producer"},
			{"no version", drop("predicate/run/producer/version"), "AttestationPredicate /predicate/run/producer/version"},
			{"git null", set("predicate/run/producer/git", nil), "AttestationPredicate /predicate/run/producer/git"},
			{"no git", drop("predicate/run/producer/git"), "AttestationPredicate /predicate/run/producer/git"},
			{"git of another kind", set("predicate/run/producer/git", 1), "AttestationPredicate /predicate/run/producer/git"},
			{"no times", drop("predicate/run/time_window"), "AttestationPredicate /predicate/run/time_window"},
			{"no end", drop("predicate/run/time_window/end"), "AttestationPredicate /predicate/run/time_window/end"},
			{"same time, other spelling", set("predicate/run/time_window/start", "2026-01-01T01:00:00.000+01:00"), "AttestationPredicate /predicate/run/time_window/start"},
			{"more members", func(d map[string]any) { set("x", 1)(d); set("predicate/run/y", 2)(d) }, ""},

			{"other digest", set("subject/0/digest/sha256", strings.Repeat("0", 64)), "AttestationSubject /subject/0/digest/sha256"},
			{"other name", set("subject/0/name", "x"), "AttestationSubject /subject/0/name"},
			{"other root", set("predicate/semantic_equivalence/value", "sha256:"+strings.Repeat("0", 64)), "AttestationPredicate /predicate/semantic_equivalence/value"},
			{"other run", set("predicate/run/run_id", "run"), "AttestationPredicate /predicate/run/run_id"},
			{"other count", set("predicate/run/event_count", 2), "AttestationPredicate /predicate/run/event_count"},
			{"other producer", set("predicate/run/producer/name", ""), "AttestationPredicate /predicate/run/producer/name"},
			{"other version", set("predicate/run/producer/version", ""), "AttestationPredicate /predicate/run/producer/version"},
			{"other revision", set("predicate/run/producer/git", "x"), "AttestationPredicate /predicate/run/producer/git"},
			{"other start", set("predicate/run/time_window/start", "2026-01-01T00:00:00.001Z"), "AttestationPredicate /predicate/run/time_window/start"},
			{"no time at all", set("predicate/run/time_window/end", ""), "AttestationPredicate /predicate/run/time_window/end"},
		}
		if tree {
			changes = append(
				changes,
				change{"no tree", drop("predicate/tree"), "AttestationPredicate /predicate/tree"},
				change{"another tree", set("predicate/tree/algorithm", "rfc9162"), "AttestationPredicate /predicate/tree/algorithm"},
				change{"other size", set("predicate/tree/size", 4), "AttestationPredicate /predicate/tree/size"},
				change{"other tree root", set("predicate/tree/root", sum), "AttestationPredicate /predicate/tree/root"},
			)
		}
		for _, c := range changes {
			doc := r.statement(t, tree)
			c.do(doc)
			text, err := json.Marshal(doc)
			if err != nil {
				t.Fatal(err)
			}
			envelope, trusted := sealed(t, seal.PayloadType, string(text))
			if got := firstFault(t, envelope, trusted, r.facts(t, "", tree)); got != c.want {
				t.Errorf("%s: %q, want %q", c.name, got, c.want)
			}
		}
	}
}

// statement returns the recorded statement as a document to change.
func (r recorded) statement(t *testing.T, tree bool) (doc map[string]any) {
	t.Helper()
	for _, c := range r.Attestations {
		if c.Git != "" || c.Tree != tree {
			continue
		}
		var envelope struct{ Payload []byte }
		if err := json.Unmarshal(c.Envelope, &envelope); err != nil {
			t.Fatal(err)
		}
		if err := json.Unmarshal(envelope.Payload, &doc); err != nil {
			t.Fatal(err)
		}
	}
	return doc
}

// firstFault is rule and pointer of the first thing that is wrong about a bundle's
// attestation.
func firstFault(t *testing.T, text []byte, trusted seal.Trust, own seal.Facts) string {
	t.Helper()
	a, fault, err := seal.Open(t.Context(), text, trusted)
	if err != nil {
		t.Fatal(err)
	}
	if fault == nil {
		list := a.Compare(own)
		if len(list) == 0 {
			return ""
		}
		fault = &list[0]
	}
	return fault.Rule + " " + fault.Path
}

// TestEnvelopes has invalid envelopes, and envelopes whose content differs from the signed one.
func TestEnvelopes(t *testing.T) {
	r := readRecorded(t)
	statement, err := json.Marshal(r.statement(t, false))
	if err != nil {
		t.Fatal(err)
	}
	good, trusted := sealed(t, seal.PayloadType, string(statement))
	other, _ := testSigner(t, 'b')
	foreign, err := seal.Attest(t.Context(), other, r.facts(t, "", false))
	if err != nil {
		t.Fatal(err)
	}
	changed := func(do func(map[string]any)) string {
		var doc map[string]any
		if err := json.Unmarshal(good, &doc); err != nil {
			t.Fatal(err)
		}
		do(doc)
		text, err := json.Marshal(doc)
		if err != nil {
			t.Fatal(err)
		}
		return string(text)
	}
	signed := func(payloadType, payload string) string {
		text, _ := sealed(t, payloadType, payload)
		return string(text)
	}
	list := at(mapOf(t, good), "signatures").([]any)
	foreignList := at(mapOf(t, foreign), "signatures").([]any)
	payload := base64.StdEncoding.EncodeToString(statement)
	for _, c := range []struct{ name, text, want string }{
		{"good", string(good), ""},
		{"pretty", strings.ReplaceAll(string(good), ",", ",\n "), ""},
		{"more members", changed(set("x", 1)), ""},
		{"the other alphabet", changed(set("payload", strings.NewReplacer("+", "-", "/", "_").Replace(payload))), ""},
		{"two keys", changed(set("signatures", append(foreignList, list...))), ""},
		{"no key id", changed(drop("signatures/0/keyid")), ""},
		{"nothing", "", "AttestationSignature "},
		{"text", "hello", "AttestationSignature "},
		{"an array", "[]", "AttestationSignature "},
		{"a member twice", `{"payload":"",` + string(good[1:]), "AttestationSignature "},
		{"no payload", changed(drop("payload")), "AttestationSignature /payload"},
		{"no base64", changed(set("payload", "?")), "AttestationSignature /payload"},
		{"no type", changed(drop("payloadType")), "AttestationSignature /payloadType"},
		{"no signatures", changed(set("signatures", []any{})), "AttestationSignature /signatures"},
		{"many signatures", changed(set("signatures", make([]any, 101))), "AttestationSignature /signatures"},
		{"half a signature", changed(set("signatures/0/sig", "AAAA")), "AttestationSignature /signatures/0/sig"},
		{"a key of another kind", changed(set("signatures/0/keyid", 1)), "AttestationSignature /signatures/0/keyid"},
		{"another key", string(foreign), "AttestationSignature /signatures"},
		{"the id of another key", changed(set("signatures/0/keyid", other.KeyID())), ""},
		{"Sigstore", `{"mediaType":"application/vnd.dev.sigstore.bundle.v0.3+json","verificationMaterial":{},"dsseEnvelope":` + string(good) + "}", ""},
		{"Sigstore without an envelope", `{"mediaType":"application/vnd.dev.sigstore.bundle.v0.3+json","messageSignature":{}}`, "AttestationSignature /dsseEnvelope"},
		{"two lines", string(foreign) + string(good) + "\n", "AttestationSignature "},
		{"a line that is cut", string(good) + "\n" + string(good[:100]), "AttestationSignature "},
		{"another key under this id", changed(set("signatures/0/sig", at(mapOf(t, foreign), "signatures/0/sig"))), "AttestationSignature /signatures/0/sig"},
		{"another type, not signed", changed(set("payloadType", "text/plain")), "AttestationSignature /signatures/0/sig"},
		{"another type", signed("application/json", string(statement)), "AttestationPayloadType /payloadType"},
		{"no JSON", signed(seal.PayloadType, "hello"), "AttestationPayloadType /payload"},
		{"a member twice inside", signed(seal.PayloadType, `{"_type":"",`+string(statement[1:])), "AttestationPayloadType /payload"},
		{"no object", signed(seal.PayloadType, "[]"), "AttestationPayloadType "},
		{"too large", changed(set("x", strings.Repeat("x", seal.MaxBytes))), "AttestationSignature "},
	} {
		if got := firstFault(t, []byte(c.text), trusted, r.facts(t, "", false)); got != c.want {
			t.Errorf("%s: %q, want %q", c.name, got, c.want)
		}
	}
}

func mapOf(t *testing.T, text []byte) (doc map[string]any) {
	t.Helper()
	if err := json.Unmarshal(text, &doc); err != nil {
		t.Fatal(err)
	}
	return doc
}

// TestUnknownMembers are signed and not compared: the attestation names them.
func TestUnknownMembers(t *testing.T) {
	doc := readRecorded(t).statement(t, false)
	set("a~b", 1)(doc)
	set("predicate/tree", map[string]any{"size": 1})(doc)
	text, err := json.Marshal(doc)
	if err != nil {
		t.Fatal(err)
	}
	envelope, trusted := sealed(t, seal.PayloadType, string(text))
	a, fault, err := seal.Open(t.Context(), envelope, trusted)
	if err != nil || fault != nil {
		t.Fatal(fault, err)
	}
	if got := strings.Join(a.Unknown, " "); got != "/predicate/tree /a~0b" || a.Facts.Tree != nil {
		t.Errorf("%q, tree %v", got, a.Facts.Tree)
	}
}

// TestFlippedEnvelopes holds that no envelope with a bit changed says anything else.
func TestFlippedEnvelopes(t *testing.T) {
	signer, key := testSigner(t, 'a')
	facts := readRecorded(t).facts(t, "", false)
	text, err := seal.Attest(t.Context(), signer, facts)
	if err != nil {
		t.Fatal(err)
	}
	trusted := verifierOf(t, key)
	opened := 0
	for i := range text {
		for _, bit := range []byte{1, 0x20, 0x80} {
			changed := bytes.Clone(text)
			changed[i] ^= bit
			a, fault, err := seal.Open(t.Context(), changed, trusted)
			if err != nil {
				t.Fatal(err)
			}
			if fault != nil {
				continue
			}
			opened++
			if list := a.Compare(facts); len(list) > 0 {
				t.Errorf("byte %d: %+v", i, list)
			}
		}
	}
	t.Logf("%d of %d changes leave what is signed as it is", opened, 3*len(text))
}

// TestAnyFacts signs and opens facts of any text.
func TestAnyFacts(t *testing.T) {
	signer, key := testSigner(t, 'a')
	trusted := verifierOf(t, key)
	base := readRecorded(t).facts(t, "", true)
	rapid.Check(t, func(t *rapid.T) {
		facts := base
		facts.RunID = rapid.String().Draw(t, "run")
		facts.Producer = seal.Producer{Name: rapid.String().Draw(t, "name"), Version: rapid.String().Draw(t, "version"), Git: rapid.String().Draw(t, "git")}
		facts.Events = rapid.Int64Range(0, 1<<53).Draw(t, "events")
		if rapid.Bool().Draw(t, "without tree") {
			facts.Tree = nil
		}
		text, err := seal.Attest(context.Background(), signer, facts)
		if err != nil {
			t.Fatal(err)
		}
		a, fault, err := seal.Open(context.Background(), text, trusted)
		if err != nil || fault != nil {
			t.Fatal(fault, err)
		}
		if list := a.Compare(facts); len(list) > 0 {
			t.Fatalf("%+v", list)
		}
	})
}

// TestAttestationLimits holds that what is signed can be opened, or is refused at once.
func TestAttestationLimits(t *testing.T) {
	signer, _ := testSigner(t, 'a')
	facts := readRecorded(t).facts(t, "", false)
	facts.RunID = strings.Repeat("x", seal.MaxBytes)
	if _, err := seal.Attest(t.Context(), signer, facts); err == nil {
		t.Error("an attestation that nobody opens was signed")
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := seal.Attest(ctx, signer, readRecorded(t).facts(t, "", false)); !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
}
