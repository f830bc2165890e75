package view

import (
	"slices"
	"strings"

	"github.com/cupel-dev/cupel/internal/suggest"
	"github.com/cupel-dev/cupel/oatf/internal/place"
	"github.com/cupel-dev/cupel/oatf/internal/profile"
	"github.com/cupel-dev/cupel/oatf/internal/vocabulary"
	"github.com/cupel-dev/cupel/oatf/model"
)

// Responses are the response entries at a place.
type Responses struct {
	*profile.ResponsePlace
	Entries []model.Value
	at      *place.Path
}

// At returns the place of the list, or of the entry if there is no list.
func (r *Responses) At() *place.Path { return r.at }

// Entry returns the place of an entry.
func (r *Responses) Entry(i int) *place.Path {
	if r.Single {
		return r.at
	}
	return r.at.Element(i)
}

// MeantWhen returns the key probably meant as when: a misspelling, or match (a trigger's predicate). It returns ""
// if there is none.
func (r *Responses) MeantWhen(entry model.Object) string {
	if _, is := entry.Get("when"); is || !slices.Contains(r.Keys, "when") {
		return ""
	}
	free := r.Free(entry)
	for _, m := range entry {
		if !slices.Contains(r.Keys, m.Key) && !strings.HasPrefix(m.Key, "x-") && (m.Key == "match" || suggest.Nearest(m.Key, free) == "when") {
			return m.Key
		}
	}
	return ""
}

// Free returns the keys of the binding that an entry does not have.
func (r *Responses) Free(entry model.Object) []string { return Free(entry, r.Keys) }

// Defaults counts the entries without a predicate.
func (r *Responses) Defaults() (n int) {
	for _, v := range r.Entries {
		if entry, ok := v.(model.Object); ok && !r.Single {
			if _, chosen := HasAny(entry, "when"); !chosen {
				n++
			}
		}
	}
	return n
}

// EachResponses calls do for each owner of responses: states and elements of their lists.
func (d *Document) EachResponses(places []profile.ResponsePlace, do func(*Responses)) {
	d.EachPhase(func(_ *Actor, ph Phase) {
		state, ok := ph.State.(model.Object)
		if !ok {
			return
		}
		at := ph.At.Field("state")
		for i := range places {
			where := &places[i]
			if ph.Mode != "" && where.Protocol != "" && where.Protocol != vocabulary.ExtractProtocol(ph.Mode) {
				continue
			}
			if where.List == "" {
				do(responsesOf(where, state, at))
				continue
			}
			owners, at := ListAt(state, where.List, at)
			for k := range owners {
				if owner, ok := owners[k].(model.Object); ok {
					do(responsesOf(where, owner, at.Element(k)))
				}
			}
		}
	})
}

// responsesOf collects an owner's entries.
func responsesOf(where *profile.ResponsePlace, owner model.Object, at *place.Path) *Responses {
	if !where.Single {
		list, at := ListAt(owner, where.Member, at)
		return &Responses{where, list, at}
	}
	r := &Responses{ResponsePlace: where, at: at.Field(where.Member)}
	if v, _ := owner.Get(where.Member); v != nil {
		r.Entries = []model.Value{v}
	}
	return r
}

// ListAt returns the list in a member of an object, with its place.
func ListAt(o model.Object, key string, at *place.Path) ([]model.Value, *place.Path) {
	v, _ := o.Get(key)
	list, _ := v.([]model.Value)
	return list, at.Field(key)
}

// MemberOf returns a member of an object if it has the type.
func MemberOf[T any](o model.Object, key string) (T, bool) {
	v, _ := o.Get(key)
	t, ok := v.(T)
	return t, ok
}

// HasAny returns the first of the keys that an object has with a value other than null.
func HasAny(o model.Object, keys ...string) (string, bool) {
	i := slices.IndexFunc(keys, func(key string) bool { v, _ := o.Get(key); return v != nil })
	if i < 0 {
		return "", false
	}
	return keys[i], true
}

// Free returns the keys that an object does not have.
func Free(o model.Object, keys []string) []string {
	free := slices.Clone(keys)
	for _, m := range o {
		free = slices.DeleteFunc(free, func(key string) bool { return key == m.Key })
	}
	return free
}
