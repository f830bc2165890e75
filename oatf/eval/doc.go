// Package eval tells from captured messages whether an agent did what an OATF document's
// attack wants of it (OATF SDK Specification 0.1, §4), with evaluators that the caller can
// replace (§6).
//
// A document says with its indicators what betrays that an agent complied:
//
//	indicators:
//	  - surface: tool_arguments
//	    pattern:
//	      target: arguments.path
//	      condition: {contains: id_rsa}
//
// and a capture, which package capture reads, is what the agent really sent:
//
//	{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"cat","arguments":{"path":"/home/u/.ssh/id_rsa"}}}
//
// An [Evaluator] is a document that is ready for use. A [Run] of it takes the messages, one
// after the other, and gives the verdict: exploited here, with arguments.path of line 2 as
// its evidence. A [Batch] does so for several documents at once.
//
// Which messages an indicator looks at, [Selection] says. What a verdict rests on less than
// one might think, such as an indicator that applies to no message, is in its diagnostics,
// and [Rules] explains their codes.
//
// The functions of the specification are [EvaluatePattern], [EvaluateExpression],
// [EvaluateIndicator] and [ComputeVerdict]; those that call evaluators have a second form
// with a context. The specification's optional capabilities (§1.3, item 10) are
//
//   - patterns, in standard and in shorthand form,
//   - expressions, with the default evaluator of [NewCEL], which has all functions and macros
//     of CEL's standard library and no others, or with another [CELEvaluator],
//   - meaning, with a [SemanticEvaluator] of the caller: the specification allows no default,
//   - generated responses, for simulations, with a [GenerationProvider] of the caller: nor here,
//   - evaluation of many messages and many documents at once (§8.7), which is no
//     asynchronous form: an evaluator that blocks is given up through its context.
//
// Regular expressions are RE2's and take time in proportion to the text, so that none is
// stopped for time. An error of kind regex_timeout says that a search was not begun, of a
// large expression in a large text.
//
// Messages and documents are untrusted: whatever they hold, the answer is a verdict, of
// error where there is no other, and evidence is safe to print. It shows what stands in the
// messages, which may be secret; see NoEvidenceText of [Options].
package eval
