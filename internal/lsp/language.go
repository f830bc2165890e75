package lsp

import (
	"context"

	"github.com/cupel-dev/cupel/finding"
)

// Language answers the server's questions about documents. Offsets are bytes; the server converts positions. Methods
// are called concurrently, except that Check and Format never run at the same time. After the context ends, the
// server discards the answer.
type Language interface {
	// Check returns all diagnostics of a document, in text order.
	Check(ctx context.Context, doc Document) []Diagnostic
	// Hover explains the text at an offset and the findings there. ok is false if there is no explanation.
	Hover(doc Document, at int, found []finding.Finding) (h Hover, ok bool)
	// Complete returns the completions at an offset.
	Complete(doc Document, at int) []Completion
	// Format returns the edits for the standard layout, or nil if the document has it or its kind has no layout. It
	// returns an error for a document that cannot be formatted.
	Format(doc Document) ([]finding.Edit, error)
	// Symbols returns the named parts of a document.
	Symbols(doc Document) []Symbol
}

// Document is a snapshot of an open document.
type Document struct {
	URI        string
	Path       string // "" if it is not a file
	LanguageID string // as set by the client
	Text       string
}

// Diagnostic is a finding with its range.
type Diagnostic struct {
	finding.Finding
	Start, End int
}

// Hover is the explanation of a range of text.
type Hover struct {
	Markdown   string
	Start, End int
}

// Completion is a possible replacement of a range of text.
type Completion struct {
	Label      string
	Kind       CompletionKind
	Detail     string
	Markdown   string
	Start, End int
	Text       string
}

// CompletionKind uses the protocol's numbers.
type CompletionKind int

const (
	CompleteKey       CompletionKind = 10 // Property
	CompleteValue     CompletionKind = 12 // Value
	CompleteMember    CompletionKind = 20 // EnumMember
	CompleteReference CompletionKind = 18 // Reference
)

// Symbol is a named part of a text and its children.
type Symbol struct {
	Name, Detail       string
	Kind               SymbolKind
	Start, End         int
	NameStart, NameEnd int // within the symbol's range
	Children           []Symbol
}

// SymbolKind uses the protocol's numbers.
type SymbolKind int

const (
	SymbolNamespace SymbolKind = 3
	SymbolProperty  SymbolKind = 7
	SymbolFunction  SymbolKind = 12
	SymbolObject    SymbolKind = 19
	SymbolKey       SymbolKind = 20
	SymbolEvent     SymbolKind = 24
)
