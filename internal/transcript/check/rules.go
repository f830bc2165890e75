package check

import (
	"slices"

	"github.com/cupel-dev/cupel/finding"
)

// prefix begins the ids of all rules.
const prefix = "transcript."

const (
	class  = "inconsistent"
	format = "the agent's own reader and writer"
)

// table holds the rules by the ends of their ids.
var table = finding.Table{
	{ID: "cut", Title: "a record breaks off", Severity: finding.Error, Class: class, Clause: "JSON lines; RFC 8259", Rationale: "The last line has no line feed and is not a whole value, or a line in the middle stops inside its record: the writer was stopped, or the disk was full. The record is lost; those before it are whole."},
	{ID: "glued", Title: "two records are on one line", Severity: finding.Error, Class: class, Clause: "JSON lines", Rationale: "A line feed between two records was not written, as when two processes append to one file. Both records can be read, but agents drop both."},
	{ID: "retried", Title: "a record broke off and was written again", Severity: finding.Warning, Clause: format, Rationale: "After an error of the disk some agents write their queue again. The broken part repeats the record that follows: nothing is lost."},
	{ID: "spliced", Title: "a record breaks off where another one begins", Severity: finding.Error, Class: class, Clause: "JSON lines", Rationale: "Two writers, or a crash and a restart: the first record is lost, the second is whole."},
	{ID: "nul", Title: "NUL bytes are in the file", Severity: finding.Error, Class: class, Clause: "RFC 8259 §2", Rationale: "A file system that allocates late leaves a run of zeros after a crash: the file grew, but its data was not written. Between whole records nothing is lost, and the finding is a warning."},
	{ID: "foreign", Title: "a line is not a record", Severity: finding.Warning, Clause: "JSON lines", Rationale: "Another program wrote into the file, such as a shell that printed Killed. No record is lost."},
	{ID: "bom", Title: "the file begins with a byte order mark", Severity: finding.Warning, Clause: "RFC 8259 §8.1", Rationale: "No agent writes one, so an editor or a script changed the file. Gemini CLI loses the session for it."},
	{ID: "utf8", Title: "bytes are not UTF-8", Severity: finding.Error, Class: class, Clause: "RFC 8259 §8.1", Rationale: "The text was stored in another encoding, or bytes were damaged. Readers replace such bytes in different ways."},
	{ID: "broken_line", Title: "one record is spread over several lines", Severity: finding.Error, Class: class, Clause: "JSON lines; RFC 8259 §7", Rationale: "A raw line feed inside a string splits a record. It can be read as a whole, but agents read none of its lines."},
	{ID: "limit", Title: "a record exceeds a limit", Severity: finding.Error, Class: class, Clause: "limits of trace verify", Rationale: "A line, or an element of a document, that is too long, too deep or has too many values is skipped. The records after it are read.", Flags: "--max-line-bytes --max-depth --max-keys --max-values"},
	{ID: "shape", Title: "a record lacks what its type must have", Severity: finding.Error, Class: class, Clause: format, Rationale: "A record of a known type does not have the shape that the agent's reader needs. Unknown types and additional members are free, but for ATIF, which forbids them outside extra."},
	{ID: "header", Title: "the file does not begin with its header", Severity: finding.Error, Class: class, Clause: format, Rationale: "The first record of the format describes the session. Without it the beginning is missing, and the agent does not list the session."},
	{ID: "duplicate_id", Title: "two records have one id", Severity: finding.Error, Class: class, Clause: format, Rationale: "Ids identify records. Two records with one id and different content were edited, or written by two processes. An exact repetition is information, and Gemini repeats the id of an updated message."},
	{ID: "parent", Title: "a link leads nowhere", Severity: finding.Error, Class: class, Clause: format, Rationale: "A record names a parent that is not in the file, so a resume does not see the records before it. Links to other files do not count: forkedFrom, leafUuid, logicalParentUuid."},
	{ID: "roots", Title: "the main thread begins a second time", Severity: finding.Warning, Clause: format, Rationale: "A record without a parent starts a new chain: earlier records are not reachable from the end. Compaction boundaries and subagents start their own chains."},
	{ID: "cycle", Title: "records name each other as parents", Severity: finding.Error, Class: class, Clause: format, Rationale: "Readers that follow the parents never come to an end."},
	{ID: "orphan_result", Title: "a result has no call", Severity: finding.Error, Class: class, Clause: format, Rationale: "The API of the model refuses a history with a result for a call that is not in it: the session cannot be resumed."},
	{ID: "unanswered", Title: "a call never got a result", Severity: finding.Warning, Clause: format, Rationale: "The session went on after a call without its result. The last turn, and turns that were interrupted, may end so."},
	{ID: "two_results", Title: "a call has two different results", Severity: finding.Error, Class: class, Clause: format, Rationale: "Only one of them can be the tool's answer. A repetition of the same result is information."},
	{ID: "order", Title: "a result is before its call", Severity: finding.Warning, Clause: format, Rationale: "Records are appended as things happen. A result before its call shows two writers, or a file that was put together. Parallel results may come in any order."},
	{ID: "clock", Title: "the clock runs back", Severity: finding.Warning, Clause: format, Rationale: "A record of the main thread is more than ten minutes earlier than the one before it: another machine, a changed clock, or an edited file. Forks that copy records are left out."},
	{ID: "session", Title: "records of another session are in the file", Severity: finding.Error, Class: class, Clause: format, Rationale: "One file holds one session, but for the beginning that an old resume copied. Others were pasted, or written by another process."},
	{ID: "gap", Title: "the numbers of records do not go up by one", Severity: finding.Error, Class: class, Clause: format, Rationale: "Where a format numbers its records, a missing number is a missing record."},
	{ID: "arguments", Title: "the arguments of a call are not JSON", Severity: finding.Error, Class: class, Clause: format, Rationale: "Codex stores the arguments of a call as a JSON string. A truncated string lost what the tool was asked to do."},
	{ID: "rewind", Title: "a rewind names a message that is not there", Severity: finding.Error, Class: class, Clause: format, Rationale: "Gemini CLI forgets the whole session when it cannot find the message to rewind to."},
	{ID: "attachment", Title: "an attachment has no data", Severity: finding.Warning, Clause: format, Rationale: "An image or a file was announced, but its content is not in the record."},
	{ID: "usage", Title: "a stated sum differs from what is counted", Severity: finding.Warning, Clause: format, Rationale: "Totals in the file should match its records. A difference shows a missing record or an edit."},
	{ID: "repeated", Title: "a record is repeated", Severity: finding.Info, Clause: format, Rationale: "A resume or a fork copies records. Equal copies lose nothing, and their tokens are counted once."},
	{ID: "counted", Title: "usage is repeated in the file", Severity: finding.Info, Clause: format, Rationale: "Agents write the usage of one response with each of its records. Adding up all of them counts the same tokens several times; cupel counts a response once."},
	{ID: "secret", Title: "a record holds a secret", Severity: finding.Error, Class: class, Clause: "--secrets", Rationale: "Agents write what they read and run into their transcripts, including keys and passwords. The finding has the kind, the count and the place, never the value.", Flags: "--secrets"},
	{ID: "truncated", Title: "the agent cut an output", Severity: finding.Info, Clause: format, Rationale: "The writer says itself that it shortened a result, so the text in the file is not all that the model saw."},
	{ID: "open", Title: "the session stops at a call", Severity: finding.Info, Clause: format, Rationale: "The last turn has a call without result: the session was running, was aborted, or crashed there."},
	{ID: "unfinished", Title: "the last record is still being written", Severity: finding.Info, Clause: "--follow", Rationale: "A growing file can end inside a record. It is read again when it has its end.", Flags: "--follow"},
	{ID: "unknown", Title: "records are of a type that cupel does not know", Severity: finding.Info, Clause: format, Rationale: "Agents add types with each version. Such records are counted, and nothing else is said of them."},
}

var byEnd = func() map[string]*finding.Rule {
	m := map[string]*finding.Rule{}
	for i := range table {
		m[table[i].ID] = &table[i]
		table[i].ID = prefix + table[i].ID
	}
	return m
}()

func ruleOf(end string) (*finding.Rule, bool) {
	r, ok := byEnd[end]
	return r, ok
}

func Rules() []finding.Rule { return slices.Clone(table) }
