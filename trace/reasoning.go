package trace

import (
	"io"

	"github.com/cupel-dev/cupel/trace/internal/reasoning"
)

// ReasoningOptions are the options of reasoning traces alone. The zero value accepts
// schema version 1 and reads nothing beside the trace.
type ReasoningOptions struct {
	SchemaVersions []int64 // accepted trace_schema_version values; nil means 1 alone
	Contiguous     bool    // idx must run 0, 1, 2, …
	AcceptAliases  bool    // read the alternative member names of old writers
	CheckIDs       bool    // a trace id that does not fit the content is an error
	Manifest       bool    // a manifest that is missing or does not fit the files is an error

	// Run is the folder of the trace, which holds plan.json, manifest.json and the
	// evidence, as far as there are any; nil: nothing is read beside the trace.
	Run Files
	// Input is the clean path of the input below Run, where that is the very file that Verify
	// reads; "": it is not known to be one. The manifest is then compared with what was read,
	// and the file is not read again. VerifyRun sets it.
	Input string
	// Evidence is the folder that content_path is relative to; nil means Run.
	Evidence Files
	// NoEvidence leaves evidence files unread. The manifest's files are evidence for the
	// most part, so it is left out too unless Manifest is set.
	NoEvidence bool
	// Plan is read in place of Run's plan.json; nil means that. PlanName is its display
	// name; "" means plan.json beside the trace.
	Plan     io.Reader
	PlanName string
}

// internal are the options as the checker takes them.
func (o *ReasoningOptions) internal(c *companions) reasoning.Options {
	return reasoning.Options{
		SchemaVersions: o.SchemaVersions, Contiguous: o.Contiguous, AcceptAliases: o.AcceptAliases,
		CheckIDs: o.CheckIDs, Manifest: o.Manifest,
		Evidence: c.evidence, Plan: c.plan, PlanName: c.planName, Run: c.run, ManifestName: c.manifestName,
	}
}
