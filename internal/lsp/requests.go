package lsp

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/cupel-dev/cupel/finding"
	"github.com/cupel-dev/cupel/internal/rpc"
)

var requests = map[string]func(*server, rpc.Request) (rpc.Reply, *responseError){
	"textDocument/hover":          about(hovered),
	"textDocument/completion":     about(completed),
	"textDocument/codeAction":     about(actions),
	"textDocument/formatting":     about(formatted),
	"textDocument/documentSymbol": about(symbols),
}

type documentRequest struct {
	*server
	doc  Document
	text *text
	in   Encoding
}

// workFactor is the memory of an answer per byte of the document.
const workFactor = 10

// about returns a request handler for a function on an open document. For unknown documents the result is empty.
func about[P interface{ uri() string }](answer func(context.Context, documentRequest, P) (any, *responseError)) func(*server, rpc.Request) (rpc.Reply, *responseError) {
	return func(s *server, r rpc.Request) (reply rpc.Reply, refused *responseError) {
		var p P
		if refused := decode(r, &p); refused != nil {
			return reply, refused
		}
		s.mu.Lock()
		defer s.mu.Unlock()
		d := s.documents.open[p.uri()]
		switch {
		case d == nil:
			return reply, &responseError{codeInvalidParams, quoted(p.uri()) + " is not open"}
		case d.text == nil:
			return reply, &responseError{codeRequestFailed, d.problem}
		}
		a := documentRequest{s, d.snapshot(), d.text, s.encoding}
		do := func(ctx context.Context) (any, *responseError) { return answer(ctx, a, p) }
		return rpc.Reply{Work: s.cancellable(string(r.ID), do), Weight: workFactor * int64(len(a.text.all))}, nil
	}
}

// span converts byte offsets to a range.
func (a documentRequest) span(start, end int) Range { return a.text.span(start, end, a.in) }

func hovered(ctx context.Context, a documentRequest, p positionParams) (any, *responseError) {
	at := a.text.offset(p.Position, a.in)
	var found []finding.Finding
	for _, d := range a.checker.of(ctx, a.text, a.doc) {
		if d.Start <= at && at <= d.End {
			found = append(found, d.Finding)
		}
	}
	h, ok := a.language.Hover(a.doc, at, found)
	if !ok {
		return nil, nil
	}
	return hover{markupContent{"markdown", h.Markdown}, a.span(h.Start, h.End)}, nil
}

func completed(_ context.Context, a documentRequest, p positionParams) (any, *responseError) {
	list := a.language.Complete(a.doc, a.text.offset(p.Position, a.in))
	items := make([]completionItem, len(list))
	for i, c := range list {
		items[i] = completionItem{
			Label: c.Label, Kind: int(c.Kind), Detail: c.Detail, SortText: fmt.Sprintf("%04d", i), FilterText: c.Label,
			TextEdit: textEdit{a.span(c.Start, c.End), c.Text},
		}
		if c.Markdown != "" {
			items[i].Documentation = &markupContent{"markdown", c.Markdown}
		}
	}
	return items, nil
}

// The kinds of code actions: a diagnostic's fix, and all that rest on no guess.
const (
	quickFix = "quickfix"
	fixAll   = "source.fixAll"
)

// fixedAll returns the action that applies all safe fixes of a document, if there are any. Of overlapping fixes it
// takes the first.
func (a documentRequest) fixedAll(found []Diagnostic) (list []codeAction) {
	var edits []finding.Edit
	for _, d := range found {
		if d.Fix != nil && !d.Fix.Unsafe && !overlaps(edits, d.Fix.Edits) {
			edits = append(edits, d.Fix.Edits...)
		}
	}
	if len(edits) == 0 {
		return nil
	}
	return []codeAction{{
		Title: "apply all safe fixes", Kind: fixAll, Diagnostics: []diagnostic{},
		Edit: workspaceEdit{map[string][]textEdit{a.doc.URI: a.edits(edits)}},
	}}
}

func overlaps(taken, edits []finding.Edit) bool {
	return slices.ContainsFunc(edits, func(e finding.Edit) bool {
		return slices.ContainsFunc(taken, func(t finding.Edit) bool { return t.Start < e.End && e.Start < t.End || t.Start == e.Start })
	})
}

// actions returns the fixes of diagnostics in a range and, if the client asks for it, the action that applies all.
func actions(ctx context.Context, a documentRequest, p codeActionParams) (any, *responseError) {
	list := []codeAction{}
	wants := func(kind string) bool {
		return slices.ContainsFunc(p.Context.Only, func(only string) bool { return only == "" || only == kind || strings.HasPrefix(kind, only+".") })
	}
	if wants(fixAll) {
		list = append(list, a.fixedAll(a.checker.of(ctx, a.text, a.doc))...)
	}
	if len(p.Context.Only) > 0 && !wants(quickFix) {
		return list, nil
	}
	start, end := a.text.offset(p.Range.Start, a.in), a.text.offset(p.Range.End, a.in)
	for _, d := range a.checker.of(ctx, a.text, a.doc) {
		if d.Fix == nil || d.Start > end || d.End < start {
			continue
		}
		list = append(list, codeAction{
			Title: d.Fix.Title, Kind: quickFix, IsPreferred: !d.Fix.Unsafe,
			Diagnostics: converted(a.text, []Diagnostic{d}, a.in),
			Edit:        workspaceEdit{map[string][]textEdit{a.doc.URI: a.edits(d.Fix.Edits)}},
		})
	}
	return list, nil
}

// edits converts edits to the protocol's form, in text order. Positions cannot split a CR LF: such
// an edit is widened and can merge with the next one.
func (a documentRequest) edits(edits []finding.Edit) []textEdit {
	sorted := slices.Clone(edits)
	slices.SortStableFunc(sorted, func(x, y finding.Edit) int {
		return cmp.Or(cmp.Compare(x.Start, y.Start), cmp.Compare(x.End, y.End))
	})
	var whole []finding.Edit
	for _, e := range sorted {
		all := a.text.all
		if within(all, e.Start) && (len(whole) == 0 || whole[len(whole)-1].End <= e.Start-1) {
			e.Start, e.Text = e.Start-1, all[e.Start-1:e.Start]+e.Text
		}
		if within(all, e.End) {
			e.End, e.Text = e.End+1, e.Text+all[e.End:e.End+1]
		}
		if last := len(whole) - 1; last >= 0 && e.Start < whole[last].End {
			// The previous edit included the line feed.
			whole[last].Text = strings.TrimSuffix(whole[last].Text, "\n") + e.Text
			whole[last].End = e.End
			continue
		}
		whole = append(whole, e)
	}
	list := make([]textEdit, len(whole))
	for i, e := range whole {
		list[i] = textEdit{a.span(e.Start, e.End), e.Text}
	}
	return list
}

// within reports whether at is between CR and LF.
func within(text string, at int) bool {
	return at > 0 && at < len(text) && text[at-1] == '\r' && text[at] == '\n'
}

func formatted(ctx context.Context, a documentRequest, _ documentParams) (any, *responseError) {
	var edits []finding.Edit
	var err error
	switch done := a.alone(ctx, func() { edits, err = a.language.Format(a.doc) }); {
	case !done:
		return nil, errCancelled
	case err != nil:
		return nil, &responseError{codeRequestFailed, err.Error()}
	}
	return a.edits(edits), nil
}

func symbols(_ context.Context, a documentRequest, _ documentParams) (any, *responseError) {
	left := maxSymbols
	return a.symbols(a.language.Symbols(a.doc), &left), nil
}

// maxSymbols limits the symbols of a response.
const maxSymbols = 5000

// symbols converts up to *left symbols to the protocol's form.
func (a documentRequest) symbols(list []Symbol, left *int) []documentSymbol {
	out := []documentSymbol{}
	for _, s := range list {
		if *left == 0 {
			break
		}
		*left--
		out = append(out, documentSymbol{
			Name: s.Name, Detail: s.Detail, Kind: int(s.Kind),
			Range: a.span(s.Start, s.End), SelectionRange: a.span(s.NameStart, s.NameEnd), Children: a.symbols(s.Children, left),
		})
	}
	return out
}
