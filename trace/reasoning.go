package trace

import (
	"io"

	"github.com/cupel-dev/cupel/trace/internal/reasoning"
)

// ReasoningOptions configures the verification of reasoning traces. The zero value accepts schema version 1 and
// reads no companion files.
type ReasoningOptions struct {
	SchemaVersions []int64 // accepted trace_schema_version values; nil means 1 alone
	Contiguous     bool    // idx must run 0, 1, 2, …
	AcceptAliases  bool    // read the alternative member names of old writers
	CheckIDs       bool    // a trace id that does not fit the content is an error
	Manifest       bool    // a manifest that is missing or does not fit the files is an error

	// Run is the trace's folder. Its plan.json, manifest.json and evidence are read if they exist. nil reads no
	// companion files.
	Run Files
	// Input is the path of the input below Run, or "". The manifest is then compared with the bytes that Verify
	// reads, without reading the file again. VerifyRun sets it.
	Input string
	// Evidence is the folder that content_path is relative to. nil means Run.
	Evidence Files
	// NoEvidence skips evidence files, and the manifest unless Manifest is set, because most of its
	// files are evidence.
	NoEvidence bool
	// Plan, if set, replaces plan.json of Run. PlanName is its display name, by default plan.json next to the
	// trace.
	Plan     io.Reader
	PlanName string
}

func (o *ReasoningOptions) internal(c *companions) reasoning.Options {
	return reasoning.Options{
		SchemaVersions: o.SchemaVersions, Contiguous: o.Contiguous, AcceptAliases: o.AcceptAliases,
		CheckIDs: o.CheckIDs, Manifest: o.Manifest,
		Evidence: c.evidence, Plan: c.plan, PlanName: c.planName, Run: c.run, ManifestName: c.manifestName,
	}
}
