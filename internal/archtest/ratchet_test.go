package archtest

import (
	"bufio"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// goals are the figures that every package may have without a row in ratchet.txt.
var goals = map[string]int{circleFigure: 5, methodsFigure: 20, exportedFigure: 0, flagsFigure: 0, longFigure: 0, linesFigure: 0}

const (
	ratchetFile = "internal/archtest/ratchet.txt"

	ratchetHead = `# The figures of each Go package that must not grow. TestRatchet fails when one does.
# FOLDER FIGURE NUMBER, a row per figure; without a row the goal is the limit: circle 5, methods 20, others 0.
# Lower them:        go test ./internal/archtest -run Ratchet -update
# Raise one by hand: edit its row, and say why in the commit. Of two equal rows the larger counts.
`
)

// row names a figure of a package.
type row struct{ folder, figure string }

// TestRatchet fails when a figure of a package is larger than its row in ratchet.txt. With -update it
// lowers the rows to what is measured, adds new packages and removes those that are gone; it raises nothing.
func TestRatchet(t *testing.T) {
	now, err := measurePackages(".")
	if err != nil {
		t.Fatal(err)
	}
	if len(now) < 50 {
		t.Fatalf("%d packages found", len(now))
	}
	limits := readRatchet(t)
	if *update {
		lower(limits, now)
		writeRatchet(t, limits)
	}
	for _, broken := range grown(limits, now) {
		t.Error(broken)
	}
	t.Log(totals(now))
}

// grown returns a line for each figure that is over its limit.
func grown(limits map[row]int, now measured) (lines []string) {
	for _, folder := range slices.Sorted(maps.Keys(now)) {
		for _, figure := range slices.Sorted(maps.Keys(goals)) {
			n, limit := now[folder][figure], max(limits[row{folder, figure}], goals[figure])
			if n > limit {
				lines = append(lines, fmt.Sprintf("%s: %s grew from %d to %d; undo it, or write %q in %s and say why in the commit (a new package: -update)",
					folder, figure, limit, n, fmt.Sprintf("%s %s %d", folder, figure, n), ratchetFile))
			}
		}
	}
	return lines
}

// lower brings limits down to what is measured, and adds the figures of packages that have no row yet.
func lower(limits map[row]int, now measured) {
	known := map[string]bool{}
	for r := range limits {
		known[r.folder] = true
	}
	for r, limit := range limits {
		limits[r] = min(limit, now[r.folder][r.figure])
	}
	for folder, figures := range now {
		for figure, n := range figures {
			if !known[folder] {
				limits[row{folder, figure}] = n
			}
		}
	}
	maps.DeleteFunc(limits, func(r row, limit int) bool { return limit <= goals[r.figure] })
}

// totals sums up the tree in one line.
func totals(now measured) string {
	sum, most, over := map[string]int{}, map[string]int{}, 0
	for _, figures := range now {
		for figure, n := range figures {
			sum[figure] += n
			most[figure] = max(most[figure], n)
		}
		if figures[circleFigure] > goals[circleFigure] {
			over++
		}
	}
	return fmt.Sprintf("%d packages, %d lines, %d long; largest circle %d, %d packages over %d; most methods %d; %d exported names; %d flags read by string",
		len(now), sum[linesFigure], sum[longFigure], most[circleFigure], over, goals[circleFigure], most[methodsFigure], sum[exportedFigure], sum[flagsFigure])
}

func readRatchet(t *testing.T) map[row]int {
	t.Helper()
	limits := map[row]int{}
	text, err := os.ReadFile(ratchetFile)
	if err != nil {
		t.Fatal(err)
	}
	scanner := bufio.NewScanner(strings.NewReader(string(text)))
	for n := 1; scanner.Scan(); n++ {
		fields := strings.Fields(scanner.Text())
		if len(fields) == 0 || strings.HasPrefix(fields[0], "#") {
			continue
		}
		limit, err := 0, error(nil)
		if len(fields) == 3 {
			limit, err = strconv.Atoi(fields[2])
		}
		if _, known := goals[fields[min(1, len(fields)-1)]]; len(fields) != 3 || err != nil || !known {
			t.Fatalf("%s:%d: %q: expected FOLDER FIGURE NUMBER", ratchetFile, n, scanner.Text())
		}
		r := row{fields[0], fields[1]}
		limits[r] = max(limits[r], limit)
	}
	return limits
}

func writeRatchet(t *testing.T, limits map[row]int) {
	t.Helper()
	var text strings.Builder
	text.WriteString(ratchetHead)
	for _, r := range slices.SortedFunc(maps.Keys(limits), func(a, b row) int {
		return strings.Compare(a.folder+" "+a.figure, b.folder+" "+b.figure)
	}) {
		fmt.Fprintf(&text, "%s %s %d\n", r.folder, r.figure, limits[r])
	}
	if err := os.WriteFile(ratchetFile, []byte(text.String()), 0o644); err != nil {
		t.Fatal(err)
	}
}

// TestMeasure holds the figures of a small package that is written for it.
func TestMeasure(t *testing.T) {
	dir := t.TempDir()
	for name, text := range map[string]string{
		"go.mod":       "module m\n",
		"a.go":         "package p\n\nimport \"github.com/urfave/cli/v2\"\n\ntype A struct{ b b }\n\nfunc (a *A) One(c *cli.Context) string { return c.String(\"x\") }\nfunc (a *A) Two()\t{ a.b.three() }\n",
		"b.go":         "package p\n\ntype b struct{}\n\nfunc (b) three() { new(A).Two() }\n",
		"c.go":         "package p\n\n// " + strings.Repeat("ä", maxColumns) + "\nvar C = b{}\n",
		"d.go":         "package p\n\n// " + strings.Repeat("ä", maxColumns-3) + "\nvar d = C\n",
		"p_windows.go": "package p\n\nfunc W() {}\n",
		"a_test.go":    "package p\n\nfunc T() {}\n",
	} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	got, err := measurePackages(dir)
	if err != nil {
		t.Fatal(err)
	}
	want := map[string]int{circleFigure: 2, methodsFigure: 2, exportedFigure: 2, flagsFigure: 1, longFigure: 1, linesFigure: 24}
	if !maps.Equal(got["."], want) || len(got) != 1 {
		t.Errorf("got %v, want %v", got, want)
	}
}

// TestRatchetTurnsOneWay holds that a figure over its row fails, and that -update lowers, adds and never raises.
func TestRatchetTurnsOneWay(t *testing.T) {
	limits := map[row]int{{"a", linesFigure}: 10, {"a", circleFigure}: 9, {"gone", linesFigure}: 3}
	now := measured{
		"a":   {linesFigure: 11, circleFigure: 7, methodsFigure: 20, longFigure: 1},
		"new": {linesFigure: 5, circleFigure: 6},
	}
	if got := grown(limits, now); len(got) != 4 {
		t.Errorf("%d figures over their rows, want 4 (lines and long of a, lines and circle of new):\n%s", len(got), strings.Join(got, "\n"))
	}
	lower(limits, now)
	want := map[row]int{{"a", linesFigure}: 10, {"a", circleFigure}: 7, {"new", linesFigure}: 5, {"new", circleFigure}: 6}
	if !maps.Equal(limits, want) {
		t.Errorf("-update writes %v, want %v", limits, want)
	}
}
