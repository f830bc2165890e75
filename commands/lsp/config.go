package lspcmd

import (
	"context"
	"errors"

	"github.com/cupel-dev/cupel/commands/internal/app"
	"github.com/cupel-dev/cupel/commands/internal/cmdline"
	"github.com/cupel-dev/cupel/commands/internal/rulelist"
	"github.com/cupel-dev/cupel/finding"
	"github.com/cupel-dev/cupel/internal/config"
	"github.com/cupel-dev/cupel/internal/draft"
	"github.com/cupel-dev/cupel/internal/lsp"
	"github.com/cupel-dev/cupel/internal/suggest"
)

type editorConfig struct{}

func (editorConfig) claims(doc lsp.Document, _ *draft.Node) bool { return baseOf(doc) == config.Name }

// check returns the first error in the file, because commands stop there, too.
func (editorConfig) check(_ context.Context, doc lsp.Document) []lsp.Diagnostic {
	file, err := config.Parse(nameOf(doc), []byte(doc.Text))
	if err == nil {
		w := app.FileWeights{Given: map[string]bool{}, Files: app.OwnFiles}
		_, err = w.Merge(file)
	}
	if err == nil {
		_, err = app.RevisionOf(file)
	}
	wrong, ok := errors.AsType[*config.Error](err)
	if !ok {
		return nil
	}
	f := finding.Finding{Severity: finding.Error, Message: wrong.Message, Help: wrong.Hint, File: wrong.Path, Line: wrong.Line, Column: wrong.Column}
	places := newTextPlaces(doc.Text, yamlBreaks)
	f.Fix = suggest.Fix([]byte(doc.Text), places.at(f.Line, f.Column), wrong.Found, wrong.Meant)
	return places.diagnostics([]finding.Finding{f})
}

func (editorConfig) format(lsp.Document) ([]finding.Edit, error) { return nil, nil }

// place returns the possible content at a position in the file.
func (editorConfig) place(_ lsp.Document, at *draft.Node) editorPlace {
	shape := &configFile
	for _, step := range at.Path() {
		if shape = shape.below(step); shape == nil {
			return editorPlace{}
		}
	}
	return shape.place()
}

// describe names the keys of the file.
func (editorConfig) describe(n *draft.Node) (s lsp.Symbol, ok bool) {
	return lsp.Symbol{Name: n.Key, Detail: n.Value, Kind: lsp.SymbolProperty}, n.KeyEnd > 0 && !n.Unfinished && len(n.Path()) <= 2
}

// configShape is the possible content at a kind of position.
type configShape struct {
	keys  []configKey
	item  *configShape // the elements, of a list
	each  *configShape // content of author-defined keys
	words func() []editorWord
}

type configKey struct {
	name, title string
	value       configShape
}

func (s *configShape) below(step string) *configShape {
	if step == draft.ElementStep {
		return s.item
	}
	for i := range s.keys {
		if s.keys[i].name == step {
			return &s.keys[i].value
		}
	}
	return s.each
}

func (s *configShape) place() (p editorPlace) {
	for _, k := range s.keys {
		w := editorWord{text: k.name, title: k.title, behind: ": "}
		if k.value.item != nil || k.value.each != nil || k.value.keys != nil {
			w.behind = ":"
		}
		p.keys = append(p.keys, w)
	}
	if s.words != nil {
		p.words = s.words()
	}
	return p
}

var (
	ruleNames  = configShape{item: &configShape{words: ruleWords}}
	anyStrings = configShape{item: &configShape{}}
)

var configFile = configShape{keys: []configKey{
	{"exclude", "files that a walk leaves out: patterns as in .gitignore", anyStrings},
	{"select", "only these rules are shown: ids, or how ids begin", ruleNames},
	{"ignore", "these rules are not shown: ids, or how ids begin", ruleNames},
	{"per-file-ignores", "patterns of files, each with the rules that are not shown in them", configShape{each: &ruleNames}},
	{"fail-on", "least severity that fails the run", configShape{words: func() []editorWord { return namedWords("a severity", cmdline.WordNames(cmdline.SeverityWords)) }}},
	{"strict", "whether the lint rules L are applied, as --strict does", configShape{words: func() []editorWord { return namedWords("", []string{"true", "false"}) }}},
	{"require", "what each log and evidence input must have: chain, seal, signature, anchor, end, class=…, family=…, format=…, attestation", anyStrings},
	{"evidence", "about events", configShape{keys: []configKey{
		{"classes", "the public, sensitive and forbidden members of events", configShape{item: &configShape{keys: []configKey{
			{"type", "the type of the events; every one when it is absent", configShape{}},
			{"pointer", "the members, as in /data/args/**", configShape{}},
			{"pattern", "what texts look like, an RE2 expression", configShape{}},
			{"class", "how private they are", configShape{words: func() []editorWord {
				return namedWords("a class of privacy", []string{"public", "sensitive", "forbidden"})
			}}},
		}}}},
	}}},
	{"oatf", "about OATF documents", configShape{keys: []configKey{
		{"revision", "as which documents are read, whatever their marks", configShape{words: func() []editorWord { return namedWords("a revision of OATF", app.RevisionNames()) }}},
	}}},
	{"attest", "about suites of assertions", configShape{keys: []configKey{
		{"pairs", "suites with the traces that they are evaluated on", configShape{item: &configShape{keys: []configKey{
			{"suite", "a path or a pattern, from this file's folder", configShape{}},
			{"traces", "paths or patterns, from this file's folder", anyStrings},
		}}}},
	}}},
}}

func namedWords(title string, names []string) []editorWord {
	list := make([]editorWord, len(names))
	for i, name := range names {
		list[i] = editorWord{text: name, title: title}
	}
	return list
}

func ruleWords() (list []editorWord) {
	seen := map[string]bool{}
	for _, r := range rulelist.AllRules() {
		if !seen[r.ID] {
			seen[r.ID] = true
			list = append(list, editorWord{text: r.ID, title: r.Title, clause: r.Clause})
		}
	}
	return list
}
