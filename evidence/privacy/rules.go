package privacy

import (
	"slices"

	"go.yaml.in/yaml/v4"

	"github.com/cupel-dev/cupel/internal/keyfile"
	"github.com/cupel-dev/cupel/internal/say"
	"github.com/cupel-dev/cupel/internal/secrets/ruleset"
)

// The members of rules and allow-lists in a policy file.
var (
	ruleKeys  = []string{"id", "description", "regex", "secretGroup", "entropy", "keywords", "allowlists", "proof"}
	allowKeys = []string{"description", "condition", "regexTarget", "regexes", "stopwords"}
)

// readRules reads the rules for secrets of a policy file.
func readRules(file *keyfile.Policy) (*ruleset.Form, *FileError) {
	var form ruleset.Form
	if n := file.Rules; n != nil {
		if fault := known(n, ruleKeys); fault != nil {
			return nil, fault
		}
		if err := n.Decode(&form.Rules); err != nil {
			return nil, keyfile.Fault(n, "rules for secrets that cannot be read: "+err.Error())
		}
	}
	if n := file.Allowlists; n != nil {
		if fault := known(n, allowKeys); fault != nil {
			return nil, fault
		}
		if err := n.Decode(&form.Allowlists); err != nil {
			return nil, keyfile.Fault(n, "allow-lists that cannot be read: "+err.Error())
		}
	}
	return &form, nil
}

// known reports the first key of the items of a list that is none of those known.
func known(n *yaml.Node, keys []string) *FileError {
	if n.Kind != yaml.SequenceNode {
		return keyfile.Fault(n, "a list was expected")
	}
	for _, item := range n.Content {
		if item.Kind != yaml.MappingNode {
			return keyfile.Fault(item, "a mapping of keys was expected")
		}
		for i := 0; i+1 < len(item.Content); i += 2 {
			key, value := item.Content[i], item.Content[i+1]
			if !slices.Contains(keys, key.Value) {
				return keyfile.Fault(key, "unknown key "+say.Quoted(key.Value)).Suggest(key.Value, keys)
			}
			if key.Value == "allowlists" {
				if fault := known(value, allowKeys); fault != nil {
					return fault
				}
			}
		}
	}
	return nil
}

// addRules adds the rules of a file to those that the policy looks for.
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
