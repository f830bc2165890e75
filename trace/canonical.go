package trace

import (
	"fmt"

	"github.com/cupel-dev/cupel/internal/jcs"
	"github.com/cupel-dev/cupel/internal/strictjson"
	"github.com/cupel-dev/cupel/trace/internal/reasoning"
	"github.com/cupel-dev/cupel/trace/internal/session"
)

// CanonicalForms returns the names of the canonical forms that trace formats hash: that of reasoning traces, RFC
// 8785, and older ones of session logs.
func CanonicalForms() []string {
	names := []string{reasoning.Profile.Name}
	for _, p := range session.Profiles {
		names = append(names, p.Name)
	}
	return names
}

// Canonicalize returns the canonical form of a JSON text, whose SHA-256 is recorded in logs. form is one of
// CanonicalForms. It returns an error if the name is unknown or the JSON malformed.
func Canonicalize(form string, text []byte) ([]byte, error) {
	profile := profileOf(form)
	if profile == nil {
		return nil, fmt.Errorf("unknown canonical form %q", form)
	}
	doc, err := strictjson.NewScanner(strictjson.Limits{}).Scan(text)
	if err != nil {
		return nil, err
	}
	return jcs.NewWriter(profile).Append(nil, doc.Root()), nil
}

func profileOf(name string) *jcs.Profile {
	if name == reasoning.Profile.Name {
		return reasoning.Profile
	}
	for _, p := range session.Profiles {
		if p.Name == name {
			return p
		}
	}
	return nil
}
