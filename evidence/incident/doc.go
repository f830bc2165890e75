// Package incident writes and verifies Incident Packages of version 1: evidence bundles in an uncompressed tar,
// with an inventory and an assessment of each recorded action. [Pack] creates a package of bundles, and [Verify]
// checks one. For packages with other members or with claims, only container, documents and digests are checked.
package incident
