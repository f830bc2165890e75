package lspcmd

import (
	"cmp"
	"context"
	"slices"
	"strings"
	"sync"

	"github.com/cupel-dev/cupel/commands/internal/app"
	"github.com/cupel-dev/cupel/commands/internal/recognize"
	"github.com/cupel-dev/cupel/finding"
	"github.com/cupel-dev/cupel/internal/draft"
	"github.com/cupel-dev/cupel/internal/lsp"
	"github.com/cupel-dev/cupel/oatf"
	"github.com/cupel-dev/cupel/oatf/format"
	"github.com/cupel-dev/cupel/oatf/keys"
)

type editorDocuments struct {
	ctx    context.Context
	strict bool

	mu        sync.Mutex
	revisions map[string]oatf.Revision // by the URIs of documents, as they were checked last
}

// maxRevisions limits the documents whose revision is remembered.
const maxRevisions = 1000

// remember stores a document's revision. An unreadable document keeps the last one.
func (d *editorDocuments) remember(uri string, r oatf.Revision) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if r == "" {
		return
	}
	if d.revisions == nil || len(d.revisions) >= maxRevisions {
		d.revisions = map[string]oatf.Revision{}
	}
	d.revisions[uri] = r
}

// revision returns a document's last revision, or "".
func (d *editorDocuments) revision(uri string) oatf.Revision {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.revisions[uri]
}

func (*editorDocuments) claims(doc lsp.Document, root *draft.Node) bool {
	return doc.LanguageID == recognize.DocumentKey || root.Child(recognize.DocumentKey) != nil || root.Child("attack") != nil
}

// check returns the findings of `cupel oatf lint` with the nearest cupel.yaml, ignored if faulty.
func (d *editorDocuments) check(_ context.Context, doc lsp.Document) []lsp.Diagnostic {
	opt := oatf.CheckOptions{File: nameOf(doc), Strict: d.strict, Limits: oatf.Limits{Bytes: lsp.MaxDocument}}
	w := app.FileWeights{Given: map[string]bool{}, Files: app.OwnFiles, ByFile: map[string]app.Weight{}}
	if doc.Path != "" {
		w.Heeds = nearestTo(d.ctx)
		says, _ := w.Heeds.Of(doc.Path)
		if says.Excluder(doc.Path, false) != nil {
			return nil
		}
		known := app.Revisions{Heeds: w.Heeds, ByFile: map[string]oatf.Revision{}}
		opt.Revision, _ = known.Of(doc.Path)
		opt.Strict = d.strict || app.SelectsLint(says) || says.Strict != nil && says.Strict.On
	}
	told := opt.Check([]byte(doc.Text))
	d.remember(doc.URI, told.Revision)
	list := narrowed(told.Findings, func(f finding.Finding) bool {
		heeded, _ := w.Of(f.File)
		return heeded.Choose.Keeps(f.Rule)
	})
	return newTextPlaces(doc.Text, yamlBreaks).diagnostics(list)
}

// narrowed returns the findings and parts of findings that keep accepts.
func narrowed(list []finding.Finding, keep func(finding.Finding) bool) (kept []finding.Finding) {
	for _, f := range list {
		kept = append(kept, oatf.Narrow(f, keep)...)
	}
	return finding.Sort(kept)
}

func (d *editorDocuments) format(doc lsp.Document) ([]finding.Edit, error) {
	edits, err := format.Options{Limits: oatf.Limits{Bytes: lsp.MaxDocument}}.Edits([]byte(doc.Text))
	if err != nil {
		return nil, app.FaultIn(baseOf(doc), err)
	}
	return edits, nil
}

// place returns the possible content at a position, in the document's last revision.
func (d *editorDocuments) place(doc lsp.Document, at *draft.Node) (place editorPlace) {
	path := at.Path()
	if len(path) > maxEditorPath {
		return place
	}
	revision, where := d.revision(doc.URI), whereOf(at)
	has := keys.At(revision, path, where)
	for _, k := range has.Keys {
		w := editorWord{text: k.Text, title: k.Title, clause: k.Clause, behind: ": "}
		if k.Nested {
			w.behind = ":"
		}
		place.keys = append(place.keys, w)
	}
	for _, k := range has.Words {
		place.words = append(place.words, editorWord{text: k.Text, title: k.Title, clause: k.Clause})
	}
	place.words = append(place.words, offeredWords(revision, at, where.Mode)...)
	if has.Names == keys.Actors {
		for _, a := range rootOf(at).At("attack", "execution", "actors").Elements() {
			if name := a.Text("name"); name != "" {
				place.words = append(place.words, editorWord{text: name, title: "an actor of this document", reference: true})
			}
		}
	}
	return place
}

// maxEditorPath limits the depth of completions.
const maxEditorPath = 64

// whereOf returns the mode and protocol that apply at a position.
func whereOf(n *draft.Node) (w keys.Where) {
	for p := n; p != nil; p = p.Parent {
		if w.Mode == "" {
			w.Mode = oatf.Mode(p.Text("mode"))
		}
		if w.Protocol == "" {
			w.Protocol = oatf.Protocol(p.Text("protocol"))
		}
	}
	if everywhere := rootOf(n).At("attack", "execution").Text("mode"); w.Mode == "" {
		w.Mode = oatf.Mode(everywhere)
	}
	if w.Protocol == "" && w.Mode != "" {
		w.Protocol = oatf.ExtractProtocol(w.Mode)
	}
	if !slices.Contains(oatf.KnownModes(), w.Mode) {
		w.Mode = ""
	}
	if !slices.Contains(oatf.KnownProtocols(), w.Protocol) {
		w.Protocol = ""
	}
	return w
}

// describe names the parts of an attack: itself, its actors, phases, extractors and indicators, and its tools.
func (*editorDocuments) describe(n *draft.Node) (s lsp.Symbol, ok bool) {
	in := ""
	if n.Element() {
		in = n.Parent.Key
	}
	name := func(keys ...string) string {
		for _, key := range keys {
			if text := n.Text(key); text != "" {
				return text
			}
		}
		return in
	}
	switch {
	case n.Key == "attack" && n.Parent.Parent == nil:
		return lsp.Symbol{Name: cmp.Or(n.Text("name"), n.Text("id"), "attack"), Detail: n.Text("id"), Kind: lsp.SymbolNamespace}, true
	case in == "actors":
		return lsp.Symbol{Name: name("name"), Detail: n.Text("mode"), Kind: lsp.SymbolObject}, true
	case in == "phases":
		return lsp.Symbol{Name: name("name"), Detail: n.Text("mode"), Kind: lsp.SymbolEvent}, true
	case in == "extractors":
		return lsp.Symbol{Name: name("name"), Detail: n.Text("selector"), Kind: lsp.SymbolProperty}, true
	case in == "indicators":
		return lsp.Symbol{Name: name("id", "surface", "target"), Detail: n.Text("surface"), Kind: lsp.SymbolKey}, true
	case in == "tools", in == "prompts", in == "resources":
		return lsp.Symbol{Name: name("name", "uri"), Detail: in, Kind: lsp.SymbolFunction}, true
	}
	return s, false
}

// templated returns the offset after the braces of an unclosed template at a text's end, or -1.
func templated(text string) int {
	open := strings.LastIndex(text, "{{")
	if open < 0 || strings.Contains(text[open:], "}}") {
		return -1
	}
	return open + len("{{")
}

// references returns the possible references in a template: the actor's extractors, all actors' by qualified name,
// and message members.
func references(at draft.Cursor, before string) (list []lsp.Completion) {
	start := at.Start + templated(before[at.Start:])
	message := func(name, detail string) {
		list = append(list, lsp.Completion{Label: name, Kind: lsp.CompleteReference, Detail: detail, Start: start, End: len(before), Text: name})
	}
	add := func(phases *draft.Node, actor string) {
		for _, phase := range phases.Elements() {
			for _, x := range phase.Child("extractors").Elements() {
				if name := x.Text("name"); name != "" {
					list = append(list, lsp.Completion{
						Label: actor + name, Kind: lsp.CompleteReference, Detail: x.Text("type") + " " + x.Text("selector"),
						Start: start, End: len(before), Text: actor + name,
					})
				}
			}
		}
	}
	for n := at.Node; n != nil; n = n.Parent {
		add(n.Child("phases"), "")
	}
	for _, a := range rootOf(at.Node).At("attack", "execution", "actors").Elements() {
		if name := a.Text("name"); name != "" {
			add(a.Child("phases"), name+".")
		}
	}
	message("request.", "a path into the request")
	message("response.", "a path into the response")
	return list
}

func rootOf(n *draft.Node) *draft.Node {
	for n.Parent != nil {
		n = n.Parent
	}
	return n
}

func newEditorLanguage(ctx context.Context, strict bool) *editorLanguage {
	return &editorLanguage{kinds: []editorKind{editorConfig{}, &editorDocuments{ctx: ctx, strict: strict}, newEditorSuites()}}
}
