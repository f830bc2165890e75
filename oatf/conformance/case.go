package conformance

// Case is a case and its result.
type Case struct {
	ID    string // of a parse document its path: "parse/invalid/empty-file"
	Suite string // the file's path without extension: "validate/suite"
	Kind  string // what kind of fixture it is, the last folder and the name of its file; of a parse document "parse/valid" or "parse/invalid"
	Name  string // title; "" for parse documents

	File         string // the path of its file, from the suite's root on
	Line, Column int    // where it begins there, 1-based; 0 for parse documents, which are the file

	// Digest identifies the fixture: the SHA-256 of its entry's canonical JSON (RFC 8785), or of a document's
	// bytes. It is "" for an entry that JSON cannot represent.
	Digest string

	Pass     bool
	Expected string // of long answers the part where the two begin to differ, with … at the ends
	Got      string // Unsupported when this kind of fixture cannot be run

	// KnownFault describes a fault of the fixture itself that makes the case fail, or "".
	KnownFault string
}

// Ran reports whether the case could be run.
func (c *Case) Ran() bool { return c.Pass || c.Got != Unsupported }

// Failed reports whether the case shows a fault of the implementation.
func (c *Case) Failed() bool { return c.Ran() && !c.Pass && c.KnownFault == "" }

// Unsupported is the result of a case of an unknown kind. It neither passes nor fails.
const Unsupported = "unsupported"

type runner func(*Case, fixture)
