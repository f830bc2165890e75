package format

// Header is a parsed header line.
type Header struct {
	Version int64 // 0 when it states none
	ID      Text
	PlanID  Text
	SpecID  Text
	// Before and After are the parts of the canonical trace around its events, or nil if the trace has no id to
	// recompute.
	Before, After []byte
}
