package view

import (
	"github.com/cupel-dev/cupel/oatf/internal/profile"
	"github.com/cupel-dev/cupel/oatf/internal/vocabulary"
	"github.com/cupel-dev/cupel/oatf/model"
)

// Canonical returns an indicator with its defaults filled in: its protocol from the mode
// that the author gave the execution (N-001), its id from its number in the list, from 1
// (N-003), the target of its pattern or semantic match from where the revision has one for it
// (N-004), its condition from the shorthand (N-005).
// It shares with ind what it does not change, and leaves ind as it is.
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

// defaultTarget is the target of a match that has none of its own: the indicator's, or that
// of its surface; nil when there is none.
func defaultTarget(p *profile.Profile, ind *model.Indicator) *string {
	if !p.SurfaceTargets {
		return ind.Target
	}
	if row, known := p.LookupSurface(ind.SurfaceName()); known {
		return &row.Target
	}
	return nil
}

// Standard returns a pattern in standard form (N-005). One that has a condition and
// operators beside it is neither form, and stays as it is.
func Standard(p model.PatternMatch) model.PatternMatch {
	if p.Condition == nil && p.Shorthand != nil {
		p.Condition, p.Shorthand = &model.Condition{Operators: p.Shorthand}, nil
	}
	return p
}

// IndicatorID is the id of the indicator with a number in the list of an attack, or the one
// that it is given (N-003).
func IndicatorID(ind *model.Indicator, number int, attack *string) string {
	switch {
	case ind.ID != nil:
		return *ind.ID
	case attack != nil:
		return vocabulary.IndicatorID(*attack, number)
	}
	return vocabulary.IndicatorID("indicator", number)
}
