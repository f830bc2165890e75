package oatf

// ParseValue turns YAML or JSON text, such as a captured message, into a Value whose
// objects keep the order of their members. It takes the YAML that Parse takes: one
// document, without anchors, aliases, merge keys and custom tags, with unique keys,
// within the default Limits. The error is a ParseErrors.
func ParseValue(input []byte) (Value, error) {
	limits := Limits{}.withDefaults()
	root, fault := readNodes(input, limits)
	if fault != nil {
		return nil, ParseErrors{fault}
	}
	p := &parser{options: ParseOptions{Limits: limits}, source: &source{root: root, lines: splitLines(string(input)), limits: limits}}
	p.audit(root, nil)
	if len(p.faults) > 0 {
		return nil, ParseErrors(p.sorted())
	}
	return p.value(root), nil
}
