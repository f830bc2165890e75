package lsp

import (
	"fmt"
	"net/url"
	"path/filepath"
	"strings"
)

const (
	// MaxDocument limits a document in bytes. OATF documents have a few hundred kilobytes; parsing takes fifty
	// bytes of memory per byte.
	MaxDocument = 4 << 20

	// maxOpen limits the total bytes of all open documents.
	maxOpen = 48 << 20

	// documentCost is the cost of an open document besides its text.
	documentCost = 4 << 10

	// maxEditing limits the bytes that one message's changes can process: about one second.
	maxEditing = 1 << 29
)

type document struct {
	uri, path, languageID string
	version               int64
	text                  *text  // nil if unknown
	problem               string // reason if text is nil
	cost                  int64  // counted against maxOpen
}

func (d *document) snapshot() Document {
	return Document{URI: d.uri, Path: d.path, LanguageID: d.languageID, Text: d.text.all}
}

type documents struct {
	open map[string]*document
	cost int64
}

func (o *documents) put(p didOpenParams) *document {
	o.close(p.TextDocument.URI)
	d := &document{
		uri: strings.Clone(p.TextDocument.URI), path: pathOf(p.TextDocument.URI),
		languageID: p.TextDocument.LanguageID, version: p.TextDocument.Version,
	}
	o.open[d.uri] = d
	o.set(d, newText(p.TextDocument.Text))
	return d
}

// set sets a document's text if it fits the limits.
func (o *documents) set(d *document, t *text) {
	o.cost -= d.cost
	d.cost = int64(documentCost + len(d.uri) + len(t.all))
	switch {
	case len(t.all) > MaxDocument:
		o.lose(d, fmt.Sprintf("the document has %d bytes, more than the %d that are checked", len(t.all), MaxDocument))
		return
	case o.cost+d.cost > maxOpen:
		o.lose(d, fmt.Sprintf("the open documents have more than %d bytes together: this one is not checked; close others and open it again", maxOpen))
		return
	}
	d.text, d.problem = t, ""
	o.cost += d.cost
}

// lose drops a document's text without changing the cost.
func (o *documents) lose(d *document, problem string) {
	d.text, d.problem = nil, problem
	d.cost = int64(documentCost + len(d.uri))
	o.cost += d.cost
}

// forget drops a document's text.
func (o *documents) forget(d *document, problem string) {
	o.cost -= d.cost
	o.lose(d, problem)
}

// change applies the changes of one message in order.
func (o *documents) change(d *document, changes []contentChange, in Encoding) {
	t, left := d.text, int64(maxEditing)
	for _, c := range changes {
		switch {
		case c.Range == nil:
			t = newText(c.Text)
		case t == nil:
			continue // the range is unknown
		case left < 0:
			o.forget(d, "too many changes at once: cupel no longer has the current text; open the document again")
			t = nil
		default:
			left -= int64(len(t.all))
			t = t.replaced(*c.Range, c.Text, in)
		}
	}
	if t != nil {
		o.set(d, t)
	}
}

func (o *documents) close(uri string) {
	if d := o.open[uri]; d != nil {
		o.cost -= d.cost
		delete(o.open, uri)
	}
}

func pathOf(uri string) string {
	u, err := url.Parse(uri)
	if err != nil || u.Scheme != "file" || u.Path == "" {
		return ""
	}
	path := u.Path
	if len(path) > 2 && path[0] == '/' && path[2] == ':' {
		path = path[1:] // before a drive letter
	}
	return filepath.FromSlash(path)
}
