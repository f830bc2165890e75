package check

type assertionType struct {
	name    string
	layer   int
	compile func(*spec) Check
	keys    []string // members of the spec, for suites: there an unknown one is an error
}

// types lists the types of §2.2 and those that published SDKs send.
var types = []assertionType{
	{"schema", 1, compileSchema, []string{"target", "schema", "format"}},
	{"constraint", 2, compileConstraint, []string{"field", "operator", "value", "min", "max", "values", "tolerance", "soft"}},
	{"trace", 3, compileTraceCheck, []string{"check", "tools", "tool", "max_repetitions", "transitions", "depth", "soft", "expect", "order", "extra", "score", "threshold"}},
	{"content", 4, compileContent, []string{"target", "check", "value", "values", "soft", "case_sensitive", "word", "normalize"}},
	{"embedding", 5, compileEmbedding, []string{"target", "reference", "threshold", "model", "soft"}},
	{"llm_judge", 6, compileJudge, []string{"target", "rubric", "prompt", "criteria", "threshold", "model", "soft", "samples", "meta_eval", "models", "combine"}},
	{"trace_tree", 3, compileTreeCheck, []string{
		"check", "agent_id", "max_depth", "value", "case_sensitive", "from_agent", "to_agent", "field", "transitions", "operator", "min", "max", "values", "tolerance",
		"agent_a", "agent_b", "max_ms", "groups", "tools", "soft",
	}},
	{"plugin", 4, compilePlugin, []string{"plugin_id", "config", "soft"}},
}

func TypeNames() []string {
	names := make([]string, len(types))
	for i, t := range types {
		names[i] = t.name
	}
	return names
}

// LayerOf returns the layer of a type, 0 for an unknown one.
func LayerOf(name string) int {
	for _, t := range types {
		if t.name == name {
			return t.layer
		}
	}
	return 0
}

// KeysOf returns the members that a spec of the type can have, or nil if it can have any.
func KeysOf(name string) []string {
	for _, t := range types {
		if t.name == name {
			return t.keys
		}
	}
	return nil
}

// CallNames returns the names of the checks of layer 3.
func CallNames() []string { return namesOf(callChecks) }

// TreeNames returns the names of the checks of trees.
func TreeNames() []string { return namesOf(treeChecks) }

// ContentNames returns the names of the checks of layer 4.
func ContentNames() []string { return namesOf(contentChecks) }
