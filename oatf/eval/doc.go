// Package eval tells from captured messages whether an agent did what an OATF document's
// attack wants of it (SDK specification §4), with evaluators that the caller can replace (§6).
package eval
