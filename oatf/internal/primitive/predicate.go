package primitive

import (
	"github.com/cupel-dev/cupel/oatf/internal/profile"
	"github.com/cupel-dev/cupel/oatf/internal/vocabulary"
	"github.com/cupel-dev/cupel/oatf/model"
)

// Predicate is a compiled match predicate (§5.4).
type Predicate struct {
	entries []entry // all must hold
}

type entry struct {
	path      string // an invalid path does not resolve
	isPath    bool
	condition *Condition
	absent    bool // it holds when the path does not resolve, and only then
}

// CompilePredicate compiles a predicate. An empty predicate always matches. An invalid condition is an error of
// kind type_error.
func CompilePredicate(p *profile.Profile, match model.MatchPredicate) (*Predicate, error) {
	compiled := &Predicate{make([]entry, 0, len(match))}
	for i := range match {
		condition, err := CompileCondition(p, &match[i].Condition)
		if err != nil {
			return nil, err
		}
		compiled.entries = append(compiled.entries, entry{
			match[i].Path, vocabulary.CheckSimplePath(match[i].Path), condition, IsAbsence(match[i].Operators),
		})
	}
	return compiled, nil
}

// IsAbsence reports whether a condition is only "exists: false".
func IsAbsence(o *model.MatchCondition) bool {
	if o == nil || o.Exists == nil || *o.Exists {
		return false
	}
	return o.Contains == nil && o.StartsWith == nil && o.EndsWith == nil && o.Regex == nil &&
		o.AnyOf == nil && o.GT == nil && o.LT == nil && o.GTE == nil && o.LTE == nil
}

// Match reports whether every entry matches. An unresolved path matches only a lone "exists: false"; a resolved
// path, even to null, never matches it.
func (p *Predicate) Match(value model.Value) bool {
	if len(p.entries) < manyLookups {
		return p.match(nil, value)
	}
	return p.match(&lookup{}, value)
}

func (p *Predicate) match(l *lookup, value model.Value) bool {
	for i := range p.entries {
		e := &p.entries[i]
		v, found := e.resolve(l, value)
		if !found && !e.absent || found && !e.condition.Match(v) {
			return false
		}
	}
	return true
}

func (e *entry) resolve(l *lookup, value model.Value) (v model.Value, found bool) {
	if !e.isPath {
		return nil, false
	}
	return l.resolve(e.path, value)
}
