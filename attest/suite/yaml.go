package suite

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"slices"
	"sort"

	"go.yaml.in/yaml/v4"
	"go.yaml.in/yaml/v4/plugin/loaderlimits"

	"github.com/cupel-dev/cupel/attest/internal/rule"
	"github.com/cupel-dev/cupel/attest/internal/wording"
	"github.com/cupel-dev/cupel/internal/strictjson"
	"github.com/cupel-dev/cupel/internal/yamlfault"
)

// maxYAMLDepth limits the recursion of the loader and the writer.
const maxYAMLDepth = 100

// yamlDocument converts YAML to JSON and stores the position of every value and key.
func (t *text) yamlDocument(text []byte) []document {
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
			t.report(rule.SuiteSyntax, t.offset(second.Line, second.Column), "a second YAML document begins here; a suite is one document", "")
			return nil
		}
	}
	if !errors.Is(err, io.EOF) {
		line, column, message := yamlfault.Of(err)
		t.report(rule.SuiteSyntax, t.offset(max(line, 1), max(column, 1)), message, "")
		return nil
	}
	w := yamlWriter{text: t}
	w.write(node.Content[0])
	if w.failed {
		return nil
	}
	doc, refused := t.scan(w.json)
	if refused != nil {
		t.report(rule.SuiteSyntax, w.place(refused.Offset), refused.Message, "")
		return nil
	}
	return []document{{doc.Root(), w.place}}
}

type yamlWriter struct {
	text   *text
	json   []byte
	marks  []yamlMark // in the order of the JSON
	failed bool
}

type yamlMark struct{ json, text int }

func (w *yamlWriter) place(offset int) int {
	i := sort.Search(len(w.marks), func(i int) bool { return w.marks[i].json > offset })
	if i == 0 {
		return 0
	}
	return w.marks[i-1].text
}

func (w *yamlWriter) fail(n *yaml.Node, message string) {
	w.failed = true
	w.text.report(rule.SuiteSyntax, w.text.offset(n.Line, n.Column), message, "")
}

// write writes a node. The loader limits the depth.
func (w *yamlWriter) write(n *yaml.Node) {
	w.marks = append(w.marks, yamlMark{len(w.json), w.text.offset(n.Line, n.Column)})
	switch {
	case n.Kind == yaml.AliasNode || n.Anchor != "":
		w.fail(n, "anchors and aliases are not supported in a suite; write the value out")
	case n.Style&yaml.TaggedStyle != 0:
		w.fail(n, fmt.Sprintf("the tag %q is not supported in a suite", wording.Preview(n.Tag)))
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
		w.marks = append(w.marks, yamlMark{len(w.json), w.text.offset(key.Line, key.Column)})
		w.json = append(wording.AppendQuoted(w.json, key.Value), ':')
		w.write(n.Content[i+1])
	}
	w.json = append(w.json, '}')
}

// scalar writes a scalar. Plain scalars that are JSON numbers, true, false or null (also empty or ~) keep their
// type. All others are strings, including 012, yes and 2026-01-01.
func (w *yamlWriter) scalar(n *yaml.Node) {
	const quoted = yaml.SingleQuotedStyle | yaml.DoubleQuotedStyle | yaml.LiteralStyle | yaml.FoldedStyle
	if n.Style&quoted == 0 {
		if n.Value == "" || n.Value == "~" {
			w.json = append(w.json, "null"...)
			return
		}
		if isJSONScalar(n.Value) {
			w.json = append(w.json, n.Value...)
			return
		}
	}
	w.json = wording.AppendQuoted(w.json, n.Value)
}

// isJSONScalar reports whether s is null, true, false or a number in JSON's grammar.
func isJSONScalar(s string) bool {
	return slices.Contains([]string{"null", "true", "false"}, s) || s != "" && isJSONNumber(s)
}

// isJSONNumber reports whether s is a number in JSON's grammar.
func isJSONNumber(s string) bool {
	if c := s[0]; c != '-' && (c < '0' || c > '9') {
		return false
	}
	doc, err := strictjson.NewScanner(strictjson.Limits{}).Scan([]byte(s))
	return err == nil && doc.Root().Is(strictjson.Number)
}
