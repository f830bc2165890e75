// Package incident writes and verifies Incident Packages of version 1: evidence bundles in one
// uncompressed tar, with an inventory and an assessment that lists each recorded action.
//
// [Pack] makes the package of some bundles, [Verify] checks one. A package of other members than
// bundles, or with claims, is not judged beyond its container, documents and digests.
package incident
