package lint

import (
	"slices"
	"strings"

	"github.com/cupel-dev/cupel/internal/say"
	"github.com/cupel-dev/cupel/oatf/internal/place"
	"github.com/cupel-dev/cupel/oatf/internal/profile"
	"github.com/cupel-dev/cupel/oatf/internal/rules"
	"github.com/cupel-dev/cupel/oatf/internal/view"
	"github.com/cupel-dev/cupel/oatf/model"
)

// lintStates compares the keys of states, and of their objects, with those of the protocol bindings.
func lintStates(doc *view.Document, out *reporter) {
	doc.EachPhase(func(_ *view.Actor, ph view.Phase) {
		state, ok := ph.State.(model.Object)
		if !ok {
			return
		}
		l := stateLint{out, doc.Profile, ph.Mode}
		for i := range doc.Profile.Lint.Holders {
			if h := &doc.Profile.Lint.Holders[i]; profile.SetOf(ph.Mode)&h.Modes != 0 {
				l.member(h, state, ph.At.Field("state"))
			}
		}
	})
}

// stateLint checks the state of one phase.
type stateLint struct {
	*reporter
	profile *profile.Profile
	mode    model.Mode
}

func (l stateLint) member(h *profile.Holder, state model.Object, at *place.Path) {
	if h.Member == "" {
		l.object(h, state, at)
		return
	}
	at = at.Field(h.Member)
	switch v, _ := state.Get(h.Member); v := v.(type) {
	case model.Object:
		l.object(h, v, at)
	case []model.Value:
		for i := range v {
			l.element(h, v[i], at.Element(i))
		}
	}
}

// element checks a list element. In the earlier revision some elements were only a key.
func (l stateLint) element(h *profile.Holder, v model.Value, at *place.Path) {
	switch v := v.(type) {
	case model.Object:
		l.object(h, v, at)
	case string:
		if e := earlier(h.Earlier, v); e != nil {
			l.Lint(rules.EarlierKey, at.String(), say.Quoted(v)+" is of the earlier revision").Help = e.Now
		}
	}
}

// object finds unknown keys. It finds missing keys too, unless an earlier revision's key replaces them.
func (l stateLint) object(h *profile.Holder, o model.Object, at *place.Path) {
	older := false
	var free []string // the keys that it does not have, as soon as they are asked for
	for _, m := range o {
		switch e := earlier(h.Earlier, m.Key); {
		case e != nil:
			older = true
			l.earlierKey(e, at.Field(m.Key), nil)
		case h.Keys != nil && !slices.Contains(h.Keys, m.Key) && !strings.HasPrefix(m.Key, "x-"):
			if free == nil {
				free = view.Free(o, h.Keys)
			}
			l.stateKey(h, free, m.Key, at.Field(m.Key))
		}
	}
	for _, key := range h.Wanted {
		if _, has := view.HasAny(o, key); !has && !older {
			l.warn(rules.WantedKey, at, "%s is missing", key)
		}
	}
}

// stateKey reports a key that the state of another mode can have, or no state. free are unused keys that may have
// been meant.
func (l stateLint) stateKey(h *profile.Holder, free []string, key string, at *place.Path) {
	f := l.LintOfKey(rules.StateKey, at.String(), "key "+say.Quoted(key)+" has no meaning in a state of mode "+string(l.mode))
	for i := range l.profile.Lint.Holders {
		if other := &l.profile.Lint.Holders[i]; other.Member == h.Member && slices.Contains(other.Keys, key) {
			f.Help = "use it only in mode " + strings.Join(other.Modes.Names(), ", ")
			return
		}
	}
	if l.Suggest(f, key, free); f.Help == "" {
		f.Help = knownHereHint(h.Keys)
	}
}

// lintActions finds entry actions of the earlier revision.
func lintActions(doc *view.Document, out *reporter) {
	doc.EachPhase(func(_ *view.Actor, ph view.Phase) {
		for i := range ph.OnEnter {
			keys := ph.OnEnter[i].Keys()
			for _, key := range keys {
				if e := earlier(doc.Profile.Lint.Actions, key); e != nil {
					out.earlierKey(e, ph.At.Field("on_enter").Element(i).Field(key), keys)
				}
			}
		}
	})
}

// lintMatches finds predicates of triggers that begin with the params.
func lintMatches(doc *view.Document, out *reporter) {
	doc.EachPhase(func(_ *view.Actor, ph view.Phase) {
		if ph.Trigger == nil || profile.SetOf(ph.Mode)&doc.Profile.Lint.Params == 0 {
			return
		}
		lintParams(out, ph.Trigger.Match, ph.At.Field("trigger").Field("match"))
	})
}

func lintParams(out *reporter, match model.MatchPredicate, at *place.Path) {
	paths := make([]string, len(match))
	for i := range match {
		paths[i] = match[i].Path
	}
	for _, path := range paths {
		if rest, found := strings.CutPrefix(path, "params."); found {
			e := profile.Earlier{Key: path, Now: "a trigger sees the params themselves: write " + say.Preview(rest, say.Usual), Name: rest}
			out.earlierKey(&e, at.Field(path), paths)
		}
	}
}

// earlier returns the key of an earlier revision, or nil.
func earlier(keys []profile.Earlier, key string) *profile.Earlier {
	i := slices.IndexFunc(keys, func(e profile.Earlier) bool { return e.Key == key })
	if i < 0 {
		return nil
	}
	return &keys[i]
}

// earlierKey reports an earlier revision's key, with a fix if the new name is unused.
func (r *reporter) earlierKey(e *profile.Earlier, at *place.Path, keys []string) {
	f := r.LintOfKey(rules.EarlierKey, at.String(), "key "+say.Quoted(e.Key)+" is of the earlier revision")
	f.Help = e.Now
	if f.Line > 0 && e.Name != "" && keys != nil && !slices.Contains(keys, e.Name) {
		r.RenameKeys(f, []*place.Path{at}, e.Name)
	}
}
