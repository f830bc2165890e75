package profile

// Normalization selects the normalization steps (§3.3) in which revisions differ.
type Normalization struct {
	// SurfaceTargets means that a match without a target gets its surface's default (N-004). Otherwise it gets the
	// indicator's target.
	SurfaceTargets bool

	// ToolDefaults means that tools of MCP servers get a description and an inputSchema (N-008 of the SDK
	// specification 0.1).
	ToolDefaults bool

	// PlainTags: tags are in lower case, with hyphens for underscores and spaces (N-008 of the revision 2026-03).
	PlainTags bool
}
