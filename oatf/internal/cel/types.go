package cel

import (
	"regexp"
	"sort"
	"strconv"
	"strings"
	"sync"

	"github.com/google/cel-go/checker"
	"github.com/google/cel-go/common"
	"github.com/google/cel-go/common/ast"
	"github.com/google/cel-go/common/containers"
	"github.com/google/cel-go/common/decls"
	celoperators "github.com/google/cel-go/common/operators"
	"github.com/google/cel-go/common/stdlib"
	"github.com/google/cel-go/common/types"

	"github.com/cupel-dev/cupel/internal/say"
)

// Problem is a type error in an expression.
type Problem struct {
	Message string
	Name    string // a name or a function that is not declared; "" for other problems
}

// environment is the standard library and the variable message, of any type.
var environment = sync.OnceValues(func() (*checker.Env, error) {
	registry, err := types.NewRegistry()
	if err != nil {
		return nil, err
	}
	env, err := checker.NewEnv(containers.DefaultContainer, registry, checker.CrossTypeNumericComparisons(true))
	if err != nil {
		return nil, err
	}
	if err := env.AddFunctions(stdlib.Functions()...); err != nil {
		return nil, err
	}
	return env, env.AddIdents(stdlib.Types()...)
})

var undeclared = regexp.MustCompile(`^undeclared reference to '([^']*)'`)

// Problems type-checks a valid expression with variables of any type. It must be boolean.
func Problems(expression string, variables []string) (list []Problem) {
	tree, err := Parse(expression)
	if err != nil {
		return nil
	}
	base, err := environment()
	if err != nil {
		return nil
	}
	env, err := checker.NewEnv(containers.DefaultContainer, newRegistry(), checker.CrossTypeNumericComparisons(true), checker.ValidatedDeclarations(base))
	if err != nil {
		return nil
	}
	names := []*decls.VariableDecl{decls.NewVariable("message", types.DynType)}
	for _, name := range variables {
		if name != "message" {
			names = append(names, decls.NewVariable(name, types.DynType))
		}
	}
	if err := env.AddIdents(names...); err != nil {
		return nil
	}
	checked, errs := checker.Check(tree, common.NewStringSource(expression, "cel"), env)
	for _, e := range errs.GetErrors() {
		message, _, _ := strings.Cut(e.Message, " (in container")
		p := Problem{Message: say.Preview(message, mostMessage)}
		if m := undeclared.FindStringSubmatch(message); m != nil {
			p.Name = m[1]
			p.Message = "the name " + say.Quoted(m[1]) + " is not declared"
			if strings.Contains(expression, m[1]+"(") {
				p.Message = "CEL has no function " + say.Quoted(m[1])
			}
		}
		list = append(list, p)
	}
	if len(list) > 0 {
		return list
	}
	switch kind := checked.GetType(checked.Expr().ID()); kind.Kind() {
	case types.BoolKind, types.DynKind, types.AnyKind, types.ErrorKind:
		return nil
	default:
		return []Problem{{Message: "the expression returns " + say.Article(kind.String()) + ", expected a boolean"}}
	}
}

const mostMessage = 200

func newRegistry() *types.Registry {
	r, _ := types.NewRegistry() // without custom types it cannot fail
	return r
}

// Paths returns the distinct paths that an expression selects from message, as wildcard dot-paths.
// whole means that the expression is exactly one such path.
func Paths(expression string) (paths []string, whole bool) {
	tree, err := Parse(expression)
	if err != nil {
		return nil, false
	}
	found := map[string]bool{}
	var walk func(e ast.Expr, selected bool)
	walk = func(e ast.Expr, selected bool) {
		if path, ok := pathOf(e); ok && path != "" {
			if !selected {
				found[path] = true
			}
		}
		switch e.Kind() {
		case ast.SelectKind:
			_, ok := pathOf(e)
			walk(e.AsSelect().Operand(), ok)
		case ast.CallKind:
			call := e.AsCall()
			_, ok := pathOf(e)
			if call.IsMemberFunction() {
				walk(call.Target(), false)
			}
			for i, arg := range call.Args() {
				walk(arg, ok && i == 0)
			}
		case ast.ListKind:
			for _, one := range e.AsList().Elements() {
				walk(one, false)
			}
		case ast.ComprehensionKind:
			c := e.AsComprehension()
			for _, part := range []ast.Expr{c.IterRange(), c.AccuInit(), c.LoopCondition(), c.LoopStep(), c.Result()} {
				walk(part, false)
			}
		}
	}
	walk(tree.Expr(), false)
	for path := range found {
		paths = append(paths, path)
	}
	sort.Strings(paths)
	_, whole = pathOf(tree.Expr())
	return paths, whole
}

// pathOf returns the path of a selection that starts at message.
func pathOf(e ast.Expr) (string, bool) {
	switch e.Kind() {
	case ast.IdentKind:
		return "", e.AsIdent() == "message"
	case ast.SelectKind:
		before, ok := pathOf(e.AsSelect().Operand())
		return joined(before, e.AsSelect().FieldName()), ok
	case ast.CallKind:
		call := e.AsCall()
		if call.FunctionName() != celoperators.Index || len(call.Args()) != 2 || call.Args()[1].Kind() != ast.LiteralKind {
			return "", false
		}
		before, ok := pathOf(call.Args()[0])
		switch at := call.Args()[1].AsLiteral().Value().(type) {
		case string:
			return joined(before, at), ok && !strings.ContainsAny(at, ".[]"+strconv.Quote(" "))
		case int64:
			return before + "[*]", ok && before != "" && !strings.HasSuffix(before, "[*]")
		}
	}
	return "", false
}

func joined(before, name string) string {
	if before == "" {
		return name
	}
	return before + "." + name
}
