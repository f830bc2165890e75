package oatf

import (
	"strings"
	"unicode"

	"github.com/cupel-dev/cupel/oatf/internal/profile"
	"github.com/cupel-dev/cupel/oatf/internal/revision"
	"github.com/cupel-dev/cupel/oatf/internal/view"
	"github.com/cupel-dev/cupel/oatf/internal/vocabulary"
	"github.com/cupel-dev/cupel/oatf/model"
)

// The defaults that Normalize makes explicit (N-001, N-002).
const (
	defaultName       = "Untitled"
	defaultVersion    = int64(1)
	defaultConfidence = int64(50)
	defaultCount      = int64(1)
)

// NormalizeOptions configures Normalize.
type NormalizeOptions struct {
	// OmitInheritedModes leaves out the mode of phases that inherit it from their actor. The specification requires
	// it (§3.3), but older documents omit it.
	OmitInheritedModes bool
}

// Normalize returns the canonical form of a document (§3.3, N-001 to N-008 of its revision): defaults are explicit,
// shorthands expanded, and the execution has actors. It is idempotent. Normalize expands invalid documents as far
// as possible. The result shares no memory with doc and has no source positions. Its state can be four levels
// deeper than the source and exceed Limits.Depth.
func Normalize(doc *model.Document) *model.Document { return NormalizeOptions{}.Normalize(doc) }

// Normalize is [Normalize] with options.
func (o NormalizeOptions) Normalize(doc *model.Document) *model.Document {
	out := clone(doc)
	out.Origin = nil
	p := revision.Of(doc.Revision)
	a := &out.Attack
	mode := a.Execution.Mode // N-006 and N-007 take it away, the indicators need it
	normalizeEnvelope(p, a)
	normalizeExecution(&a.Execution)
	for i := range a.Execution.Actors {
		o.normalizeActor(p, &a.Execution.Actors[i])
	}
	for i := range a.Indicators {
		a.Indicators[i] = view.Canonical(p, a.Indicators[i], i+1, a.ID, mode)
	}
	return out
}

// normalizeEnvelope sets the defaults of the attack (N-001, N-002, N-008).
func normalizeEnvelope(p *profile.Profile, a *model.Attack) {
	fill(&a.Name, defaultName)
	fill(&a.Version, defaultVersion)
	fill(&a.Status, model.StatusDraft)
	if a.Severity != nil {
		a.Severity.Scalar = false
		fill(&a.Severity.Confidence, defaultConfidence)
	}
	if a.Classification != nil {
		for i := range a.Classification.Mappings {
			fill(&a.Classification.Mappings[i].Relationship, model.RelationshipPrimary)
		}
		if p.PlainTags {
			plainTags(a.Classification.Tags)
		}
	}
	if a.Indicators != nil {
		fill(&a.Correlation, model.Correlation{})
		fill(&a.Correlation.Logic, model.CorrelationAny)
	}
}

// fill sets an absent optional field.
func fill[T any](field **T, value T) {
	if *field == nil {
		*field = &value
	}
}

// plainTags converts tags to lower case and replaces underscores and spaces by hyphens.
func plainTags(tags []string) {
	for i, tag := range tags {
		tags[i] = strings.Map(func(r rune) rune {
			if r == '_' || r == ' ' {
				return '-'
			}
			return unicode.ToLower(r)
		}, tag)
	}
}

// normalizeExecution converts the single-phase (N-006) and multi-phase form (N-007) to the multi-actor form.
func normalizeExecution(x *model.Execution) {
	if x.Actors != nil {
		return
	}
	actor := model.Actor{Name: view.DefaultActor}
	switch {
	case x.Phases != nil:
		actor.Phases, x.Phases = x.Phases, nil
	case x.State != nil:
		actor.Phases, x.State = []model.Phase{{State: x.State}}, nil
	default:
		return
	}
	switch {
	case x.Mode != nil:
		actor.Mode, x.Mode = *x.Mode, nil
	case len(actor.Phases) > 0 && actor.Phases[0].Mode != nil:
		actor.Mode = *actor.Phases[0].Mode
	}
	x.Actors = []model.Actor{actor}
	for i := range x.Extensions {
		if x.Extensions[i].After != "" {
			x.Extensions[i].After = "actors" // the only key that is left
		}
	}
}

// normalizeActor sets the defaults of an actor's phases (N-001, N-008).
func (o NormalizeOptions) normalizeActor(p *profile.Profile, a *model.Actor) {
	for i := range a.Phases {
		ph := &a.Phases[i]
		fill(&ph.Name, vocabulary.PhaseName(i+1))
		fill(&ph.Mode, a.Mode)
		if p.ToolDefaults && *ph.Mode == "mcp_server" {
			normalizeTools(ph.State)
		}
		if o.OmitInheritedModes && *ph.Mode == a.Mode {
			ph.Mode = nil
		}
		if t := ph.Trigger; t != nil && t.Event != nil {
			fill(&t.Count, defaultCount)
		}
	}
}

// normalizeTools sets the defaults of an MCP server's tools (N-008).
func normalizeTools(state model.Value) {
	object, _ := state.(model.Object)
	value, _ := object.Get("tools")
	tools, _ := value.([]model.Value)
	for i, tool := range tools {
		if tool, ok := tool.(model.Object); ok {
			tool = withDefault(tool, "description", "")
			tools[i] = withDefault(tool, "inputSchema", model.Object{{Key: "type", Value: "object"}})
		}
	}
}

// withDefault adds a member to the object, unless it exists and is not null.
func withDefault(o model.Object, key string, value model.Value) model.Object {
	for i := range o {
		if o[i].Key == key {
			if o[i].Value == nil {
				o[i].Value = value
			}
			return o
		}
	}
	return append(o, model.Member{Key: key, Value: value})
}
