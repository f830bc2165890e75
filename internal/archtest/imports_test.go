package archtest

import (
	"go/parser"
	"go/token"
	"io/fs"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
)

const module = "github.com/cupel-dev/cupel"

// libraries are the four importable packages, with what lies below each.
var libraries = []string{"trace", "oatf", "evidence", "attest"}

// systemRooms are the folders, with "commands" those below it too, whose packages may reach the operating system, the
// terminal or the network; "" is main itself, and internal/scripted is a server of tests.
var systemRooms = []string{"", "commands", "internal/walk", "internal/config", "internal/term", "internal/door", "attest/provider", "internal/scripted"}

// systemPackages are what only the systemRooms may import.
var systemPackages = []string{
	"os", "os/exec", "os/signal", "flag", "net", "net/http", "syscall", "io/ioutil", "log",
	"golang.org/x/sys/unix", "golang.org/x/sys/windows", "golang.org/x/term", "github.com/fatih/color", "github.com/schollz/progressbar/v3",
	"github.com/urfave/cli/v2", "github.com/fsnotify/fsnotify", "github.com/sashabaranov/go-openai",
	"github.com/hashicorp/go-retryablehttp",
}

// exempt are single edges that the rule above would forbid, each with its reason.
var exempt = map[string]string{
	"internal/report github.com/fatih/color": "colours text for a writer that it is given",
	"internal/racetest os":                   "reads the seed that draws the cases of tests",
	"internal/racetest flag":                 "sets how many cases of a law are drawn",
}

// soleImporters are libraries that one package alone, and those below it, may import: what
// they do is done there, and can be replaced there.
var soleImporters = map[string]string{
	"github.com/google/cel-go":   "oatf/internal/cel",
	"github.com/theory/jsonpath": "oatf/internal/jsonpath",
}

// soleFiles are packages that only these files may import.
var soleFiles = map[string][]string{
	"os/exec": {"commands/internal/input/git.go", "commands/oatf/subprocess.go", "commands/record/mcp.go"},
}

// receiverRoom is the only package of the command line that uses the network: a receiver on a loopback address.
const receiverRoom = "commands/record"

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
			if only := soleFiles[to]; only != nil && !slices.Contains(only, filepath.ToSlash(path)) {
				t.Errorf("%s imports %s: only %s do", fset.Position(spec.Pos()), to, strings.Join(only, ", "))
			}
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
	if slices.Contains(systemPackages, to) && !slices.Contains(systemRooms, from) && room(from) != "commands" {
		return "only main, commands and a few rooms reach the system"
	}
	if (to == "net" || to == "net/http") && room(from) == "commands" && from != receiverRoom {
		return "only " + receiverRoom + " of the command line reaches the network"
	}
	for library, only := range soleImporters {
		if strings.HasPrefix(to+"/", library+"/") && !strings.HasPrefix(from+"/", only+"/") {
			return "only " + only + " imports this library"
		}
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
	case dest == libraryLevel && source != 1 && slices.Contains(networkRooms, target):
		return "what links the network is imported by commands, and by programs that ask for it"
	}
	if why := betweenFamilies(from, target); why != "" {
		return why
	}
	if why := betweenCommands(from, target); why != "" {
		return why
	}
	return betweenRooms(from, target)
}

// belowCommands are the folders that every room of the command line builds on, the upper ones first.
var belowCommands = []string{"commands/internal/input", "commands/internal/app", "commands/internal/cmdline", "commands/internal/rulelist", "commands/internal/verdict"}

// betweenCommands keeps the packages of the command line in their order: commands → its rooms →
// belowCommands → what else lies in commands/internal.
func betweenCommands(from, target string) string {
	depth := func(folder string) int {
		at := slices.Index(belowCommands, folder)
		switch {
		case folder == "commands":
			return 0
		case !strings.HasPrefix(folder, "commands/internal/"):
			return 1
		case at < 0:
			at = len(belowCommands)
		}
		return 2 + at
	}
	if room(from) != "commands" || room(target) != "commands" || depth(from) < depth(target) {
		return ""
	}
	return "imports go commands → its rooms → input → app → cmdline → rulelist, and no room imports another"
}

// evidenceRooms maps each package of evidence to the others that it imports, in addition to evidence itself and its
// own internal packages.
var evidenceRooms = map[string][]string{
	"":                  {},
	"bundle":            {},
	"payload":           {},
	"payload/reference": {"payload"},
	"privacy":           {},
	"projection":        {},
	"proof":             {},
	"seal":              {},
	"redact":            {"bundle", "privacy"},
	"incident":          {"bundle"},
	"lint":              {"bundle", "payload", "privacy"},
}

// betweenRooms keeps the packages of evidence in their order.
func betweenRooms(from, target string) string {
	source, inside := below("evidence", from)
	dest, own := below("evidence", target)
	if !inside || !own || source == dest || strings.Contains(source+"/", "internal/") || strings.Contains(dest+"/", "internal/") {
		return ""
	}
	if source == "" {
		return "evidence imports none of its rooms"
	}
	if rooms, known := evidenceRooms[source]; dest != "" && !(known && slices.Contains(rooms, dest)) {
		return "the rooms of evidence build on each other in one order"
	}
	return ""
}

// below returns the path of a folder under another one, "" for that itself.
func below(folder, path string) (rest string, ok bool) {
	if path == folder {
		return "", true
	}
	return strings.CutPrefix(path, folder+"/")
}

// sharedByFamilies are the rooms of trace/internal that no family of logs owns.
var sharedByFamilies = []string{"stream", "second", "schemas", "wire"}

// betweenFamilies keeps the families of trace apart: each imports what they share, and
// what they share imports none of them.
func betweenFamilies(from, target string) string {
	source, inside := strings.CutPrefix(from, "trace/internal/")
	dest, below := strings.CutPrefix(target, "trace/internal/")
	if inside && below && room(source) != room(dest) && !slices.Contains(sharedByFamilies, room(dest)) {
		return "the families of trace do not know each other"
	}
	return ""
}

// networkRooms are the packages below the libraries that link the network on purpose; importing them is a decision.
// The packages that evidence/seal reads keys with, in the standard library and in the DSSE library, import net and
// call none of it.
var networkRooms = []string{"trace/reference", "evidence/payload/reference", "attest/provider", "evidence/seal"}

// secretRules reads the text of its rules from the package config of gitleaks, whose configuration reader imports
// net/http and is never called. The libraries that look for secrets do the same.
const secretRules = module + "/internal/secrets/ruleset"

// TestLibrariesLinkNoNetwork follows the imports of each library, and of each package
// below it that a program can import, to their ends: who imports one must not carry
// net/http, unless it is one of the networkRooms.
func TestLibrariesLinkNoNetwork(t *testing.T) {
	patterns := []string{"./finding/..."}
	for _, library := range libraries {
		patterns = append(patterns, "./"+library+"/...")
	}
	for _, library := range listed(t, "{{.ImportPath}}", patterns...) {
		folder := strings.TrimPrefix(library, module+"/")
		if slices.Contains(strings.Split(folder, "/"), "internal") || networked(folder) {
			continue
		}
		t.Run(folder, func(t *testing.T) {
			deps := listed(t, "{{join .Deps \" \"}}", library)
			for _, dep := range deps {
				if (dep == "net" || dep == "net/http") && !slices.Contains(deps, secretRules) || networked(strings.TrimPrefix(dep, module+"/")) {
					t.Errorf("%s links %s", folder, dep)
				}
			}
			t.Logf("%d packages", len(deps))
		})
	}
}

// listed is what go list says of packages in a format, word by word.
func listed(t *testing.T, format string, patterns ...string) []string {
	t.Helper()
	text, err := exec.Command("go", append([]string{"list", "-f", format}, patterns...)...).Output()
	if err != nil {
		t.Fatal(err)
	}
	words := strings.Fields(string(text))
	if len(words) == 0 {
		t.Fatalf("go list %v says nothing", patterns)
	}
	return words
}

// networked reports whether a folder is one of the networkRooms or lies below one.
func networked(folder string) bool {
	return slices.ContainsFunc(networkRooms, func(allowed string) bool {
		return folder == allowed || strings.HasPrefix(folder, allowed+"/")
	})
}

const libraryLevel = 2

// level returns the distance of a folder from main.
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
		{"trace", module + "/trace/internal/reasoning", false},
		{"trace", module + "/internal/jcs", false},
		{"trace", module + "/evidence", true},
		{"trace", module + "/trace/reference", true},
		{"trace/internal/session", module + "/trace/internal/reasoning", true},
		{"trace/internal/stream", module + "/trace/internal/session", true},
		{"trace/internal/session", module + "/trace/internal/stream", false},
		{"trace/internal/reasoning", module + "/trace/internal/reasoning/format", false},
		{"commands", module + "/trace/reference", false},
		{"trace/reference", module + "/trace/internal/schemas", false},
		{"trace", module + "/commands", true},
		{"evidence", module + "/evidence/privacy", true},
		{"evidence", module + "/evidence/internal/envelope", false},
		{"evidence/privacy", module + "/evidence", false},
		{"evidence/privacy", module + "/evidence/bundle", true},
		{"evidence/privacy", module + "/evidence/internal/envelope", false},
		{"evidence/redact", module + "/evidence/privacy", false},
		{"evidence/privacy", module + "/evidence/redact", true},
		{"evidence/anything", module + "/evidence/bundle", true},
		{"internal/report", module + "/oatf", true},
		{"internal/report", module + "/finding", false},
		{"oatf", "os", true},
		{"internal/walk", "os", false},
		{"attest", "net/http", true},
		{"commands/attest", "net/http", true},
		{"commands/record", "net/http", false},
		{"commands", module, false},
		{"commands", module + "/commands/oatf", false},
		{"commands/oatf", module + "/commands/internal/app", false},
		{"commands/oatf", module + "/commands", true},
		{"commands/oatf", module + "/commands/trace", true},
		{"commands/internal/app", module + "/commands/internal/input", true},
		{"commands/internal/cmdline", module + "/commands/internal/rulelist", false},
		{"commands/internal/input", module + "/commands/internal/recognize", false},
		{"commands/internal/cmdline", module + "/commands/lsp", true},
		{"oatf/internal/cel", "github.com/google/cel-go/parser", false},
		{"oatf/internal/cel/program", "github.com/google/cel-go/interpreter", false},
		{"oatf/internal/expression", "github.com/google/cel-go/parser", true},
		{"oatf/internal/validate", "github.com/google/cel-go/parser", true},
	} {
		if got := forbidden(c.from, c.to) != ""; got != c.refused {
			t.Errorf("forbidden(%q, %q) = %v, want %v", c.from, c.to, got, c.refused)
		}
	}
}
