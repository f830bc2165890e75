package capture

// Stats are what a Reader has met so far. Every line is blank, bad, or holds messages; a
// batch may hold both messages and bad elements.
type Stats struct {
	Lines      int
	Blank      int // lines of white space
	BadLines   int // lines, and elements of batches, that are no message
	Messages   int // that were handed out, without other views of them
	PassedOver int // messages of the other direction

	Evicted      int   // requests that were forgotten, as there were too many open ones
	FirstEvicted Place // where the first of them stands
	Uncorrelated int   // responses whose request is not known
	Unanswered   int   // requests that have had no answer so far and are not evicted
	FirstOpen    Place // where the first of those stands that may still be answered

	Recognized int    // messages of a known protocol
	Payloads   int    // lines that were taken for bare payloads, as they look like some
	Unknown    int    // records and text lines in which there is no message of a known protocol
	Builtin    int    // calls of an agent's built-in tools, which are no messages
	Looks      string // what the first unknown record looks like; "" when there is none

	Format Format // of the last input: of its first messages; Auto before its first record
}

// Place is a line of an input; the zero Place is none.
type Place struct {
	Input int // from 0 on
	Line  int // 1-based
}
