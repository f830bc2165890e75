package vocabulary

import (
	"testing"

	"github.com/cupel-dev/cupel/oatf/model"
)

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
