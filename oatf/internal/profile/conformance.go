package profile

// Suite is what is known of the conformance suites of a revision.
type Suite struct {
	// Only are the kinds of fixtures for functions that no other revision has.
	Only []string

	// First are the kinds that its published suite is the first to have, though the functions
	// are those of earlier revisions, too.
	First []string

	Faults []Fault
}

// Fault is a fixture of the published suite that contradicts the specification.
type Fault struct {
	Digest string // of the fixture, as package conformance makes it
	Says   string // what is wrong with it
}
