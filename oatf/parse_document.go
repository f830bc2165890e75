package oatf

import "go.yaml.in/yaml/v4"

// The rules that a missing field breaks, besides being a ParseError.
const (
	ruleVersion   = "V-001"
	ruleAttack    = "V-003"
	ruleExecution = "V-004"
	ruleActor     = "V-031"
)

func (p *parser) document(root *yaml.Node) *Document {
	o := p.object(root, nil)
	doc := &Document{OATF: o.required("oatf", ruleVersion), Schema: o.text("$schema")}
	if n := o.take("attack"); n == nil {
		o.missing("attack", ruleAttack)
	} else {
		before := len(p.faults)
		doc.Attack = p.attack(n, o.at.field("attack"))
		if n.Kind != yaml.MappingNode && len(p.faults) > before {
			p.faults[before].Rule = ruleAttack
		}
	}
	o.close()
	return doc
}

func (p *parser) attack(n *yaml.Node, at *place) Attack {
	o := p.object(n, at)
	a := Attack{
		ID:          o.text("id"),
		Name:        o.text("name"),
		Version:     o.integer("version"),
		Status:      member(o, "status", statuses),
		Created:     named[DateTime](o, "created"),
		Modified:    named[DateTime](o, "modified"),
		Author:      o.text("author"),
		Description: o.text("description"),
		GracePeriod: named[Duration](o, "grace_period"),
		Severity:    o.severity(),
		Impact:      list(o, "impact", members(impacts)),
	}
	if n := o.take("classification"); n != nil {
		a.Classification = p.classification(n, at.field("classification"))
	}
	a.References = list(o, "references", (*parser).reference)
	a.Execution = o.execution()
	a.Indicators = list(o, "indicators", (*parser).indicator)
	if n := o.take("correlation"); n != nil {
		c := p.object(n, at.field("correlation"))
		a.Correlation = &Correlation{Logic: member(c, "logic", correlationLogics)}
		c.close()
	}
	a.Extensions = o.extensions()
	return a
}

// severity reads either form of a severity, a level or a mapping.
func (o *object) severity() *Severity {
	n := o.take("severity")
	if n == nil {
		return nil
	}
	at := o.at.field("severity")
	if n.Kind == yaml.ScalarNode {
		return &Severity{Level: enumeration(o.parser, n, at, severityLevels), Scalar: true}
	}
	s := o.object(n, at)
	severity := &Severity{Level: requiredMember(s, "level", severityLevels), Confidence: s.integer("confidence")}
	s.close()
	return severity
}

func (p *parser) classification(n *yaml.Node, at *place) *Classification {
	o := p.object(n, at)
	c := &Classification{
		Category: member(o, "category", categories),
		Mappings: list(o, "mappings", (*parser).frameworkMapping),
		Tags:     list(o, "tags", (*parser).text),
	}
	o.close()
	return c
}

func (p *parser) frameworkMapping(n *yaml.Node, at *place) FrameworkMapping {
	o := p.object(n, at)
	m := FrameworkMapping{
		Framework:    Framework(o.required("framework", "")),
		ID:           o.required("id", ""),
		Name:         o.text("name"),
		URL:          o.text("url"),
		Relationship: member(o, "relationship", relationships),
	}
	o.close()
	return m
}

func (p *parser) reference(n *yaml.Node, at *place) Reference {
	o := p.object(n, at)
	r := Reference{URL: o.required("url", ""), Title: o.text("title"), Description: o.text("description")}
	o.close()
	return r
}
