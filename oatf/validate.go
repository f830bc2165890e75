package oatf

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/cupel-dev/cupel/internal/suggest"
)

// Validate checks a document against the conformance rules V-001 to V-043 and the
// warnings W-001 to W-005 (§3.2) and returns everything it found, in the order of
// the source (§7.4); a document that was not parsed is ordered by path.
//
// A document that Parse returned together with an error may be validated too: faults
// that break a rule are among the violations, and fields of the wrong type are not
// judged any further.
func Validate(doc *Document) *ValidationResult {
	c := newChecker(doc)
	if doc.source != nil {
		c.takeFaults()
	}
	for _, check := range checks {
		check(c)
	}
	return c.result()
}

// checks are all checks, stateless; some find violations of several rules. The rules
// that are not here are Parse's: V-003, V-004 and V-020.
var checks = []func(*checker){
	// of the document and its envelope: rule_document.go
	checkVersion,
	checkEnums,
	checkIndicatorsPresent,
	checkSeverityConfidence,
	checkThreshold,
	checkAttackID,
	checkIndicatorConfidence,
	checkDocumentVersion,
	checkFirstKey,
	// of actors, phases and modes: rule_execution.go
	checkPhasesPresent,
	checkTerminalPhases,
	checkFirstState,
	checkPhaseNames,
	checkInheritance,
	checkForms,
	checkActors,
	checkModes,
	checkKnownModes,
	// of what a phase holds: rule_phase.go
	checkTriggers,
	checkEvents,
	checkDurations,
	checkExtractors,
	checkActions,
	// of indicators: rule_indicator.go
	checkIndicatorIDs,
	checkDetectionKeys,
	checkSurfaces,
	checkKnownProtocols,
	checkProtocolActors,
	// of regular expressions, CEL, JSONPath and paths: rule_expression.go
	checkPatternRegexes,
	checkExpressions,
	checkSelectors,
	checkTargets,
	checkPredicates,
	// of template strings: rule_template.go
	checkTemplates,
	// of responses inside state: rule_response.go
	checkResponses,
}

// checker is one run of Validate: the document, views on it that several rules
// share, and what was found.
type checker struct {
	*Document
	locator *locator // nil when the document has no source
	actors  []*actorView
	untyped map[string]bool // paths of fields whose type Parse refused
	limit   int

	errors   ValidationErrors
	warnings []Diagnostic
	seen     map[string]bool // rule and path, or code, path and message
	hints    int             // suggestions looked for

	regexes, cels, selectors budget
	more                     int
}

func newChecker(doc *Document) *checker {
	c := &checker{Document: doc, limit: DefaultMaxErrors}
	if doc.source != nil {
		c.locator = &locator{source: doc.source}
		c.limit = doc.source.limits.Errors
	}
	c.actors = c.collectActors()
	return c
}

// takeFaults starts the violations with the faults that break a rule.
func (c *checker) takeFaults() {
	c.untyped = map[string]bool{}
	for _, f := range c.source.faults {
		if f.Rule != "" {
			c.add(&ValidationError{Rule: f.Rule, Message: f.Message, Path: f.Path, Position: f.Position, Help: f.Help})
		}
	}
	for _, f := range c.source.faults {
		if f.Kind == ParseTypeMismatch {
			c.untyped[f.Path] = true
		}
	}
}

// violation records that a rule is broken at a place, and returns the record for a
// hint to be added.
func (c *checker) violation(rule string, at *place, format string, args ...any) *ValidationError {
	if len(c.errors) >= c.limit {
		c.more++
		return &ValidationError{}
	}
	e := &ValidationError{Rule: rule, Message: fmt.Sprintf(format, args...), Path: at.String()}
	if !c.isUntyped(e.Path) && c.add(e) && c.locator != nil {
		e.Position = c.locator.position(e.Path)
	}
	return e
}

// violationOfKey is violation for a mapping's key: the place is the key's.
func (c *checker) violationOfKey(rule string, at *place, format string, args ...any) *ValidationError {
	e := c.violation(rule, at, format, args...)
	if e.Line > 0 {
		e.Position = c.locator.keyPosition(e.Path)
	}
	return e
}

func (c *checker) add(e *ValidationError) bool {
	if !c.first(e.Rule + " " + e.Path) {
		return false
	}
	e.SpecRef = specRef(e.Rule)
	c.errors = append(c.errors, e)
	return true
}

// warning records a diagnostic.
func (c *checker) warning(code string, at *place, format string, args ...any) *Diagnostic {
	if len(c.warnings) >= c.limit {
		return &Diagnostic{}
	}
	return c.warningAt(code, at.String(), fmt.Sprintf(format, args...))
}

// warningAt is warning with the path and the message spelled out.
func (c *checker) warningAt(code, path, message string) *Diagnostic {
	d := Diagnostic{Severity: DiagnosticWarning, Code: code, Path: path, Message: message}
	if len(c.warnings) >= c.limit || c.isUntyped(path) || !c.first(code+" "+path+" "+message) {
		return &d
	}
	if c.locator != nil {
		d.Position = c.locator.position(path)
	}
	c.warnings = append(c.warnings, d)
	return &c.warnings[len(c.warnings)-1]
}

// hint suggests the candidate that a word was meant to be. What is beyond the limit is
// not shown, so nothing is looked for there.
func (c *checker) hint(word string, candidates []string) string {
	if c.hints++; c.hints > 2*c.limit {
		return ""
	}
	return suggest.Hint(word, candidates)
}

func (c *checker) first(key string) bool {
	if c.seen == nil {
		c.seen = map[string]bool{}
	}
	if c.seen[key] {
		return false
	}
	c.seen[key] = true
	return true
}

// later says whether Parse recognised a later revision of the format, and has said so.
func (c *checker) later() bool { return c.source != nil && c.source.later }

// isUntyped says whether Parse refused the type of the field at a path, or of
// something around it.
func (c *checker) isUntyped(path string) bool {
	if len(c.untyped) == 0 {
		return false
	}
	for end := len(path); end > 0; end = strings.LastIndexAny(path[:end], ".[") {
		if c.untyped[path[:end]] {
			return true
		}
	}
	return false
}

func (c *checker) result() *ValidationResult {
	slices.SortStableFunc(c.errors, func(a, b *ValidationError) int {
		return cmp.Or(comparePlace(a.Position, b.Position), cmp.Compare(a.Path, b.Path), cmp.Compare(a.Rule, b.Rule))
	})
	slices.SortStableFunc(c.warnings, func(a, b Diagnostic) int {
		return cmp.Or(comparePlace(a.Position, b.Position), cmp.Compare(a.Path, b.Path), cmp.Compare(a.Code, b.Code))
	})
	if c.more > 0 {
		last := *c.errors[len(c.errors)-1]
		last.Message = fmt.Sprintf("%d more violations are not shown: the limit is %d", c.more, c.limit)
		c.errors = append(c.errors, &last)
	}
	return &ValidationResult{Errors: c.errors, Warnings: c.warnings}
}

func comparePlace(a, b Position) int {
	return cmp.Or(cmp.Compare(a.Line, b.Line), cmp.Compare(a.Column, b.Column))
}

// Places that many rules use.
var (
	rootPlace      *place
	attackPlace    = rootPlace.field("attack")
	executionPlace = attackPlace.field("execution")
)

// actorView is an actor as the rules see it, whatever form the author chose.
type actorView struct {
	name   string
	mode   Mode   // "" when it has none
	at     *place // the actor, or the execution
	phases []phaseView
	single bool // the one phase of the single-phase form, which has no place of its own
}

// phaseView is a phase with its place and its resolved mode.
type phaseView struct {
	*Phase
	at   *place
	mode Mode // own, else the actor's; "" when there is none
}

// collectActors lists the actors of whichever forms are present; a document with
// more than one form is wrong, and each of them is checked.
func (c *checker) collectActors() []*actorView {
	x := &c.Attack.Execution
	var list []*actorView
	if x.State != nil {
		list = append(list, newActorView(defaultActor, deref(x.Mode), executionPlace, []Phase{{State: x.State}}))
		list[0].single = true
		list[0].phases[0].at = executionPlace
	}
	if x.Phases != nil {
		list = append(list, newActorView(defaultActor, deref(x.Mode), executionPlace, x.Phases))
	}
	for i := range x.Actors {
		a := &x.Actors[i]
		mode := a.Mode
		if mode == "" {
			mode = deref(x.Mode)
		}
		list = append(list, newActorView(a.Name, mode, executionPlace.field("actors").element(i), a.Phases))
	}
	return list
}

// defaultActor is the name of the only actor of the single-phase and multi-phase
// forms.
const defaultActor = "default"

func newActorView(name string, mode Mode, at *place, phases []Phase) *actorView {
	view := &actorView{name: name, mode: mode, at: at, phases: make([]phaseView, len(phases))}
	list := at.field("phases")
	for i := range phases {
		resolved := mode
		if phases[i].Mode != nil {
			resolved = *phases[i].Mode
		}
		view.phases[i] = phaseView{Phase: &phases[i], at: list.element(i), mode: resolved}
	}
	return view
}

// eachPhase calls do for every phase of every actor.
func (c *checker) eachPhase(do func(*actorView, phaseView)) {
	for _, a := range c.actors {
		for _, ph := range a.phases {
			do(a, ph)
		}
	}
}

// eachIndicator calls do for every indicator with its place.
func (c *checker) eachIndicator(do func(*Indicator, *place)) {
	list := attackPlace.field("indicators")
	for i := range c.Attack.Indicators {
		do(&c.Attack.Indicators[i], list.element(i))
	}
}

// indicatorProtocol resolves the protocol of an indicator: its own, else that of
// execution.mode; "" when there is neither.
func (c *checker) indicatorProtocol(ind *Indicator) Protocol {
	switch {
	case ind.Protocol != nil:
		return *ind.Protocol
	case c.Attack.Execution.Mode != nil:
		return ExtractProtocol(*c.Attack.Execution.Mode)
	}
	return ""
}

func deref[T any](p *T) (v T) {
	if p != nil {
		v = *p
	}
	return v
}
