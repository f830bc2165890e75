package lsp

import (
	"context"

	"github.com/cupel-dev/cupel/finding"
)

// Language is what the server asks about documents. All offsets are bytes of the document's
// text; the server makes the client's positions of them. Methods are called by several
// goroutines at once, but never two of those that read a whole document: Check and Format.
// The end of a context says that nobody waits for the answer any more.
type Language interface {
	// Check is everything that can be said of a document, in the order of its text.
	Check(ctx context.Context, doc Document) []Diagnostic
	// Hover explains what stands at a place, and what was found there; ok is false when there
	// is nothing to say.
	Hover(doc Document, at int, found []finding.Finding) (h Hover, ok bool)
	// Complete is what may be written at a place.
	Complete(doc Document, at int) []Completion
	// Format is what the usual layout changes; nil for a document that has it, or that is of a
	// kind without one. The error says why a document cannot be laid out.
	Format(doc Document) ([]finding.Edit, error)
	// Symbols are the named parts of a document.
	Symbols(doc Document) []Symbol
}

// Document is an open document as it is at one time.
type Document struct {
	URI        string
	Path       string // of a file; "" of a document that is none
	LanguageID string // as the client calls it
	Text       string
}

// Diagnostic is a finding with the part of the text that it is about.
type Diagnostic struct {
	finding.Finding
	Start, End int
}

// Hover is what is shown of a part of a text.
type Hover struct {
	Markdown   string
	Start, End int
}

// Completion is something that may be written instead of a part of a text.
type Completion struct {
	Label      string
	Kind       CompletionKind
	Detail     string // in a few words
	Markdown   string
	Start, End int
	Text       string
}

// CompletionKind says what is completed; the numbers are the protocol's.
type CompletionKind int

// The kinds.
const (
	CompleteKey       CompletionKind = 10 // Property
	CompleteValue     CompletionKind = 12 // Value
	CompleteMember    CompletionKind = 20 // EnumMember
	CompleteReference CompletionKind = 18 // Reference
)

// Symbol is a named part of a text, which may have others in it.
type Symbol struct {
	Name, Detail       string
	Kind               SymbolKind
	Start, End         int
	NameStart, NameEnd int // within the part
	Children           []Symbol
}

// SymbolKind says what a symbol is shown as; the numbers are the protocol's.
type SymbolKind int

// The kinds.
const (
	SymbolNamespace SymbolKind = 3
	SymbolProperty  SymbolKind = 7
	SymbolFunction  SymbolKind = 12
	SymbolObject    SymbolKind = 19
	SymbolKey       SymbolKind = 20
	SymbolEvent     SymbolKind = 24
)
