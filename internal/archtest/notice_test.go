package archtest

import (
	"bytes"
	"cmp"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// noticeFile has the licenses of everything in the released binaries.
const noticeFile = "NOTICE"

// linked is a module of the binaries.
type linked struct {
	path, version string
	folders       []string // of its packages, and those above them in the module
}

// TestNotice compares NOTICE with the license files of the modules that the binaries of a release are made of, on any
// of their systems. With -update it writes the file.
func TestNotice(t *testing.T) {
	modules := linkedModules(t)
	if len(modules) < 20 {
		t.Fatalf("%d modules found", len(modules))
	}
	text := notice(t, modules)
	if *update {
		if err := os.WriteFile(noticeFile, text, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	there, err := os.ReadFile(noticeFile)
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(there, text) {
		t.Errorf("%s differs from the licenses of the modules in go.mod: go test ./internal/archtest -run Notice -update", noticeFile)
	}
	t.Logf("%d modules, %d bytes", len(modules), len(text))
}

// linkedModules returns the modules of the binaries, by path. The first is the standard library.
func linkedModules(t *testing.T) []linked {
	t.Helper()
	root, err := exec.Command("go", "env", "GOROOT").Output()
	if err != nil {
		t.Fatal(err)
	}
	found := map[string]linked{}
	for _, system := range []string{"linux", "darwin", "windows"} {
		cmd := exec.Command("go", "list", "-deps", "-tags", "urfave_cli_no_docs", "-f", "{{with .Module}}{{if not .Main}}{{.Path}}\t{{.Version}}\t{{.Dir}}\t{{$.Dir}}{{end}}{{end}}", ".")
		cmd.Env = append(os.Environ(), "GOOS="+system, "CGO_ENABLED=0")
		out, err := cmd.Output()
		if err != nil {
			t.Fatalf("%s: %v", system, err)
		}
		for line := range strings.Lines(string(out)) {
			part := strings.Split(strings.TrimSpace(line), "\t")
			m := found[part[0]]
			m.path, m.version = part[0], part[1]
			for folder := part[3]; strings.HasPrefix(folder, part[2]); folder = filepath.Dir(folder) {
				if !slices.Contains(m.folders, folder) {
					m.folders = append(m.folders, folder)
				}
			}
			found[m.path] = m
		}
	}
	list := []linked{{path: "The standard library of Go", folders: []string{strings.TrimSpace(string(root))}}}
	for _, m := range found {
		slices.Sort(m.folders)
		list = append(list, m)
	}
	slices.SortFunc(list[1:], func(a, b linked) int { return cmp.Compare(a.path, b.path) })
	return list
}

// licenseFile matches the names of files with terms. PATENTS is a grant that belongs to the license.
var licenseFile = regexp.MustCompile(`(?i)^(licen[sc]e|copying|notice|patents)([.-].*)?$`)

// notice returns the text of NOTICE: equal license files once, each below the modules that have it.
func notice(t *testing.T, modules []linked) []byte {
	t.Helper()
	users := map[string][]string{}
	var order []string
	for _, m := range modules {
		n := 0
		for _, folder := range m.folders {
			for _, terms := range licensesIn(t, folder) {
				if users[terms] == nil {
					order = append(order, terms)
				}
				users[terms] = append(users[terms], strings.TrimSpace(m.path+" "+m.version))
				n++
			}
		}
		if n == 0 {
			t.Errorf("%s %s has no license file", m.path, m.version)
		}
	}
	var b bytes.Buffer
	fmt.Fprintln(&b, "cupel is under the Apache License 2.0, see LICENSE. Its binaries contain the following software.")
	for _, terms := range order {
		fmt.Fprintf(&b, "\n%s\n\n%s\n\n%s\n", strings.Repeat("=", 80), strings.Join(slices.Compact(users[terms]), "\n"), terms)
	}
	return b.Bytes()
}

// licensesIn returns the texts of the license files in a folder.
func licensesIn(t *testing.T, folder string) (list []string) {
	t.Helper()
	entries, err := os.ReadDir(folder)
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range entries {
		if e.IsDir() || !licenseFile.MatchString(e.Name()) || filepath.Ext(e.Name()) == ".go" {
			continue
		}
		text, err := os.ReadFile(filepath.Join(folder, e.Name()))
		if err != nil {
			t.Fatal(err)
		}
		list = append(list, strings.TrimSpace(strings.ReplaceAll(string(text), "\r\n", "\n")))
	}
	return list
}
