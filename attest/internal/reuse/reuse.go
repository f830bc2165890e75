// Package reuse empties lists and maps for the next request that uses their memory.
package reuse

// keptEntries limits the maps that are reused, because clearing a map takes time in proportion to its size.
const keptEntries = 1 << 10

// Map returns a map without entries, in the memory of m unless that is large.
func Map[K comparable, V any](m map[K]V) map[K]V {
	if len(m) > keptEntries {
		return nil
	}
	clear(m)
	return m
}

// Slice returns n zeros, in the memory of list if it is large enough.
func Slice[T any](list []T, n int) []T {
	if n > cap(list) {
		return make([]T, n)
	}
	list = list[:n]
	clear(list)
	return list
}
