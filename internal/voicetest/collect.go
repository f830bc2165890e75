// Package voicetest collects the messages of the program from its source: errors, hints, warnings, findings and all
// other printed text. One test writes them to commands/testdata/messages.md. Another one checks their style, and
// that the scripts of testdata/script print no other text. Texts in other documents are not included: the usage of
// flags (docs/cupel.1) and rule tables (docs/rules.md).
package voicetest

import (
	"cmp"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"path"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// Message is a text as written in the source.
type Message struct {
	Kind   string   // "error", "hint", "warning", "finding", "text" or "page"
	Room   string   // folder of the package
	Parts  []string // texts between the values
	Places []string // source positions
}

// Value marks a value in a message.
const Value = "‹›"

// Text returns the message with Value for each value.
func (m Message) Text() string { return strings.Join(m.Parts, Value) }

// elsewhere lists members whose texts are not messages or belong to another document.
var elsewhere = map[string]bool{
	"Usage": true, "UsageText": true, "Examples": true, "Operands": true, "Description": true, "Category": true, "ArgsUsage": true, "DefaultText": true,
	"Rationale": true, "Bad": true, "Good": true, "Clause": true, "Flags": true,
}

// kinds maps names of functions and members to kinds.
var kinds = map[string]string{
	"Errorf": "error", "errors.New": "error", "PrintError": "error", "refuse": "error",
	"hint": "hint", "Hint": "hint", "Help": "hint", "Warn": "warning", "warn": "warning", "fault": "finding", "Fault": "finding",
	"New": "finding", "Title": title, "Message": "finding", "message": "error",
}

// title is the kind of rule titles, which can be finding messages.
const title = "title"

// Collect returns the messages in the Go files and page templates of a tree, without tests,
// testdata and other modules, unique per package and sorted by kind, package and text.
func Collect(tree fs.FS) ([]Message, error) {
	var all []Message
	fset := token.NewFileSet()
	err := fs.WalkDir(tree, ".", func(name string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case d.IsDir() && name != "." && outside(name, d.Name()):
			return fs.SkipDir
		case d.IsDir() || strings.HasSuffix(name, "_test.go") || path.Ext(name) != ".go" && path.Ext(name) != ".tmpl":
			return nil
		}
		source, err := fs.ReadFile(tree, name)
		if err != nil {
			return err
		}
		if path.Ext(name) == ".tmpl" {
			all = append(all, shownBy(name, string(source))...)
			return nil
		}
		file, err := parser.ParseFile(fset, name, source, parser.SkipObjectResolution)
		if err != nil {
			return err
		}
		c := collector{fset: fset, room: path.Dir(name)}
		for _, decl := range file.Decls {
			c.within(decl, "")
		}
		all = append(all, c.list...)
		return nil
	})
	slices.SortStableFunc(all, func(a, b Message) int {
		return cmp.Or(cmp.Compare(a.Kind, b.Kind), cmp.Compare(a.Room, b.Room), cmp.Compare(a.Text(), b.Text()))
	})
	return together(all), err
}

// together merges equal adjacent messages of a sorted list.
func together(all []Message) (list []Message) {
	for _, m := range all {
		if n := len(list) - 1; n >= 0 && list[n].Kind == m.Kind && list[n].Room == m.Room && list[n].Text() == m.Text() {
			list[n].Places = append(list[n].Places, m.Places...)
			continue
		}
		list = append(list, m)
	}
	return list
}

// outside reports whether a folder does not belong to the program.
func outside(folder, name string) bool {
	switch folder {
	case "docs", "trace/beam", "commands/mcp", "internal/page/browser":
		return true
	}
	return strings.HasPrefix(name, ".") || name == "testdata" || name == "scripted" ||
		name != "attest" && strings.HasSuffix(name, "test")
}

type collector struct {
	fset *token.FileSet
	room string
	list []Message
}

// within collects the texts below a node. kind is known from the context.
func (c *collector) within(node ast.Node, kind string) {
	ast.Inspect(node, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.ImportSpec, *ast.Field:
			return false
		case *ast.FuncDecl:
			if n.Body != nil {
				c.within(n.Body, cmp.Or(kinds[lastWord(n.Name.Name)], kind))
			}
			return false
		case *ast.KeyValueExpr:
			return n == node || c.keyed(n, kind)
		case *ast.CompositeLit:
			return n == node || c.literal(n)
		case *ast.AssignStmt:
			c.assigned(n, kind)
			return false
		case *ast.ValueSpec:
			c.declared(n, kind)
			return false
		case *ast.CallExpr:
			if n != node {
				c.call(n, kind)
				return false
			}
		case *ast.BinaryExpr, *ast.BasicLit:
			return c.text(n.(ast.Expr), kind)
		}
		return true
	})
}

// lastWord returns "Hint" of "helpHint", "hint" of "hint" and of "HintOf".
func lastWord(name string) string {
	if strings.HasSuffix(name, "Hint") || strings.HasPrefix(name, "hint") || name == "HintOf" {
		return "hint"
	}
	return name
}

func (c *collector) keyed(n *ast.KeyValueExpr, kind string) bool {
	key, ok := n.Key.(*ast.Ident)
	if !ok {
		return true
	}
	if !elsewhere[key.Name] {
		c.inside(n.Value, cmp.Or(kinds[key.Name], kind))
	}
	return false
}

// literal handles cmdline.UsageError{Message: …, Hint: …} and cmdline.Hinted{Err: …, Hint: …}.
func (c *collector) literal(n *ast.CompositeLit) bool {
	name, ok := n.Type.(*ast.Ident)
	if qualified, is := n.Type.(*ast.SelectorExpr); is {
		name, ok = qualified.Sel, true
	}
	if !ok || name.Name != "UsageError" && name.Name != "Hinted" {
		return true
	}
	for i, element := range n.Elts {
		value, kind := element, "error"
		if pair, keyed := element.(*ast.KeyValueExpr); keyed {
			value = pair.Value
			if key, ok := pair.Key.(*ast.Ident); ok && key.Name == "Hint" {
				kind = "hint"
			}
		} else if i == 1 {
			kind = "hint"
		}
		c.inside(value, kind)
	}
	return false
}

func (c *collector) assigned(n *ast.AssignStmt, kind string) {
	for _, left := range n.Lhs {
		c.inside(left, "") // out.Warning(…).Help = …
	}
	for i, value := range n.Rhs {
		kind := kind
		if i < len(n.Lhs) {
			switch left := n.Lhs[i].(type) {
			case *ast.SelectorExpr:
				kind = cmp.Or(kinds[left.Sel.Name], kind)
			case *ast.Ident:
				kind = cmp.Or(kinds[left.Name], kind)
			}
		}
		c.inside(value, kind)
	}
}

// declared derives the kind from a constant's name: "allowEmptyHint" is a hint.
func (c *collector) declared(n *ast.ValueSpec, kind string) {
	for i, value := range n.Values {
		c.inside(value, cmp.Or(kinds[lastWord(n.Names[min(i, len(n.Names)-1)].Name)], kind))
	}
}

// call visits a call's arguments; Sprintf is a text itself.
func (c *collector) call(n *ast.CallExpr, kind string) {
	pkg, name := called(n)
	switch {
	case pkg == "regexp" || name == "panic" || pkg == "template" || pkg == "strconv" || pkg == "filepath":
		return
	case pkg == "strings" && name != "Join" && name != "Repeat" && name != "WriteString":
		return
	case pkg == "errors" && name == "New":
		kind = "error"
	case name == "warn" && pkg != "":
		kind = "finding" // out.warn
	default:
		kind = cmp.Or(kinds[lastWord(name)], kind)
	}
	c.inside(n.Fun, "")
	for i, arg := range n.Args {
		if name == "PrintError" && i == 2 {
			kind = "hint"
		}
		c.inside(arg, kind)
	}
}

func called(n *ast.CallExpr) (pkg, name string) {
	switch f := n.Fun.(type) {
	case *ast.Ident:
		return "", f.Name
	case *ast.SelectorExpr:
		if x, ok := f.X.(*ast.Ident); ok {
			return x.Name, f.Sel.Name
		}
		return "?", f.Sel.Name
	}
	return "?", ""
}

func (c *collector) inside(n ast.Expr, kind string) {
	switch n := n.(type) {
	case *ast.BasicLit, *ast.BinaryExpr:
		if !c.text(n, kind) {
			return
		}
	case *ast.CallExpr:
		c.call(n, kind)
		return
	case *ast.CompositeLit:
		if !c.literal(n) {
			return
		}
	}
	c.within(n, kind)
}

// text handles an expression that is a text with values. more means that its descendants must still be visited.
func (c *collector) text(n ast.Expr, kind string) (more bool) {
	parts, said := partsOf(n)
	if !said {
		return true
	}
	m := Message{Kind: cmp.Or(kind, "text"), Room: c.room, Parts: parts, Places: []string{c.fset.Position(n.Pos()).String()}}
	if m.speaks() {
		c.list = append(c.list, m)
	}
	if b, ok := n.(*ast.BinaryExpr); ok {
		c.values(b, kind)
	}
	return false
}

// values visits the calls in a concatenation.
func (c *collector) values(n ast.Expr, kind string) {
	switch n := n.(type) {
	case *ast.BinaryExpr:
		c.values(n.X, kind)
		c.values(n.Y, kind)
	case *ast.CallExpr:
		if _, said := partsOf(n); !said {
			c.call(n, kind)
		}
	}
}

var (
	verb  = regexp.MustCompile(`%(\[\d+\])?[-+#0]*(\d+|\*)?(\.\d+)?[a-zA-Z]|%%`)
	words = regexp.MustCompile(`\pL[\pL'’-]*[,;:]? (to |of )*\pL\pL|^ ?\pL\pL+:? ?$`)
)

// speaks reports whether a message is a single line with words.
func (m Message) speaks() bool {
	text := m.Text()
	known := m.Kind != "text" && m.Kind != "finding" // can be a single word
	return !strings.Contains(strings.TrimSuffix(text, "\n"), "\n") && (known && strings.ContainsAny(text, "abcdefghijklmnopqrstuvwxyz") ||
		strings.Contains(text, " ") && (words.MatchString(text) || len(m.Parts) > 1 && letters(m.Parts) >= enough))
}

// partsOf splits a text into parts: a literal, a concatenation or a Sprintf call.
func partsOf(n ast.Expr) (parts []string, said bool) {
	switch n := n.(type) {
	case *ast.BasicLit:
		if n.Kind != token.STRING {
			return nil, false
		}
		text, err := strconv.Unquote(n.Value)
		if err != nil {
			panic(err) // valid Go source
		}
		return split(text), true
	case *ast.ParenExpr:
		return partsOf(n.X)
	case *ast.BinaryExpr:
		if n.Op != token.ADD {
			return nil, false
		}
		left, saidLeft := partsOf(n.X)
		right, saidRight := partsOf(n.Y)
		if !saidLeft && !saidRight {
			return nil, false
		}
		return join(orValue(left, saidLeft), orValue(right, saidRight)), true
	case *ast.CallExpr:
		if pkg, name := called(n); pkg == "fmt" && name == "Sprintf" {
			return partsOf(n.Args[0])
		}
	}
	return nil, false
}

func orValue(parts []string, said bool) []string {
	if !said {
		return []string{"", ""}
	}
	return parts
}

// join concatenates two lists of parts and merges the adjoining ones.
func join(a, b []string) []string {
	all := append(slices.Clone(a[:len(a)-1]), a[len(a)-1]+b[0])
	return append(all, b[1:]...)
}

func split(format string) (parts []string) {
	start, part := 0, ""
	for _, at := range verb.FindAllStringIndex(format, -1) {
		part += format[start:at[0]]
		if start = at[1]; format[at[0]:at[1]] == "%%" {
			part += "%"
			continue
		}
		parts, part = append(parts, part), ""
	}
	return append(parts, part+format[start:])
}

// Table is commands/testdata/messages.md.
func Table(all []Message) string {
	var b, parts strings.Builder
	heads := map[string]string{
		"error": "Errors", "hint": "Hints", "warning": "Warnings", "finding": "What findings say", "text": "The rest of what is printed", Page: "What pages show",
	}
	b.WriteString("# Messages\n\nEvery text of the program except help and rules, by package; `" + Value + "` marks a value. Errors (`cupel: error:`)\n" +
		"have exit code 2. Hints (`cupel: hint:`) say what to do. `make docs` collects the texts from the source.\n" +
		"Help with frequent errors: [troubleshooting.md](troubleshooting.md). The rules: [rules.md](rules.md).\n")
	kind, room, partsRoom := "", "", ""
	for _, m := range all {
		if m.Kind == title {
			continue
		}
		line := "    " + strings.ReplaceAll(strings.TrimRight(m.Text(), "\n "), "\x00", `\x00`) + "\n"
		if m.Part() {
			if at := m.Room + ": " + m.Kind; at != partsRoom {
				partsRoom = at
				fmt.Fprintf(&parts, "\n### %s\n\n", at)
			}
			parts.WriteString(line)
			continue
		}
		if m.Kind != kind {
			kind, room = m.Kind, ""
			fmt.Fprintf(&b, "\n## %s\n", heads[kind])
		}
		if m.Room != room {
			room = m.Room
			fmt.Fprintf(&b, "\n### %s: %s\n\n", room, kind)
		}
		b.WriteString(line)
	}
	if parts.Len() > 0 {
		b.WriteString("\n## Parts of messages\n\nThe program puts these words into a message, a table or a page, or writes them into a file.\n")
		b.WriteString(parts.String())
	}
	return b.String()
}
