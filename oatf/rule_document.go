package oatf

import (
	"math"

	"go.yaml.in/yaml/v4"
)

// supportedVersion is the format version that the package implements.
const supportedVersion = "0.1"

func checkVersion(c *checker) {
	if c.OATF != supportedVersion {
		c.violation("V-001", rootPlace.field("oatf"), "version %s is not supported", quoted(c.OATF)).Help = `write oatf: "` + supportedVersion + `"`
	}
}

func checkFirstKey(c *checker) {
	if c.source == nil || c.OATF == "" {
		return
	}
	if first := c.source.root.Content[0]; first.Kind != yaml.ScalarNode || first.Value != "oatf" {
		c.warning("W-001", rootPlace.field("oatf"), "oatf is not the first key of the document").Help = "move it above " + quoted(first.Value)
	}
}

// checkEnums holds the closed enumerations of a document that was not parsed; Parse
// has judged the others already.
func checkEnums(c *checker) {
	a := &c.Attack
	enum(c, attackPlace.field("status"), a.Status, statuses)
	if a.Severity != nil {
		at := attackPlace.field("severity")
		if !a.Severity.Scalar {
			at = at.field("level")
		}
		enum(c, at, &a.Severity.Level, severityLevels)
	}
	for i := range a.Impact {
		enum(c, attackPlace.field("impact").element(i), &a.Impact[i], impacts)
	}
	if cl := a.Classification; cl != nil {
		at := attackPlace.field("classification")
		enum(c, at.field("category"), cl.Category, categories)
		for i := range cl.Mappings {
			enum(c, at.field("mappings").element(i).field("relationship"), cl.Mappings[i].Relationship, relationships)
		}
	}
	if a.Correlation != nil {
		enum(c, attackPlace.field("correlation").field("logic"), a.Correlation.Logic, correlationLogics)
	}
	c.eachIndicator(func(ind *Indicator, at *place) {
		enum(c, at.field("severity"), ind.Severity, severityLevels)
		if ind.Semantic != nil {
			enum(c, at.field("semantic").field("intent_class"), ind.Semantic.IntentClass, intentClasses)
		}
	})
	c.eachPhase(func(_ *actorView, ph phaseView) { phaseEnums(c, ph) })
}

func phaseEnums(c *checker, ph phaseView) {
	for i := range ph.Extractors {
		at := ph.at.field("extractors").element(i)
		enum(c, at.field("source"), &ph.Extractors[i].Source, extractorSources)
		enum(c, at.field("type"), &ph.Extractors[i].Type, extractorTypes)
	}
	for i := range ph.OnEnter {
		at := ph.at.field("on_enter").element(i)
		if log := ph.OnEnter[i].Log; log != nil {
			enum(c, at.field("log").field("level"), log.Level, logLevels)
		}
		if s := ph.OnEnter[i].SendElicitation; s != nil {
			enum(c, at.field("send_elicitation").field("mode"), s.Mode, elicitationModes)
		}
	}
}

func enum[E ~string](c *checker, at *place, value *E, members []E) {
	if value != nil && !isMember(*value, members) {
		c.violation("V-005", at, "%s is not one of %s", quoted(string(*value)), oneOf(members)).Help = c.hint(string(*value), names(members))
	}
}

func checkIndicatorsPresent(c *checker) {
	if c.Attack.Indicators != nil && len(c.Attack.Indicators) == 0 {
		c.violation("V-006", attackPlace.field("indicators"), "the list of indicators is empty").Help = "leave the key out for a document that is for simulation only"
	}
}

func checkSeverityConfidence(c *checker) {
	if s := c.Attack.Severity; s != nil {
		percentage(c, "V-017", attackPlace.field("severity").field("confidence"), s.Confidence)
	}
}

func checkIndicatorConfidence(c *checker) {
	c.eachIndicator(func(ind *Indicator, at *place) { percentage(c, "V-025", at.field("confidence"), ind.Confidence) })
}

func percentage(c *checker, rule string, at *place, value *int64) {
	if value != nil && (*value < 0 || *value > 100) {
		c.violation(rule, at, "confidence %d is not in the range 0 to 100", *value)
	}
}

func checkThreshold(c *checker) {
	c.eachIndicator(func(ind *Indicator, at *place) {
		if ind.Semantic == nil || ind.Semantic.Threshold == nil {
			return
		}
		if t := *ind.Semantic.Threshold; math.IsNaN(t) || t < 0 || t > 1 {
			c.violation("V-022", at.field("semantic").field("threshold"), "threshold %v is not in the range 0.0 to 1.0", t)
		}
	})
}

func checkAttackID(c *checker) {
	if id := c.Attack.ID; id != nil && !isAttackID(*id) {
		c.violation("V-023", attackPlace.field("id"), "attack id %s is not a prefix of capitals and a number of three digits or more", quoted(*id)).Help = "write it like ACME-001"
	}
}

func checkDocumentVersion(c *checker) {
	if v := c.Attack.Version; v != nil && *v < 1 {
		c.violation("V-037", attackPlace.field("version"), "version %d is not a positive integer", *v)
	}
}
