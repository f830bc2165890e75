package projection

import (
	"errors"

	"github.com/cupel-dev/cupel/finding"
	"github.com/cupel-dev/cupel/internal/source"
	"github.com/cupel-dev/cupel/internal/strictjson"
)

// maxDepth limits the nesting, as the protocol's readers do.
const maxDepth = 128

// bytesPerValue limits the number of values by the size of a text, at 28 bytes of memory each. Real texts have one
// per twenty bytes.
const bytesPerValue = 8

// minValues is the number of values that every text can have.
const minValues = 1 << 16

// input is a strict JSON text with its findings.
type input struct {
	line     source.Line
	findings []finding.Finding
}

func newInput(text []byte) *input { return &input{line: source.Line{Number: 1, Bytes: text}.Indexed()} }

// scan parses the text. It adds a finding of rule r if the text is not strict JSON.
func (in *input) scan(r rule) (root strictjson.Node, ok bool) {
	limits := strictjson.Limits{Depth: maxDepth, Values: max(minValues, len(in.line.Bytes)/bytesPerValue)}
	doc, err := strictjson.NewScanner(limits).Scan(in.line.Bytes)
	if err == nil {
		return doc.Root(), true
	}
	why := err.Error()
	fault, placed := errors.AsType[*strictjson.Error](err)
	if placed {
		why = fault.Message
	}
	f := rules[r].New("not strict JSON: " + why)
	if placed {
		f.Path = fault.Pointer
		source.Point(&f, in.line, fault.Offset, fault.Offset)
		f.Help = advice(fault.Code)
	}
	in.findings = append(in.findings, f)
	return strictjson.Node{}, false
}

// advice returns a hint for a rejected text, or "".
func advice(code strictjson.Code) string {
	switch code {
	case strictjson.Trailing:
		return "give one JSON value per file"
	case strictjson.ByteOrder:
		return source.ByteOrderHint
	case strictjson.Syntax:
		return "convert YAML to JSON first"
	}
	return ""
}

// fault adds a finding at a value.
func (in *input) fault(r rule, at strictjson.Node, message string) *finding.Finding {
	f := rules[r].New(message)
	f.Path = at.Pointer()
	in.point(&f, at)
	in.findings = append(in.findings, f)
	return &in.findings[len(in.findings)-1]
}

// point sets a finding's position to a value, for a container its first byte.
func (in *input) point(f *finding.Finding, at strictjson.Node) {
	start, end := at.Span()
	if at.Is(strictjson.Object) || at.Is(strictjson.Array) {
		end = start + 1
	}
	source.Point(f, in.line, start, end)
}
