package incident

import (
	"slices"

	"github.com/cupel-dev/cupel/internal/strictjson"
)

// The texts that the coverage attestation of a package has.
const (
	coverageProfile   = "cap/1"
	coverageKind      = "collection"
	coverageRef       = "incident-selected-inputs"
	coverageStatement = "accounting of selected supplied records"
	population        = "retained supplied records"
	enumeration       = "enumeration"
	enumerationMethod = "incident-v1-digest-locator-enumeration"
)

var supported = []string{"positive_presence", "bounded_negative", "exhaustive_set"}

// coverage is a coverage attestation (CAP-1) of a package: what was examined of each surface.
type coverage struct {
	Profile   string    `json:"profile"`
	Subject   subject   `json:"subject"`
	Strata    []stratum `json:"strata"`
	Integrity integrity `json:"integrity"`
}

type subject struct {
	Kind string `json:"kind"`
	Ref  string `json:"ref"`
}

type stratum struct {
	ID         string       `json:"id"`
	Population string       `json:"population"`
	Basis      basis        `json:"basis"`
	Eligible   int64        `json:"eligible"`
	Examined   int64        `json:"examined"`
	Unexamined []unexamined `json:"unexamined"`
	Supports   []string     `json:"supports"`
}

type basis struct {
	Kind   string `json:"kind"`
	Method string `json:"enumeration_method"`
}

type unexamined struct {
	Unit        string `json:"unit"`
	Disposition string `json:"disposition"`
	Withheld    string `json:"withheld_digest,omitempty"`
}

type integrity struct {
	Complete  bool    `json:"complete"`
	Statement string  `json:"statement"`
	CappedTo  *string `json:"capped_to"`
}

func account(units []unit, present []string) *coverage {
	c := &coverage{Profile: coverageProfile, Subject: subject{coverageKind, coverageRef}, Integrity: integrity{Complete: true, Statement: coverageStatement}}
	for _, name := range present {
		s := stratum{ID: name, Population: population, Basis: basis{enumeration, enumerationMethod}, Unexamined: []unexamined{}, Supports: supported}
		for _, u := range units {
			if u.Surface != name {
				continue
			}
			s.Eligible++
			if u.Disposition == examined {
				s.Examined++
				continue
			}
			row := unexamined{Unit: u.ID, Disposition: u.Disposition}
			if u.Withheld != nil {
				row.Withheld = *u.Withheld
			}
			s.Unexamined = append(s.Unexamined, row)
			if slices.Contains(hardStops, u.Disposition) {
				incomplete := "incomplete"
				c.Integrity.Complete, c.Integrity.CappedTo = false, &incomplete
			}
		}
		c.Strata = append(c.Strata, s)
	}
	return c
}

// coverageReader reads a coverage attestation. It notes members that are invalid in a package.
type coverageReader struct {
	*reader
	foreign string
}

func readCoverage(root strictjson.Node) (*coverage, *coverageReader) {
	r := &coverageReader{reader: newReader(ruleCoverage, "cap1")}
	r.members(root, []string{"profile", "subject", "strata", "integrity"}, "absence_assertions", "producer", "as_of")
	c := &coverage{Profile: coverageProfile}
	r.Fixed(root, "profile", coverageProfile)
	s := r.Object(root, "subject")
	r.members(s, []string{"kind", "ref"}, "digest")
	c.Subject = subject{r.Text(s, "kind"), r.Text(s, "ref")}
	for n := range r.Elements(root, "strata") {
		c.Strata = append(c.Strata, r.stratum(n))
	}
	if len(c.Strata) == 0 {
		r.Refuse(root, "strata", "at least one stratum")
	}
	if root.Get("absence_assertions").Exists() {
		for range r.Elements(root, "absence_assertions") {
			r.foreign = "absence_assertions"
		}
	}
	i := r.Object(root, "integrity")
	r.members(i, []string{"complete", "statement"}, "uncapped_verdict", "capped_to", "unaccounted")
	c.Integrity = integrity{Complete: r.Flag(i, "complete"), Statement: r.Text(i, "statement")}
	if !i.Get("capped_to").Missing() {
		text := r.Text(i, "capped_to")
		c.Integrity.CappedTo = &text
	}
	if i.Get("uncapped_verdict").Is(strictjson.Null) && r.foreign == "uncapped_verdict" {
		r.foreign = ""
	}
	return c, r
}

// members returns an error for members other than the named ones. It notes the rare ones that exist.
func (r *coverageReader) members(n strictjson.Node, names []string, rare ...string) {
	r.only(n, append(slices.Clone(names), rare...)...)
	for _, name := range rare {
		if n.Get(name).Exists() && name != "capped_to" && name != "absence_assertions" {
			r.foreign = name
		}
	}
}

func (r *coverageReader) stratum(n strictjson.Node) (s stratum) {
	r.only(n, "id", "population", "basis", "eligible", "examined", "unexamined", "supports")
	s = stratum{ID: r.Text(n, "id"), Population: r.Text(n, "population"), Eligible: r.Count(n, "eligible"), Examined: r.Count(n, "examined")}
	b := r.Object(n, "basis")
	r.members(b, []string{"kind", "enumeration_method"}, "catalogue_digest", "catalogue_version", "note")
	s.Basis = basis{r.word(b, "kind", []string{"catalogue", enumeration, "declared"}), r.Optional(b, "enumeration_method")}
	for u := range r.Elements(n, "unexamined") {
		r.members(u, []string{"unit", "disposition", "withheld_digest"}, "detail")
		row := unexamined{Unit: r.Text(u, "unit"), Disposition: r.word(u, "disposition", dispositions[1:])}
		if u.Get("withheld_digest").Exists() {
			row.Withheld = r.Text(u, "withheld_digest")
			if !isDigits(row.Withheld) {
				r.Refuse(u, "withheld_digest", "32 to 128 lower-case hexadecimal digits")
			}
		}
		s.Unexamined = append(s.Unexamined, row)
	}
	if n.Get("supports").Exists() {
		s.Supports = r.texts(n, "supports")
	}
	return s
}

// isDigits reports whether a text is a digest as coverage attestations write it.
func isDigits(text string) bool {
	for _, b := range []byte(text) {
		if (b < '0' || b > '9') && (b < 'a' || b > 'f') {
			return false
		}
	}
	return len(text) >= 32 && len(text) <= 128
}

// rulesOf checks the rules for all coverage attestations.
func (c *coverage) rulesOf() error {
	stops := false
	seen := map[string]bool{}
	for _, s := range c.Strata {
		switch {
		case s.ID == "" || seen[s.ID]:
			return refuse(ruleCoverageRules, "/cap1/strata", "R0-shape: two strata have the same id, or a stratum has no id")
		case s.Examined > s.Eligible || s.Eligible != s.Examined+int64(len(s.Unexamined)):
			return refuse(ruleCoverageRules, "/cap1/strata", "R1-no-silent-remainder: %s has %d eligible, %d examined and %d unexamined units", s.ID, s.Eligible, s.Examined, len(s.Unexamined))
		case s.Basis.Kind == enumeration && s.Basis.Method == "":
			return refuse(ruleCoverageRules, "/cap1/strata", "R4-denominator-basis: %s lacks an enumeration method", s.ID)
		}
		seen[s.ID] = true
		for _, u := range s.Unexamined {
			switch {
			case u.Unit == "":
				return refuse(ruleCoverageRules, "/cap1/strata", "R2-closed-disposition: an unexamined unit of %s has no name", s.ID)
			case u.Disposition == withheld && u.Withheld == "":
				return refuse(ruleCoverageRules, "/cap1/strata", "R3-withholding-digest-bound: a withheld unit of %s has no digest", s.ID)
			}
			stops = stops || slices.Contains(hardStops, u.Disposition)
		}
	}
	capped := c.Integrity.CappedTo != nil && *c.Integrity.CappedTo != ""
	if c.Integrity.Complete == stops && stops || !c.Integrity.Complete && !capped {
		return refuse(ruleCoverageRules, "/cap1/integrity", "R7-incomplete-not-clean: complete or capped_to ignores failed or missing units")
	}
	return nil
}

// matches reports whether an attestation is about the package: its texts and rows are those of the units.
func (c *coverage) matches(units []unit, present []string) bool {
	want := account(units, present)
	if c.Subject != want.Subject || c.Integrity.Statement != want.Integrity.Statement {
		return false
	}
	byUnit := func(a, b unexamined) int {
		switch {
		case a.Unit < b.Unit:
			return -1
		case a.Unit > b.Unit:
			return 1
		}
		return 0
	}
	for i, s := range c.Strata {
		w := want.Strata[i]
		rows := slices.Clone(s.Unexamined)
		slices.SortFunc(rows, byUnit)
		slices.SortFunc(w.Unexamined, byUnit)
		if s.Population != w.Population || s.Basis != w.Basis || s.Eligible != w.Eligible || s.Examined != w.Examined ||
			!slices.Equal(rows, w.Unexamined) || !slices.Equal(s.Supports, w.Supports) {
			return false
		}
	}
	return true
}
