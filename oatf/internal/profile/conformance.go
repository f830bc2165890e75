package profile

// Suite describes a revision's conformance suites.
type Suite struct {
	// Only lists the fixture kinds for functions that exist only in this revision.
	Only []string

	// First lists fixture kinds introduced by this revision's suite for functions of earlier revisions.
	First []string

	Faults []Fault
}

// Fault is a fixture of the published suite that contradicts the specification.
type Fault struct {
	Digest string // of the fixture, as package conformance makes it
	Says   string // description of the fault
}
