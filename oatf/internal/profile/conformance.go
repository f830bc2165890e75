package profile

// Suite describes a revision's conformance suites.
type Suite struct {
	// Only are the kinds of fixtures for functions that no other revision has.
	Only []string

	// First lists kinds introduced by its published suite, although the functions exist in earlier revisions.
	First []string

	Faults []Fault
}

// Fault is a fixture of the published suite that contradicts the specification.
type Fault struct {
	Digest string // of the fixture, as package conformance makes it
	Says   string // description of the fault
}
