package redact

import (
	"strings"

	"github.com/cupel-dev/cupel/evidence"
	"github.com/cupel-dev/cupel/finding"
)

// withhold removes content of the input from findings, because it can be sensitive. Findings about numbers are
// reduced to the rule's title, because even the name can be forbidden.
func withhold(list []finding.Finding) {
	for i := range list {
		f := &list[i]
		f.WithholdSource()
		f.WithholdCompared()
		f.EndLine, f.EndColumn, f.Notes = 0, 0, nil
		if strings.HasPrefix(f.Rule, "number.") {
			f.Message = titleOf(f)
		}
	}
}

func titleOf(f *finding.Finding) string {
	for _, rule := range evidence.Rules() {
		if rule.ID == f.Rule {
			return rule.Title
		}
	}
	return f.Message
}
