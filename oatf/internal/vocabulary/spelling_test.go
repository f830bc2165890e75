package vocabulary

import (
	"testing"

	"github.com/cupel-dev/cupel/oatf/model"
)

// TestSpellings lists what each spelling takes and what it refuses.
func TestSpellings(t *testing.T) {
	for _, c := range []struct {
		name        string
		is          func(string) bool
		yes, refuse []string
	}{
		{"IsName", IsName, []string{"a", "a_1", "mcp"}, []string{"", "1a", "_a", "A", "a-b", "ä"}},
		{"IsMode", func(s string) bool { return IsMode(model.Mode(s)) }, []string{"mcp_server", "x_1_client"}, []string{"", "mcp", "_server", "Mcp_server", "mcp_servers"}},
		{"IsKnownMode", func(s string) bool { return IsKnownMode(model.Mode(s)) }, []string{"mcp_server", "ag_ui_client"}, []string{"", "ag_ui_server"}},
		{"IsAttackID", IsAttackID, []string{"A-001", "ACME-X1-1234"}, []string{"", "-001", "a-001", "ACME-01", "ACME001", "1A-001", "ACME-00x"}},
		{"IsCELIdentifier", IsCELIdentifier, []string{"a", "_a1", "A"}, []string{"", "1a", "a-b"}},
		{"of A-001: IsIndicatorID", func(s string) bool { return IsIndicatorID(s, "A-001") }, []string{"A-001-01", "A-001-123"}, []string{"", "A-001", "A-001-1", "A-002-01", "A-001-x1"}},
	} {
		for _, s := range c.yes {
			if !c.is(s) {
				t.Errorf("%s refuses %q", c.name, s)
			}
		}
		for _, s := range c.refuse {
			if c.is(s) {
				t.Errorf("%s takes %q", c.name, s)
			}
		}
	}
	if id := IndicatorID("A-001", 7); id != "A-001-07" {
		t.Errorf("the seventh indicator is %s", id)
	}
}

func TestOneOf(t *testing.T) {
	if got := OneOf(Relationships); got != "primary, related" {
		t.Error(got)
	}
	if IsMember("", Statuses) || !IsMember(model.StatusDraft, Statuses) {
		t.Error("membership")
	}
}
