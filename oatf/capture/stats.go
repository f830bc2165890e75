package capture

// Stats counts what a Reader has read. Every line is blank, bad or has messages. A batch can have both messages and
// bad elements.
type Stats struct {
	Lines      int
	Blank      int // lines of white space
	BadLines   int // invalid lines and batch elements
	Messages   int // that were handed out, without other views of them
	PassedOver int // messages of the other direction

	Evicted      int   // requests that were forgotten, as there were too many open ones
	FirstEvicted Place // position of the first one
	Uncorrelated int   // responses whose request is not known
	Unanswered   int   // requests that have had no answer so far and are not evicted
	FirstOpen    Place // position of the first open request

	Recognized int    // messages of a known protocol
	Payloads   int    // lines that were taken for bare payloads, as they look like some
	Unknown    int    // records and text lines without messages of a known protocol
	Builtin    int    // calls of an agent's built-in tools, not messages
	Looks      string // resemblance of the first unknown record, or ""

	Format Format // of the last input: of its first messages; Auto before its first record
}

// Place is a line of an input; the zero Place means no line.
type Place struct {
	Input int // from 0 on
	Line  int // 1-based
}
