package incident

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"
)

// Bundle is a bundle for a package.
type Bundle struct {
	Name string // for messages; the package does not have it
	Text []byte
}

// Packed is a created package.
type Packed struct {
	Text    []byte
	Context *Context // that the assessment was made for
	Bundles int      // the same bytes count once
	Events  int64
	Actions int
	Failed  int // actions whose data has another form than its type has
}

// Pack creates a package of bundles, in any order. It assesses them against a context; nil makes one with the times of
// the events. The error is a [Refusal], an [evidence.ReadError] or that of ctx.
func Pack(ctx context.Context, bundles []Bundle, against *Context) (*Packed, error) {
	unique := map[string]Bundle{}
	for _, b := range bundles {
		unique[hexOf(b.Text)] = b
	}
	if err := within(int64(len(unique)), hard.Inputs, hard.Inputs, "bundles"); err != nil {
		return nil, err
	}
	limits := &hard
	if against != nil {
		limits = &against.Limits
	}
	g := actionReader{ctx: ctx, limits: limits, keep: true}
	v := inventory{Schema: inventorySchema, NonClaims: nonClaims, Context: map[string]disclosure{}, Inputs: []packed{}}
	members := make([]member, 2)
	for _, sum := range slices.Sorted(maps.Keys(unique)) {
		b := unique[sum]
		in := packed{ID: "bundle-" + sum[:idDigits], SHA256: sum, Bytes: int64(len(b.Text)), Format: bundleFormat, Surfaces: bundleNames}
		if err := g.add(&in, b.Text, b.Name); err != nil {
			return nil, err
		}
		v.Inputs = append(v.Inputs, in)
		members = append(members, member{objectsFolder + sum, b.Text})
	}
	for _, kind := range contextKinds {
		v.Context[kind] = disclosure{Reason: "not_available", Refs: []reference{}}
	}
	if against == nil {
		against = usual(g.start, g.end)
	}
	a := assess(&v, g.actions, against)
	members[1] = member{assessmentName, document(a)}
	v.Assessment = hexOf(members[1].text)
	members[0] = member{inventoryName, document(&v)}
	p := &Packed{Text: write(members), Context: against, Bundles: len(unique), Events: g.events, Actions: len(g.actions)}
	for _, u := range a.Units {
		if u.Disposition == failed {
			p.Failed++
		}
	}
	if _, err := Verify(ctx, p.Text, against); err != nil {
		return nil, fmt.Errorf("verifiers would refuse the package: %w", err)
	}
	return p, nil
}

// idDigits is how many digits of its digest identify a bundle: enough for 64 bundles.
const idDigits = 32

func assess(v *inventory, actions []action, against *Context) *assessment {
	a := &assessment{
		Schema: assessmentSchema, Context: hexOf(against.Text()),
		Units: []unit{}, Joins: []struct{}{}, Claims: []struct{}{}, Resolved: []reference{},
	}
	for _, one := range actions {
		u := unit{ID: idOf(one.at), Source: one.at, Surface: one.surface, Disposition: failed}
		if one.good {
			u.Disposition, u.Result = examined, &result{"inline", one.result}
		}
		a.Units = append(a.Units, u)
	}
	slices.SortFunc(a.Units, func(x, y unit) int { return cmp.Compare(x.ID, y.ID) })
	var present []string
	for _, name := range surfaceNames {
		s := surface{Name: name, Sources: v.sources(name), Observation: "unknown", Basis: []reference{}}
		if len(s.Sources) > 0 {
			present = append(present, name)
		}
		a.Surfaces = append(a.Surfaces, s)
	}
	a.Coverage = canonical(account(a.Units, present))
	return a
}

// Names lists the types of events that a package can have.
func Names() string { return strings.Join(slices.Sorted(maps.Keys(surfaceOf)), ", ") }
