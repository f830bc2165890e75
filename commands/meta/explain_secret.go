package metacmd

import (
	"cmp"
	"fmt"

	"github.com/cupel-dev/cupel/finding"
	"github.com/cupel-dev/cupel/internal/secrets"
	"github.com/cupel-dev/cupel/internal/suggest"
)

// secretPrefix is the prefix of secret rules, as in secret.github-pat.
const secretPrefix = "secret."

// secretRule returns a secret rule by name, or a hint. Findings name these rules only in messages.
func secretRule(name string) (rules []finding.Rule, hint string, err error) {
	set, err := secrets.Default()
	if err != nil {
		return nil, "", err
	}
	var names []string
	for _, r := range set.Rules() {
		if r.ID == name {
			return []finding.Rule{explainedSecret(&r)}, "", nil
		}
		names = append(names, secretPrefix+r.ID)
	}
	return nil, cmp.Or(suggest.Hint(secretPrefix+name, names), "`cupel evidence redact --classes` has the list"), nil
}

func explainedSecret(r *secrets.Rule) finding.Rule {
	text := "Looks for: " + r.Pattern + "\n"
	if r.Entropy > 0 {
		text += fmt.Sprintf("A value has at least %g bits of entropy per byte.\n", r.Entropy)
	}
	switch r.Class {
	case secrets.Home:
		text += "The part of the path up to the user becomes ~/**."
	case secrets.Personal:
		text += "It is a warning of `cupel evidence lint`, and an error with --strict. Redaction hides it unless --pii leaves it out."
	case secrets.Secret:
		text += "It is an error, whatever else is found at the place. Redaction writes three stars for it, and removes a text that is nothing else."
	}
	return finding.Rule{ID: secretPrefix + r.ID, Title: r.Description, Severity: severityOf(r.Class), Class: "Contract", Clause: "ADR-006 §2; rule of " + string(r.Origin), Rationale: text}
}

func severityOf(c secrets.Class) finding.Severity {
	if c == secrets.Secret {
		return finding.Error
	}
	return finding.Warning
}
