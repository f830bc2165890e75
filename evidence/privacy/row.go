package privacy

// Row assigns a class to values at a pointer in events of a type. The last matching row counts.
type Row struct {
	// Type is an event type, "*" for all, or a prefix up to a dot and "*", as in "assay.mcp.*".
	Type string `json:"type"`
	// Pointer is a JSON pointer (RFC 6901). "*" matches any member or element and "**" any number of them, at the
	// end at least one.
	Pointer  string   `json:"pointer"`
	Class    Class    `json:"-"`
	Handling Handling `json:"handling"`
	// Pattern is an RE2 expression for texts at the pointer, or "" for a row with a class.
	Pattern string `json:"pattern,omitempty"`
	// Origin is the file and line of a row from a policy file, or "".
	Origin string `json:"-"`
}

// Handling is the treatment of a row's values.
type Handling string

// The handlings.
const (
	Stays   Handling = "stays"   // never changed nor looked at: what binds or places the event
	Drops   Handling = "drops"   // removed from an event that is changed otherwise
	Reports Handling = "reports" // looked at as Redacts does, and left as it is
	Redacts Handling = "redacts" // every rule of texts is applied
	Guards  Handling = "guards"  // left as it is, unless a secret rule matches: then Redacts
	Cuts    Handling = "cuts"    // cut at the first equals sign, then Guards
	Keeps   Handling = "keeps"   // left as it is, by a policy file
	Removes Handling = "removes" // removed, by a policy file
	Scrubs  Handling = "scrubs"  // changed as the contract's reference changes it
	Finds   Handling = "finds"   // matches of the pattern become ***
)

type meaning struct {
	Handling
	means string
}

var handlings = []meaning{
	{Stays, "never changed: it binds or places the event"},
	{Drops, "removed from an event that is changed: it would be that of another event"},
	{Reports, "looked at and reported; only a policy file changes it"},
	{Redacts, "every rule of texts applies; numbers, booleans and null stay"},
	{Guards, "stays, unless a secret rule matches: then every rule of texts applies"},
	{Cuts, "cut at the first equals sign, then as for guards"},
	{Keeps, "stays, by the policy file"},
	{Removes, "removed, whatever it is, by the policy file"},
	{Scrubs, "changed as the contract's reference does it"},
	{Finds, "matches of the policy file's pattern are replaced by ***; with class forbidden, a text that matches as a whole is removed"},
}

func ofFile(c Class) Handling {
	switch c {
	case Public:
		return Keeps
	case Sensitive:
		return Redacts
	}
	return Removes
}
