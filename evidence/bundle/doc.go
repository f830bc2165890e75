// Package bundle reads and writes evidence bundles: the events of one run in a file of two
// members, the manifest and the events, that the manifest's digests hold together.
package bundle
