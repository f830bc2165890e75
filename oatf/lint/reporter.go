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

// reporter makes findings from the handles of the table.
type reporter struct {
	*findings.List
	profile *profile.Profile
}

// begins reports whether a default target of the revision begins with the segment of a path.
func (r *reporter) begins(p model.Protocol, segment string) bool {
	return r.profile.BeginsTarget(p, strings.TrimSuffix(segment, "[*]"))
}

// warn records a finding and returns it, for a hint. Rules not in the revision are dropped.
func (r *reporter) warn(rule rules.Handle, at *place.Path, format string, args ...any) *finding.Finding {
	if !r.Has(rule) {
		return &finding.Finding{}
	}
	return r.Lint(rule, at.String(), fmt.Sprintf(format, args...))
}
