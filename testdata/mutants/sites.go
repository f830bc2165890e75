package main

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strconv"
)

// site is a change in a file: the bytes [start, end) become text.
type site struct {
	file         string
	line, column int
	start, end   int
	text         string
	what         string
}

func (s site) String() string { return fmt.Sprintf("%s:%d:%d: %s", s.file, s.line, s.column, s.what) }

func (s site) apply(source []byte) []byte {
	out := append([]byte{}, source[:s.start]...)
	return append(append(out, s.text...), source[s.end:]...)
}

// sitesOf lists every change to a package's files, or only to the named files, in source order.
func sitesOf(p pkg, only []string) ([]site, error) {
	var l lister
	for _, name := range p.GoFiles {
		if only != nil && !slices.Contains(only, name) {
			continue
		}
		text, err := os.ReadFile(filepath.Join(p.Dir, name))
		if err != nil {
			return nil, err
		}
		l.file, l.source, l.fset = name, text, token.NewFileSet()
		tree, err := parser.ParseFile(l.fset, name, text, parser.SkipObjectResolution)
		if err != nil {
			return nil, err
		}
		ast.Inspect(tree, l.visit)
	}
	return l.sites, nil
}

// shuffled returns the sites in a random order given by the seed.
func shuffled(sites []site, seed uint64) []site {
	order := rand.New(rand.NewPCG(seed, uint64(len(sites)))).Perm(len(sites))
	drawn := make([]site, len(sites))
	for i, k := range order {
		drawn[i] = sites[k]
	}
	return drawn
}

// lister collects the sites of a package's files.
type lister struct {
	file   string
	source []byte
	fset   *token.FileSet
	sites  []site
}

// swaps maps operators to replacements: a comparison loses or gains its boundary, an equality or conjunction
// becomes its opposite, a sum a difference.
var swaps = map[token.Token]token.Token{
	token.LSS: token.LEQ, token.LEQ: token.LSS, token.GTR: token.GEQ, token.GEQ: token.GTR,
	token.EQL: token.NEQ, token.NEQ: token.EQL, token.LAND: token.LOR, token.LOR: token.LAND,
	token.ADD: token.SUB, token.SUB: token.ADD,
}

// visit adds the changes of one node. Imports, types and tags are not changed.
func (l *lister) visit(n ast.Node) bool {
	switch n := n.(type) {
	case *ast.ImportSpec, *ast.FieldList:
		return false
	case *ast.BinaryExpr:
		if to, ok := swaps[n.Op]; ok {
			l.add(n.OpPos, n.OpPos+token.Pos(len(n.Op.String())), to.String(), fmt.Sprintf("%s becomes %s", n.Op, to))
		}
	case *ast.BasicLit:
		l.literal(n)
	case *ast.IfStmt:
		l.condition(n.Cond)
	case *ast.ExprStmt:
		l.add(n.Pos(), n.End(), "", "the call is removed")
	case *ast.IncDecStmt:
		l.add(n.Pos(), n.End(), "", n.Tok.String()+" is removed")
	case *ast.AssignStmt:
		l.assignment(n)
	case *ast.BranchStmt:
		if n.Tok == token.BREAK || n.Tok == token.CONTINUE {
			l.add(n.Pos(), n.End(), "", n.Tok.String()+" is removed")
		}
	}
	return true
}

// condition negates a condition, but for a comparison, which swaps does already.
func (l *lister) condition(cond ast.Expr) {
	if b, ok := cond.(*ast.BinaryExpr); ok && (b.Op == token.EQL || b.Op == token.NEQ) {
		return
	}
	from, to := l.fset.Position(cond.Pos()).Offset, l.fset.Position(cond.End()).Offset
	l.add(cond.Pos(), cond.End(), "!("+string(l.source[from:to])+")", "the condition is negated")
}

// literal changes an integer by one.
func (l *lister) literal(n *ast.BasicLit) {
	value, err := strconv.ParseUint(n.Value, 0, 63)
	if n.Kind != token.INT || err != nil {
		return
	}
	l.add(n.Pos(), n.End(), strconv.FormatUint(value+1, 10), fmt.Sprintf("%s becomes %d", n.Value, value+1))
	if value > 0 {
		l.add(n.Pos(), n.End(), strconv.FormatUint(value-1, 10), fmt.Sprintf("%s becomes %d", n.Value, value-1))
	}
}

// assignment removes an assignment but keeps the evaluation of its right side. A definition is kept, because the
// code would not compile without it.
func (l *lister) assignment(n *ast.AssignStmt) {
	switch {
	case n.Tok == token.DEFINE || len(n.Lhs) != 1:
	case n.Tok == token.ASSIGN:
		l.add(n.Lhs[0].Pos(), n.Lhs[0].End(), "_", "the assignment is removed")
	default:
		l.add(n.Pos(), n.End(), "", n.Tok.String()+" is removed")
	}
}

func (l *lister) add(from, to token.Pos, text, what string) {
	start, end := l.fset.Position(from), l.fset.Position(to)
	l.sites = append(l.sites, site{l.file, start.Line, start.Column, start.Offset, end.Offset, text, what})
}
