package revision_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/cupel-dev/cupel/oatf/internal/revision"
	"github.com/cupel-dev/cupel/oatf/internal/rules"
)

// TestRevisionsDocument holds docs/oatf-revisions.md to the tables: it names every revision, the
// key of every mark, and every conformance rule and warning whose id or weight has changed.
func TestRevisionsDocument(t *testing.T) {
	text, err := os.ReadFile(filepath.Join("..", "..", "..", "docs", "oatf-revisions.md"))
	if err != nil {
		t.Fatal(err)
	}
	page := string(text)
	for _, p := range revision.All {
		if !strings.Contains(page, "| `"+string(p.Revision)+"` |") {
			t.Errorf("the page does not say what %s is", p.Revision)
		}
		for _, m := range p.Marks {
			key := strings.TrimSuffix(m.Path[strings.LastIndexByte(m.Path, '.')+1:], "[]")
			if key != "*" && !strings.Contains(page, "`"+key) && !(key == "event" && strings.Contains(page, "an event")) {
				t.Errorf("the page lacks the mark %s of %s", m.Path, p.Revision)
			}
		}
	}
	before, after := revision.All[0].Rules, revision.All[1].Rules
	changed := 0
	for h := rules.Version; h <= rules.SemanticIndicator; h++ {
		old, now := before.ID(h), after.ID(h)
		if old == now && before[h].Severity == after[h].Severity {
			continue
		}
		changed++
		if !listed(page, old, now) {
			t.Errorf("the page does not say that %q has become %q: %s", old, now, before[h].Title+after[h].Title)
		}
	}
	if changed < 20 {
		t.Errorf("only %d rules have changed", changed)
	}
}

// listed reports whether two ids are adjacent cells in a row of a table; "" is an empty cell.
func listed(page, old, now string) bool {
	is := func(cell, id string) bool {
		return strings.Contains(cell, "`"+id+"`") || id == "" && strings.TrimSpace(cell) == ""
	}
	for line := range strings.Lines(page) {
		if columns := strings.Split(line, "|"); len(columns) == 5 && is(columns[2], old) && is(columns[3], now) {
			return true
		}
	}
	return false
}
