package oatf

import (
	"testing"
	"time"

	"go.yaml.in/yaml/v4"
)

func TestSurfaceRegistry(t *testing.T) {
	counts, text := map[Protocol]int{}, 0
	for _, row := range Surfaces() {
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
	for mode, want := range map[Mode]int{"mcp_server": 18, "mcp_client": 19, "a2a_server": 8, "a2a_client": 5, "ag_ui_client": 15, "voice_server": 0} {
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
	if len(KnownModes()) != 5 || len(KnownProtocols()) != 3 {
		t.Error("known modes or protocols are missing")
	}
	for _, q := range qualifierPaths {
		if path, ok := QualifierPath(q.protocol, q.event); !ok || path != q.path || EventModes(q.event) == nil {
			t.Errorf("%s of %s: %q", q.event, q.protocol, path)
		}
	}
}

func TestExtractProtocol(t *testing.T) {
	for mode, want := range map[Mode]Protocol{"mcp_server": "mcp", "a2a_client": "a2a", "ag_ui_client": "ag_ui", "x_client_server": "x_client", "mcp": "mcp"} {
		if got := ExtractProtocol(mode); got != want {
			t.Errorf("%s: %s, expected %s", mode, got, want)
		}
	}
}

func TestParseDuration(t *testing.T) {
	for input, want := range map[string]time.Duration{
		"0s": 0, "30s": 30 * time.Second, "5m": 5 * time.Minute, "1h": time.Hour, "2d": 48 * time.Hour, "007s": 7 * time.Second,
		"PT0S": 0, "P0D": 0, "PT30S": 30 * time.Second, "PT5M30S": 330 * time.Second, "PT1H30M15S": 5415 * time.Second,
		"PT1H15S": 3615 * time.Second, "P1DT12H": 36 * time.Hour, "P2D": 48 * time.Hour, "106751d": 106751 * 24 * time.Hour,
	} {
		if got, err := ParseDuration(input); err != nil || got != want {
			t.Errorf("%q: %v, %v; expected %v", input, got, err, want)
		}
	}
	for _, input := range []string{
		"", "abc", "1.5h", "P", "PT", "P1DT", "PT1M1H", "P1W", "P1M", "P1Y", "30", "s", "30 s", " 30s", "30s ", "-5s", "+5s", "1h30m", "pt5m", "5M",
		"P1H", "PT1D", "P1D12H", "PT1.5S", "PT-1S", "PT1S2", "106752d", "99999999999999999999s", "P106751DT24H", "PT9223372037S",
	} {
		if got, err := ParseDuration(input); err == nil {
			t.Errorf("%q: %v", input, got)
		}
	}
}

func TestDateTime(t *testing.T) {
	for text, want := range map[DateTime]string{
		"2026-02-15": "2026-02-15T00:00:00Z", "2026-02-15T10:30:00Z": "2026-02-15T10:30:00Z", "2026-02-15T10:30:00.5+02:00": "2026-02-15T10:30:00.5+02:00",
	} {
		if got, err := text.Time(); err != nil || got.Format(time.RFC3339Nano) != want {
			t.Errorf("%s: %v, %v", text, got, err)
		}
	}
	for _, text := range []DateTime{"", "2026", "2026-13-01", "2026-02-15T10:30:00", "15.02.2026"} {
		if got, err := text.Time(); err == nil {
			t.Errorf("%q: %v", text, got)
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

// TestCoreSchema holds plain scalars to the YAML 1.2 core schema and numbers to JSON's
// spelling.
func TestCoreSchema(t *testing.T) {
	for text, want := range map[string]Value{
		"~": nil, "null": nil, "Null": nil, "NULL": nil, "nUll": "nUll",
		"true": true, "True": true, "TRUE": true, "false": false, "yes": "yes", "on": "on", "y": "y", "No": "No",
		"0": Number("0"), "012": Number("12"), "+5": Number("5"), "-0": Number("-0"), "-012.50": Number("-12.50"), "1.": Number("1.0"), ".5": Number("0.5"),
		"1e3": Number("1e3"), "1.0E-07": Number("1.0E-07"), "0x1F": Number("31"), "0o17": Number("15"), "9007199254740993": Number("9007199254740993"),
		".inf": numberInf, "-.INF": numberNegInf, "+.Inf": numberInf, ".NaN": numberNaN,
		"0b11": "0b11", "1_000": "1_000", "0o8": "0o8", "0xG": "0xG", "-0x1": "-0x1", "1:30": "1:30", "2025-06-01": "2025-06-01",
		"1e": "1e", "1e+": "1e+", "1e+-2": "1e+-2", "+": "+", "-": "-", ".": ".", "1.2.3": "1.2.3", "..5": "..5", ".e1": ".e1", "=": "=",
	} {
		if got := coreValue(text); got != want {
			t.Errorf("%q: %#v, expected %#v", text, got, want)
		}
	}
	var n yaml.Node
	if err := yaml.Load([]byte(`["1", '1', !!str 1, ! 1, 1]`), &n); err != nil {
		t.Fatal(err)
	}
	for i, item := range n.Content[0].Content {
		want := Value("1")
		if i == 4 {
			want = Number("1")
		}
		if got, ok := scalarValue(item); got != want || !ok {
			t.Errorf("item %d: %#v, expected %#v", i, got, want)
		}
	}
}

func TestTemplateReferences(t *testing.T) {
	for text, want := range map[string]struct {
		references int
		unclosed   bool
	}{
		"": {}, "{a}": {}, "{{a}}": {1, false}, "{{a}} {{b}}": {2, false}, `\{{a}}`: {}, `\\{{a}}`: {}, `\{{a}} {{b}}`: {1, false},
		"{{a": {0, true}, "{{a}} {{b}": {1, true}, "{{{a}}}": {1, false}, "}}": {}, "{{}}": {1, false},
	} {
		references, unclosed := templateReferences(text)
		if len(references) != want.references || unclosed != want.unclosed {
			t.Errorf("%q: %q, %v", text, references, unclosed)
		}
	}
}
