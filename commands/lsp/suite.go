package lspcmd

import (
	"context"
	"fmt"

	"github.com/cupel-dev/cupel/attest"
	"github.com/cupel-dev/cupel/attest/suite"
	"github.com/cupel-dev/cupel/commands/internal/app"
	"github.com/cupel-dev/cupel/finding"
	"github.com/cupel-dev/cupel/internal/draft"
	"github.com/cupel-dev/cupel/internal/lsp"
)

type editorSuites struct {
	engine *attest.Engine
	schema schemaPlace
}

func newEditorSuites() *editorSuites {
	return &editorSuites{engine: attest.NewEngine(attest.Options{}), schema: newSchemaPlace(suite.Schema())}
}

// claims reports whether a document is a suite: it has assertions, or is a list of them, or one.
func (*editorSuites) claims(_ lsp.Document, root *draft.Node) bool {
	if root.Child("assertions") != nil || root.Child("assertion_id") != nil {
		return true
	}
	return root.Kind == draft.List && len(root.Children) > 0 && root.Children[0].Child("assertion_id") != nil
}

// maxEditorSuite limits a suite that is checked in an editor, in bytes, because reading takes a hundred times its
// size.
const maxEditorSuite = 1 << 20

func (s *editorSuites) check(ctx context.Context, doc lsp.Document) []lsp.Diagnostic {
	if len(doc.Text) > maxEditorSuite {
		return []lsp.Diagnostic{{Finding: finding.Finding{
			Severity: finding.Warning, Message: fmt.Sprintf("the suite has %d bytes, more than the %d that an editor has checked", len(doc.Text), maxEditorSuite),
			Help: "`cupel attest eval` reads it whole",
		}}}
	}
	_, list := suite.Parse(s.engine, nameOf(doc), []byte(doc.Text), app.Beside(ctx, nameOf(doc), "suite data"))
	return newTextPlaces(doc.Text, "\n").diagnostics(list)
}

func (*editorSuites) format(lsp.Document) ([]finding.Edit, error) { return nil, nil }

// place returns the possible content at a position according to the suite schema.
func (s *editorSuites) place(_ lsp.Document, at *draft.Node) editorPlace { return s.schema.at(at) }

func (*editorSuites) describe(n *draft.Node) (s lsp.Symbol, ok bool) {
	id := n.Text("assertion_id")
	return lsp.Symbol{Name: id, Detail: n.Text("type"), Kind: lsp.SymbolFunction}, id != ""
}
