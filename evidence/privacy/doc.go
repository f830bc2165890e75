// Package privacy says which values of an evidence event are public, sensitive and forbidden
// (ADR-006 §2), and makes the event that can be shared.
//
// No member of an event names the class of another one, so a table does, by the event's type and
// the place of the value: [Default] has a row for every member that the contract names, and a
// text that no row names is sensitive. A policy file overrides it, see [ParsePolicy].
//
//   - Forbidden are members of 17 names, such as authorization, whatever they hold, and texts
//     that as a whole have the form of a secret. They are removed, and leave no mark.
//   - Sensitive texts keep what they say and lose the user's name in paths, and the value of
//     each marker and flag: "--token=xyz /home/bob/x" becomes "--token=*** ~/**/x".
//   - Public texts stay, unless a secret stands in them.
//
// Numbers, booleans, null and the names of members stay, and so does what binds or places the
// event: its ids, type, time, digests. Values of source, tracestate and of attributes that the
// contract does not name are looked at and reported.
package privacy
