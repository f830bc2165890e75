package lint

import (
	"github.com/cupel-dev/cupel/evidence"
	"github.com/cupel-dev/cupel/evidence/bundle"
	"github.com/cupel-dev/cupel/evidence/payload"
	"github.com/cupel-dev/cupel/evidence/privacy"
	"github.com/cupel-dev/cupel/finding"
)

// Options configures the linter. The zero value uses all rules, the default policy and version 1 of
// the contract with default limits.
type Options struct {
	// Verify configures the verification. Its MaxFindings also limits the linter's findings; All,
	// OnFinding and Each are set by the linter.
	Verify   bundle.Options
	NoVerify bool // judge the content alone: hashes, order and containers are not compared

	Payload payload.Options
	Policy  *privacy.Policy // nil: privacy.Default

	// Wanted, if set, reports whether findings of a rule count. It is called concurrently.
	Wanted func(rule string) bool

	// Ignored, if set, reports whether a wanted rule is ignored: its findings are passed to Keep, which returns
	// false, and not counted. It is called concurrently.
	Ignored func(rule string) bool

	// Keep, if set, reports whether a finding counts. It is called in the order of the report, and not beyond
	// MaxFindings.
	Keep func(finding.Finding) bool

	redactor func() redactor // makes one; nil: of Policy
}

func (o Options) withDefaults() Options {
	o.Verify.Limits = o.Verify.Limits.WithDefaults()
	if o.Verify.MaxFindings == 0 {
		o.Verify.MaxFindings = evidence.DefaultMaxFindings
	}
	o.Payload.Verified = o.Payload.Verified || !o.NoVerify
	if o.Policy == nil {
		o.Policy = privacy.Default()
	}
	if o.redactor == nil {
		o.redactor = func() redactor { return privacy.NewRedactor(o.Policy) }
	}
	if o.Wanted == nil {
		o.Wanted = func(string) bool { return true }
	}
	if o.Ignored == nil {
		o.Ignored = func(string) bool { return false }
	}
	if o.Keep == nil {
		o.Keep = func(finding.Finding) bool { return true }
	}
	return o
}
