package seal_test

import (
	"bytes"
	"crypto/ed25519"
	"encoding/base64"
	"encoding/json"
	"os"
	"path/filepath"
	"testing"

	"github.com/cupel-dev/cupel/evidence"
	"github.com/cupel-dev/cupel/evidence/bundle"
	"github.com/cupel-dev/cupel/evidence/seal"
	"github.com/cupel-dev/cupel/internal/digest"
)

// bundleFacts reads the facts of a bundle, and whether an attestation may have an extent.
func bundleFacts(t *testing.T, file string) seal.Facts {
	t.Helper()
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	var events seal.ExtentCounter
	each := func(r *evidence.Result) error { events.Add(r); return nil }
	r, err := bundle.Verify(t.Context(), bytes.NewReader(text), int64(len(text)), file, bundle.Options{Each: each})
	if err != nil || r.Verdict != bundle.Valid {
		t.Fatal(err, r)
	}
	sum, _ := digest.Parse([]byte(r.SHA256))
	f := seal.Facts{
		SHA256: sum, BundleID: r.BundleID, RunRoot: r.RunRoot, RunID: r.Manifest.RunID, Events: r.Events,
		Producer: seal.Producer{Name: r.Manifest.Producer.Name, Version: r.Manifest.Producer.Version, Git: r.Manifest.Producer.Git},
		Start:    r.Run.Start, End: r.Run.End,
	}
	if f.Extent, err = events.Extent(); err != nil {
		t.Fatal(err)
	}
	return f
}

// TestReference holds, with attestations that the reference implementation wrote, that it and
// cupel write the same statement about a bundle, and that cupel accepts what it accepts.
func TestReference(t *testing.T) {
	root := os.Getenv("CUPEL_VECTORS")
	if root == "" {
		t.Log("CUPEL_VECTORS is not set: only the project's own cases ran")
		return
	}
	folder := filepath.Join(root, "evidence-6", "attest")
	text, err := os.ReadFile(filepath.Join(folder, "expected.json"))
	if err != nil {
		t.Fatal(err)
	}
	var cases struct {
		Attestations []struct{ Attestation, Bundle, Key, Verdict string }
	}
	if err := json.Unmarshal(text, &cases); err != nil || len(cases.Attestations) == 0 {
		t.Fatal(err)
	}
	signer, err := seal.NewSigner(ed25519.NewKeyFromSeed(make([]byte, ed25519.SeedSize)))
	if err != nil {
		t.Fatal(err)
	}
	same := 0
	for _, c := range cases.Attestations {
		keyText, err := os.ReadFile(filepath.Join(folder, c.Key))
		if err != nil {
			t.Fatal(err)
		}
		key, err := seal.ParsePublicKey(keyText)
		if err != nil {
			t.Fatal(err)
		}
		file, err := os.ReadFile(filepath.Join(folder, c.Attestation))
		if err != nil {
			t.Fatal(err)
		}
		facts := bundleFacts(t, filepath.Join(folder, c.Bundle))
		list, fault := seal.Read(file)
		good := fault == nil
		for _, e := range list {
			if !e.About(facts.SHA256) && len(list) > 1 {
				continue
			}
			a, fault, err := e.Open(t.Context(), verifierOf(t, key))
			if err != nil {
				t.Fatal(err)
			}
			good = good && fault == nil && len(a.Compare(facts)) == 0
		}
		if c.Verdict != "either" && good != (c.Verdict == "valid") {
			t.Errorf("%s: valid is %v, want %s", c.Attestation, good, c.Verdict)
		}
		if own, err := seal.Attest(t.Context(), signer, facts); err != nil {
			t.Error(err)
		} else if bytes.Equal(payloadOf(t, own), payloadOf(t, file)) {
			same++
		}
	}
	if same < 2 {
		t.Errorf("%d statements are the same as those of the reference, want two or more", same)
	}
}

func payloadOf(t *testing.T, envelope []byte) []byte {
	t.Helper()
	var e struct{ Payload string }
	if json.Unmarshal(envelope, &e) != nil {
		return nil // not a plain envelope
	}
	text, err := base64.StdEncoding.DecodeString(e.Payload)
	if err != nil {
		t.Fatal(err)
	}
	return text
}
