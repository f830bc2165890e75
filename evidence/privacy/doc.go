// Package privacy classifies the values of evidence events as public, sensitive or forbidden
// (ADR-006 §2) and makes the shareable event.
//
// Classes come from a table by event type and pointer: [Default] has a row for every member that
// the contract names; other texts are sensitive. A policy file overrides it, see [ParsePolicy].
//
//   - Forbidden: members with 17 names, such as authorization, and texts that have the form
//     of a secret as a whole. They are removed without a trace.
//   - Sensitive: texts that keep their content without user names in paths and the values of
//     markers and flags: "--token=xyz /home/bob/x" becomes "--token=*** ~/**/x".
//   - Public: texts that stay, unless they contain a secret.
//
// Numbers, booleans, null, names and everything that binds or locates the event (ids, type, time,
// digests) stay. Values of source, tracestate and unknown attributes are checked and reported.
package privacy
