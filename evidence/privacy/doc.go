// Package privacy classifies the values of evidence events as public, sensitive or forbidden (ADR-006 §2) and
// creates redacted events.
//
// Classes come from a table by event type and pointer. [Default] has a row for every member that the contract
// defines; other texts are sensitive. A policy file overrides it, see [ParsePolicy].
//
//   - Forbidden: members with one of 17 names, such as authorization, and texts that as a whole
//     have the form of a secret. They are removed.
//   - Sensitive: texts in which user names in paths and the values of markers and flags are
//     replaced: "--token=xyz /home/bob/x" becomes "--token=*** ~/**/x".
//   - Public: texts that are kept, unless they contain a secret.
//
// Numbers, booleans, null, names and everything that binds or locates the event (ids, type, time, digests) are
// kept. Values of source, tracestate and unknown attributes are checked, and findings reported.
package privacy
