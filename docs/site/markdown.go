package main

import (
	"bytes"
	"fmt"
	"html/template"
	"net/url"
	"os"
	"path"
	"path/filepath"
	"strings"
	"unicode"

	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/extension"
	"github.com/yuin/goldmark/parser"
	"github.com/yuin/goldmark/text"
	"github.com/yuin/goldmark/util"
)

// markdown parses documents. Cells are aligned by an attribute, because pages do not allow inline styles.
var markdown = goldmark.New(
	goldmark.WithExtensions(extension.Linkify, extension.NewTable(extension.WithTableCellAlignMethod(extension.TableCellAlignAttribute))),
	goldmark.WithParserOptions(parser.WithAutoHeadingID()),
)

// anchors gives headings the same ids as other Markdown viewers, for links.
type anchors map[string]int

func (a anchors) Generate(value []byte, _ ast.NodeKind) []byte {
	id := slug(string(value))
	n := a[id]
	a[id]++
	if n > 0 {
		id = fmt.Sprintf("%s-%d", id, n)
	}
	return []byte(id)
}

func (a anchors) Put(value []byte) { a[string(value)]++ }

// slug returns a heading's id: letters, digits, hyphens and underscores, in lower case, with hyphens for spaces.
func slug(heading string) string {
	return strings.Map(func(r rune) rune {
		switch {
		case r == ' ':
			return '-'
		case r == '-' || r == '_' || unicode.IsLetter(r) || unicode.IsDigit(r):
			return unicode.ToLower(r)
		}
		return -1
	}, strings.TrimSpace(heading))
}

// render converts a document to HTML. Links lead to pages, and names of rules and commands become links.
func (s *site) render(d *document) error {
	d.mentions = map[string]bool{}
	tree := markdown.Parser().Parse(text.NewReader(d.text), parser.WithContext(parser.NewContext(parser.WithIDs(anchors{}))))
	root := ""
	if d.address != "" {
		root = "../"
	}
	var names []*ast.CodeSpan
	err := ast.Walk(tree, func(n ast.Node, entering bool) (ast.WalkStatus, error) {
		if !entering {
			return ast.WalkContinue, nil
		}
		switch n := n.(type) {
		case *ast.Heading:
			id, _ := n.AttributeString("id")
			b, _ := id.([]byte)
			d.headings = append(d.headings, heading{n.Level, string(b), plain(n, d.text)})
			return ast.WalkSkipChildren, nil
		case *ast.Link:
			named := s.byFile[path.Join(path.Dir(d.file), plain(n, d.text))]
			address, err := s.resolve(d, root, string(n.Destination))
			n.Destination = []byte(address)
			if named != nil { // the words are the file's name
				n.RemoveChildren(n)
				n.AppendChild(n, ast.NewString([]byte(named.title)))
			}
			return ast.WalkSkipChildren, err
		case *ast.Image:
			address, err := s.picture(d, root, string(n.Destination))
			n.Destination = []byte(address)
			return ast.WalkSkipChildren, err
		case *ast.RawHTML, *ast.HTMLBlock:
			return ast.WalkStop, fmt.Errorf("%s: HTML stands in the text: %q", d.file, plain(n, d.text))
		case *ast.CodeSpan:
			names = append(names, n)
		}
		return ast.WalkContinue, nil
	})
	if err != nil {
		return err
	}
	for _, n := range names {
		s.linkName(d, root, n)
	}
	var b bytes.Buffer
	if err := markdown.Renderer().Render(&b, d.text, tree); err != nil {
		return err
	}
	d.HTML = template.HTML(b.String()) // goldmark escapes its output and drops the documents' HTML
	return nil
}

// linkName links a rule id or command name in code.
func (s *site) linkName(d *document, root string, n *ast.CodeSpan) {
	name := plain(n, d.text)
	address := ""
	if s.ruleIDs[name] {
		d.mentions[name] = true
		address = "rules/" + name
	} else if called, ok := strings.CutPrefix(name, "cupel "); ok {
		for _, c := range s.Tables.Commands {
			if called == c.Name || strings.HasPrefix(called, c.Name+" ") {
				address = commandAddress(c.Name)
			}
		}
	}
	if address == "" {
		return
	}
	link := ast.NewLink()
	link.Destination = []byte(root + s.fileOf(address))
	parent := n.Parent()
	parent.ReplaceChild(parent, n, link)
	link.AppendChild(link, n)
}

func plain(n ast.Node, source []byte) string {
	var b strings.Builder
	_ = ast.Walk(n, func(n ast.Node, entering bool) (ast.WalkStatus, error) {
		switch n := n.(type) {
		case *ast.Text:
			if entering {
				b.Write(n.Segment.Value(source))
			}
		case *ast.String:
			if entering {
				b.Write(n.Value)
			}
		}
		return ast.WalkContinue, nil
	})
	return b.String()
}

// resolve returns the page for a document's link, or the URL of another file in the project.
func (s *site) resolve(d *document, root, target string) (string, error) {
	u, err := url.Parse(target)
	if err != nil {
		return "", fmt.Errorf("%s: %w", d.file, err)
	}
	if u.Scheme != "" || u.Path == "" {
		return target, nil
	}
	file := path.Join(path.Dir(d.file), u.Path)
	fragment := ""
	if u.Fragment != "" {
		fragment = "#" + u.Fragment
	}
	if file == "docs/rules.md" {
		return root + s.fileOf("rules") + fragment, nil
	}
	if to := s.byFile[file]; to != nil {
		return root + s.fileOf(to.address) + fragment, nil
	}
	if _, err := os.Stat(filepath.Join(s.root, filepath.FromSlash(file))); err != nil {
		return "", fmt.Errorf("%s: %w", d.file, err)
	}
	return source + file + fragment, nil
}

func (s *site) picture(d *document, root, target string) (string, error) {
	file := path.Join(path.Dir(d.file), target)
	b, err := os.ReadFile(filepath.Join(s.root, filepath.FromSlash(file)))
	if err != nil {
		return "", fmt.Errorf("%s: %w", d.file, err)
	}
	name := "pictures/" + path.Base(file)
	s.files[name] = b
	return root + name, nil
}

// inline formats a table's text: backquotes are code, rule ids in them links.
func (s *site) inline(root, words string) template.HTML {
	var b strings.Builder
	for i, part := range strings.Split(words, "`") {
		escaped := string(util.EscapeHTML([]byte(part)))
		switch {
		case i%2 == 0:
			b.WriteString(escaped)
		case s.ruleIDs[part]:
			b.WriteString(`<a href="` + root + s.fileOf("rules/"+part) + `"><code>` + escaped + `</code></a>`)
		default:
			b.WriteString("<code>" + escaped + "</code>")
		}
	}
	return template.HTML(b.String()) // escaped above
}
