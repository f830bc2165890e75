package attest

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"slices"
	"sort"
	"strings"
	"unicode/utf8"

	"go.yaml.in/yaml/v4"
	"go.yaml.in/yaml/v4/plugin/loaderlimits"

	"github.com/cupel-dev/cupel/internal/finding"
	"github.com/cupel-dev/cupel/internal/strictjson"
)

// A suite's text becomes JSON documents with places: JSON is one, JSON lines are one
// per line, and YAML is written as JSON first.

// documents reads the suite's text.
func (r *suiteReader) documents() []suiteDocument {
	text := bytes.TrimPrefix(r.data, []byte("\ufeff"))
	before := len(r.data) - len(text)
	switch extension := strings.ToLower(filepath.Ext(r.suite.Name)); {
	case extension == ".jsonl" || extension == ".ndjson":
		return r.jsonLines(text, before)
	case extension == ".yaml" || extension == ".yml" || !looksLikeJSON(text) && extension != ".json":
		return r.yamlDocument(text)
	}
	doc, err := r.scan(text)
	if err != nil && err.Code == strictjson.Trailing {
		return r.jsonLines(text, before)
	}
	return r.accept(doc, err, before)
}

// looksLikeJSON says whether the first character opens an object or a list.
func looksLikeJSON(text []byte) bool {
	text = bytes.TrimLeft(text, " \t\r\n")
	return len(text) > 0 && (text[0] == '{' || text[0] == '[')
}

// scan reads one JSON document. Unlike a request, it must not name a member twice.
func (r *suiteReader) scan(text []byte) (*strictjson.Document, *strictjson.Error) {
	doc, err := strictjson.NewScanner(strictjson.Limits{Depth: r.engine.opt.Limits.JSONDepth}).Scan(text)
	var refused *strictjson.Error
	errors.As(err, &refused)
	return doc, refused
}

// accept makes a document of JSON that stands at an offset of the text, or a finding.
func (r *suiteReader) accept(doc *strictjson.Document, refused *strictjson.Error, offset int) []suiteDocument {
	if refused == nil {
		return []suiteDocument{{doc.Root(), func(at int) int { return offset + at }}}
	}
	if refused.Code == strictjson.Empty {
		return nil
	}
	r.syntax(offset+refused.Offset, "invalid JSON: "+refused.Message)
	return nil
}

// syntax reports that the text is not what it should be.
func (r *suiteReader) syntax(offset int, message string) {
	f := r.placeAt(offset)
	f.Rule, f.Severity, f.Message = ruleSyntax, finding.Error, message
	r.findings = append(r.findings, f)
}

// jsonLines reads one document per line; blank lines do not count.
func (r *suiteReader) jsonLines(text []byte, offset int) (list []suiteDocument) {
	for len(text) > 0 {
		line, rest, _ := bytes.Cut(text, []byte{'\n'})
		if len(bytes.TrimSpace(line)) > 0 {
			doc, err := r.scan(line)
			list = append(list, r.accept(doc, err, offset)...)
		}
		offset += len(text) - len(rest)
		text = rest
	}
	return list
}

// lineStarts lists the offsets at which the lines of a text begin.
func lineStarts(data []byte) []int {
	starts := []int{0}
	for i, c := range data {
		if c == '\n' {
			starts = append(starts, i+1)
		}
	}
	return starts
}

// Bounds of a YAML suite: the loader's and the writer's recursion.
const maxYAMLDepth = 100

// yamlDocument writes the YAML as JSON and keeps the place of every value and key.
func (r *suiteReader) yamlDocument(text []byte) []suiteDocument {
	loader, err := yaml.NewLoader(bytes.NewReader(text), yaml.WithPlugin(loaderlimits.New(loaderlimits.DepthValue(maxYAMLDepth))))
	var node, second yaml.Node
	if err == nil {
		err = loader.Load(&node)
	}
	if errors.Is(err, io.EOF) {
		return nil
	}
	if err == nil {
		if err = loader.Load(&second); err == nil {
			r.syntax(r.offset(second.Line, second.Column), "a second YAML document begins here; a suite is one")
			return nil
		}
	}
	if !errors.Is(err, io.EOF) {
		line, message := 1, err.Error()
		column := 1
		var load *yaml.LoadError
		if errors.As(err, &load) {
			line, column, message = load.Mark.Line, load.Mark.Column, load.Message
		}
		r.syntax(r.offset(line, column), "invalid YAML: "+preview(message))
		return nil
	}
	w := yamlWriter{reader: r}
	w.write(node.Content[0])
	if w.failed {
		return nil
	}
	doc, refused := r.scan(w.json)
	if refused != nil {
		r.syntax(w.place(refused.Offset), refused.Message)
		return nil
	}
	return []suiteDocument{{doc.Root(), w.place}}
}

// offset is the byte at a line and column (code points) of the text.
func (r *suiteReader) offset(line, column int) int {
	if line < 1 || line > len(r.lines) {
		return 0
	}
	at := r.lines[line-1]
	for ; column > 1 && at < len(r.data) && r.data[at] != '\n'; column-- {
		_, size := utf8.DecodeRune(r.data[at:])
		at += size
	}
	return at
}

// yamlWriter writes YAML nodes as JSON.
type yamlWriter struct {
	reader *suiteReader
	json   []byte
	marks  []yamlMark // in the order of the JSON
	failed bool
}

// yamlMark says where in the text stands what begins at a byte of the JSON.
type yamlMark struct{ json, text int }

// place is the place in the text of a byte of the JSON.
func (w *yamlWriter) place(offset int) int {
	i := sort.Search(len(w.marks), func(i int) bool { return w.marks[i].json > offset })
	if i == 0 {
		return 0
	}
	return w.marks[i-1].text
}

func (w *yamlWriter) fail(n *yaml.Node, message string) {
	w.failed = true
	w.reader.syntax(w.reader.offset(n.Line, n.Column), message)
}

// write appends a node. Its depth is limited by the loader.
func (w *yamlWriter) write(n *yaml.Node) {
	w.marks = append(w.marks, yamlMark{len(w.json), w.reader.offset(n.Line, n.Column)})
	switch {
	case n.Kind == yaml.AliasNode || n.Anchor != "":
		w.fail(n, "anchors and aliases are not supported in a suite; write the value out")
	case n.Style&yaml.TaggedStyle != 0:
		w.fail(n, fmt.Sprintf("the tag %q is not supported in a suite", preview(n.Tag)))
	case n.Kind == yaml.MappingNode:
		w.mapping(n)
	case n.Kind == yaml.SequenceNode:
		w.json = append(w.json, '[')
		for i, element := range n.Content {
			if i > 0 {
				w.json = append(w.json, ',')
			}
			w.write(element)
		}
		w.json = append(w.json, ']')
	default:
		w.scalar(n)
	}
}

func (w *yamlWriter) mapping(n *yaml.Node) {
	w.json = append(w.json, '{')
	for i := 0; i+1 < len(n.Content); i += 2 {
		if i > 0 {
			w.json = append(w.json, ',')
		}
		key := n.Content[i]
		if key.Kind != yaml.ScalarNode {
			w.fail(key, "a key must be a string")
			return
		}
		w.marks = append(w.marks, yamlMark{len(w.json), w.reader.offset(key.Line, key.Column)})
		w.json = append(appendQuoted(w.json, key.Value), ':')
		w.write(n.Content[i+1])
	}
	w.json = append(w.json, '}')
}

// scalar writes a scalar. A plain one is what it is in JSON when it is JSON: a
// number, true, false or null, which may also be empty or ~. Everything else is a
// string, 012, yes and 2026-01-01 too.
func (w *yamlWriter) scalar(n *yaml.Node) {
	const quoted = yaml.SingleQuotedStyle | yaml.DoubleQuotedStyle | yaml.LiteralStyle | yaml.FoldedStyle
	if n.Style&quoted == 0 {
		if n.Value == "" || n.Value == "~" {
			w.json = append(w.json, "null"...)
			return
		}
		if slices.Contains([]string{"null", "true", "false"}, n.Value) || isJSONNumber(n.Value) {
			w.json = append(w.json, n.Value...)
			return
		}
	}
	w.json = appendQuoted(w.json, n.Value)
}

// isJSONNumber says whether s is a number in JSON's grammar.
func isJSONNumber(s string) bool {
	if s[0] != '-' && !isDigit(s[0]) {
		return false
	}
	doc, err := strictjson.NewScanner(strictjson.Limits{}).Scan([]byte(s))
	return err == nil && doc.Root().Is(strictjson.Number)
}
