package revision

import (
	"slices"
	"strings"
	"testing"

	"github.com/cupel-dev/cupel/oatf/internal/profile"
	"github.com/cupel-dev/cupel/oatf/internal/vocabulary"
	"github.com/cupel-dev/cupel/oatf/model"
)

// sizes is how much is in the registries of each revision.
var sizes = map[model.Revision]struct {
	surfaces map[model.Protocol]int
	text     int // surfaces whose target holds text
	events   map[model.Mode]int
	all      int
}{
	"sdk-0.1": {
		map[model.Protocol]int{"mcp": 30, "a2a": 8, "ag_ui": 7},
		14,
		map[model.Mode]int{"mcp_server": 18, "mcp_client": 19, "a2a_server": 8, "a2a_client": 5, "ag_ui_client": 15},
		47,
	},
	"2026-03": {
		map[model.Protocol]int{"mcp": 31, "a2a": 13, "ag_ui": 29},
		0,
		map[model.Mode]int{"mcp_server": 24, "mcp_client": 26, "a2a_server": 11, "a2a_client": 13, "ag_ui_client": 29},
		71,
	},
}

func TestSurfaces(t *testing.T) {
	for _, p := range All {
		counts, text := map[model.Protocol]int{}, 0
		for _, row := range p.Surfaces {
			counts[row.Protocol]++
			if row.Text {
				text++
			}
			if !vocabulary.CheckWildcardPath(row.Target) {
				t.Errorf("%s has the malformed target %q", row.Surface, row.Target)
			}
			if _, ok := p.LookupSurface(row.Surface); !ok || !p.HasSurface(row.Protocol, row.Surface) {
				t.Errorf("%s is not found", row.Surface)
			}
		}
		want := sizes[p.Revision]
		for protocol, n := range want.surfaces {
			if counts[protocol] != n {
				t.Errorf("%s: %d surfaces of %s, expected %d", p.Revision, counts[protocol], protocol, n)
			}
		}
		if text != want.text {
			t.Errorf("%s: %d surfaces with text", p.Revision, text)
		}
		if _, ok := p.LookupSurface("tool"); ok {
			t.Error("an unknown surface is found")
		}
	}
}

func TestEvents(t *testing.T) {
	for _, p := range All {
		want := sizes[p.Revision]
		for _, mode := range vocabulary.KnownModes {
			if got := p.EventsOf(mode); len(got) != want.events[mode] {
				t.Errorf("%s: %s has %d events, expected %d", p.Revision, mode, len(got), want.events[mode])
			}
		}
		if p.EventsOf("voice_server") != nil || len(p.Events) != want.all {
			t.Errorf("%s: %d events", p.Revision, len(p.Events))
		}
		for old, now := range p.Renamed {
			if p.ModesOf(old) != nil || p.ModesOf(now) == nil {
				t.Errorf("%s: %s is not called %s", p.Revision, old, now)
			}
		}
		for _, q := range p.Qualifiers {
			if path, ok := p.QualifierPath(q.Protocol, q.Event); !ok || path != q.Path || p.ModesOf(q.Event) == nil {
				t.Errorf("%s of %s: %q", q.Event, q.Protocol, path)
			}
		}
		if _, ok := p.QualifierPath("mcp", "ping"); ok {
			t.Error("a ping has a qualifier")
		}
	}
}

func TestOccurs(t *testing.T) {
	for _, p := range All {
		for event, want := range map[string][]model.Mode{
			"tools/call":   {"mcp_server", "mcp_client"},
			"task/status":  {"a2a_client"},
			"nothing/else": nil,
		} {
			for _, mode := range append([]model.Mode{"voice_server"}, vocabulary.KnownModes[:]...) {
				if p.Occurs(event, mode) != slices.Contains(want, mode) {
					t.Errorf("%s: %s in %s", p.Revision, event, mode)
				}
			}
		}
	}
	if base, qualifier, found := All[0].SplitEvent("a:b:c"); base != "a" || qualifier != "b:c" || !found {
		t.Errorf("%s %s", base, qualifier)
	}
	if base, _, found := Named("2026-03").SplitEvent("a:b:c"); base != "a:b:c" || found {
		t.Errorf("a plain event is split: %s", base)
	}
}

// ambivalent are methods that several protocols have.
var ambivalent = map[string]bool{"tasks/get": true, "tasks/cancel": true, "tasks/list": true, "tasks/result": true}

// TestMessageKinds holds the table to the registries: each surface has kinds, no other
// surface has, and the methods belong to the surface's protocol.
func TestMessageKinds(t *testing.T) {
	p := All[0]
	named := 0
	for _, row := range p.MessageKinds {
		named += len(row.Surfaces)
	}
	if named != len(p.Surfaces) {
		t.Errorf("%d surfaces have kinds, the registry has %d", named, len(p.Surfaces))
	}
	for _, row := range p.Surfaces {
		kinds := p.KindsShowing(row.Surface)
		if len(kinds) == 0 {
			t.Errorf("%s has no kinds", row.Surface)
		}
		for _, kind := range kinds {
			checkKind(t, p, row, kind)
		}
	}
	if p.KindsShowing("tool_list") != nil {
		t.Error("an unknown surface has kinds")
	}
}

func checkKind(t *testing.T, p *profile.Profile, row model.SurfaceInfo, kind model.MessageKind) {
	method := strings.TrimSuffix(kind.Method, "*")
	if protocol := vocabulary.MethodProtocol(method); method != "" && protocol != row.Protocol && !ambivalent[method] {
		t.Errorf("%s: %s belongs to %q", row.Surface, kind, protocol)
	}
	if role := vocabulary.FixedRole(method); role != "" && role != kind.Role {
		t.Errorf("%s: %s, the method is that of a %s", row.Surface, kind, role)
	}
	if method == kind.Method && method != "" && p.ModesOf(method) == nil && method != "run_agent_input" {
		t.Errorf("%s: %s is of no event", row.Surface, kind)
	}
}

// TestRules holds that the handles and ids of each revision lead to each other.
func TestRules(t *testing.T) {
	for _, p := range All {
		seen := map[string]bool{}
		table := p.Rules.Table()
		for _, r := range table {
			if r.Title == "" || r.Clause == "" || seen[r.ID] {
				t.Errorf("%s: row %q is empty or repeated: %+v", p.Revision, r.ID, r)
			}
			seen[r.ID] = true
			if h, ok := p.Rules.Lookup(r.ID); !ok || p.Rules.ID(h) != r.ID || !p.Rules.Has(h) || p.Rules.New(h, "m").Severity != r.Severity {
				t.Errorf("%s: %s is found as %d, %v", p.Revision, r.ID, h, ok)
			}
		}
		if _, ok := p.Rules.Lookup("V-000"); ok || len(table) == 0 {
			t.Errorf("%s: %d rules", p.Revision, len(table))
		}
		if _, ok := p.Rules.Lookup(""); ok {
			t.Error("no id is found")
		}
	}
}

func TestNamed(t *testing.T) {
	if Named("2027") != nil || Of("2027") != All[0] || Of("") != All[0] || Of("2026-03") == All[0] {
		t.Error("a revision is not the one that its name says")
	}
}
