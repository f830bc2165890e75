package secrets

import (
	"math/rand/v2"
	"path"
	"regexp"
	"strings"
	"testing"
)

// TestFolders compares where a home folder ends with what its path comes to, folder by
// folder, in a path of each system.
func TestFolders(t *testing.T) {
	var s Scanner
	user := regexp.MustCompile(`^(/(?i:users)/[^/]+|/home/[^/]+|/root)$`)
	names := []string{"", ".", "..", "..", "home", "Users", "root", "bob", "eve", "...", ".x", "al..", "x"}
	moved := 0
	for seed := range uint64(random) {
		r := rand.New(rand.NewPCG(seed, 5))
		folders := []string{"", []string{"home", "Users"}[r.IntN(2)]}
		for range 1 + r.IntN(9) {
			folders = append(folders, names[r.IntN(len(names))])
		}
		last := 0
		for i := 2; i < len(folders); i++ {
			if plain := folders[i] != "" && folders[i] != "." && folders[i] != ".."; plain && user.MatchString(path.Clean(strings.Join(folders[:i+1], "/"))) {
				last = i
			}
		}
		in := strings.Join(folders, "/")
		want := in
		if last > 0 {
			want = "~/**/" + strings.TrimLeft(strings.Join(folders[last+1:], "/"), "/")
		}
		if last > 3 {
			moved++
		}
		if got := cleaned(&s, in); got != want {
			t.Fatalf("seed %d: %q becomes %q, want %q", seed, in, got, want)
		}
	}
	if moved < random/10 {
		t.Errorf("%d paths of %d lead from one user to another", moved, random)
	}
}
