package plan

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"testing/iotest"

	"pgregory.net/rapid"

	"github.com/cupel-dev/cupel/internal/strictjson"
	"github.com/cupel-dev/cupel/trace/internal/reasoning/fault"
	"github.com/cupel-dev/cupel/trace/internal/stream"
)

var limits = strictjson.Limits{TextBytes: 1 << 20, Depth: 20, Keys: 1_000}

// TestPlans reads plans and compares what is wrong with them, as "rule path".
func TestPlans(t *testing.T) {
	for text, want := range map[string][]string{
		`{"id":"p","nodes":[{"id":"a"},{"id":"b","dependencies":["a"]}]}`:    nil,
		`{"canonical_version":1,"data":{"nodes":[{"id":"a"}],"edges":null}}`: nil,
		`{"nodes":[{"id":"a"},{"id":"b"}],"edges":[["a","b"]]}`:              nil,
		`{"nodes":[]}`:                                nil,
		`{"nodes":[{"id":"a"},{"id":"a"}]}`:           {"plan.duplicate_node plan.nodes[1].id"},
		`{"nodes":[{"id":"a","dependencies":["b"]}]}`: {"plan.dep_missing plan.nodes[0].dependencies[0]"},
		`{"nodes":[{"id":"a"}],"edges":[["b","a"]]}`:  {"plan.dep_missing plan.edges[0]"},
		`{"nodes":[{"id":"a"}],"edges":[["a","b"]]}`:  {"plan.dep_missing plan.edges[0]"},
		`{"nodes":[{"id":"a","dependencies":["a"]}]}`: {"plan.cycle plan.nodes[0]"},
		`{"nodes":[{"id":"a","dependencies":["b"]},{"id":"b","dependencies":["a"]},{"id":"c","dependencies":["a"]}]}`: {"plan.cycle plan.nodes[0]"},
		`{`:                     {"plan.unreadable "},
		``:                      {"plan.unreadable "},
		`[]`:                    {"plan.unreadable plan.nodes"},
		`{"nodes":{}}`:          {"plan.unreadable plan.nodes"},
		`{"nodes":[{}]}`:        {"plan.unreadable plan.nodes[0].id"},
		`{"nodes":[{"id":""}]}`: {"plan.unreadable plan.nodes[0].id"},
		`{"nodes":[{"id":1}]}`:  {"plan.unreadable plan.nodes[0].id"},
		`{"nodes":[{"id":"a","dependencies":"b"}]}`:      {"plan.unreadable plan.nodes[0].dependencies"},
		`{"nodes":[{"id":"a","dependencies":[1]}]}`:      {"plan.unreadable plan.nodes[0].dependencies"},
		`{"nodes":[{"id":"a"}],"edges":{}}`:              {"plan.unreadable plan.edges"},
		`{"nodes":[{"id":"a"}],"edges":[["a"]]}`:         {"plan.unreadable plan.edges[0]"},
		`{"nodes":[{"id":"a"}],"edges":["a"]}`:           {"plan.unreadable plan.edges[0]"},
		`{"nodes":[` + strings.Repeat(" ", 2<<20) + `]}`: {"plan.unreadable "},
	} {
		if got := faults(t, text, 10); !slices.Equal(got, want) {
			t.Errorf("%.80s: %v, want %v", text, got, want)
		}
	}
}

// faults reads a plan and returns what is wrong with it.
func faults(t *testing.T, text string, most int) (list []string) {
	t.Helper()
	findings := stream.NewFindings(most)
	p, unusable, err := Read(strings.NewReader(text), "plan.json", limits)
	if err != nil {
		t.Fatal(err)
	}
	if unusable != nil {
		findings.Add(*unusable)
	} else {
		p.Report(&fault.Sink{Findings: findings})
	}
	found, _, _, _ := findings.Close()
	for _, f := range found {
		if f.File != "plan.json" {
			t.Errorf("a finding names the file %q", f.File)
		}
		list = append(list, f.Rule+" "+f.Path)
	}
	return list
}

func TestUnreadablePlan(t *testing.T) {
	_, f, _ := Read(iotest.ErrReader(errors.New("the disk is gone")), "plan.json", limits)
	if f == nil || f.Message != "the plan cannot be read: the disk is gone" || f.Line != 0 {
		t.Errorf("%+v", f)
	}
}

// TestPlaces points into plans of several lines.
func TestPlaces(t *testing.T) {
	_, f, _ := Read(strings.NewReader("{\n \"nodes\": [\n  {\"id\": 7}\n ]\n}"), "plan.json", limits)
	if f == nil || f.Line != 3 || f.Column != 3 || f.Source.Text != `  {"id": 7}` {
		t.Errorf("%+v", f)
	}
}

// TestCycleIsSpelled names at most eight nodes of a cycle.
func TestCycleIsSpelled(t *testing.T) {
	for n, want := range map[int]string{
		2:  `dependencies form a cycle: "s0" needs "s1" needs "s0"`,
		20: `dependencies form a cycle: "s0" needs "s1" needs "s2" needs "s3" needs "s4" needs "s5" needs "s6" needs "s7" needs … needs "s0"`,
	} {
		var nodes []string
		for i := range n {
			nodes = append(nodes, fmt.Sprintf(`{"id":"s%d","dependencies":["s%d"]}`, i, (i+1)%n))
		}
		findings := stream.NewFindings(10)
		p, _, _ := Read(strings.NewReader(`{"nodes":[`+strings.Join(nodes, ",")+`]}`), "plan.json", limits)
		p.Report(&fault.Sink{Findings: findings})
		p.NotExecuted(&fault.Sink{Findings: findings}, 1)
		list, _, _, _ := findings.Close()
		if len(list) != 2 || list[0].Message != want || list[1].Message != `step "s1" of the plan never ran` {
			t.Errorf("%d nodes: %+v", n, list)
		}
		if got := p.Dependencies([]byte("s0")); !slices.Equal(got, []int{1}) {
			t.Errorf("what is on the cycle waits for %v", got)
		}
	}
}

// TestManyFaults counts what a report does not keep.
func TestManyFaults(t *testing.T) {
	if got := faults(t, `{"nodes":[{"id":"a"},{"id":"a"},{"id":"a"},{"id":"a"}]}`, 2); len(got) != 2 {
		t.Errorf("%v", got)
	}
}

// TestCyclesAgainstReachability finds a cycle exactly when a node reaches itself.
func TestCyclesAgainstReachability(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(1, 6).Draw(t, "n")
		var nodes []string
		var reach [6][6]bool
		for i := range n {
			var needs []string
			for _, k := range rapid.SliceOfN(rapid.IntRange(0, n-1), 0, 2).Draw(t, "needs") {
				needs = append(needs, fmt.Sprintf(`"s%d"`, k))
				reach[i][k] = true
			}
			nodes = append(nodes, fmt.Sprintf(`{"id":"s%d","dependencies":[%s]}`, i, strings.Join(needs, ",")))
		}
		for k := range n {
			for i := range n {
				for j := range n {
					reach[i][j] = reach[i][j] || reach[i][k] && reach[k][j]
				}
			}
		}
		cyclic := false
		for i := range n {
			cyclic = cyclic || reach[i][i]
		}
		p, unusable, _ := Read(strings.NewReader(`{"nodes":[`+strings.Join(nodes, ",")+`]}`), "plan.json", limits)
		if unusable != nil || (p.cycle != nil) != cyclic {
			t.Fatalf("%v: %v, a node reaches itself: %v", nodes, p.cycle, cyclic)
		}
		for _, i := range p.cycle {
			if !reach[i][i] {
				t.Errorf("%v: node %d is not on a cycle", nodes, i)
			}
		}
	})
}

func TestDependencies(t *testing.T) {
	p, _, _ := Read(strings.NewReader(`{"id":"p1","nodes":[{"id":"a"},{"id":"b"},{"id":"c","dependencies":["b","a","b","x"]}]}`), "plan.json", limits)
	if got := p.Dependencies([]byte("c")); !slices.Equal(got, []int{0, 1}) {
		t.Errorf("c waits for %v", got)
	}
	if got := p.Dependencies([]byte("x")); got != nil || p.Has([]byte("x")) || !p.Has([]byte("a")) || p.ID != "p1" || p.Name() != "plan.json" {
		t.Errorf("x waits for %v", got)
	}
}
