package incident_test

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/cupel-dev/cupel/evidence/incident"
)

// document is a member of a package, found by its header.
func document(t *testing.T, text []byte, name string) (at, size int) {
	t.Helper()
	at = bytes.Index(text, []byte(name+"\x00"))
	if _, err := fmt.Sscanf(string(text[at+124:at+135]), "%o", &size); err != nil {
		t.Fatal(err)
	}
	return at + 512, size
}

// changed is a package with another text in a document; what the inventory says of the assessment follows.
func changed(t *testing.T, text []byte, name, from, to string) []byte {
	t.Helper()
	at, size := document(t, text, name)
	old := text[at : at+size]
	if !bytes.Contains(old, []byte(from)) {
		t.Fatalf("%s has no %s: %s", name, from, old)
	}
	made := bytes.Replace(old, []byte(from), []byte(to), 1)
	header := slices.Clone(text[at-512 : at])
	copy(header[124:], fmt.Sprintf("%011o", len(made)))
	copy(header[148:], "        ")
	sum := 0
	for _, b := range header {
		sum += int(b)
	}
	copy(header[148:], fmt.Sprintf("%06o\x00 ", sum))
	pad := func(n int) int { return (n + 511) / 512 * 512 }
	out := slices.Concat(text[:at-512], header, made, make([]byte, pad(len(made))-len(made)), text[at+pad(size):])
	if name == "assessment.json" {
		return changed(t, out, "inventory.json", `"assessment_sha256":"`+hexOf(old), `"assessment_sha256":"`+hexOf(made))
	}
	return out
}

func hexOf(text []byte) string {
	sum := sha256.Sum256(text)
	return hex.EncodeToString(sum[:])
}

// TestRules has a package for each rule, with its documents bound again.
func TestRules(t *testing.T) {
	p, err := incident.Pack(t.Context(), examples(t), nil)
	if err != nil {
		t.Fatal(err)
	}
	const assessment, inventory = "assessment.json", "inventory.json"
	for _, c := range []struct{ rule, document, from, to string }{
		{"IncidentInputShape", inventory, `"actor":`, `"actpr":`},
		{"IncidentInputShape", inventory, `"bytes":7`, `"bytes": 7`},
		{"IncidentInputShape", assessment, `"claims":[]`, `"claims":[],"extra":1`},
		{"IncidentInputShape", assessment, `"disposition":"failed","id"`, `"disposition":"fialed","id"`},
		{"IncidentInputShape", assessment, `"mode":"inline"`, `"mode":"outline"`},
		{"IncidentUnknownSchema", inventory, `inventory.v1`, `inventory.v2`},
		{"IncidentUnknownFormat", inventory, `assay-bundle-v1`, `assay-bundle-v2`},
		{"IncidentMapping", inventory, `"network","process"]`, `"network","transcript_join"]`},
		{"IncidentMapping", inventory, `assay-bundle-v1`, `assay-health-json`},
		{"IncidentDigest", inventory, `"assessment_sha256":"`, `"assessment_sha256":"0`},
		{"IncidentDigest", inventory, `"bytes":7`, `"bytes":17`},
		{"IncidentLocator", assessment, `"locator":"event:run_b:1"`, `"locator":"event:run_b:7"`},
		{"IncidentDisclosure", assessment, `"hits":2`, `"hits":3`},
		{"IncidentDisclosure", assessment, `"disposition":"failed","id"`, `"disposition":"withheld","id"`},
		{"IncidentDisclosure", assessment, `"units":[{"disposition":`, `"units":[{"disposition":"unavailable","id":"` + strings.Repeat("0", 64) + `","result":null,"source":` + `{"input_id":"x","locator":"y","sha256":"z"},"surface":"process","withheld_digest":null},{"disposition":`},
		{"IncidentCap1Shape", assessment, `"profile":"cap/1"`, `"profile":"cap/2"`},
		{"IncidentCap1Rules", assessment, `"eligible":2`, `"eligible":3`},
		{"IncidentCap1Rules", assessment, `"capped_to":"incomplete"`, `"capped_to":null`},
		{"IncidentCap1Rules", assessment, `"complete":false`, `"complete":true`},
		{"IncidentClaimBoundary", assessment, `"statement":"accounting of selected supplied records"`, `"statement":"everything"`},
		{"IncidentClaimBoundary", assessment, `"cap1":{`, `"cap1":{"absence_assertions":[],"as_of":"today",`},
		{"IncidentStaleAssessment", assessment, `"observation":"unknown"`, `"observation":"adequate"`},
		{"IncidentStaleAssessment", assessment, `"verification_context_sha256":"`, `"verification_context_sha256":"0`},
	} {
		_, err := incident.Verify(t.Context(), changed(t, p.Text, c.document, c.from, c.to), nil)
		var refused *incident.Refusal
		rule := c.rule
		if strings.Contains(c.to, `"input_id":"x"`) { // a unit of no input
			rule = "IncidentLocator"
		}
		if !errors.As(err, &refused) || refused.Finding().Rule != rule {
			t.Errorf("%s for %s: %v", c.to, c.from, err)
		}
	}
	for _, c := range []struct{ document, from, to string }{
		{inventory, `assay-bundle-v1`, `policy-bytes`},
		{assessment, `"joins":[]`, `"joins":[{}]`},
	} {
		text := changed(t, p.Text, c.document, c.from, c.to)
		if c.document == inventory {
			text = changed(t, text, inventory, `"surfaces":["tool_call","filesystem","network","process"]`, `"surfaces":[]`)
		}
		var unsupported *incident.Unsupported
		if _, err := incident.Verify(t.Context(), text, nil); !errors.As(err, &unsupported) {
			t.Errorf("%s: %v", c.to, err)
		}
	}
}

// TestContexts: what the context selects, expects and says wrongly.
func TestContexts(t *testing.T) {
	list := examples(t)
	p, err := incident.Pack(t.Context(), list, nil)
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct{ rule, from, to string }{
		{"IncidentTrustInput", `"keys":[]`, `"keys":["x"]`},
		{"IncidentTrustInput", `"members":128`, `"members":129`},
		{"IncidentTrustInput", `"as_of":"2026-01-02T03:04:03Z"`, `"as_of":"2026-01-02T03:04:04Z"`},
		{"IncidentTrustInput", `"options":[]`, `"options":[],"extra":1`},
		{"IncidentResourceSelected", `"members":128`, `"members":4`},
		{"IncidentResourceSelected", `"records":100000`, `"records":6`},
		{"IncidentResourceSelected", `"inner_events_bytes":524288000`, `"inner_events_bytes":400`},
		{"IncidentResourceSelected", `"json_depth":64`, `"json_depth":3`},
		{"IncidentExpectationMismatch", `"expectations":[]`, `"expectations":[{"input_id":"a","require_disclosure":false,"sha256":"` + strings.Repeat("0", 64) + `"}]`},
		{"IncidentStaleAssessment", `"tool":"cupel evidence pack"`, `"tool":"another"`},
	} {
		text := strings.Replace(string(p.Context.Text()), c.from, c.to, 1)
		if text == string(p.Context.Text()) {
			t.Fatalf("no %s in %s", c.from, text)
		}
		against, err := incident.ReadContext([]byte(text))
		if err == nil {
			_, err = incident.Verify(t.Context(), p.Text, against)
		}
		var refused *incident.Refusal
		if !errors.As(err, &refused) || refused.Finding().Rule != c.rule {
			t.Errorf("%s: %v", c.to, err)
		}
	}
	var many []incident.Bundle
	for i := range 65 {
		many = append(many, incident.Bundle{Text: []byte{byte(i)}})
	}
	for rule, list := range map[string][]incident.Bundle{
		"IncidentResourceHard": many,
		"IncidentInputShape":   {sealed(t, "d", events("run_d", [3]string{"assay.env.filtered", "", `{}`}))},
	} {
		_, err := incident.Pack(t.Context(), list, nil)
		var refused *incident.Refusal
		if !errors.As(err, &refused) || refused.Finding().Rule != rule {
			t.Errorf("%s: %v", rule, err)
		}
	}
}
