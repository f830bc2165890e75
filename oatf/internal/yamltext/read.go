package yamltext

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"strings"
	"unicode/utf8"

	"go.yaml.in/yaml/v4"

	"github.com/cupel-dev/cupel/internal/say"
	"github.com/cupel-dev/cupel/internal/yamlfault"
	"github.com/cupel-dev/cupel/oatf/internal/place"
	"github.com/cupel-dev/cupel/oatf/internal/rules"
	"github.com/cupel-dev/cupel/oatf/model"
)

// Read parses a text with a single YAML document. Nodes keep anchors, aliases, tags and positions.
func Read(input []byte, limits model.Limits) (*place.Source, *model.ParseError) {
	limits = limits.WithDefaults()
	root, fault := readNodes(input, limits)
	if fault != nil {
		return nil, fault
	}
	return &place.Source{Root: root, Lines: place.SplitLines(string(input)), Limits: limits}, nil
}

// ReadAudited parses any YAML that OATF allows. The error is a ParseErrors.
func ReadAudited(input []byte) (*place.Source, error) {
	return ReadAuditedWithin(input, model.Limits{})
}

// ReadAuditedWithin is ReadAudited with limits.
func ReadAuditedWithin(input []byte, limits model.Limits) (*place.Source, error) {
	source, fault := Read(input, limits)
	if fault != nil {
		return nil, model.ParseErrors{fault}
	}
	faults := NewFaults(source)
	if Audit(faults); len(faults.list) > 0 {
		return nil, model.ParseErrors(faults.Sorted())
	}
	return source, nil
}

func readNodes(input []byte, limits model.Limits) (*yaml.Node, *model.ParseError) {
	if len(input) > limits.Bytes {
		e := syntaxError(model.Position{}, "the document is larger than the limit of %d bytes", limits.Bytes)
		e.Help = say.RaiseHint("--max-bytes")
		return nil, e
	}
	if err := checkText(input); err != nil {
		return nil, err
	}
	if err := checkDensity(input, limits.Nodes); err != nil {
		return nil, err
	}
	input, fault := directives(input)
	if fault != nil {
		return nil, fault
	}
	input, surrogates := readPairs(input)
	loader, err := yaml.NewLoader(bytes.NewReader(input), yaml.WithPlugin(loaderLimits{limits.Depth}))
	if err != nil {
		return nil, syntaxError(model.Position{}, "%v", err)
	}
	var document yaml.Node
	switch err := loader.Load(&document); {
	case errors.Is(err, io.EOF):
		return nil, EmptyDocument(model.Position{Line: 1, Column: 1})
	case err != nil:
		return nil, explain(fromYAML(err), input)
	}
	var second yaml.Node
	switch err := loader.Load(&second); {
	case errors.Is(err, io.EOF):
	case err != nil:
		return nil, fromYAML(err)
	default:
		e := syntaxError(place.NodeStart(&second), "a second YAML document begins here")
		e.Help = "an OATF file holds exactly one document: split the file"
		return nil, e
	}
	surrogates.restore(document.Content[0])
	return document.Content[0], nil
}

// EmptyDocument returns the fault of a text without content.
func EmptyDocument(pos model.Position) *model.ParseError {
	e := syntaxError(pos, "the document is empty")
	e.Help = `an OATF document begins with oatf: "0.1"`
	return e
}

func syntaxError(pos model.Position, format string, args ...any) *model.ParseError {
	return &model.ParseError{Kind: model.ParseSyntax, Position: pos, Message: fmt.Sprintf(format, args...)}
}

// fromYAML translates an error of the YAML library.
func fromYAML(err error) *model.ParseError {
	var depth *depthError
	var load *yaml.LoadError
	line, column, message := yamlfault.Of(err)
	pos := model.Position{Line: line, Column: column}
	if errors.As(err, &load) && (errors.As(err, &depth) || strings.HasPrefix(load.Message, depthMessage)) {
		e := syntaxError(pos, "%s", load.Message)
		e.Help = say.RaiseHint("--max-depth")
		return e
	}
	return syntaxError(pos, "%s", message)
}

const tabsDoNotIndent = "YAML is indented with spaces; this line begins with a tab"

const depthMessage = "nesting is deeper than the limit of"

type depthError struct{ limit int }

func (e *depthError) Error() string { return fmt.Sprintf("%s %d", depthMessage, e.limit) }

// loaderLimits limits the nesting in the library. Aliases are not expanded, so their number is not limited.
type loaderLimits struct{ depth int }

func (l loaderLimits) CheckDepth(depth int, _ *yaml.DepthContext) error {
	if depth > l.depth {
		return &depthError{l.depth}
	}
	return nil
}

func (loaderLimits) CheckAlias(int, int) error { return nil }

// checkText rejects text that is not printable UTF-8 (YAML 1.2.2, clause 5.1) and reports the position, which the
// library does not.
func checkText(input []byte) *model.ParseError {
	input = bytes.TrimPrefix(input, []byte("\ufeff"))
	if name := wideEncoding(input); name != "" {
		e := syntaxError(model.Position{Line: 1, Column: 1}, "the document is encoded in %s", name)
		e.Help = "save it as UTF-8"
		return e
	}
	for i := 0; i < len(input); {
		c := input[i]
		if c >= 0x20 && c < 0x7f || c == '\n' || c == '\r' || c == '\t' {
			i++
			continue
		}
		r, size := utf8.DecodeRune(input[i:])
		if r == utf8.RuneError && size == 1 {
			return syntaxError(place.SplitLines(string(input)).Position(i), "byte 0x%02x is not valid UTF-8", c)
		}
		if !printable(r) {
			return syntaxError(place.SplitLines(string(input)).Position(i), "control character %U is not allowed in YAML", r)
		}
		i += size
	}
	return nil
}

// wideEncoding returns the encoding of a text in UTF-16 or UTF-32 (YAML 1.2.2, clause 5.2), or "" for UTF-8.
func wideEncoding(input []byte) string {
	at := func(i int) int {
		if i < len(input) {
			return int(input[i])
		}
		return -1
	}
	switch {
	case at(0) == 0 && at(1) == 0, at(2) == 0 && at(3) == 0:
		return "UTF-32"
	case at(0) == 0xff && at(1) == 0xfe, at(0) == 0xfe && at(1) == 0xff, at(0) == 0 && at(1) > 0, at(0) > 0 && at(1) == 0:
		return "UTF-16"
	}
	return ""
}

func printable(r rune) bool {
	return r == 0x85 || r >= 0xa0 && r != 0xfffe && r != 0xffff
}

// directives replaces "%YAML 1.2", unknown to the library, by "1.1", which has the same length. Scalars are typed
// by the 1.2 core schema anyway. "%TAG" is rejected, because there are no custom tags.
func directives(input []byte) ([]byte, *model.ParseError) {
	number := 0
	for offset := 0; offset < len(input); {
		line := input[offset:]
		if end := bytes.IndexByte(line, '\n'); end >= 0 {
			line = line[:end+1]
		}
		number++
		text := bytes.TrimPrefix(line, []byte("\ufeff"))
		switch trimmed := bytes.TrimSpace(text); {
		case bytes.HasPrefix(text, []byte("%TAG")):
			e := syntaxError(model.Position{Line: number, Column: 1}, "tag directives are not allowed")
			e.Rule = rules.PlainYAMLID
			return nil, e
		case bytes.HasPrefix(text, []byte("%YAML")):
			if at := bytes.Index(line, []byte(" 1.2")); at >= 0 {
				input = bytes.Clone(input)
				input[offset+at+3] = '1'
				return input, nil
			}
		case len(trimmed) > 0 && trimmed[0] != '#':
			return input, nil // directives come first
		}
		offset += len(line)
	}
	return input, nil
}
