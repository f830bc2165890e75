package lint

import (
	"cmp"
	"slices"
	"strings"

	"github.com/cupel-dev/cupel/finding"
	"github.com/cupel-dev/cupel/internal/say"
	"github.com/cupel-dev/cupel/oatf/internal/cel"
	"github.com/cupel-dev/cupel/oatf/internal/place"
	"github.com/cupel-dev/cupel/oatf/internal/protocol"
	"github.com/cupel-dev/cupel/oatf/internal/rules"
	"github.com/cupel-dev/cupel/oatf/internal/view"
	"github.com/cupel-dev/cupel/oatf/internal/vocabulary"
	"github.com/cupel-dev/cupel/oatf/model"
)

// lintPayloadPaths finds indicator paths that do not exist in any payload of the protocol, in any revision.
func lintPayloadPaths(doc *view.Document, out *reporter) {
	doc.EachIndicator(func(ind *model.Indicator, at *place.Path) {
		queries := queriesOf(doc, ind)
		if target, at := targetOf(ind, at); target != nil && !enveloped(doc, ind, *target) {
			lintPath(out, queries, *target, at, "target "+say.Quoted(*target))
		}
		if ind.Expression != nil {
			lintExpression(out, queries, ind.Expression, at.Field("expression"))
		}
	})
	if !doc.Profile.Evaluation.Operations {
		return
	}
	doc.EachPhase(func(_ *view.Actor, ph view.Phase) {
		t := ph.Trigger
		if t == nil || t.Event == nil || !strings.HasSuffix(string(ph.Mode), "_server") {
			return
		}
		q := []protocol.Query{{Protocol: vocabulary.ExtractProtocol(ph.Mode), Operation: *t.Event, Direction: model.DirectionRequest}}
		lintPredicate(out, q, t.Match, ph.At.Field("trigger").Field("match"))
	})
	doc.EachResponses(doc.Profile.Responses, func(r *view.Responses) {
		q := []protocol.Query{{Protocol: cmp.Or(r.Protocol, "mcp"), Operation: chosenBy[r.List+"."+r.Member], Direction: model.DirectionRequest}}
		if q[0].Operation == "" {
			return
		}
		for i, entry := range r.Entries {
			object, _ := entry.(model.Object)
			when, _ := object.Get("when")
			predicate, _ := when.(model.Object)
			for _, m := range predicate {
				lintPath(out, q, m.Key, r.Entry(i).Field("when").Field(m.Key), "path "+say.Quoted(m.Key))
			}
		}
	})
}

// chosenBy maps lists to the operations whose messages select an entry.
var chosenBy = map[string]string{
	"tools.responses": "tools/call", "prompts.responses": "prompts/get", ".sampling_responses": "sampling/createMessage",
	".elicitation_responses": "elicitation/create", ".task_responses": "message/send",
}

// enveloped reports whether a target is in the envelope, which another rule checks.
func enveloped(doc *view.Document, ind *model.Indicator, target string) bool {
	if alias, _ := protocol.AliasOf(doc.Protocol(ind), target); alias != protocol.NoAlias {
		return false
	}
	first, _, _ := strings.Cut(target, ".")
	return slices.Contains(doc.Profile.Lint.Envelope[doc.Protocol(ind)], strings.TrimSuffix(first, "[*]"))
}

func queriesOf(doc *view.Document, ind *model.Indicator) (list []protocol.Query) {
	p := doc.Protocol(ind)
	if doc.Profile.Evaluation.Operations {
		q := protocol.Query{Protocol: p}
		if ind.Surface != nil {
			q.Operation = protocol.Canonical(cmp.Or(doc.Profile.Renamed[string(*ind.Surface)], string(*ind.Surface)))
		}
		if ind.Direction != nil {
			q.Direction = *ind.Direction
		}
		return []protocol.Query{q}
	}
	return []protocol.Query{{Protocol: p}}
}

func lintPredicate(out *reporter, queries []protocol.Query, match model.MatchPredicate, at *place.Path) {
	for i := range match {
		path := match[i].Path
		if strings.HasPrefix(path, "params.") {
			continue // of the earlier revision, which a separate rule covers
		}
		if object, ok := match[i].Value.(model.Object); ok && match[i].Operators == nil && len(object) > 0 {
			inner := path + "." + object[0].Key
			out.warn(rules.PayloadPath, at.Field(path), "the predicate compares %s with a mapping", say.Quoted(path)).Help = "write a dot-path for a member inside it: " + say.Preview(inner, say.Usual) + ", or " + say.Preview(object[0].Key, say.Usual) + " if it is at the root: predicates see the params themselves"
			continue
		}
		lintPath(out, queries, path, at.Field(path), "path "+say.Quoted(path))
	}
}

// lintPath reports a path that leads nowhere in all payloads.
func lintPath(out *reporter, queries []protocol.Query, path string, at *place.Path, what string) {
	var o protocol.Outcome
	for i, q := range queries {
		next := protocol.Trace(q, path)
		if next.Why == protocol.Leads {
			return
		}
		if i == 0 || next.Segment > o.Segment {
			o = next
		}
	}
	if len(queries) == 0 || len(protocol.Revisions(queries[0].Protocol)) == 0 {
		return
	}
	if alias, works := protocol.AliasOf(queries[0].Protocol, path); alias != protocol.NoAlias {
		f := out.warn(rules.RunnerName, at, "%s is a runner's name for a text, not a path in a payload", what)
		if f.Help = "write the full path: cupel oatf eval finds the value, but other tools do not always"; !works {
			f.Severity = finding.Warning // it never matches
			f.Help = "write a path of a payload: the name has no meaning for protocol " + string(queries[0].Protocol)
		}
		return
	}
	segments := strings.Split(path, ".")
	if !out.Has(rules.WholeResult) && (o.Segment > 0 || out.begins(queries[0].Protocol, segments[0])) {
		return // that revision's surfaces have separate roots
	}
	name := strings.TrimSuffix(segments[o.Segment], "[*]")
	before := "the root of a message"
	if o.Segment > 0 {
		before = strings.Join(segments[:o.Segment], ".")
	}
	f := out.warn(rules.PayloadPath, at, "%s never has a value: %s", what, why(o, name, before))
	switch hint := out.Hint(name, o.Names); {
	case hint != "":
		f.Help = hint
	case o.Why == protocol.AList:
		f.Help = "write " + before + "[*]." + name
	case len(o.Names) > 0:
		f.Help = "members there: " + strings.Join(o.Names[:min(len(o.Names), 12)], ", ")
	}
}

// why is why a path leads nowhere.
func why(o protocol.Outcome, name, before string) string {
	switch o.Why {
	case protocol.NoList:
		return say.Quoted(name) + " is not a list"
	case protocol.AList:
		return say.Quoted(before) + " is a list"
	case protocol.NoContainer:
		return say.Quoted(before) + " has no members"
	}
	return before + " never has a member " + say.Quoted(name)
}

// lintExpression checks the names, the types and the paths of an expression.
func lintExpression(out *reporter, queries []protocol.Query, e *model.ExpressionMatch, at *place.Path) {
	names := make([]string, len(e.Variables))
	for i, v := range e.Variables {
		names[i] = v.Name
		lintPath(out, queries, v.Path, at.Field("variables").Field(v.Name), "the path "+say.Quoted(v.Path)+" of variable "+say.Quoted(v.Name))
	}
	at = at.Field("cel")
	problems := cel.Problems(e.CEL, names)
	for _, p := range problems {
		f := out.warn(rules.TypedExpression, at, "%s", p.Message)
		if p.Name == "" {
			continue
		}
		if strings.HasPrefix(p.Message, "CEL has no function") {
			f.Severity = finding.Error // it fails on every message
		}
		if f.Help = out.Hint(p.Name, append(slices.Clone(names), "message", "size", "matches", "contains", "startsWith", "endsWith", "exists", "all", "has")); f.Help == "" {
			f.Help = "the message is the variable message: write message." + say.Preview(p.Name, say.Usual)
		}
		if p.Name == "lenght" || p.Name == "length" || p.Name == "len" {
			f.Help = "the function is size"
		}
	}
	paths, whole := cel.Paths(e.CEL)
	for _, path := range paths {
		lintPath(out, queries, path, at, "message."+path)
	}
	if whole && len(problems) == 0 && len(paths) == 1 && neverBoolean(queries, paths[0]) {
		out.warn(rules.TypedExpression, at, "the expression returns the value of message.%s, expected a boolean", paths[0]).Help = "compare it: message." + paths[0] + ` == "…"`
	}
}

// neverBoolean reports whether no value at a path can be a boolean.
func neverBoolean(queries []protocol.Query, path string) bool {
	for _, q := range queries {
		kinds := protocol.Types(q, path)
		if len(kinds) == 0 || slices.Contains(kinds, "boolean") || slices.Contains(kinds, "any") {
			return false
		}
	}
	return len(queries) > 0
}
