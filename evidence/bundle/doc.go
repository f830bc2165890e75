// Package bundle reads and writes evidence bundles: files with a run's events and a manifest whose digests bind
// them.
package bundle
