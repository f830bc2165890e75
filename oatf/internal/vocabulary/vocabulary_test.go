package vocabulary

import (
	"testing"

	"github.com/cupel-dev/cupel/oatf/model"
)

func TestSurfaceRegistry(t *testing.T) {
	counts, text := map[model.Protocol]int{}, 0
	for _, row := range Surfaces {
		counts[row.Protocol]++
		if row.Text {
			text++
		}
		if !CheckWildcardPath(row.Target) {
			t.Errorf("%s has the malformed target %q", row.Surface, row.Target)
		}
		if found, ok := LookupSurface(row.Surface); !ok || found != row {
			t.Errorf("%s is not found", row.Surface)
		}
	}
	if counts["mcp"] != 30 || counts["a2a"] != 8 || counts["ag_ui"] != 7 || text != 14 {
		t.Errorf("%v, %d with text", counts, text)
	}
	if _, ok := LookupSurface("tool"); ok {
		t.Error("an unknown surface is found")
	}
}

func TestEventRegistry(t *testing.T) {
	for mode, want := range map[model.Mode]int{"mcp_server": 18, "mcp_client": 19, "a2a_server": 8, "a2a_client": 5, "ag_ui_client": 15, "voice_server": 0} {
		if got := Events(mode); len(got) != want {
			t.Errorf("%s has %d events, expected %d", mode, len(got), want)
		}
	}
	if len(eventModes) != 47 {
		t.Errorf("%d events", len(eventModes))
	}
	if modes := EventModes("tasks/get"); len(modes) != 3 {
		t.Errorf("tasks/get is valid for %v", modes)
	}
	for old, now := range renamed {
		if EventModes(old) != nil || EventModes(now) == nil {
			t.Errorf("%s is not called %s", old, now)
		}
	}
	if len(KnownModes) != 5 || len(KnownProtocols) != 3 {
		t.Error("known modes or protocols are missing")
	}
	for _, q := range qualifierPaths {
		if path, ok := QualifierPath(q.protocol, q.event); !ok || path != q.path || EventModes(q.event) == nil {
			t.Errorf("%s of %s: %q", q.event, q.protocol, path)
		}
	}
}

func TestExtractProtocol(t *testing.T) {
	for mode, want := range map[model.Mode]model.Protocol{"mcp_server": "mcp", "a2a_client": "a2a", "ag_ui_client": "ag_ui", "x_client_server": "x_client", "mcp": "mcp"} {
		if got := ExtractProtocol(mode); got != want {
			t.Errorf("%s: %s, expected %s", mode, got, want)
		}
	}
}

func TestPaths(t *testing.T) {
	type path struct{ simple, wildcard bool }
	for text, want := range map[string]path{
		"": {true, true}, "a": {true, true}, "a.b-c._1": {true, true}, "0": {true, true}, "a[*]": {false, true}, "a[*].b[*]": {false, true},
		"a.": {}, ".a": {}, "a..b": {}, "a b": {}, "a[0]": {}, "[*]": {}, "a[*][*]": {}, "a[*": {}, "a*": {}, "ä": {}, "a[*]b": {},
	} {
		if got := (path{CheckSimplePath(text), CheckWildcardPath(text)}); got != want {
			t.Errorf("%q: %v, expected %v", text, got, want)
		}
	}
}
