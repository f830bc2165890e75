package lint

import "testing"

// TestTable holds that every handle has its row: none is empty, and no id occurs twice.
func TestTable(t *testing.T) {
	seen := map[string]bool{}
	for i, r := range table {
		if r.ID == "" || r.Title == "" || r.Clause == "" || r.Rationale == "" || r.Bad == "" || seen[r.ID] {
			t.Errorf("row %d is empty or repeated: %+v", i, r)
		}
		seen[r.ID] = true
	}
}
