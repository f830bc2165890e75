package primitive

import (
	"github.com/cupel-dev/cupel/oatf/internal/profile"
	"github.com/cupel-dev/cupel/oatf/model"
)

// Responses is a compiled list of response entries (§5.7).
type Responses struct {
	predicates []*Predicate // by the index of the entry; nil for a default one
	fallback   int          // the first default entry, or -1
}

// CompileResponses compiles the predicates of a list of entries. It returns the errors of CompilePredicate.
func CompileResponses(p *profile.Profile, entries []model.ResponseEntry) (*Responses, error) {
	compiled := &Responses{make([]*Predicate, len(entries)), -1}
	for i := range entries {
		if entries[i].When == nil {
			if compiled.fallback < 0 {
				compiled.fallback = i
			}
			continue
		}
		predicate, err := CompilePredicate(p, entries[i].When)
		if err != nil {
			return nil, err
		}
		compiled.predicates[i] = predicate
	}
	return compiled, nil
}

// Matching returns the indices of the entries without a predicate, or whose predicate matches a request.
func (r *Responses) Matching(request model.Value) []int {
	var l lookup
	var list []int
	for i, predicate := range r.predicates {
		if predicate == nil || predicate.match(&l, request) {
			list = append(list, i)
		}
	}
	return list
}

// Select returns the index of the first entry whose predicate matches, else of the first without a predicate, else
// -1.
func (r *Responses) Select(request model.Value) int {
	var l lookup
	for i, predicate := range r.predicates {
		if predicate != nil && predicate.match(&l, request) {
			return i
		}
	}
	return r.fallback
}
