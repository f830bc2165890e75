package primitive

import (
	"fmt"
	"strings"

	"github.com/cupel-dev/cupel/internal/say"
	"github.com/cupel-dev/cupel/oatf/internal/rules"
	"github.com/cupel-dev/cupel/oatf/internal/value"
	"github.com/cupel-dev/cupel/oatf/internal/vocabulary"
	"github.com/cupel-dev/cupel/oatf/model"
)

// Limits of an interpolation.
const (
	// MaxSubstituted limits the bytes substituted in a template or value, because a short template can reference a
	// large message many times.
	MaxSubstituted = 16 << 20
	// MaxUnresolved limits the number of references that are reported individually.
	MaxUnresolved = model.DefaultMaxErrors
)

// Interpolation replaces the references in templates (§5.5, §5.5a) and reports unresolved references. Inserted text
// is not interpolated again. It is not safe for concurrent use.
type Interpolation struct {
	Extractors        map[string]string // "name", and "actor.name"
	Request, Response *model.Value      // nil is absent

	lookup      lookup
	substituted int // bytes so far
	full        bool
	unresolved  int
	diagnostics []model.Diagnostic
}

// Template interpolates a string. A reference is an extractor's name, or a path in the request or response, such as
// {{request.name}}. [Text] formats the values; unresolved references become empty. "\{{" becomes "{{", and an
// unclosed "{{" is kept.
func (in *Interpolation) Template(template string) string {
	if !strings.Contains(template, "{{") {
		return template
	}
	var result []byte
	for piece := range vocabulary.TemplatePieces(template) {
		if piece.Kind != vocabulary.TemplateReference {
			result = append(result, piece.Text...)
			continue
		}
		result = in.substitute(result, piece.Text)
	}
	return string(result)
}

// Value interpolates all strings of a value except keys. The result is a copy.
func (in *Interpolation) Value(value model.Value) model.Value {
	switch v := value.(type) {
	case string:
		return in.Template(v)
	case []model.Value:
		list := make([]model.Value, len(v))
		for i := range v {
			list[i] = in.Value(v[i])
		}
		return list
	case model.Object:
		object := make(model.Object, len(v))
		for i, m := range v {
			object[i] = model.Member{Key: m.Key, Value: in.Value(m.Value)}
		}
		return object
	}
	return value
}

// Diagnostics returns a W-004 for each unresolved reference, up to MaxUnresolved, and the count of the others.
func (in *Interpolation) Diagnostics() []model.Diagnostic {
	if in.unresolved <= MaxUnresolved {
		return in.diagnostics
	}
	return append(in.diagnostics[:MaxUnresolved:MaxUnresolved], warning(say.Omitted(in.unresolved-MaxUnresolved, "reference", MaxUnresolved)))
}

// substitute appends a reference's value.
func (in *Interpolation) substitute(dst []byte, reference string) []byte {
	if in.full {
		in.leftOut(reference)
		return dst
	}
	start := len(dst)
	if text, found := in.Extractors[reference]; found {
		dst = append(dst, text...)
	} else if v, found := in.message(reference); found {
		dst = value.Text(dst, v)
	}
	in.substituted += len(dst) - start
	if in.full = in.substituted > MaxSubstituted; in.full {
		in.leftOut(reference)
		return dst[:start]
	}
	return dst
}

// message resolves a reference to the request or the response, or returns why it cannot.
func (in *Interpolation) message(reference string) (value model.Value, found bool) {
	for _, source := range []struct {
		name  string
		value *model.Value
	}{{"request", in.Request}, {"response", in.Response}} {
		path, names := strings.CutPrefix(reference, source.name+".")
		switch {
		case !names:
			continue
		case source.value == nil:
			in.report("reference %s: there is no %s", vocabulary.QuotedReference(reference), source.name)
			return nil, false
		case !vocabulary.CheckSimplePath(path):
			in.report("reference %s cannot resolve: %s", vocabulary.QuotedReference(reference), vocabulary.NotSimple(path))
			return nil, false
		}
		if value, found = in.lookup.resolve(path, *source.value); !found {
			in.report("reference %s: the %s has no value at %s", vocabulary.QuotedReference(reference), source.name, say.Quoted(path))
		}
		return value, found
	}
	in.report("reference %s does not name an extractor with a value", vocabulary.QuotedReference(reference))
	return nil, false
}

func (in *Interpolation) leftOut(reference string) {
	in.report("reference %s is left out: with the references filled in, the document is larger than %d bytes", vocabulary.QuotedReference(reference), MaxSubstituted)
}

func (in *Interpolation) report(format string, args ...any) {
	if in.unresolved++; in.unresolved <= MaxUnresolved {
		in.diagnostics = append(in.diagnostics, warning(fmt.Sprintf(format, args...)))
	}
}

func warning(message string) model.Diagnostic {
	return model.Diagnostic{Severity: model.DiagnosticWarning, Code: rules.ReferenceResolvesID, Message: message}
}
