// Package findings collects the findings of a document.
package findings

import (
	"fmt"
	"strings"

	"github.com/cupel-dev/cupel/finding"
	"github.com/cupel-dev/cupel/oatf/internal/place"
	"github.com/cupel-dev/cupel/oatf/internal/revision"
	"github.com/cupel-dev/cupel/oatf/internal/rules"
	"github.com/cupel-dev/cupel/oatf/internal/yamltext"
	"github.com/cupel-dev/cupel/oatf/model"
)

// List collects a document's findings: each violation once per position, up to a limit, excluding fields that Parse
// rejected. Unparsed documents have no positions.
type List struct {
	rules   *rules.Set     // of the document's revision
	locator *place.Locator // nil when the document has no source
	limit   int            // of violations, and of warnings
	strict  bool           // rules that need --strict are recorded
	seen    seen
	untyped untyped
	suggestions

	faults     []finding.Finding // of Parse
	violations []finding.Finding
	warnings   []finding.Finding
	broken     int // rules broken by faults and violations

	moreViolations, moreWarnings int // beyond the limit
}

// NewStrict returns the list of New. Without strict it drops findings of rules that need --strict.
func NewStrict(doc *model.Document, strict bool) *List {
	l := New(doc)
	l.strict = strict
	return l
}

// New returns a list with the errors of Parse. Those that violate a rule name it.
func New(doc *model.Document) *List {
	l := &List{rules: revision.Of(doc.Revision).Rules, limit: model.DefaultMaxErrors, seen: seen{}, suggestions: suggestions{left: 2 * model.DefaultMaxErrors}}
	source := place.SourceOf(doc)
	if source == nil {
		return l
	}
	l.locator = &place.Locator{Source: source}
	l.limit = source.Limits.Errors
	l.suggestions = suggestions{left: 2 * l.limit, lines: source.Lines}
	for _, e := range source.Faults {
		l.fault(e)
	}
	return l
}

// Scratch returns an empty list with the same limit that does not look up positions.
func (l *List) Scratch() *List {
	return &List{rules: l.rules, limit: l.limit, strict: l.strict, seen: seen{}, suggestions: suggestions{left: 2 * l.limit}}
}

func (l *List) fault(e *model.ParseError) {
	f := OfFault(l.rules, e)
	switch quoted := `"` + e.Found + `"`; e.Meant {
	case "":
	case quoted, strings.Trim(e.Found, `"`):
		f.Fix = rewritten(&f, l.lines, e.Found, e.Meant)
	default:
		f.Fix = guessed(replacement(&f, l.lines, e.Found, e.Meant), e.Found, e.Meant)
	}
	if rule, ok := l.rules.Lookup(e.Rule); ok && l.seen.first(e.Rule+" "+e.Path) {
		detail := f.Detail.(model.Detail)
		detail.Also = []model.Breach{{Rule: e.Rule, SpecRef: l.rules.SpecRef(rule), Message: e.Message}}
		f.Detail = detail
		l.broken++
	}
	l.faults = append(l.faults, f)
	if e.Kind == model.ParseTypeMismatch {
		if l.untyped == nil {
			l.untyped = untyped{}
		}
		l.untyped[e.Path] = true
	}
}

// OfFault converts an error of Parse to a finding.
func OfFault(set *rules.Set, e *model.ParseError) finding.Finding {
	rule, _ := set.Lookup(e.ID())
	f := set.New(rule, e.Message)
	f.Path, f.Help = e.Path, e.Help
	f.Detail = model.Detail{Kind: model.KindParse, ParseKind: string(e.Kind), Omitted: e.Omitted}
	setPlace(&f, e.Position)
	return f
}

// Violation records a violated conformance rule and returns the finding, for hints. Duplicates and
// rules not in the revision are dropped. If the revision only warns, it is a warning.
func (l *List) Violation(rule rules.Handle, at *place.Path, format string, args ...any) *finding.Finding {
	switch {
	case !l.rules.Has(rule):
		return &finding.Finding{}
	case l.rules[rule].Severity != finding.Error:
		return l.Warning(rule, at, format, args...)
	}
	path := at.String()
	if l.untyped.covers(path) || !l.seen.first(l.rules.ID(rule)+" "+path) || l.full() {
		return &finding.Finding{}
	}
	f := l.rules.New(rule, fmt.Sprintf(format, args...))
	f.Path = path
	f.Detail = model.Detail{Kind: model.KindValidation, SpecRef: l.rules.SpecRef(rule)}
	if l.locator != nil {
		setPlace(&f, l.locator.Position(path))
	}
	l.violations = append(l.violations, f)
	l.broken++
	return &l.violations[len(l.violations)-1]
}

// ViolationOfKey is Violation with the position of a key.
func (l *List) ViolationOfKey(rule rules.Handle, at *place.Path, format string, args ...any) *finding.Finding {
	return l.toKey(l.Violation(rule, at, format, args...))
}

// Lack is Violation for a missing key: if one of the possible keys is null, message and position refer to it.
func (l *List) Lack(keys []*place.Path, rule rules.Handle, at *place.Path, format string, args ...any) *finding.Finding {
	f := l.Violation(rule, at, format, args...)
	if f.Line == 0 {
		return f
	}
	for _, path := range keys {
		if key, value := l.locator.Pair(path.String()); key != nil && yamltext.IsNull(value) {
			f.Message += ": " + key.Value + " is null"
			setPlace(f, l.locator.Span(key))
			break
		}
	}
	return f
}

// toKey moves a finding to the key at the end of its path.
func (l *List) toKey(f *finding.Finding) *finding.Finding {
	if f.Line > 0 {
		setPlace(f, l.locator.KeyPosition(f.Path))
	}
	return f
}

// Also records that the fault violates another, less specific rule.
func (l *List) Also(f *finding.Finding, rule rules.Handle, message string) {
	detail, ok := f.Detail.(model.Detail)
	if !ok || detail.Kind == model.KindWarning || !l.rules.Has(rule) || !l.seen.first(l.rules.ID(rule)+" "+f.Path) || l.full() {
		return
	}
	detail.Also = append(detail.Also, model.Breach{Rule: l.rules.ID(rule), SpecRef: l.rules.SpecRef(rule), Message: message})
	f.Detail = detail
	l.broken++
}

// full reports whether the limit of violations is reached. If so, it counts one more.
func (l *List) full() bool {
	if l.broken < l.limit {
		return false
	}
	l.moreViolations++
	return true
}

// Warning records a warning of the specification.
func (l *List) Warning(rule rules.Handle, at *place.Path, format string, args ...any) *finding.Finding {
	if !l.rules.Has(rule) {
		return &finding.Finding{}
	}
	f := l.rules.New(rule, fmt.Sprintf(format, args...))
	f.Detail = model.Detail{Kind: model.KindWarning, SpecRef: l.rules.SpecRef(rule)}
	return l.warn(f, at.String())
}

// Has reports whether the document's revision has a rule, and whether the list records it.
func (l *List) Has(rule rules.Handle) bool {
	return l.rules.Has(rule) && (l.strict || !l.rules.NeedsStrict(rule))
}

// Lint records a lint finding, if Has(rule).
func (l *List) Lint(rule rules.Handle, path, message string) *finding.Finding {
	if !l.Has(rule) {
		return &finding.Finding{}
	}
	f := l.rules.New(rule, message)
	f.Detail = model.Detail{Kind: model.KindLint}
	return l.warn(f, path)
}

// LintOfKey is Lint with the position of a key.
func (l *List) LintOfKey(rule rules.Handle, path, message string) *finding.Finding {
	return l.toKey(l.Lint(rule, path, message))
}

func (l *List) warn(f finding.Finding, path string) *finding.Finding {
	if l.untyped.covers(path) || !l.seen.first(f.Rule+" "+path+" "+f.Message) {
		return &finding.Finding{}
	}
	if len(l.warnings) >= l.limit {
		l.moreWarnings++
		return &finding.Finding{}
	}
	f.Path = path
	if l.locator != nil {
		setPlace(&f, l.locator.Position(path))
	}
	l.warnings = append(l.warnings, f)
	return &l.warnings[len(l.warnings)-1]
}

type seen map[string]bool

func (s seen) first(key string) bool {
	if s[key] {
		return false
	}
	s[key] = true
	return true
}

// untyped are the paths of fields with types that Parse rejected.
type untyped map[string]bool

// covers reports whether a path is one of them or inside one.
func (u untyped) covers(path string) bool {
	if len(u) == 0 {
		return false
	}
	for end := len(path); end > 0; end = strings.LastIndexAny(path[:end], ".[") {
		if u[path[:end]] {
			return true
		}
	}
	return false
}

func setPlace(f *finding.Finding, p model.Position) {
	f.Line, f.Column, f.EndLine, f.EndColumn = p.Line, p.Column, p.EndLine, p.EndColumn
}
