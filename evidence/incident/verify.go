package incident

import (
	"bytes"
	"context"
	"slices"

	"github.com/cupel-dev/cupel/internal/digest"
	"github.com/cupel-dev/cupel/internal/strictjson"
)

// Verified is a package without fault.
type Verified struct {
	SHA256  string
	Bundles int
	Events  int64
	Actions int
}

// verification is a check of a package, phase by phase.
type verification struct {
	ctx        context.Context
	against    *Context
	limits     *limits
	objects    map[string][]byte
	inventory  *inventory
	assessment *assessment
	gathered   actionReader
	byPlace    map[reference]*action
}

// Verify checks a package. The default context has the time of the events. It returns a [Refusal], [Unsupported],
// or ctx's error.
func Verify(ctx context.Context, text []byte, against *Context) (*Verified, error) {
	v := &verification{ctx: ctx, against: against, limits: &hard, objects: map[string][]byte{}, byPlace: map[reference]*action{}}
	if against != nil {
		v.limits = &against.Limits
	}
	if err := within(int64(len(text)), hard.OuterBytes, v.limits.OuterBytes, "bytes of the package"); err != nil {
		return nil, err
	}
	members, err := read(text, v.limits)
	if err != nil {
		return nil, err
	}
	for _, phase := range []func() error{
		func() error { return v.documents(members) }, v.words, func() error { return v.digests(members) }, v.supported,
		v.sources, v.disclosed, v.covered, v.expected, v.current,
	} {
		if err := phase(); err != nil {
			return nil, err
		}
	}
	sum := digest.Of(text)
	return &Verified{SHA256: sum.String(), Bundles: len(v.inventory.Inputs), Events: v.gathered.events, Actions: len(v.gathered.actions)}, nil
}

func (v *verification) documents(members []member) error {
	if err := within(int64(len(members[0].text)), hard.InventoryBytes, v.limits.InventoryBytes, "bytes of the inventory"); err != nil {
		return err
	}
	if err := within(int64(len(members[1].text)), hard.AssessmentBytes, v.limits.AssessmentBytes, "bytes of the assessment"); err != nil {
		return err
	}
	inventory, err := scan(members[0].text, inventoryName, v.limits)
	if err != nil {
		return err
	}
	copied, _ := inventory.Copy(nil)
	assessment, err := scan(members[1].text, assessmentName, v.limits)
	if err != nil {
		return err
	}
	var r *reader
	v.inventory, r = readInventory(&copied)
	if err := r.refusal(); err != nil {
		return err
	}
	v.assessment, r = readAssessment(assessment)
	return r.refusal()
}

// words checks schemas, formats and surfaces.
func (v *verification) words() error {
	if v.inventory.Schema != inventorySchema || v.assessment.Schema != assessmentSchema {
		return refuse(ruleSchema, "/schema", "the documents have the schemas %q and %q, expected %q and %q", v.inventory.Schema, v.assessment.Schema, inventorySchema, assessmentSchema)
	}
	one := map[string][]string{"proxy-decision-ndjson": surfaceNames[:1], "inspector-protocol-793d103": surfaceNames[4:]}
	for _, in := range v.inventory.Inputs {
		if !slices.Contains(formats, in.Format) {
			return refuse(ruleFormat, "/inputs", "the input %q has the unknown format %q", in.ID, in.Format)
		}
		good := true
		switch in.Format {
		case bundleFormat:
			for _, name := range in.Surfaces {
				good = good && slices.Contains(bundleNames, name)
			}
		case "runner-kernel-ndjson-v0", "runner-kernel-ndjson-v1":
			last := 0
			for _, name := range in.Surfaces {
				i := slices.Index(bundleNames, name)
				good = good && i > last
				last = i
			}
		default:
			good = slices.Equal(in.Surfaces, one[in.Format])
		}
		if !good {
			return refuse(ruleMapping, "/inputs", "the input %q has surfaces that the format does not define: %q", in.ID, in.Surfaces)
		}
	}
	return nil
}

func (v *verification) digests(members []member) error {
	if got := hexOf(members[1].text); got != v.inventory.Assessment {
		return refuse(ruleDigest, "/assessment_sha256", "SHA-256 mismatch: the assessment has %s", got)
	}
	total := int64(0)
	for _, in := range v.inventory.Inputs {
		if total += in.Bytes; total > hard.ObjectBytesTotal {
			break
		}
	}
	if err := within(total, hard.ObjectBytesTotal, v.limits.ObjectBytesTotal, "bytes of all inputs"); err != nil {
		return err
	}
	if err := within(int64(len(v.inventory.Inputs)), hard.Inputs, v.limits.Inputs, "inputs"); err != nil {
		return err
	}
	unlisted := map[string]bool{}
	for _, m := range members[2:] {
		v.objects[m.name[len(objectsFolder):]] = m.text
		unlisted[m.name[len(objectsFolder):]] = true
	}
	ids := map[string]bool{}
	for _, in := range v.inventory.Inputs {
		text, ok := v.objects[in.SHA256]
		switch {
		case !ok:
			return refuse(ruleDigest, "/inputs", "the object of the input %q is missing", in.ID)
		case int64(len(text)) != in.Bytes:
			return refuse(ruleDigest, "/inputs", "the object of the input %q has %d bytes, expected %d as in the inventory", in.ID, len(text), in.Bytes)
		case ids[in.ID]:
			return refuse(ruleShape, "/inputs", "two inputs have the id %q", in.ID)
		}
		ids[in.ID] = true
		delete(unlisted, in.SHA256)
	}
	for name := range unlisted {
		return refuse(ruleDigest, "/inputs", "the object %s does not belong to an input", name)
	}
	return nil
}

// supported returns an error for content that this package does not support.
func (v *verification) supported() error {
	for _, in := range v.inventory.Inputs {
		if in.Format != bundleFormat {
			return &Unsupported{"an input of the format " + in.Format}
		}
	}
	for _, d := range v.inventory.Context {
		if len(d.Refs) > 0 {
			return &Unsupported{"a context with references"}
		}
	}
	if len(v.assessment.Joins)+len(v.assessment.Claims) > 0 {
		return &Unsupported{"joins or claims"}
	}
	return nil
}

// sources reads the bundles, and finds the action of each unit.
func (v *verification) sources() error {
	v.gathered = actionReader{ctx: v.ctx, limits: v.limits}
	for i := range v.inventory.Inputs {
		in := &v.inventory.Inputs[i]
		if err := v.gathered.add(in, v.objects[in.SHA256], "the bundle "+in.ID); err != nil {
			return err
		}
	}
	for i := range v.gathered.actions {
		v.byPlace[v.gathered.actions[i].at] = &v.gathered.actions[i]
	}
	for _, u := range v.assessment.Units {
		a := v.byPlace[u.Source]
		switch {
		case a == nil:
			return refuse(ruleLocator, "/units", "no input has an action at %q", u.Source.Locator)
		case a.surface != u.Surface:
			return refuse(ruleDisclosure, "/units", "the action at %q belongs to the surface %s", u.Source.Locator, a.surface)
		}
	}
	return nil
}

// disclosed compares the units with the actions.
func (v *verification) disclosed() error {
	for _, u := range v.assessment.Units {
		if u.ID != idOf(u.Source) {
			return refuse(ruleDisclosure, "/units", "the id of the unit at %q does not match the source", u.Source.Locator)
		}
	}
	if !ascending(v.assessment.Units, func(u unit) string { return u.ID }) {
		return refuse(ruleDisclosure, "/units", "the units are not sorted by id, or an id is repeated")
	}
	for _, u := range v.assessment.Units {
		if !v.byPlace[u.Source].discloses(&u) {
			return refuse(ruleDisclosure, "/units", "the unit at %q (%s) does not match the action", u.Source.Locator, u.Disposition)
		}
	}
	if n := len(v.gathered.actions); n != len(v.assessment.Units) {
		return refuse(ruleDisclosure, "/units", "the inputs have %d actions, the assessment %d units", n, len(v.assessment.Units))
	}
	return nil
}

func (a *action) discloses(u *unit) bool {
	bare := u.Result == nil && u.Withheld == nil
	switch {
	case !a.good:
		return u.Disposition == failed && bare
	case u.Disposition == examined:
		return u.Withheld == nil && u.Result != nil && u.Result.Mode == "inline" && digest.Of(u.Result.Value) == a.sum
	case u.Disposition == withheld:
		return u.Result == nil && u.Withheld != nil && *u.Withheld == a.sum.Hex()
	}
	return bare
}

// covered checks the coverage attestation.
func (v *verification) covered() error {
	var present []string
	for _, s := range v.assessment.Surfaces {
		if len(s.Sources) > 0 {
			present = append(present, s.Name)
		}
	}
	text := v.assessment.Coverage
	switch {
	case (len(present) == 0) != (text == nil):
		return refuse(ruleCoverageRules, "/cap1", "a coverage attestation is required if a surface has sources, and not allowed otherwise")
	case text == nil:
		return nil
	case int64(len(text)) > v.limits.HealthBytes:
		return refuse(ruleCoverage, "/cap1", "the coverage attestation has %d bytes, expected at most %d", len(text), v.limits.HealthBytes)
	}
	doc, err := strictjson.NewScanner(strictjson.Limits{}).Scan(text)
	if err != nil {
		return refuse(ruleCoverage, "/cap1", "%s", err)
	}
	c, r := readCoverage(doc.Root())
	if err := r.refusal(); err != nil {
		return err
	}
	if err := c.rulesOf(); err != nil {
		return err
	}
	if !slices.EqualFunc(c.Strata, present, func(s stratum, name string) bool { return s.ID == name }) {
		return refuse(ruleCoverageRules, "/cap1/strata", "the strata are not the surfaces with sources, in the same order")
	}
	if r.foreign != "" || !c.matches(v.assessment.Units, present) {
		return refuse(ruleClaim, "/cap1", "the coverage attestation does not match the units")
	}
	return nil
}

// expected compares the package with what the context expects.
func (v *verification) expected() error {
	if v.against == nil {
		return nil
	}
	for _, e := range v.against.Expectations {
		i := slices.IndexFunc(v.inventory.Inputs, func(in packed) bool { return in.ID == e.InputID })
		if i < 0 || v.inventory.Inputs[i].SHA256 != e.SHA256 {
			return refuse(ruleExpectation, "/inputs", "the input %q is not the one that the context expects", e.InputID)
		}
		for _, u := range v.assessment.Units {
			if e.RequireDisclosure && u.Source.InputID == e.InputID && u.Disposition != examined {
				return refuse(ruleExpectation, "/units", "the input %q has a unit with the status %s, but the context requires that all are examined", e.InputID, u.Disposition)
			}
		}
	}
	return nil
}

// current compares the assessment with the one computed from inputs and context.
func (v *verification) current() error {
	against := v.against
	if against == nil {
		against = usual(v.gathered.start, v.gathered.end)
	}
	if want := hexOf(against.Text()); v.assessment.Context != want {
		return refuse(ruleStale, "/verification_context_sha256", "the assessment was made for the context %s, but the given context is %s", v.assessment.Context, want)
	}
	for i, s := range v.assessment.Surfaces {
		bare := s.Observation == "unknown" && len(s.Basis) == 0 && len(bytes.TrimSpace(s.Window)) == 0
		if i >= len(surfaceNames) || s.Name != surfaceNames[i] || !slices.Equal(s.Sources, v.inventory.sources(s.Name)) || !bare {
			return refuse(ruleStale, "/surfaces", "the surface %q does not match the inputs", s.Name)
		}
	}
	if len(v.assessment.Surfaces) != len(surfaceNames) || len(v.assessment.Resolved) > 0 {
		return refuse(ruleStale, "/surfaces", "the assessment has %d surfaces and %d results, expected %d and 0", len(v.assessment.Surfaces), len(v.assessment.Resolved), len(surfaceNames))
	}
	return nil
}

// MaxBytes is the maximum size of a package.
const MaxBytes = 256 << 20

// FirstByte is the first byte of every package.
const FirstByte = 'i'

// NotCovered returns what a package's verdict does not prove, as sentences.
func NotCovered() []string {
	return []string{
		"the author of the package: it has no signature",
		"whether all actions were recorded, whether they had the recorded effect, and whether their producers can be trusted",
	}
}
