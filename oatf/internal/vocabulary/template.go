package vocabulary

import (
	"iter"
	"strings"

	"github.com/cupel-dev/cupel/internal/say"
)

// TemplatePiece is a part of a template string (§5.5).
type TemplatePiece struct {
	Kind TemplateKind
	Text string // literal text, or the reference without braces
}

// TemplateKind is the kind of a template part.
type TemplateKind uint8

// The kinds of parts.
const (
	TemplateText      TemplateKind = iota // literal text; a "\{{" is the text "{{"
	TemplateReference                     // the text between "{{" and the next "}}"
	TemplateUnclosed                      // a "{{" without a "}}" after it: text, of a template that is invalid
)

const opening, closing = "{{", "}}"

// TemplatePieces splits a template string into text and references.
func TemplatePieces(template string) iter.Seq[TemplatePiece] {
	return func(yield func(TemplatePiece) bool) {
		hasClosing := true // the rest has a closing brace
		for rest := template; rest != ""; {
			before, after, found := strings.Cut(rest, opening)
			if !found {
				yield(TemplatePiece{TemplateText, rest})
				return
			}
			before, escaped := strings.CutSuffix(before, `\`)
			if before != "" && !yield(TemplatePiece{TemplateText, before}) {
				return
			}
			piece := TemplatePiece{TemplateText, opening}
			if rest = after; !escaped {
				piece.Kind = TemplateUnclosed
				if hasClosing = hasClosing && strings.Contains(rest, closing); hasClosing {
					piece.Kind = TemplateReference
					piece.Text, rest, _ = strings.Cut(rest, closing)
				}
			}
			if !yield(piece) {
				return
			}
		}
	}
}

// References returns the references of a template string. unclosed reports a "{{" without end.
func References(template string) (references []string, unclosed bool) {
	for piece := range TemplatePieces(template) {
		switch piece.Kind {
		case TemplateReference:
			references = append(references, piece.Text)
		case TemplateUnclosed:
			unclosed = true
		}
	}
	return references, unclosed
}

// QuotedReference formats a reference for a message.
func QuotedReference(ref string) string { return say.Quoted(opening + ref + closing) }
