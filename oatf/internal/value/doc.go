// Package value compares and formats values as the SDK specification defines (§5.3, §5.5).
package value
