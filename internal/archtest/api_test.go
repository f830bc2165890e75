package archtest

import (
	"bytes"
	"fmt"
	"go/ast"
	"go/parser"
	"go/printer"
	"go/token"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

const apiFile = "api.txt"

// TestAPI checks that api.txt lists the packages' exports to other modules, one line for each name, field and method.
// A change of the public API thus shows in the diff of that file. -update rewrites it.
func TestAPI(t *testing.T) {
	now, packages := publicNames(t)
	if packages < 10 || len(now) < 100 {
		t.Fatalf("%d packages with %d names", packages, len(now))
	}
	if *update {
		if err := os.WriteFile(apiFile, []byte(strings.Join(now, "\n")+"\n"), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	text, err := os.ReadFile(apiFile)
	if err != nil {
		t.Fatal(err)
	}
	listed := strings.Split(strings.TrimRight(string(text), "\n"), "\n")
	for _, line := range now {
		if !slices.Contains(listed, line) {
			t.Errorf("not in %s: %s\nrun go test ./internal/archtest -run API -update, and say in the commit why it is public", apiFile, line)
		}
	}
	for _, line := range listed {
		if !slices.Contains(now, line) {
			t.Errorf("only in %s: %s\na change that breaks programs; run go test ./internal/archtest -run API -update, and say why", apiFile, line)
		}
	}
	t.Logf("%d public packages, %d lines", packages, len(now))
}

// publicNames returns a line for each thing that the public packages export, sorted, and how many packages there are.
func publicNames(t *testing.T) (lines []string, packages int) {
	t.Helper()
	set := map[string]bool{}
	for _, root := range append([]string{"finding"}, libraries...) {
		err := filepath.WalkDir(root, func(name string, d fs.DirEntry, err error) error {
			if err != nil || !d.IsDir() {
				return err
			}
			if d.Name() == "internal" || d.Name() == "testdata" || isModule(name) {
				return fs.SkipDir
			}
			found := exportsOf(t, name)
			if len(found) > 0 {
				packages++
			}
			for _, line := range found {
				set["pkg "+filepath.ToSlash(name)+", "+line] = true
			}
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	return slices.Sorted(maps.Keys(set)), packages
}

// exportsOf lists what the package in a folder exports; nothing for a folder without one, or with a program.
func exportsOf(t *testing.T, folder string) (lines []string) {
	t.Helper()
	names, err := filepath.Glob(filepath.Join(folder, "*.go"))
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range names {
		if strings.HasSuffix(name, "_test.go") {
			continue
		}
		file, err := parser.ParseFile(token.NewFileSet(), name, nil, parser.SkipObjectResolution)
		if err != nil {
			t.Fatal(err)
		}
		if file.Name.Name == "main" {
			return nil
		}
		for _, decl := range file.Decls {
			switch d := decl.(type) {
			case *ast.FuncDecl:
				lines = append(lines, exportedFunc(d)...)
			case *ast.GenDecl:
				for _, spec := range d.Specs {
					lines = append(lines, exportedSpec(d.Tok, spec)...)
				}
			}
		}
	}
	return lines
}

func exportedFunc(f *ast.FuncDecl) []string {
	signature := strings.TrimPrefix(source(f.Type), "func")
	switch {
	case !f.Name.IsExported():
		return nil
	case f.Recv == nil:
		return []string{"func " + f.Name.Name + signature}
	case !ast.IsExported(receiver(f.Recv.List[0].Type)):
		return nil
	}
	return []string{fmt.Sprintf("method (%s) %s%s", source(f.Recv.List[0].Type), f.Name.Name, signature)}
}

func exportedSpec(tok token.Token, spec ast.Spec) (lines []string) {
	switch s := spec.(type) {
	case *ast.ValueSpec:
		for _, name := range s.Names {
			if name.IsExported() {
				lines = append(lines, strings.TrimSpace(fmt.Sprintf("%s %s %s", tok, name.Name, source(s.Type))))
			}
		}
	case *ast.TypeSpec:
		if !s.Name.IsExported() {
			return nil
		}
		of, isStruct := s.Type.(*ast.StructType)
		switch {
		case s.Assign.IsValid():
			return []string{fmt.Sprintf("type %s = %s", s.Name.Name, source(s.Type))}
		case !isStruct:
			return []string{fmt.Sprintf("type %s %s", s.Name.Name, source(s.Type))}
		}
		lines = append(lines, fmt.Sprintf("type %s struct", s.Name.Name))
		for _, field := range of.Fields.List {
			for _, name := range field.Names {
				if name.IsExported() {
					lines = append(lines, fmt.Sprintf("type %s struct, %s %s", s.Name.Name, name.Name, source(field.Type)))
				}
			}
			if len(field.Names) == 0 {
				lines = append(lines, fmt.Sprintf("type %s struct, embeds %s", s.Name.Name, source(field.Type)))
			}
		}
	}
	return lines
}

// source returns the source text of a type on one line; "" for none.
func source(node ast.Expr) string {
	if node == nil {
		return ""
	}
	var text bytes.Buffer
	if err := printer.Fprint(&text, token.NewFileSet(), node); err != nil {
		return err.Error()
	}
	return strings.Join(strings.Fields(text.String()), " ")
}
