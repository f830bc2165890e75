// Package eval decides from captured messages whether an agent did what an OATF document's attack intends (OATF SDK
// Specification 0.1, §4), with replaceable evaluators (§6).
//
// A document's indicators describe the signs of compliance:
//
//	indicators:
//	  - surface: tool_arguments
//	    pattern:
//	      target: arguments.path
//	      condition: {contains: id_rsa}
//
// A capture, read by package capture, is what the agent actually sent:
//
//	{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"cat","arguments":{"path":"/home/u/.ssh/id_rsa"}}}
//
// An [Evaluator] is a compiled document. Its [Run] takes messages in order and returns the verdict: here exploited,
// with arguments.path of line 2 as evidence. A [Batch] evaluates several documents.
//
// [Selection] defines the messages that an indicator examines. Diagnostics report weaknesses of a verdict, such as
// an indicator without messages; [Rules] explains their codes.
//
// The specification's functions are [EvaluatePattern], [EvaluateExpression], [EvaluateIndicator] and
// [ComputeVerdict]. Of the optional capabilities (§1.3, item 10), the package supports
//
//   - patterns, in standard and in shorthand form,
//   - expressions, with the default evaluator of [NewCEL] or another [CELEvaluator],
//   - semantic matches, with a [SemanticEvaluator] of the caller,
//   - generated responses, for simulations, with a [GenerationProvider] of the caller,
//   - evaluation of many messages and documents at once (§8.7), not asynchronously.
//
// Regular expressions are RE2's, in time proportional to the text, and never interrupted. An error of kind
// regex_timeout means that a search of a large expression in a large text was not started.
//
// Messages and documents are untrusted: the result is always a verdict, possibly error, and evidence is safe to
// print. It quotes the messages, which can be secret; see NoEvidenceText of [Options].
package eval
