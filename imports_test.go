package main

import (
	"go/parser"
	"go/token"
	"io/fs"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
)

const module = "github.com/cupel-dev/cupel"

// libraries are the four importable packages, with what lies below each.
var libraries = []string{"trace", "oatf", "evidence", "attest"}

// systemRooms are the folders whose packages may reach the operating system, the
// terminal or the network; "" is main itself.
var systemRooms = []string{"", "commands", "internal/walk", "internal/config", "internal/term", "attest/provider"}

// systemPackages are what only the systemRooms may import.
var systemPackages = []string{
	"os", "os/exec", "os/signal", "flag", "net", "net/http", "syscall", "io/ioutil", "log",
	"golang.org/x/sys/unix", "golang.org/x/term", "github.com/fatih/color", "github.com/schollz/progressbar/v3",
	"github.com/urfave/cli/v2", "github.com/fsnotify/fsnotify", "github.com/sashabaranov/go-openai",
	"github.com/hashicorp/go-retryablehttp",
}

// exempt are single edges that the rule above would forbid, each with its reason.
var exempt = map[string]string{
	"internal/report github.com/fatih/color": "colours text for a writer that it is given",
}

// TestImportsGoOneWay holds the direction of the imports: main → commands → the four
// libraries → internal, and keeps the system out of the libraries.
func TestImportsGoOneWay(t *testing.T) {
	edges := 0
	fset := token.NewFileSet()
	err := filepath.WalkDir(".", func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() && path != "." && strings.HasPrefix(d.Name(), ".") {
			return skipOr(err)
		}
		if d.IsDir() || !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go") {
			return nil
		}
		file, err := parser.ParseFile(fset, path, nil, parser.ImportsOnly)
		if err != nil {
			return err
		}
		from := strings.TrimPrefix(filepath.ToSlash(filepath.Dir(path)), ".")
		if file.Name.Name == "main" && from != "" {
			return nil // a generator or a benchmark's program of its own
		}
		for _, spec := range file.Imports {
			to, err := strconv.Unquote(spec.Path.Value)
			if err != nil {
				return err
			}
			edges++
			if why := forbidden(from, to); why != "" && exempt[from+" "+to] == "" {
				t.Errorf("%s imports %s: %s", fset.Position(spec.Pos()), to, why)
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	if edges == 0 {
		t.Fatal("no imports found")
	}
	t.Logf("%d imports", edges)
}

func skipOr(err error) error {
	if err != nil {
		return err
	}
	return fs.SkipDir
}

// forbidden says why the package in folder from must not import to; "" when it may.
func forbidden(from, to string) string {
	if slices.Contains(systemPackages, to) && !slices.Contains(systemRooms, from) {
		return "only main, commands and a few rooms reach the system"
	}
	target, own := strings.CutPrefix(to, module+"/")
	if !own {
		return ""
	}
	source, dest := level(from), level(target)
	switch {
	case source > dest:
		return "imports go main → commands → libraries → internal"
	case source == libraryLevel && dest == libraryLevel && room(from) != room(target):
		return "the four libraries never import each other"
	}
	return ""
}

const libraryLevel = 2

// level is the distance of a folder from main.
func level(folder string) int {
	switch {
	case folder == "":
		return 0
	case room(folder) == "commands":
		return 1
	case slices.Contains(libraries, room(folder)):
		return libraryLevel
	}
	return 3
}

func room(folder string) string {
	first, _, _ := strings.Cut(folder, "/")
	return first
}

// TestForbidden tries the rule itself on edges that must be refused and allowed.
func TestForbidden(t *testing.T) {
	for _, c := range []struct {
		from, to string
		refused  bool
	}{
		{"", module + "/commands", false},
		{"commands", module + "/trace", false},
		{"trace", module + "/trace/reasoning", false},
		{"trace", module + "/internal/jcs", false},
		{"trace", module + "/evidence", true},
		{"trace", module + "/commands", true},
		{"internal/report", module + "/oatf", true},
		{"internal/report", module + "/internal/finding", false},
		{"oatf", "os", true},
		{"internal/walk", "os", false},
		{"attest", "net/http", true},
		{"commands", module, false},
	} {
		if got := forbidden(c.from, c.to) != ""; got != c.refused {
			t.Errorf("forbidden(%q, %q) = %v, want %v", c.from, c.to, got, c.refused)
		}
	}
}
