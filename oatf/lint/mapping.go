package lint

import (
	"maps"
	"regexp"
	"slices"
	"strings"

	"github.com/cupel-dev/cupel/finding"
	"github.com/cupel-dev/cupel/internal/say"
	"github.com/cupel-dev/cupel/oatf/internal/place"
	"github.com/cupel-dev/cupel/oatf/internal/protocol"
	"github.com/cupel-dev/cupel/oatf/internal/rules"
	"github.com/cupel-dev/cupel/oatf/internal/view"
	"github.com/cupel-dev/cupel/oatf/model"
)

// frameworks maps the frameworks that the format names to the syntax of their ids, or nil.
var frameworks = map[string]*regexp.Regexp{
	"atlas":        regexp.MustCompile(`^AML\.(T|TA|M|CS)[0-9]{4}(\.[0-9]{3})?$`),
	"mitre_attack": regexp.MustCompile(`^(T|TA|M|S|G)[0-9]{4}(\.[0-9]{3})?$`),
	"cwe":          regexp.MustCompile(`^CWE-[0-9]+$`),
	"owasp_llm":    nil, "owasp_mcp": nil, "owasp_agentic": nil, "other": nil,
}

// forms are examples of ids.
var forms = map[string]string{"atlas": "AML.T0051 or AML.T0051.001", "mitre_attack": "T1552 or T1552.004", "cwe": "CWE-77"}

// lintMappings checks the ids of known frameworks in mappings.
func lintMappings(doc *view.Document, out *reporter) {
	c := doc.Attack.Classification
	if c == nil {
		return
	}
	at := place.Attack.Field("classification").Field("mappings")
	for i, m := range c.Mappings {
		name := string(m.Framework)
		form, known := frameworks[name]
		if !known {
			plain := strings.ToLower(strings.NewReplacer("-", "_", " ", "_").Replace(name))
			if _, is := frameworks[plain]; is {
				out.warn(rules.MappingName, at.Element(i).Field("framework"), "framework %s is misspelled", say.Quoted(name)).Help = "write " + plain
			} else if hint := out.Hint(name, slices.Sorted(maps.Keys(frameworks))); hint != "" {
				out.warn(rules.MappingName, at.Element(i).Field("framework"), "framework %s is not known", say.Quoted(name)).Help = hint
			}
			continue
		}
		if form != nil && !form.MatchString(m.ID) {
			out.warn(rules.MappingName, at.Element(i).Field("id"), "id %s does not have the form of %s ids", say.Quoted(m.ID), name).Help = "such ids look like " + forms[name]
		}
	}
}

// lintAnchors finds anchored expressions on a target that is an object, because its JSON starts with a bracket.
func lintAnchors(doc *view.Document, out *reporter) {
	if !doc.Profile.Evaluation.Operations {
		return
	}
	doc.EachIndicator(func(ind *model.Indicator, at *place.Path) {
		target, _ := targetOf(ind, at)
		if ind.Pattern == nil || target == nil {
			return
		}
		operators, at := ind.Pattern.Shorthand, at.Field("pattern")
		if ind.Pattern.Condition != nil {
			operators, at = ind.Pattern.Condition.Operators, at.Field("condition")
		}
		if operators == nil || operators.Regex == nil || !anchored.MatchString(*operators.Regex) {
			return
		}
		for _, q := range queriesOf(doc, ind) {
			kinds := protocol.Types(q, *target)
			if len(kinds) == 0 || slices.ContainsFunc(kinds, func(k string) bool { return k != "object" && k != "array" }) {
				return
			}
		}
		out.warn(rules.Contradiction, at.Field("regex"), "the expression never matches: the value at %s is an object, and its JSON begins with a bracket", say.Quoted(*target)).Help = "leave the anchor out, or name a member: " + *target + ".NAME"
	})
}

// anchored matches an expression that starts with a literal letter or digit.
var anchored = regexp.MustCompile(`^(\(\?i\))?\^[A-Za-z0-9/~_]`)

// lintAnswers finds answers of tools that are not the whole result, and predicates without effect.
func lintAnswers(doc *view.Document, out *reporter) {
	if !out.Has(rules.WholeResult) {
		return
	}
	doc.EachResponses(doc.Profile.Responses, func(r *view.Responses) {
		for i, v := range r.Entries {
			entry, _ := v.(model.Object)
			if when, is := entry.Get("when"); is && when != nil {
				if _, ok := when.(model.Object); !ok {
					f := out.warn(rules.WholeResult, r.Entry(i).Field("when"), "when must be a mapping of paths to conditions")
					f.Severity, f.Help = finding.Error, "write the paths as keys, without -"
				}
			}
			content, _ := entry.Get("content")
			if list, _ := content.([]model.Value); len(list) > 0 && r.List == "tools" && isBlock(list[0]) {
				out.warn(rules.WholeResult, r.Entry(i).Field("content"), "content is a list, so clients get no tool result").Help = "content is the whole result, a mapping: write content: {content: […]}"
			}
		}
	})
}

// isBlock reports whether a value is a block of a tool's content.
func isBlock(v model.Value) bool {
	object, _ := v.(model.Object)
	kind, _ := object.Get("type")
	return kind != nil
}
