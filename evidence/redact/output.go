package redact

import (
	"github.com/cupel-dev/cupel/evidence/internal/shape"
	"github.com/cupel-dev/cupel/finding"
)

// Output describes a verified file.
type Output struct {
	SHA256   string // of the whole file
	RunRoot  string // of its events; "" where an event has no hash
	BundleID string // "" unless a bundle
}

// Compare returns the mismatches between a report and its presumed output, and a finding if the redaction's input
// was not verified.
func (r *Report) Compare(own Output) (findings []finding.Finding) {
	for _, part := range []struct{ pointer, name, said, own string }{
		{"/output_sha256", "SHA-256", r.OutputSHA256, own.SHA256},
		{"/run_root", "run root", r.RunRoot, own.RunRoot},
		{"/bundle_id", "bundle id", r.BundleID, own.BundleID},
	} {
		if part.said != part.own {
			findings = append(findings, *shape.Differs(&rules[ruleOutput], part.pointer, "the file is not the output of the redaction: its "+part.name+" differs", orNone(part.said), orNone(part.own)))
		}
	}
	if !r.InputVerified {
		findings = append(findings, unverified())
	}
	return findings
}

func unverified() finding.Finding {
	return *shape.Fault(&rules[ruleUnverified], "/input_verified", "the redacted input did not verify")
}

func orNone(text string) string {
	if text == "" {
		return "none"
	}
	return text
}
