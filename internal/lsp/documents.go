package lsp

import (
	"fmt"
	"net/url"
	"path/filepath"
	"strings"
)

const (
	// MaxDocument is how many bytes a document may have that is looked at: OATF documents have
	// some hundred kilobytes at most, and each byte of a text costs fifty while it is read.
	MaxDocument = 4 << 20

	// maxOpen is how many bytes all open documents may have together.
	maxOpen = 48 << 20

	// documentCost is what an open document costs besides its text.
	documentCost = 4 << 10

	// maxEditing is how many bytes the texts may have together that one message goes through,
	// one for each of its changes: a second of work or so.
	maxEditing = 1 << 29
)

// document is an open document.
type document struct {
	uri, path, languageID string
	version               int64
	text                  *text  // nil: it is not known
	problem               string // why
	cost                  int64  // of what all documents may cost
}

// snapshot is the document at this time.
func (d *document) snapshot() Document {
	return Document{URI: d.uri, Path: d.path, LanguageID: d.languageID, Text: d.text.all}
}

// documents are those that are open.
type documents struct {
	open map[string]*document
	cost int64
}

// put opens a document, or opens it anew.
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

// set gives a document its text, unless there is no room for it.
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

// lose drops the text of a document, whose cost is not counted.
func (o *documents) lose(d *document, problem string) {
	d.text, d.problem = nil, problem
	d.cost = int64(documentCost + len(d.uri))
	o.cost += d.cost
}

// forget drops the text of a document.
func (o *documents) forget(d *document, problem string) {
	o.cost -= d.cost
	o.lose(d, problem)
}

// change makes the changes of one message, one after the other.
func (o *documents) change(d *document, changes []contentChange, in Encoding) {
	t, left := d.text, int64(maxEditing)
	for _, c := range changes {
		switch {
		case c.Range == nil:
			t = newText(c.Text)
		case t == nil:
			continue // it is not known what the range is
		case left < 0:
			o.forget(d, "too many changes at once: the text is not known any more; open the document again")
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

// close forgets a document.
func (o *documents) close(uri string) {
	if d := o.open[uri]; d != nil {
		o.cost -= d.cost
		delete(o.open, uri)
	}
}

// pathOf is the path of a file's URI, "" of any other one.
func pathOf(uri string) string {
	u, err := url.Parse(uri)
	if err != nil || u.Scheme != "file" || u.Path == "" {
		return ""
	}
	path := u.Path
	if len(path) > 2 && path[0] == '/' && path[2] == ':' {
		path = path[1:] // of a drive
	}
	return filepath.FromSlash(path)
}
