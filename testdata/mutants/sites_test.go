package main

import (
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

const program = `package p

import "fmt"

type pair [2]struct{ a int }

func f(x, n int) int {
	if x < n && x != 7 {
		n = x + 1
		n -= 2
		n++
	}
	for ok := true; ok; {
		if ok {
			break
		}
		fmt.Println("0")
	}
	return n
}
`

// TestSites holds which changes a program gets, and that each leaves a program.
func TestSites(t *testing.T) {
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "p.go"), []byte(program), 0o600); err != nil {
		t.Fatal(err)
	}
	sites, err := sitesOf(pkg{Dir: dir, GoFiles: []string{"p.go"}}, nil)
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, s := range sites {
		got = append(got, s.String())
		changed := s.apply([]byte(program))
		if _, err := parser.ParseFile(token.NewFileSet(), "p.go", changed, 0); err != nil || string(changed) == program {
			t.Errorf("%s makes %s (%v)", s, changed, err)
		}
	}
	want := []string{
		"p.go:5:12: 2 becomes 3", "p.go:5:12: 2 becomes 1",
		"p.go:8:5: the condition is negated", "p.go:8:11: && becomes ||", "p.go:8:7: < becomes <=", "p.go:8:16: != becomes ==",
		"p.go:8:19: 7 becomes 8", "p.go:8:19: 7 becomes 6",
		"p.go:9:3: the assignment is removed", "p.go:9:9: + becomes -", "p.go:9:11: 1 becomes 2", "p.go:9:11: 1 becomes 0",
		"p.go:10:3: -= is removed", "p.go:10:8: 2 becomes 3", "p.go:10:8: 2 becomes 1", "p.go:11:3: ++ is removed",
		"p.go:14:6: the condition is negated", "p.go:15:4: break is removed", "p.go:17:3: the call is removed",
	}
	if strings.Join(got, "\n") != strings.Join(want, "\n") {
		t.Errorf("got\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
}

// TestSitesOfFiles: of a package whose files are named, the others stay as they are.
func TestSitesOfFiles(t *testing.T) {
	dir := t.TempDir()
	for _, name := range []string{"p.go", "q.go"} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(program), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	sites, err := sitesOf(pkg{Dir: dir, GoFiles: []string{"p.go", "q.go"}}, []string{"q.go", "r.go"})
	if err != nil || len(sites) == 0 {
		t.Fatal(sites, err)
	}
	for _, s := range sites {
		if s.file != "q.go" {
			t.Error(s)
		}
	}
}

// TestShuffled draws the same sites again from the same seed, each once.
func TestShuffled(t *testing.T) {
	var sites []site
	for i := range 50 {
		sites = append(sites, site{line: i})
	}
	first, again, other := shuffled(sites, 1), shuffled(sites, 1), shuffled(sites, 2)
	seen, differ := map[int]bool{}, false
	for i := range first {
		if first[i] != again[i] {
			t.Fatal("the same seed draws another sample")
		}
		seen[first[i].line] = true
		differ = differ || first[i] != other[i]
	}
	if len(seen) != len(sites) || !differ {
		t.Errorf("%d sites of %d, other seeds differ: %v", len(seen), len(sites), differ)
	}
}
