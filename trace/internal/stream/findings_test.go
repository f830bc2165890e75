package stream_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/cupel-dev/cupel/finding"
	"github.com/cupel-dev/cupel/trace/internal/stream"
)

func at(line int, s finding.Severity) finding.Finding {
	return finding.Finding{Rule: "r", Severity: s, Line: line, Message: "m"}
}

// closed is what a collector holds: the lines of its findings, and the counts of
// infos, warnings and errors.
func closed(c *stream.Findings) string {
	list, info, warnings, errors := c.Close()
	lines := make([]int, len(list))
	for i, f := range list {
		lines[i] = f.Line
	}
	return fmt.Sprint(lines, info, warnings, errors)
}

func TestFindings(t *testing.T) {
	for _, c := range []struct {
		name     string
		fill     func(*stream.Findings)
		want     string
		rejected bool
		invalid  bool
	}{
		{"none", func(*stream.Findings) {}, "[] 0 0 0", false, false},
		{"in order of their place", func(c *stream.Findings) {
			c.Add(at(3, finding.Warning))
			c.Add(at(1, finding.Error))
			c.Add(at(2, finding.Info))
		}, "[1 2 3] 1 1 1", false, true},
		{"notes do not harm", func(c *stream.Findings) { c.Add(at(1, finding.Warning)) }, "[1] 0 1 0", false, false},
		{"a structural fault drops the rest", func(c *stream.Findings) {
			c.Add(at(1, finding.Error))
			c.Reject(at(2, finding.Info)) // whatever its own severity
			c.Add(at(3, finding.Error))
		}, "[2] 0 0 1", true, true},
		{"errors beyond the limit are counted", func(c *stream.Findings) {
			for i := range 5 {
				c.Add(at(i+1, finding.Error))
			}
		}, "[1 2] 0 0 5", false, true},
		{"notes have a limit of their own", func(c *stream.Findings) {
			for i := range 3 {
				c.Add(at(i+1, finding.Warning))
				c.Add(at(i+1, finding.Info))
			}
			c.Add(at(9, finding.Error))
		}, "[1 1 9] 3 3 1", false, true},
		{"findings that nobody made", func(c *stream.Findings) { c.Count(finding.Warning, 7) }, "[] 0 7 0", false, false},
	} {
		collector := stream.NewFindings(2)
		c.fill(collector)
		if collector.Rejected() != c.rejected || collector.Invalid() != c.invalid {
			t.Errorf("%s: rejected %v, invalid %v", c.name, collector.Rejected(), collector.Invalid())
		}
		if got := closed(collector); got != c.want {
			t.Errorf("%s: %s, want %s", c.name, got, c.want)
		}
	}
}

func TestFull(t *testing.T) {
	line := func(n int) stream.Line { return stream.Line{Number: n} }
	c := stream.NewFindings(1)
	c.Add(at(5, finding.Warning))
	if !c.Full(finding.Info, line(6), 0) || !c.Full(finding.Warning, line(6), 0) || c.Full(finding.Error, line(6), 0) {
		t.Error("a note fills the room of notes, and theirs alone")
	}
	if c.Full(finding.Info, line(4), 0) {
		t.Error("there is no room for a note that stands before the one that is kept")
	}
	c.Add(at(5, finding.Error))
	if !c.Full(finding.Error, line(6), 0) {
		t.Error("an error does not fill the room of errors")
	}
}

// TestMergeIsAdding: findings that reach a collector over others are the same as
// findings that were added to it, and what was merged is empty after.
func TestMergeIsAdding(t *testing.T) {
	random := rand.New(rand.NewPCG(5, 6))
	for range 200 {
		one, parts := stream.NewFindings(4), stream.NewFindings(4)
		for range random.IntN(4) {
			block := stream.NewFindings(4)
			for range random.IntN(8) {
				f := at(1+random.IntN(9), finding.Severity(random.IntN(3)))
				if random.IntN(12) == 0 {
					one.Reject(f)
					block.Reject(f)
				} else {
					one.Add(f)
					block.Add(f)
				}
			}
			parts.Merge(block)
			if got := closed(block); got != "[] 0 0 0" {
				t.Fatalf("after its merge a collector holds %s", got)
			}
		}
		if a, b := closed(one), closed(parts); one.Rejected() != parts.Rejected() || !one.Rejected() && a != b {
			t.Fatalf("added %s, merged %s", a, b)
		}
	}
}

// TestEmit: every finding that is kept goes out once and in file order, with those of
// the second stage marked as provisional.
func TestEmit(t *testing.T) {
	var out []string
	c := stream.NewFindings(10)
	c.Emit = func(f stream.Finding, provisional bool) { out = append(out, fmt.Sprint(f.Line, provisional)) }
	c.Add(at(2, finding.Error))
	c.Add(at(1, finding.Info))
	c.Close()
	c.Add(at(5, finding.Error))
	c.Reject(at(4, finding.Error))
	c.Add(at(6, finding.Error))
	c.Close()
	c.Close()
	if want := []string{"1 true", "2 true", "4 false"}; !slices.Equal(out, want) {
		t.Errorf("%q, want %q", out, want)
	}
}
