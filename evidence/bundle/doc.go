// Package bundle reads and writes evidence bundles: a run's events in a file of two members,
// manifest and events, bound by the manifest's digests.
package bundle
