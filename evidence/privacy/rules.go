package privacy

import (
	"go.yaml.in/yaml/v4"

	"github.com/cupel-dev/cupel/internal/keyfile"
	"github.com/cupel-dev/cupel/internal/secrets/ruleset"
)

// The keys of rules and allowlists in a policy file.
var (
	ruleKeys  = []string{"id", "description", "regex", "secretGroup", "entropy", "keywords", "allowlists", "proof"}
	allowKeys = []string{"description", "condition", "regexTarget", "regexes", "stopwords"}
)

func readRules(file *keyfile.Policy) (*ruleset.Form, *FileError) {
	var form ruleset.Form
	if n := file.Rules; n != nil {
		if fault := known(n, ruleKeys); fault != nil {
			return nil, fault
		}
		if err := n.Decode(&form.Rules); err != nil {
			return nil, keyfile.Fault(n, "secret rules cannot be read: "+err.Error())
		}
	}
	if n := file.Allowlists; n != nil {
		if fault := known(n, allowKeys); fault != nil {
			return nil, fault
		}
		if err := n.Decode(&form.Allowlists); err != nil {
			return nil, keyfile.Fault(n, "allow-lists cannot be read: "+err.Error())
		}
	}
	return &form, nil
}

// known returns an error for the first unknown key in a list of mappings.
func known(n *yaml.Node, keys []string) *FileError {
	var read []keyfile.Key[string]
	for _, key := range keys {
		read = append(read, keyfile.Key[string]{Name: key, Read: func(_ *string, value *yaml.Node) *FileError {
			if key == "allowlists" {
				return known(value, allowKeys)
			}
			return nil
		}})
	}
	_, fault := keyfile.List(n, "rules", func(item *string, at *yaml.Node) *FileError { return keyfile.Mapping(item, at, read) })
	return fault
}

func (p *Policy) addRules(form *ruleset.Form, file *keyfile.Policy) *FileError {
	at := file.Rules
	if at == nil {
		at = file.Allowlists
	}
	if p.profile == ProfileUpstream {
		return keyfile.Fault(at, "the profile "+ProfileUpstream+" takes no rules")
	}
	settings := p.settings
	settings.added = form
	q, err := p.WithSettings(settings)
	if err != nil {
		return keyfile.Fault(at, err.Error())
	}
	p.settings, p.set = q.settings, q.set
	return nil
}
