package validate

import (
	"math"

	"go.yaml.in/yaml/v4"

	"github.com/cupel-dev/cupel/internal/say"
	"github.com/cupel-dev/cupel/oatf/internal/findings"
	"github.com/cupel-dev/cupel/oatf/internal/place"
	"github.com/cupel-dev/cupel/oatf/internal/rules"
	"github.com/cupel-dev/cupel/oatf/internal/view"
	"github.com/cupel-dev/cupel/oatf/internal/vocabulary"
	"github.com/cupel-dev/cupel/oatf/model"
)

// supportedVersion is the format version that the package implements.
const supportedVersion = "0.1"

func checkVersion(doc *view.Document, out *findings.List) {
	if doc.OATF != supportedVersion {
		out.Violation(rules.Version, place.Root.Field("oatf"), "version %s is not supported", say.Quoted(doc.OATF)).Help = `write oatf: "` + supportedVersion + `"`
	}
}

func checkFirstKey(doc *view.Document, out *findings.List) {
	source := place.SourceOf(doc.Document)
	if source == nil || doc.OATF == "" {
		return
	}
	if first := source.Root.Content[0]; first.Kind != yaml.ScalarNode || first.Value != "oatf" {
		f := out.Warning(rules.FirstKeyAdvice, place.Root.Field("oatf"), "oatf is not the first key of the document")
		f.Help = "move it above " + say.Quoted(first.Value)
		out.MoveFirst(f, "oatf")
	}
}

// checkEnums checks the closed enumerations of documents that were not parsed; Parse checks the others.
func checkEnums(doc *view.Document, out *findings.List) {
	a := &doc.Attack
	enum(out, place.Attack.Field("status"), a.Status, vocabulary.Statuses)
	if a.Severity != nil {
		at := place.Attack.Field("severity")
		if !a.Severity.Scalar {
			at = at.Field("level")
		}
		enum(out, at, &a.Severity.Level, vocabulary.SeverityLevels)
	}
	for i := range a.Impact {
		enum(out, place.Attack.Field("impact").Element(i), &a.Impact[i], vocabulary.Impacts)
	}
	if cl := a.Classification; cl != nil {
		at := place.Attack.Field("classification")
		enum(out, at.Field("category"), cl.Category, vocabulary.Categories)
		for i := range cl.Mappings {
			enum(out, at.Field("mappings").Element(i).Field("relationship"), cl.Mappings[i].Relationship, vocabulary.Relationships)
		}
	}
	if a.Correlation != nil {
		enum(out, place.Attack.Field("correlation").Field("logic"), a.Correlation.Logic, vocabulary.CorrelationLogics)
	}
	doc.EachIndicator(func(ind *model.Indicator, at *place.Path) {
		enum(out, at.Field("severity"), ind.Severity, vocabulary.SeverityLevels)
		enum(out, at.Field("direction"), ind.Direction, vocabulary.Directions)
		enum(out, at.Field("method"), ind.Method, vocabulary.IndicatorMethods)
		if ind.Semantic != nil {
			enum(out, at.Field("semantic").Field("intent_class"), ind.Semantic.IntentClass, vocabulary.IntentClasses)
		}
	})
	doc.EachPhase(func(_ *view.Actor, ph view.Phase) { phaseEnums(out, ph) })
}

func phaseEnums(out *findings.List, ph view.Phase) {
	for i := range ph.Extractors {
		at := ph.At.Field("extractors").Element(i)
		enum(out, at.Field("source"), &ph.Extractors[i].Source, vocabulary.ExtractorSources)
		enum(out, at.Field("type"), &ph.Extractors[i].Type, vocabulary.ExtractorTypes)
	}
	for i := range ph.OnEnter {
		at := ph.At.Field("on_enter").Element(i)
		if log := ph.OnEnter[i].Log; log != nil {
			enum(out, at.Field("log").Field("level"), log.Level, vocabulary.LogLevels)
		}
		if s := ph.OnEnter[i].SendElicitation; s != nil {
			enum(out, at.Field("send_elicitation").Field("mode"), s.Mode, vocabulary.ElicitationModes)
		}
	}
}

func enum[E ~string](out *findings.List, at *place.Path, value *E, members []E) {
	if value != nil && !vocabulary.IsMember(*value, members) {
		f := out.Violation(rules.EnumMember, at, "%s is not one of %s", say.Quoted(string(*value)), vocabulary.OneOf(members))
		out.Suggest(f, string(*value), vocabulary.Names(members))
	}
}

func checkIndicatorsPresent(doc *view.Document, out *findings.List) {
	if doc.Attack.Indicators != nil && len(doc.Attack.Indicators) == 0 {
		out.Violation(rules.SomeIndicators, place.Attack.Field("indicators"), "the list of indicators is empty").Help = "leave the key out for a document that is for simulation only"
	}
}

func checkImpact(doc *view.Document, out *findings.List) {
	seen := map[model.Impact]bool{}
	for _, impact := range doc.Attack.Impact {
		if seen[impact] && impact != "" { // of a wrong type, each is ""
			out.Violation(rules.UniqueImpact, place.Attack.Field("impact"), "impact %s is listed twice", say.Quoted(string(impact)))
			return
		}
		seen[impact] = true
	}
}

func checkCorrelation(doc *view.Document, out *findings.List) {
	if doc.Attack.Correlation != nil && doc.Attack.Indicators == nil {
		out.Violation(rules.CorrelationHasIndicators, place.Attack.Field("correlation"), findings.NothingToCorrelate).Help = findings.LeaveOutHint
	}
}

func checkSeverityConfidence(doc *view.Document, out *findings.List) {
	if s := doc.Attack.Severity; s != nil {
		percentage(out, rules.SeverityConfidence, place.Attack.Field("severity").Field("confidence"), s.Confidence)
	}
}

func checkIndicatorConfidence(doc *view.Document, out *findings.List) {
	doc.EachIndicator(func(ind *model.Indicator, at *place.Path) {
		percentage(out, rules.IndicatorConfidence, at.Field("confidence"), ind.Confidence)
	})
}

func percentage(out *findings.List, rule rules.Handle, at *place.Path, value *int64) {
	if value != nil && (*value < 0 || *value > 100) {
		out.Violation(rule, at, "confidence %d is not in the range 0 to 100", *value)
	}
}

func checkThreshold(doc *view.Document, out *findings.List) {
	doc.EachIndicator(func(ind *model.Indicator, at *place.Path) {
		if ind.Semantic == nil || ind.Semantic.Threshold == nil {
			return
		}
		if t := *ind.Semantic.Threshold; math.IsNaN(t) || t < 0 || t > 1 {
			out.Violation(rules.Threshold, at.Field("semantic").Field("threshold"), "threshold %v is not in the range 0.0 to 1.0", t)
		}
	})
}

func checkAttackID(doc *view.Document, out *findings.List) {
	if id := doc.Attack.ID; id != nil && !vocabulary.IsAttackID(*id) {
		out.Violation(rules.AttackID, place.Attack.Field("id"), "attack id %s does not have the form PREFIX-001: capitals and at least three digits", say.Quoted(*id)).Help = "write it like ACME-001"
	}
}

func checkDocumentVersion(doc *view.Document, out *findings.List) {
	if v := doc.Attack.Version; v != nil && *v < 1 {
		out.Violation(rules.PositiveVersion, place.Attack.Field("version"), "version %d is not a positive integer", *v)
	}
}
