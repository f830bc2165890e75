// Command used writes the source of a program that does nothing but keep what cupel uses of other modules and of
// the standard library: each function, method, type and variable that cupel's code names. Linked, it is
// what the binary would weigh without a line of cupel's own. Generic functions are left out, so that it is
// the least of it. Runs in the folder of cupel's main package.
package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"go/ast"
	"go/importer"
	"go/parser"
	"go/token"
	"go/types"
	"io"
	"log"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
)

const module = "github.com/cupel-dev/cupel"

// listed is a package as printed by go list.
type listed struct {
	ImportPath, Export, Dir string
	GoFiles                 []string
}

func main() {
	log.SetFlags(0)
	packages, err := list(os.Args[1:])
	if err != nil {
		log.Fatal("used: ", err)
	}
	exports := map[string]string{}
	for _, p := range packages {
		exports[p.ImportPath] = p.Export
	}
	files := token.NewFileSet()
	known := importer.ForCompiler(files, "gc", func(path string) (io.ReadCloser, error) { return os.Open(exports[path]) })
	used := map[string]map[string]bool{} // what is kept of a package
	for _, p := range packages {
		if p.ImportPath != module && !strings.HasPrefix(p.ImportPath, module+"/") {
			continue
		}
		objects, err := named(files, known, p)
		if err != nil {
			log.Fatal("used: ", err)
		}
		for _, o := range objects {
			if expression := keeping(o); expression != "" {
				path := o.Pkg().Path()
				if used[path] == nil {
					used[path] = map[string]bool{}
				}
				used[path][expression] = true
			}
		}
	}
	write(used)
}

// list runs go list for the linked packages, compiled. flags are build flags.
func list(flags []string) ([]listed, error) {
	out, err := exec.Command("go", slices.Concat([]string{"list", "-deps", "-export", "-json=ImportPath,Export,Dir,GoFiles"}, flags, []string{"."})...).Output()
	if err != nil {
		return nil, err
	}
	var packages []listed
	for in := json.NewDecoder(strings.NewReader(string(out))); ; {
		var p listed
		switch err := in.Decode(&p); {
		case errors.Is(err, io.EOF):
			return packages, nil
		case err != nil:
			return nil, err
		}
		packages = append(packages, p)
	}
}

// named returns what a package's code uses of other packages.
func named(files *token.FileSet, known types.Importer, p listed) ([]types.Object, error) {
	var syntax []*ast.File
	for _, name := range p.GoFiles {
		f, err := parser.ParseFile(files, filepath.Join(p.Dir, name), nil, parser.SkipObjectResolution)
		if err != nil {
			return nil, err
		}
		syntax = append(syntax, f)
	}
	info := &types.Info{Uses: map[*ast.Ident]types.Object{}}
	checker := types.Config{Importer: known}
	if _, err := checker.Check(p.ImportPath, files, syntax, info); err != nil {
		return nil, err
	}
	return slices.DeleteFunc(slices.Collect(maps.Values(info.Uses)), func(o types.Object) bool {
		return o.Pkg() == nil || !o.Exported() || strings.HasPrefix(o.Pkg().Path(), module) || strings.Contains(o.Pkg().Path(), "internal/")
	}), nil
}

// keeping returns an expression that makes the linker keep an object, with @ for its package, or "".
func keeping(o types.Object) string {
	switch o := o.(type) {
	case *types.Func:
		return function(o)
	case *types.Var:
		if !o.IsField() {
			return "&@." + o.Name()
		}
	case *types.TypeName:
		if n, ok := o.Type().(*types.Named); (!ok || n.TypeParams().Len() == 0) && !types.IsInterface(o.Type()) {
			return "new(@." + o.Name() + ")"
		}
	}
	return ""
}

func function(f *types.Func) string {
	signature := f.Signature()
	if signature.TypeParams().Len() > 0 {
		return ""
	}
	if signature.Recv() == nil {
		return "@." + f.Name()
	}
	receiver, star := signature.Recv().Type(), ""
	if pointer, ok := receiver.(*types.Pointer); ok {
		receiver, star = pointer.Elem(), "*"
	}
	of, ok := receiver.(*types.Named)
	if !ok || !of.Obj().Exported() || of.TypeParams().Len() > 0 {
		return ""
	}
	return "(" + star + "@." + of.Obj().Name() + ")." + f.Name()
}

func write(used map[string]map[string]bool) {
	paths := slices.Sorted(maps.Keys(used))
	fmt.Println("package main")
	for i, path := range paths {
		fmt.Printf("import p%d %q\n", i, path)
	}
	fmt.Println("func main() { for _, kept := range []any{")
	for i, path := range paths {
		for _, expression := range slices.Sorted(maps.Keys(used[path])) {
			fmt.Println(strings.Replace(expression, "@", fmt.Sprintf("p%d", i), 1) + ",")
		}
	}
	fmt.Println("} { println(kept) } }")
}
