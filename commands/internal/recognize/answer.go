package recognize

// State reports whether the format of a file is known.
type State int

const (
	Foreign State = iota // not a format that cupel knows, or nothing in it shows the format
	Ours                 // at least one record shows the format
	Damaged              // no record can be read as it is, but its text shows the format
)

func (s State) String() string { return [...]string{"foreign", "ours", "damaged"}[s] }

// Family groups formats of a command.
type Family int

// The families, each with the command that checks it.
const (
	None       Family = iota
	Trace             // cupel trace verify
	Evidence          // cupel evidence verify
	OATF              // cupel oatf lint
	AgentTrace        // cupel attest eval, as the trace
	Suite             // cupel attest eval, as the suite
)

// Answer is a file's identification.
type Answer struct {
	State  State
	Family Family // of Ours and Damaged; of Foreign the family whose command still reads the file when it is named

	// Format is the format with article: "a session log", "a JSON Schema"; "" for an unknown foreign file.
	Format string

	// Command is the command that reads the file (FILE), without the program's name, or "".
	Command string

	// Why says how the damage is visible, or why the file is foreign. It is "" for Ours.
	Why string

	Layout  Layout
	Records int  // records in the looked-at bytes that are JSON
	Others  int  // readable records in the looked-at bytes that show another format
	Bad     int  // lines in the looked-at bytes that are not JSON
	Empty   bool // the file has no bytes but blanks

	Compressed bool // in a format that has to be unpacked first
}

// Known reports whether the file is a record of the family, damaged or not.
func (a Answer) Known(f Family) bool { return a.State != Foreign && a.Family == f }

// Near reports whether a family's command should read a file that the user named: it is of the family, similar, or
// too damaged or empty to tell.
func (a Answer) Near(f Family) bool {
	if f == Evidence && a.Records > 1 && a.Family != f {
		return false // a stream of other records: one answer instead of findings for each line
	}
	if f == Evidence && a.Format == anArchive {
		return true // its members are judged one by one
	}
	return a.Family == f || a.Empty || a.Compressed || a.State == Foreign && a.Format == ""
}

func foreign(format, command string) Answer {
	return Answer{State: Foreign, Format: format, Command: command}
}

func ours(f Family, format string) Answer {
	return Answer{State: Ours, Family: f, Format: format, Command: f.Command()}
}

func damaged(f Family, format, why string) Answer {
	return Answer{State: Damaged, Family: f, Format: format, Why: why, Command: f.Command()}
}

// The texts that several answers share.
const (
	keyMissing    = `the root key "attack" is present, but "` + DocumentKey + `" is missing`
	anArchive     = "an archive"
	nothingShown  = "the content does not show a known format"
	eventStream   = "a stream of server-sent events"
	verifySigned  = "evidence verify --attestation FILE --key KEY BUNDLE"
	EvaluateTrace = "oatf eval DOCUMENT --trace FILE" // the command for recorded messages
)

// EvaluateFormat returns the command that evaluates a suite on traces imported from a format.
func EvaluateFormat(format string) string {
	return "attest eval --assertions SUITE --from " + format + " FILE"
}

// Command returns the command that checks records of the family, with FILE for the file's name.
func (f Family) Command() string {
	return [...]string{
		None: "", Trace: "trace verify FILE", Evidence: "evidence verify FILE", OATF: "oatf lint FILE",
		AgentTrace: "attest validate FILE", Suite: "attest eval --assertions FILE TRACE",
	}[f]
}

// Noun returns the name of a record of the family with its article.
func (f Family) Noun() string {
	return [...]string{
		None: "a file", Trace: "a trace or a session log", Evidence: "evidence", OATF: "an OATF document",
		AgentTrace: "a trace of the attest protocol", Suite: "a suite of assertions",
	}[f]
}
