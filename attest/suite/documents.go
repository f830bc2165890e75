package suite

import (
	"bytes"
	"errors"
	"path/filepath"
	"strings"

	"github.com/cupel-dev/cupel/attest/internal/rule"
	"github.com/cupel-dev/cupel/internal/strictjson"
)

// A suite's text is converted to JSON documents with positions: one for JSON, one per line for JSON
// lines; YAML is converted to JSON first.

// document is a JSON document of a suite: the whole text, or one line.
type document struct {
	root strictjson.Node
	at   func(offset int) int // place in the suite's text of a byte of the JSON
}

func (t *text) documents() []document {
	text := t.data
	switch extension := strings.ToLower(filepath.Ext(t.name)); {
	case extension == ".jsonl" || extension == ".ndjson":
		return t.jsonLines(text)
	case extension == ".yaml" || extension == ".yml" || !looksLikeJSON(text) && extension != ".json":
		return t.yamlDocument(text)
	}
	doc, err := t.scan(text)
	if err != nil && err.Code == strictjson.Trailing {
		return t.jsonLines(text)
	}
	return t.accept(doc, err, 0)
}

// looksLikeJSON reports whether the first character opens an object or a list.
func looksLikeJSON(text []byte) bool {
	text = bytes.TrimLeft(text, " \t\r\n")
	return len(text) > 0 && (text[0] == '{' || text[0] == '[')
}

// scan parses a JSON document. Unlike in requests, duplicate names are errors.
func (t *text) scan(text []byte) (*strictjson.Document, *strictjson.Error) {
	doc, err := strictjson.NewScanner(strictjson.Limits{Depth: t.depth}).Scan(text)
	var refused *strictjson.Error
	errors.As(err, &refused)
	return doc, refused
}

// accept adds a document, or a finding for malformed JSON.
func (t *text) accept(doc *strictjson.Document, refused *strictjson.Error, offset int) []document {
	if refused == nil {
		return []document{{doc.Root(), func(at int) int { return offset + at }}}
	}
	if refused.Code == strictjson.Empty {
		return nil
	}
	t.report(rule.SuiteSyntax, offset+refused.Offset, "invalid JSON: "+refused.Message, "")
	return nil
}

// jsonLines parses one document per nonblank line.
func (t *text) jsonLines(text []byte) (list []document) {
	for offset := 0; len(text) > 0; {
		line, rest, _ := bytes.Cut(text, []byte{'\n'})
		if len(bytes.TrimSpace(line)) > 0 {
			doc, err := t.scan(line)
			list = append(list, t.accept(doc, err, offset)...)
		}
		offset += len(text) - len(rest)
		text = rest
	}
	return list
}
