package ruleset

// same reports whether a later match with the same end has the same secret: the threads are the same from a place before
// it on.
func (l *tried) same(r root, end int) bool {
	return l.known && l.end == end && l.root.id == r.id && int(max(l.root.at, r.at)) <= l.from
}

// tried is the last match of a rule and what became of it.
type tried struct {
	from, to, end int
	root          root // of its run
	counts, known bool
}

// refused says which secrets that end at a place do not count: those that start before another one.
type refused struct{ to, until int }

func (r *refused) has(from, to int) bool { return to == r.to && from < r.until }

// leastCounted is the number of bytes of a long secret.
const leastCounted = 64
