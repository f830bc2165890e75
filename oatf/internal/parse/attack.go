package parse

import (
	"go.yaml.in/yaml/v4"

	"github.com/cupel-dev/cupel/oatf/internal/rules"
	"github.com/cupel-dev/cupel/oatf/internal/vocabulary"
	"github.com/cupel-dev/cupel/oatf/model"
)

func readDocument(root node) *model.Document {
	o := root.object()
	doc := &model.Document{OATF: o.required("oatf", rules.Version), Schema: o.take("$schema").optionalText()}
	if n := o.take("attack"); !n.isThere() {
		o.missing("attack", rules.OneAttack)
	} else {
		before := len(n.faults.All())
		doc.Attack = readAttack(n)
		if faults := n.faults.All(); n.yaml.Kind != yaml.MappingNode && len(faults) > before {
			faults[before].Rule = n.profile.Rules.ID(rules.OneAttack)
		}
	}
	o.close()
	return doc
}

func readAttack(n node) model.Attack {
	o := n.object()
	a := model.Attack{
		ID:             o.take("id").optionalText(),
		Name:           o.take("name").optionalText(),
		Version:        o.take("version").integer(),
		Status:         member(o.take("status"), vocabulary.Statuses),
		Created:        named[model.DateTime](o.take("created")),
		Modified:       named[model.DateTime](o.take("modified")),
		Author:         o.take("author").optionalText(),
		Description:    o.take("description").optionalText(),
		GracePeriod:    named[model.Duration](o.take("grace_period")),
		Severity:       optional(o.take("severity"), readSeverity),
		Impact:         list(o.take("impact"), func(n node) model.Impact { return readMember(n, vocabulary.Impacts) }),
		Classification: optional(o.take("classification"), readClassification),
		References:     list(o.take("references"), readReference),
		Execution:      readExecution(o),
		Indicators:     list(o.take("indicators"), readIndicator),
		Correlation:    optional(o.take("correlation"), readCorrelation),
	}
	a.Extensions = o.extensions()
	return a
}

// readSeverity reads either form of a severity, a level or a mapping.
func readSeverity(n node) model.Severity {
	if n.yaml.Kind == yaml.ScalarNode {
		return model.Severity{Level: readMember(n, vocabulary.SeverityLevels), Scalar: true}
	}
	o := n.object()
	s := model.Severity{Level: requiredMember(o, "level", vocabulary.SeverityLevels), Confidence: o.take("confidence").integer()}
	o.close()
	return s
}

func readClassification(n node) model.Classification {
	o := n.object()
	c := model.Classification{
		Category: member(o.take("category"), vocabulary.Categories),
		Mappings: list(o.take("mappings"), readFrameworkMapping),
		Tags:     list(o.take("tags"), node.text),
	}
	o.close()
	return c
}

func readFrameworkMapping(n node) model.FrameworkMapping {
	o := n.object()
	m := model.FrameworkMapping{
		Framework:    model.Framework(o.required("framework")),
		ID:           o.required("id"),
		Name:         o.take("name").optionalText(),
		URL:          o.take("url").optionalText(),
		Relationship: member(o.take("relationship"), vocabulary.Relationships),
	}
	o.close()
	return m
}

func readReference(n node) model.Reference {
	o := n.object()
	r := model.Reference{URL: o.required("url"), Title: o.take("title").optionalText(), Description: o.take("description").optionalText()}
	o.close()
	return r
}

func readCorrelation(n node) model.Correlation {
	o := n.object()
	c := model.Correlation{Logic: member(o.take("logic"), vocabulary.CorrelationLogics)}
	o.close()
	return c
}
