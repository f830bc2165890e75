package program

import (
	"slices"
	"strings"

	"github.com/google/cel-go/common/ast"
)

type names struct {
	variables []string // that it reads, without those of its loops, each once
	functions []string // that it calls, each once
}

// namesOf collects the names in an expression. known reports whether a dotted name, such as
// google.protobuf.Timestamp, is a type.
func namesOf(e ast.Expr, known func(string) bool) names {
	s := &scope{known: known}
	s.visit(e, nil)
	return s.names
}

type scope struct {
	names
	known func(string) bool
}

func (s *scope) visit(e ast.Expr, bound []string) {
	switch e.Kind() {
	case ast.IdentKind:
		s.read(strings.TrimPrefix(e.AsIdent(), "."), bound)
	case ast.SelectKind:
		if !s.known(dotted(e)) {
			s.visit(e.AsSelect().Operand(), bound)
		}
	case ast.CallKind:
		call := e.AsCall()
		s.functions = with(s.functions, call.FunctionName())
		if call.IsMemberFunction() {
			s.visit(call.Target(), bound)
		}
		s.visitAll(call.Args(), bound)
	case ast.ListKind:
		s.visitAll(e.AsList().Elements(), bound)
	case ast.MapKind:
		for _, entry := range e.AsMap().Entries() {
			s.visit(entry.AsMapEntry().Key(), bound)
			s.visit(entry.AsMapEntry().Value(), bound)
		}
	case ast.StructKind:
		for _, field := range e.AsStruct().Fields() {
			s.visit(field.AsStructField().Value(), bound)
		}
	case ast.ComprehensionKind:
		s.visitLoop(e.AsComprehension(), bound)
	}
}

func (s *scope) visitAll(list []ast.Expr, bound []string) {
	for _, e := range list {
		s.visit(e, bound)
	}
}

func (s *scope) visitLoop(loop ast.ComprehensionExpr, bound []string) {
	s.visit(loop.IterRange(), bound)
	s.visit(loop.AccuInit(), bound)
	withAccu := append(slices.Clip(bound), loop.AccuVar())
	inside := append(slices.Clip(withAccu), loop.IterVar())
	s.visit(loop.LoopCondition(), inside)
	s.visit(loop.LoopStep(), inside)
	s.visit(loop.Result(), withAccu)
}

func (s *scope) read(name string, bound []string) {
	if !slices.Contains(bound, name) && !s.known(name) {
		s.variables = with(s.variables, name)
	}
}

// with appends a name to a list unless it is in it.
func with(list []string, name string) []string {
	if slices.Contains(list, name) {
		return list
	}
	return append(list, name)
}

// dotted returns a.b.c for such a selection, "" for other expressions.
func dotted(e ast.Expr) string {
	var parts []string
	for e.Kind() == ast.SelectKind && !e.AsSelect().IsTestOnly() {
		parts = append(parts, e.AsSelect().FieldName())
		e = e.AsSelect().Operand()
	}
	if e.Kind() != ast.IdentKind {
		return ""
	}
	parts = append(parts, e.AsIdent())
	slices.Reverse(parts)
	return strings.Join(parts, ".")
}
