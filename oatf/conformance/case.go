package conformance

// Case is one case and how it ended.
type Case struct {
	ID    string // of a parse document its path: "parse/invalid/empty-file"
	Suite string // the file's path without extension: "validate/suite"
	Kind  string // what kind of fixture it is, the last folder and the name of its file; of a parse document "parse/valid" or "parse/invalid"
	Name  string // what the case is about; "" for parse documents

	File         string // the path of its file, from the suite's root on
	Line, Column int    // where it begins there, 1-based; 0 for parse documents, which are the file

	// Digest names the fixture: "sha256:" and 64 digits of its canonical JSON (RFC 8785), all
	// members of the entry in the file; of a parse document those of the file's bytes. It is
	// "" for an entry that JSON cannot say.
	Digest string

	Pass     bool
	Expected string // of long answers the part where the two begin to differ, with … at the ends
	Got      string // Unsupported when this kind of fixture cannot be run

	// KnownFault says what is wrong with the fixture itself when that is why the case does
	// not hold; "" otherwise.
	KnownFault string
}

// Ran says whether the case could be run.
func (c *Case) Ran() bool { return c.Pass || c.Got != Unsupported }

// Failed says whether the case speaks against the implementation.
func (c *Case) Failed() bool { return c.Ran() && !c.Pass && c.KnownFault == "" }

// Unsupported is what a case got whose kind cannot be run. It is a result of its own: such
// a case has neither held nor failed.
const Unsupported = "unsupported"

// runner runs one fixture and completes its case.
type runner func(*Case, fixture)
