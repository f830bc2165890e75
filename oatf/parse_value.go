package oatf

// ParseValue turns YAML or JSON text, such as a captured message, into a Value whose
// objects keep the order of their members. It takes the YAML that Parse takes: one
// document, without anchors, aliases, merge keys and custom tags, with unique keys,
// within the default Limits. The error is a ParseErrors.
func ParseValue(input []byte) (Value, error) {
	p, err := auditedNodes(input)
	if err != nil {
		return nil, err
	}
	return p.value(p.root), nil
}

// auditedNodes reads the nodes of any YAML that OATF allows. The error is a
// ParseErrors.
func auditedNodes(input []byte) (*parser, error) {
	limits := Limits{}.withDefaults()
	root, fault := readNodes(input, limits)
	if fault != nil {
		return nil, ParseErrors{fault}
	}
	p := &parser{options: ParseOptions{Limits: limits}, source: &source{root: root, lines: splitLines(string(input)), limits: limits}}
	if p.audit(root, nil); len(p.faults) > 0 {
		return nil, ParseErrors(p.sorted())
	}
	return p, nil
}
