package report

import (
	"slices"

	"github.com/cupel-dev/cupel/finding"
)

// Rules below those of cupel, and the entries of public frameworks that they belong to (SARIF 2.1.0, §3.19.3).

type (
	sarifKin struct {
		Target sarifTarget `json:"target"`
		Kinds  []string    `json:"kinds"`
	}
	sarifTarget struct {
		ID   string    `json:"id"`
		Part sarifPart `json:"toolComponent"`
	}
	sarifPart struct {
		Name  string `json:"name"`
		Index int    `json:"index"` // of the taxonomies of the run
	}
	sarifTaxonomy struct {
		Name string       `json:"name"`
		Taxa []sarifTaxon `json:"taxa"`
	}
	sarifTaxon struct {
		ID      string        `json:"id"`
		Short   *sarifMessage `json:"shortDescription,omitempty"`
		HelpURI string        `json:"helpUri,omitempty"`
	}
)

// sarifTaxonomies are the frameworks that the rules of a run refer to, in the order of their first use.
type sarifTaxonomies struct{ list []sarifTaxonomy }

func (x *sarifTaxonomies) parts() (parts []sarifPart) {
	for i, t := range x.list {
		parts = append(parts, sarifPart{t.Name, i})
	}
	return parts
}

// of returns the reference to an entry, and adds the entry if it is new.
func (x *sarifTaxonomies) of(t finding.Taxon) sarifTarget {
	i := slices.IndexFunc(x.list, func(known sarifTaxonomy) bool { return known.Name == t.Framework })
	if i < 0 {
		i = len(x.list)
		x.list = append(x.list, sarifTaxonomy{Name: t.Framework})
	}
	if taxa := &x.list[i].Taxa; !slices.ContainsFunc(*taxa, func(known sarifTaxon) bool { return known.ID == t.ID }) {
		one := sarifTaxon{ID: t.ID, HelpURI: t.URL}
		if t.Name != "" {
			one.Short = &sarifMessage{t.Name}
		}
		*taxa = append(*taxa, one)
	}
	return sarifTarget{t.ID, sarifPart{t.Framework, i}}
}

// securitySeverity are the scores of severity levels, in GitHub's ranges: low to 3.9, medium to 6.9, high to 8.9.
var securitySeverity = map[string]string{"informational": "0.1", "low": "2.0", "medium": "5.0", "high": "8.0", "critical": "9.5"}

// below turns the descriptor of a rule into that of a rule below it. Its id continues that of the rule (§3.5.4).
func (s *sarif) below(d *sarifRule, sub finding.SubRule) {
	d.ID += "/" + sub.ID
	if sub.Title != "" {
		d.ShortDescription.Text = sub.Title
	}
	d.Properties = &sarifSpec{Severity: securitySeverity[sub.Severity], Tags: []string{"security"}}
	for _, t := range sub.Taxa {
		d.Relationships = append(d.Relationships, sarifKin{s.taxa.of(t), []string{"relevant"}})
	}
}
