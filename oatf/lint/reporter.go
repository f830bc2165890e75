package lint

import (
	"fmt"
	"strings"

	"github.com/cupel-dev/cupel/oatf/internal/rules"

	"github.com/cupel-dev/cupel/finding"
	"github.com/cupel-dev/cupel/oatf/internal/findings"
	"github.com/cupel-dev/cupel/oatf/internal/place"
	"github.com/cupel-dev/cupel/oatf/internal/profile"
	"github.com/cupel-dev/cupel/oatf/model"
)

// reporter creates findings from rule handles.
type reporter struct {
	*findings.List
	profile *profile.Profile
}

// begins reports whether one of the default targets begins with a path segment.
func (r *reporter) begins(p model.Protocol, segment string) bool {
	return r.profile.BeginsTarget(p, strings.TrimSuffix(segment, "[*]"))
}

// warn records a finding and returns it, so that the caller can add a hint. Rules that the revision lacks are
// dropped.
func (r *reporter) warn(rule rules.Handle, at *place.Path, format string, args ...any) *finding.Finding {
	if !r.Has(rule) {
		return &finding.Finding{}
	}
	return r.Lint(rule, at.String(), fmt.Sprintf(format, args...))
}
