package archtest

import (
	"bytes"
	"go/ast"
	"go/build"
	"go/parser"
	"go/token"
	"go/types"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"
)

// The figures that are measured of each package.
const (
	circleFigure   = "circle"   // most files that name each other, directly or through others
	methodsFigure  = "methods"  // most methods on one type
	exportedFigure = "exported" // exported names
	flagsFigure    = "flags"    // command-line flags that are read by a string
	longFigure     = "long"     // lines of more than maxColumns characters, a tab counting as one
	linesFigure    = "lines"    // lines of Go outside tests
)

const maxColumns = 120

// measured holds the figures of each package, by its folder; the root is ".".
type measured map[string]map[string]int

// measurePackages measures every Go package of the module below root, testdata and other modules excepted. It parses
// and resolves names within a package only, so nothing needs to be built. Files for systems other than linux/amd64
// count their lines, but not their names, which other files also define.
func measurePackages(root string) (measured, error) {
	all := measured{}
	err := filepath.WalkDir(root, func(name string, d fs.DirEntry, err error) error {
		if err != nil || !d.IsDir() {
			return err
		}
		hidden := strings.HasPrefix(d.Name(), ".") || d.Name() == "testdata" || d.Name() == "vendor" || isModule(name)
		if name != root && hidden {
			return fs.SkipDir
		}
		rel, err := filepath.Rel(root, name)
		if err != nil {
			return err
		}
		figures, err := measurePackage(name)
		if figures != nil {
			all[filepath.ToSlash(rel)] = figures
		}
		return err
	})
	return all, err
}

// measurePackage measures the Go package in a folder; nil if the folder has none.
func measurePackage(folder string) (map[string]int, error) {
	names, err := filepath.Glob(filepath.Join(folder, "*.go"))
	if err != nil {
		return nil, err
	}
	target := build.Default
	target.GOOS, target.GOARCH, target.CgoEnabled = "linux", "amd64", false
	target.BuildTags = []string{"urfave_cli_no_docs"}
	fset, figures := token.NewFileSet(), map[string]int{}
	var files []*ast.File
	for _, name := range names {
		if strings.HasSuffix(name, "_test.go") {
			continue
		}
		text, err := os.ReadFile(name)
		if err != nil {
			return nil, err
		}
		figures[linesFigure] += bytes.Count(text, []byte("\n"))
		for line := range bytes.Lines(text) {
			if utf8.RuneCount(bytes.TrimRight(line, "\n")) > maxColumns {
				figures[longFigure]++
			}
		}
		if match, err := target.MatchFile(folder, filepath.Base(name)); err != nil || !match {
			continue
		}
		file, err := parser.ParseFile(fset, name, text, 0)
		if err != nil {
			return nil, err
		}
		files = append(files, file)
		figures[flagsFigure] += flagReads(file)
	}
	if figures[linesFigure] == 0 {
		return nil, nil
	}
	if len(files) > 0 {
		measureNames(figures, folder, fset, files)
	}
	return figures, nil
}

// measureNames adds the figures that need the names of a package resolved.
func measureNames(figures map[string]int, folder string, fset *token.FileSet, files []*ast.File) {
	info := &types.Info{Uses: map[*ast.Ident]types.Object{}}
	config := types.Config{Importer: emptyImporter{}, Error: func(error) {}}
	pkg, _ := config.Check(folder, fset, files, info) // errors are about names of other packages
	uses, methods := map[string][]string{}, map[string]int{}
	for _, file := range files {
		from := filepath.Base(fset.Position(file.Pos()).Filename)
		ast.Inspect(file, func(n ast.Node) bool {
			if id, ok := n.(*ast.Ident); ok && ofPackage(info.Uses[id], pkg) {
				to := filepath.Base(fset.Position(info.Uses[id].Pos()).Filename)
				if to != from && to != "." && !slices.Contains(uses[from], to) {
					uses[from] = append(uses[from], to)
				}
			}
			return true
		})
		for _, decl := range file.Decls {
			if f, ok := decl.(*ast.FuncDecl); ok && f.Recv != nil {
				methods[receiver(f.Recv.List[0].Type)]++
			}
		}
	}
	for _, n := range methods {
		figures[methodsFigure] = max(figures[methodsFigure], n)
	}
	if pkg.Name() != "main" {
		for _, name := range pkg.Scope().Names() {
			if ast.IsExported(name) {
				figures[exportedFigure]++
			}
		}
	}
	figures[circleFigure] = len(largestCircle(uses))
}

// ofPackage reports whether a name belongs to pkg: it is declared at its top level, or a field or method of its types.
func ofPackage(o types.Object, pkg *types.Package) bool {
	if o == nil || o.Pkg() != pkg {
		return false
	}
	v, isVar := o.(*types.Var)
	return !isVar || v.IsField() || o.Parent() == pkg.Scope()
}

// receiver returns the name of a method's type, without pointer and type parameters.
func receiver(t ast.Expr) string {
	switch t := t.(type) {
	case *ast.StarExpr:
		return receiver(t.X)
	case *ast.IndexExpr:
		return receiver(t.X)
	case *ast.IndexListExpr:
		return receiver(t.X)
	case *ast.Ident:
		return t.Name
	}
	return ""
}

// flagReaders are the methods of urfave's cli.Context that take the name of a flag.
var flagReaders = []string{
	"Bool", "Count", "Duration", "Float64", "Float64Slice", "Generic", "Int", "Int64", "Int64Slice", "IntSlice",
	"IsSet", "Path", "Set", "String", "StringSlice", "Timestamp", "Uint", "Uint64", "Value",
}

// flagReads counts the calls in a file that read a command-line flag by a string literal. A file that does not
// import the library of the command line has none.
func flagReads(file *ast.File) (n int) {
	imports := slices.ContainsFunc(file.Imports, func(s *ast.ImportSpec) bool {
		return strings.HasPrefix(s.Path.Value, `"github.com/urfave/cli/`)
	})
	if !imports {
		return 0
	}
	ast.Inspect(file, func(node ast.Node) bool {
		call, ok := node.(*ast.CallExpr)
		if !ok || len(call.Args) == 0 {
			return true
		}
		f, ok := call.Fun.(*ast.SelectorExpr)
		name, literal := call.Args[0].(*ast.BasicLit)
		if !ok || !literal || name.Kind != token.STRING || !slices.Contains(flagReaders, f.Sel.Name) {
			return true
		}
		if text, err := strconv.Unquote(name.Value); err == nil && text != "" && !strings.ContainsAny(text, " /%") {
			n++
		}
		return true
	})
	return n
}

// emptyImporter gives each import an empty package: names of other packages stay unresolved.
type emptyImporter struct{}

func (emptyImporter) Import(name string) (*types.Package, error) {
	pkg := types.NewPackage(name, path.Base(name))
	pkg.MarkComplete()
	return pkg, nil
}

// largestCircle returns the largest strongly connected set of nodes in a graph (Tarjan's algorithm), sorted.
func largestCircle(uses map[string][]string) (largest []string) {
	index, low, onStack := map[string]int{}, map[string]int{}, map[string]bool{}
	var stack []string
	var visit func(string)
	visit = func(v string) {
		index[v] = len(index) + 1
		low[v] = index[v]
		stack, onStack[v] = append(stack, v), true
		for _, w := range uses[v] {
			if index[w] == 0 {
				visit(w)
				low[v] = min(low[v], low[w])
			} else if onStack[w] {
				low[v] = min(low[v], index[w])
			}
		}
		if low[v] != index[v] {
			return
		}
		at := slices.Index(stack, v)
		circle := slices.Clone(stack[at:])
		stack = stack[:at]
		for _, w := range circle {
			onStack[w] = false
		}
		if len(circle) > len(largest) {
			largest = circle
		}
	}
	for v := range uses {
		if index[v] == 0 {
			visit(v)
		}
	}
	slices.Sort(largest)
	return largest
}
