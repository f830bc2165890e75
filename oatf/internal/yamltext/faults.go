package yamltext

import (
	"cmp"
	"fmt"
	"slices"

	"go.yaml.in/yaml/v4"

	"github.com/cupel-dev/cupel/internal/say"
	"github.com/cupel-dev/cupel/oatf/internal/place"
	"github.com/cupel-dev/cupel/oatf/model"
)

// Faults collects the faults of a text, up to the limit of its source.
type Faults struct {
	Source *place.Source
	list   []*model.ParseError
	more   int // beyond the limit
}

// NewFaults returns an empty collection.
func NewFaults(source *place.Source) *Faults { return &Faults{Source: source} }

// Add records a fault at a node and returns the record, for a rule or hint. Beyond the limit the record is discarded.
func (f *Faults) Add(kind model.ParseErrorKind, n *yaml.Node, at *place.Path, format string, args ...any) *model.ParseError {
	if len(f.list) >= f.Source.Limits.Errors {
		f.more++
		return &model.ParseError{}
	}
	e := &model.ParseError{Kind: kind, Message: fmt.Sprintf(format, args...), Path: at.String(), Position: f.Source.Span(n)}
	f.list = append(f.list, e)
	return e
}

// WrongType records a type error. Aliases are reported only by Audit.
func (f *Faults) WrongType(n *yaml.Node, at *place.Path, want string) *model.ParseError {
	if n.Kind == yaml.AliasNode {
		return &model.ParseError{}
	}
	return f.Add(model.ParseTypeMismatch, n, at, "expected %s, found %s", want, Describe(n))
}

// Full reports whether a fault was omitted.
func (f *Faults) Full() bool { return f.more > 0 }

// All returns the faults in order of detection.
func (f *Faults) All() []*model.ParseError { return f.list }

// Sorted returns the faults in source order; the last one counts omitted faults.
func (f *Faults) Sorted() []*model.ParseError {
	slices.SortStableFunc(f.list, func(a, b *model.ParseError) int {
		return cmp.Or(cmp.Compare(a.Line, b.Line), cmp.Compare(a.Column, b.Column), cmp.Compare(a.Path, b.Path))
	})
	if f.more > 0 {
		last := f.list[len(f.list)-1]
		rest := syntaxError(last.Position, "%s", say.Omitted(f.more, "fault", f.Source.Limits.Errors))
		rest.Omitted = f.more
		f.list = append(f.list, rest)
	}
	return f.list
}
