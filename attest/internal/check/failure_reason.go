package check

import (
	"strings"

	"github.com/cupel-dev/cupel/attest/internal/target"
	"github.com/cupel-dev/cupel/attest/internal/wording"
)

type failureReason uint8

const (
	unnamed failureReason = iota // no reason is given
	targetMissing
	targetNull
	schemaViolated
	schemaUnanswerable
	constraintViolated
	constraintUnanswerable
	notInOrder
	notInExactOrder
	calledTooOften
	calledTwice
	notCalled
	calledForbidden
	textLacks
	textHas
	textMatchesNot
	textLacksKeywords
	textLacksAnyKeyword
	textHasForbidden
	textEmpty
	textsTooLong
	dissimilar
	graded
	nothingRetrieved
	delimiterKnown
	noEmbedding
	noJudge
	noSubmission
	agentAbsent
	agentNotCalled
	delegatedTooDeep
	outputLacks
	outputFieldMissing
	nothingGiven
	notGiven
	delegationNotListed
	sumUnanswerable
	timesUnknown
	startsNotBefore
	overlapsNot
	worksTooLong
	groupNotDone
	tooCostly
	recordLost
	callsDiffer
)

// Actions that several reasons share.
const (
	answerWithText = "Have the agent answer with a text, or check another target."
	sayIt          = "Have the agent say the text, or correct the value of the assertion."
)

// failureReasons are the short texts in results: what was required (%s: the requirement), what the trace has (%s:
// the value), and what to do.
var failureReasons = [...]struct {
	wanted, found, action string
	missing               bool // the trace lacks data
}{
	targetMissing:          {"a value at %s", "%s", "Correct the target of the assertion, or have the agent record the value in the trace.", true},
	targetNull:             {"a text at %s", "null", answerWithText, true},
	schemaViolated:         {"%s", "%s", "Have the agent return a value that fits the schema, or correct the schema.", false},
	schemaUnanswerable:     {"a value that a schema can be evaluated on", "%s", "Choose a smaller target, or make the schema simpler.", false},
	constraintViolated:     {"%s", "%s", "Look at the steps that make up the value in the trace, or change the limit of the constraint.", false},
	constraintUnanswerable: {"a number at %s", "%s", "Have the agent record the value as a number, or correct the field of the constraint.", true},
	notInOrder:             {"calls to %s in this order", "%s", `Compare the steps of the trace with the tools of the assertion: one is missing or comes too early.`, false},
	notInExactOrder:        {"calls to %s directly one after the other", "%s", `Find the extra or missing call; if calls in between do no harm, use contains_in_order.`, false},
	calledTooOften:         {"%s at most", "%s", "Find out why the agent calls the tool again: it may ignore an answer or repeat an error.", false},
	calledTwice:            {"no tool called more than once", "%s", "Have the agent keep the first answer of the tool; where a second call is right, use loop_detection.", false},
	notCalled:              {"calls to %s", "no call to %s", "Find out why the agent does not call the tool: perhaps the tool is not offered, or its description is poor.", false},
	calledForbidden:        {"no call to %s", "%s", "Remove the tool from the agent, or instruct the agent when not to use it.", false},
	textLacks:              {"a text with %s", "%s", sayIt, false},
	textHas:                {"a text without %s", "%s", "Have the agent leave the text out, or correct the value of the assertion.", false},
	textMatchesNot:         {"a text that matches %s", "%s", "Try the expression on the text: it is RE2, and case-sensitive unless it begins with (?i).", false},
	textLacksKeywords:      {"a text with all of %s", "without %s", "Have the agent say the missing words, or shorten the list.", false},
	textLacksAnyKeyword:    {"a text with one of %s", "%s", "Have the agent say one of the words, or add the one that it uses.", false},
	textHasForbidden:       {"a text with none of %s", "with %s", "Have the agent leave these words out; if they are part of other words, set word to true.", false},
	textEmpty:              {"a text at %s", "an empty one", answerWithText, true},
	textsTooLong:           {"at most %s bytes of the trace for models in one request", "more", "Send the assertions in several requests, or choose targets with less text.", false},
	dissimilar:             {"a similarity of %s or more", "%s", "Compare the text with the reference: if both mean the same, lower the threshold.", false},
	graded:                 {"a score of %s or more", "%s", "Read the reason that the judge gives: improve the answer, or lower the rubric's demands.", false},
	nothingRetrieved:       {"a retrieval step with a result", "none", "Record the agent's retrievals as steps of the type retrieval, or judge by another rubric.", true},
	delimiterKnown:         {"a text without the delimiter of the prompt", "one that contains it", "Find out how the delimiter got into the text: it can be an attempt to influence the judge.", false},
	noEmbedding:            {"an embedding provider", "no provider is configured", "Set ATTEST_OPENAI_API_KEY or ATTEST_OPENAI_BASE_URL, or providers.embedding in the file that ATTEST_CONFIG names.", false},
	noJudge:                {"a judge provider", "no provider is configured", "Set ATTEST_OPENAI_API_KEY or ATTEST_OPENAI_BASE_URL, or providers.judge in the file that ATTEST_CONFIG names.", false},
	tooCostly:              {"at most %s USD for the calls of models", "%s USD were spent", "Raise the limit, or let fewer assertions ask models: choose them by tag, or take fewer samples.", false},
	callsDiffer:            {"calls: %s", "%s", "Compare the calls of the trace with those that the assertion expects.", false},
	recordLost:             {"a record without a loss of %s", "%s", "Record the contents of the calls, or use --allow-incomplete to judge the recorded part.", true},
	noSubmission:           {"a result of the plugin %s", "no result was submitted", "Send submit_plugin_result before, with the same trace_id, assertion_id and plugin_name.", false},
	agentAbsent:            {"agent %s in the tree of traces", "%s", "Correct the id, or have the agent_call hold the trace of the agent as its sub_trace, with its agent_id.", true},
	agentNotCalled:         {"a trace or a step of agent %s", "%s", "Find out why the agents do not call this one: perhaps it is not offered to them, or its description is poor.", false},
	delegatedTooDeep:       {"a delegation depth of %s at most", "%s", "Have fewer agents delegate, or raise max_depth.", false},
	outputLacks:            {"an output with %s", "%s", sayIt, false},
	outputFieldMissing:     {"a value at output.%s", "%s", "Correct the field of the assertion, or have the agent record the value in its output.", true},
	nothingGiven:           {"an input of agent %s", "none", "Record the input in the trace of the agent, or the args in its agent_call.", true},
	notGiven:               {"an input that holds %s", "%s", "Pass the value separately: a text that only mentions it does not count.", false},
	delegationNotListed:    {"no other delegations than %s", "%s", "Find out why the agent was called, or list the pair in transitions.", false},
	sumUnanswerable:        {"a number at metadata.%s", "%s", "Have the agents record the field in the metadata of their traces.", true},
	timesUnknown:           {"times of agent %s", "%s", "Have every step of the agent record started_at_ms and ended_at_ms, as numbers on one clock.", true},
	startsNotBefore:        {"%s", "%s", "Check the order of the calls: if two agents start at the same instant, neither is before the other.", false},
	overlapsNot:            {"%s at work at the same time", "%s", "Call the agents at once: one that starts when another ends does not overlap it.", false},
	worksTooLong:           {"%s ms at most", "%s ms", "Look at the steps of the agent that take longest, or raise max_ms.", false},
	groupNotDone:           {"%s", "%s", "Call the agents of a group when those of the group before are done, or put them into one group.", false},
}

// because adds the reason of a failure to a verdict.
func (v Verdict) because(f failureReason, wanted, found string) Verdict {
	row := failureReasons[f]
	v.Expected = wording.Preview(strings.Replace(row.wanted, "%s", wanted, 1))
	v.Actual = wording.Preview(strings.Replace(row.found, "%s", found, 1))
	v.SuggestedAction, v.reason = row.action, f
	return v
}

// notThere returns the verdict for a target without a value in the trace.
func notThere(m *target.Missing) Verdict {
	return broken(m.Sentence()).because(targetMissing, wording.Preview(m.Target), m.Reason)
}
