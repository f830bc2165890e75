package profile

// Normalization says which of the steps of normalization (§3.3) that revisions differ in a revision has.
type Normalization struct {
	// SurfaceTargets: a pattern or semantic match without a target gets its surface's default
	// (N-004). Otherwise it gets the indicator's target.
	SurfaceTargets bool

	// ToolDefaults: the tools of an MCP server get a description and an inputSchema (N-008 of
	// the SDK specification 0.1).
	ToolDefaults bool

	// PlainTags: tags are in lower case, with hyphens for underscores and spaces (N-008 of the revision 2026-03).
	PlainTags bool
}
