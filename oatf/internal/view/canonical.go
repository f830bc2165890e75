package view

import (
	"github.com/cupel-dev/cupel/oatf/internal/profile"
	"github.com/cupel-dev/cupel/oatf/internal/vocabulary"
	"github.com/cupel-dev/cupel/oatf/model"
)

// Canonical returns an indicator with defaults: protocol from the execution's mode (N-001), id from its number,
// from 1 (N-003), target of its match (N-004), condition from shorthand (N-005). It does not modify ind, but shares
// unchanged parts with it.
func Canonical(p *profile.Profile, ind model.Indicator, number int, attack *string, mode *model.Mode) model.Indicator {
	ind.ID = new(IndicatorID(&ind, number, attack))
	if ind.Protocol == nil && mode != nil {
		ind.Protocol = new(vocabulary.ExtractProtocol(*mode))
	}
	target := defaultTarget(p, &ind)
	if pattern := ind.Pattern; pattern != nil {
		expanded := Standard(*pattern)
		if target != nil && pattern.Target == nil {
			expanded.Target = new(*target)
		}
		ind.Pattern = &expanded
	}
	if s := ind.Semantic; s != nil && target != nil && s.Target == nil {
		expanded := *s
		expanded.Target = new(*target)
		ind.Semantic = &expanded
	}
	return ind
}

// defaultTarget returns a match's default target: the indicator's or the surface's, or nil.
func defaultTarget(p *profile.Profile, ind *model.Indicator) *string {
	if !p.SurfaceTargets {
		return ind.Target
	}
	if row, known := p.LookupSurface(ind.SurfaceName()); known {
		return &row.Target
	}
	return nil
}

// Standard returns a pattern in standard form (N-005). A pattern with both condition and operators is unchanged.
func Standard(p model.PatternMatch) model.PatternMatch {
	if p.Condition == nil && p.Shorthand != nil {
		p.Condition, p.Shorthand = &model.Condition{Operators: p.Shorthand}, nil
	}
	return p
}

// IndicatorID returns the id of an indicator, or the id generated from its number, from 1 (N-003).
func IndicatorID(ind *model.Indicator, number int, attack *string) string {
	switch {
	case ind.ID != nil:
		return *ind.ID
	case attack != nil:
		return vocabulary.IndicatorID(*attack, number)
	}
	return vocabulary.IndicatorID("indicator", number)
}
