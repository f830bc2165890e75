package lspcmd

import (
	"context"
	"path/filepath"
	"slices"
	"strings"

	"github.com/cupel-dev/cupel/commands/internal/app"
	"github.com/cupel-dev/cupel/commands/internal/rulelist"
	"github.com/cupel-dev/cupel/finding"
	"github.com/cupel-dev/cupel/internal/config"
	"github.com/cupel-dev/cupel/internal/draft"
	"github.com/cupel-dev/cupel/internal/lsp"
	"github.com/cupel-dev/cupel/internal/report"
)

// editorLanguage is the editor server's knowledge of documents, by kind.
type editorLanguage struct {
	kinds []editorKind
}

type editorKind interface {
	// claims reports whether a document is of the kind.
	claims(doc lsp.Document, root *draft.Node) bool
	// check returns the diagnostics of a document.
	check(ctx context.Context, doc lsp.Document) []lsp.Diagnostic
	// format returns the usual layout's edits, or nil.
	format(doc lsp.Document) ([]finding.Edit, error)
	// place returns the possible content at a position in a document.
	place(doc lsp.Document, at *draft.Node) editorPlace
	// describe returns the name of a node for an outline; ok is false for nodes that are not shown.
	describe(n *draft.Node) (s lsp.Symbol, ok bool)
}

// editorPlace is the possible content at a position: keys or values.
type editorPlace struct {
	keys  []editorWord
	words []editorWord
}

// editorWord is a key or value with its meaning.
type editorWord struct {
	text, title, clause string
	reference           bool   // to something in the same document
	behind              string // what follows a key, its colon with it
}

func (l *editorLanguage) kindOf(doc lsp.Document, root *draft.Node) editorKind {
	i := slices.IndexFunc(l.kinds, func(k editorKind) bool { return k.claims(doc, root) })
	if i < 0 {
		return nil
	}
	return l.kinds[i]
}

// begun returns the possible kinds of a new document; cupel.yaml is identified by name.
func (l *editorLanguage) begun() []editorKind {
	return slices.DeleteFunc(slices.Clone(l.kinds), func(k editorKind) bool { return k == editorKind(editorConfig{}) })
}

// Check implements lsp.Language.
func (l *editorLanguage) Check(ctx context.Context, doc lsp.Document) []lsp.Diagnostic {
	if kind := l.kindOf(doc, draft.Read(doc.Text)); kind != nil {
		return kind.check(ctx, doc)
	}
	return nil
}

// Format implements lsp.Language.
func (l *editorLanguage) Format(doc lsp.Document) ([]finding.Edit, error) {
	if kind := l.kindOf(doc, draft.Read(doc.Text)); kind != nil {
		return kind.format(doc)
	}
	return nil, nil
}

// Hover implements lsp.Language with the rules of findings and the meaning of key and value.
func (l *editorLanguage) Hover(doc lsp.Document, at int, found []finding.Finding) (h lsp.Hover, ok bool) {
	root := draft.Read(doc.Text)
	kind, node := l.kindOf(doc, root), root.Find(at)
	if kind == nil {
		return h, false
	}
	var parts []string
	if node != nil {
		h.Start, h.End = node.Start, node.End
		if node.KeyEnd > 0 && at <= node.KeyEnd {
			h.Start, h.End = node.KeyStart, node.KeyEnd
		}
		parts = append(parts, meaning(kind, doc, node, at)...)
	} else {
		h.Start, h.End = at, at
	}
	var b strings.Builder
	var told []string
	for _, f := range found {
		for _, r := range rulelist.RulesNamed(f.Rule, rulelist.AllRules()) {
			if r.Revision != "" && f.Revision() != "" && r.Revision != f.Revision() || slices.Contains(told, r.ID) {
				continue
			}
			told = append(told, r.ID)
			b.Reset()
			report.ExplainMarkdown(&b, r)
			parts = append(parts, b.String())
		}
	}
	h.Markdown = strings.Join(parts, "\n\n---\n\n")
	return h, len(parts) > 0
}

// meaning returns the meaning of the key or value at a position.
func meaning(kind editorKind, doc lsp.Document, n *draft.Node, at int) (parts []string) {
	list, text := kind.place(doc, n).words, n.Value
	if n.KeyEnd > 0 && at <= n.KeyEnd && n.Parent != nil {
		list, text = kind.place(doc, n.Parent).keys, n.Key
	}
	for _, w := range list {
		if w.text == text && w.title != "" {
			parts = append(parts, w.markdown())
		}
	}
	return parts
}

func (w editorWord) markdown() string {
	text := "**" + w.text + "**: " + w.title
	if w.clause != "" {
		text += "\n\n" + w.clause
	}
	return text
}

// Complete implements lsp.Language.
func (l *editorLanguage) Complete(doc lsp.Document, at int) []lsp.Completion {
	cursor, ok := draft.CursorAt(doc.Text, at)
	if !ok {
		return nil
	}
	root := cursor.Node
	for root.Parent != nil {
		root = root.Parent
	}
	kinds := l.begun()
	if kind := l.kindOf(doc, root); kind != nil {
		kinds = []editorKind{kind}
	} else if slices.ContainsFunc(root.Children, func(n *draft.Node) bool { return !n.Unfinished }) {
		return nil // it is something else
	}
	if !cursor.IsKey && templated(doc.Text[cursor.Start:at]) >= 0 {
		return references(cursor, doc.Text[:at])
	}
	var list []lsp.Completion
	for _, kind := range kinds {
		list = append(list, completions(kind, doc, cursor)...)
	}
	return list
}

// completions returns the missing keys, or the values, at a position.
func completions(kind editorKind, doc lsp.Document, at draft.Cursor) (list []lsp.Completion) {
	n := at.Node
	if at.IsKey {
		for _, w := range kind.place(doc, n.Parent).keys {
			if other := n.Parent.Child(w.text); other == nil || other == n {
				list = append(list, w.completion(at, lsp.CompleteKey, !n.Unfinished))
			}
		}
		return list
	}
	place := kind.place(doc, n)
	for _, w := range place.words {
		what := lsp.CompleteMember
		if w.reference {
			what = lsp.CompleteReference
		}
		list = append(list, w.completion(at, what, true))
	}
	if n.Flow || n.KeyEnd > 0 && !at.Alone() {
		return list // a mapping cannot begin here
	}
	for _, w := range place.keys {
		list = append(list, w.completion(at, lsp.CompleteKey, false))
	}
	return list
}

// completion returns the text to insert for a word. bare means only the word.
func (w editorWord) completion(at draft.Cursor, kind lsp.CompletionKind, bare bool) lsp.Completion {
	c := lsp.Completion{Label: w.text, Kind: kind, Detail: w.title, Start: at.Start, End: at.End, Text: at.Quoted(w.text)}
	if w.clause != "" {
		c.Markdown = w.clause
	}
	if !bare {
		c.Text += w.behind
	}
	return c
}

// Symbols implements lsp.Language.
func (l *editorLanguage) Symbols(doc lsp.Document) []lsp.Symbol {
	root := draft.Read(doc.Text)
	kind := l.kindOf(doc, root)
	if kind == nil {
		return nil
	}
	return symbolsBelow(kind, root)
}

// symbolsBelow returns the named parts of a document as a tree.
func symbolsBelow(kind editorKind, n *draft.Node) (list []lsp.Symbol) {
	for _, c := range n.Children {
		below := symbolsBelow(kind, c)
		s, ok := kind.describe(c)
		if !ok {
			list = append(list, below...)
			continue
		}
		s.Start, s.End = c.Extent()
		s.NameStart, s.NameEnd = namePlace(c, s.Name)
		s.Children = below
		list = append(list, s)
	}
	return list
}

// namePlace returns the position of a node's name: the value of one of its keys, or its own key.
func namePlace(n *draft.Node, name string) (start, end int) {
	for _, c := range n.Children {
		if c.Kind == draft.Scalar && c.Value == name {
			return c.Start, c.End
		}
	}
	start, _ = n.Extent()
	return start, max(start, n.KeyEnd)
}

// baseOf returns a document's file name, or the end of its URI.
func baseOf(doc lsp.Document) string {
	if doc.Path != "" {
		return filepath.Base(doc.Path)
	}
	return doc.URI[strings.LastIndexByte(doc.URI, '/')+1:]
}

func nameOf(doc lsp.Document) string {
	if doc.Path != "" {
		return doc.Path
	}
	return doc.URI
}

// nearestTo returns a new configuration finder per check, because files can change.
func nearestTo(ctx context.Context) *app.Nearest {
	return &app.Nearest{Ctx: ctx, ByDir: map[string]config.Config{}, ByPath: map[string]config.Config{}}
}
