package privacy

import (
	"cmp"
	"encoding/json"
	"slices"

	"github.com/cupel-dev/cupel/evidence"
	"github.com/cupel-dev/cupel/internal/digest"
	"github.com/cupel-dev/cupel/internal/jcs"
	"github.com/cupel-dev/cupel/internal/secrets"
	"github.com/cupel-dev/cupel/internal/strictjson"
)

// The names of the built-in profiles.
const (
	ProfileDefault  = "default"
	ProfileUpstream = "adr006-upstream"
)

// Policy defines the classes of an event's values, and thereby a [Redactor]'s changes. It is immutable and safe for
// concurrent use.
type Policy struct {
	profile  string
	rows     []Row
	allowed  []string // forbidden names that are not, in lower case and without _ - space
	places   *places
	patterns []*pattern // of the rows, nil for those without one
	finds    bool       // a row has one
	removes  bool       // a row removes non-text values

	settings Settings
	set      func() *secrets.Set
}

// Default returns the policy "default".
func Default() *Policy { return newPolicy(ProfileDefault, builtIn) }

// Upstream returns the policy "adr006-upstream", which treats the subject exactly like the contract's reference. It
// leaves secrets and is not idempotent.
func Upstream() *Policy { return newPolicy(ProfileUpstream, reference) }

func newPolicy(profile string, rows []Row) *Policy {
	p := &Policy{profile: profile, places: new(places), set: builtInSet}
	for _, row := range rows {
		p.add(row, nil)
	}
	return p
}

func (p *Policy) clone() *Policy {
	q := newPolicy(p.profile, nil)
	for i, row := range p.rows {
		q.add(row, p.patterns[i])
	}
	q.allowed = slices.Clone(p.allowed)
	q.settings, q.set = p.settings, p.set
	return q
}

func (p *Policy) add(row Row, find *pattern) {
	i := len(p.rows)
	p.rows, p.patterns = append(p.rows, row), append(p.patterns, find)
	p.removes = p.removes || row.Handling == Removes
	p.finds = p.finds || find != nil
	for _, way := range spread(tokensOf(row.Pointer)) {
		at := p.places.add(row.Type, way)
		if find != nil {
			at.patterns = append(at.patterns, i)
		} else {
			at.row = i + 1
		}
	}
}

// Name returns the profile's name.
func (p *Policy) Name() string { return p.profile }

// Rows returns the table of classes: built-in rows, then the policy file's. The last matching row counts. Names
// that are forbidden anywhere are not included, see [Policy.AppendTable].
func (p *Policy) Rows() []Row { return slices.Clone(p.rows) }

// Allowed returns the forbidden names that the policy allows.
func (p *Policy) Allowed() []string { return slices.Clone(p.allowed) }

// Digest returns the SHA-256 digest of [Policy.JSON].
func (p *Policy) Digest() evidence.Sum { return digest.Of(p.JSON()) }

// Schema is the JSON schema of a policy.
const Schema = "cupel.privacy-policy/1"

// JSON returns everything that determines changes as canonical JSON: profile, rows, allowed forbidden names, and
// text rules.
func (p *Policy) JSON() []byte {
	type row struct {
		Row
		Class string `json:"class"`
	}
	type rule struct {
		Name    string  `json:"name"`
		Pattern string  `json:"pattern"`
		Entropy float64 `json:"entropy,omitempty"`
		Does    string  `json:"does"`
	}
	document := struct {
		Schema  string   `json:"schema"`
		Profile string   `json:"profile"`
		Rows    []row    `json:"rows"`
		Allowed []string `json:"allowed_names"`
		Set     string   `json:"rule_set"`
		Allow   any      `json:"added_allowlists,omitempty"`
		Tags    bool     `json:"tags,omitempty"`
		Rules   []rule   `json:"rules"`
	}{Schema, p.profile, make([]row, len(p.rows)), append([]string{}, p.allowed...), cmp.Or(p.settings.Rules, RulesAll), p.settings.allowlists(), p.settings.Tags, []rule{}}
	if p.profile != ProfileUpstream {
		for _, r := range p.rules() {
			document.Rules = append(document.Rules, rule{r.ID, r.Pattern, r.Entropy, doneAbout(r.Class)})
		}
	}
	for i, r := range p.rows {
		document.Rows[i] = row{r, r.Class.String()}
	}
	text, err := json.Marshal(document)
	if err != nil {
		panic("privacy: policy in JSON: " + err.Error()) // of strings alone: a bug
	}
	doc, err := strictjson.NewScanner(strictjson.Limits{}).Scan(text)
	if err != nil {
		panic("privacy: policy in JSON: " + err.Error())
	}
	return jcs.NewWriter(nil).Append(nil, doc.Root())
}

// doneAbout describes what happens to findings of a class.
func doneAbout(c secrets.Class) string {
	if c == secrets.Home {
		return "becomes ~/**, with everything below kept"
	}
	return "a text that is one as a whole is removed; inside a longer text it becomes ***"
}
