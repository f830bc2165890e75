package payload

import "testing"

// TestAgrees checks that a count is that of the events or of their subjects; beyond the limit on distinct subjects,
// any number between them agrees.
func TestAgrees(t *testing.T) {
	crowd := make(map[uint64]struct{}, mostNames)
	for i := range uint64(mostNames) {
		crowd[i] = struct{}{}
	}
	for _, c := range []struct {
		names           map[uint64]struct{}
		partial         bool
		seen, different int64
		count           float64
		want            bool
	}{
		{nil, false, 5, 3, 5, true},
		{nil, false, 5, 3, 3, true},
		{nil, false, 5, 3, 4, false},
		{nil, false, 5, 3, 6, false},
		{nil, true, 5, 3, 2, false},
		{nil, true, 5, 3, 3, true},
		{nil, true, 5, 3, 9, true},
		{crowd, false, 5, 3, 2, false},
		{crowd, false, 5, 3, 3, true},
		{crowd, false, 5, 3, 4, true},
		{crowd, false, 5, 3, 5, true},
		{crowd, false, 5, 3, 6, false},
	} {
		n := Run{names: c.names, partial: c.partial}
		n.seen[aFile], n.different[aFile] = c.seen, c.different
		if got := n.agrees(aFile, c.count, false); got != c.want {
			t.Errorf("%d subjects, partial %v: of %d events about %d a count of %v: %v", len(c.names), c.partial, c.seen, c.different, c.count, got)
		}
	}
	n := Run{names: crowd}
	if n.count(&RunFacts{kind: aFile, name: 1 << 60}); n.seen[aFile] != 1 || n.different[aFile] != 0 || len(n.names) != mostNames {
		t.Errorf("%d of %d, %d names", n.different[aFile], n.seen[aFile], len(n.names))
	}
}
