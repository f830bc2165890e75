package conformance

import (
	"fmt"
	"path"
	"slices"
	"strings"
	"time"

	"github.com/cupel-dev/cupel/finding"
	"github.com/cupel-dev/cupel/oatf"
	"github.com/cupel-dev/cupel/oatf/internal/revision"
	"github.com/cupel-dev/cupel/oatf/model"
)

// runners are the supported kinds of fixtures, by folder and file name; "" is any name.
var runners = []struct {
	folder, file string
	run          runner
}{
	{"validate", "", runValidate},
	{"normalize", "", runNormalize},
	{"roundtrip", "", runRoundTrip},
	{"primitives", "parse-duration", runParseDuration},
	{"primitives", "parse-event-qualifier", runEventQualifier},
	{"evaluate", "", runEvaluate},
	{"verdict", "", runVerdict},
}

// runnerOf returns the runner for a kind of fixtures, or nil if the revision does not have that kind.
func runnerOf(r oatf.Revision, kind string) runner {
	for _, p := range revision.All {
		if p.Revision != r && slices.Contains(p.Suite.Only, kind) {
			return runUnsupported
		}
	}
	folder, file := path.Split(kind)
	for _, r := range runners {
		if r.folder+"/" == folder && (r.file == "" || r.file == file) {
			return r.run
		}
	}
	if answer := answers[file]; answer != nil && folder == "primitives/" {
		return runPrimitive(answer)
	}
	return runUnsupported
}

func runUnsupported(c *Case, f fixture) {
	c.Expected, c.Got = compact(f.expected), Unsupported
}

// runEventQualifier runs cases with an event and its two parts. No published suite has them, so a case with other
// members than the specification names is unsupported.
func runEventQualifier(c *Case, f fixture) {
	if !hasOnly(f.input, "event") || !hasOnly(f.expected, "base", "qualifier") {
		runUnsupported(c, f)
		return
	}
	runPrimitive(eventQualifier)(c, f)
}

// hasOnly reports whether a value is an object with exactly these members.
func hasOnly(v oatf.Value, members ...string) bool {
	o, ok := v.(oatf.Object)
	return ok && len(o) == len(members) &&
		!slices.ContainsFunc(o, func(m oatf.Member) bool { return !slices.Contains(members, m.Key) })
}

// document returns a document that must or must not parse, depending on its folder.
func (s suite) document(id string, text []byte) Case {
	words := map[bool]string{true: "parses", false: "a parse error"}
	folder := path.Base(path.Dir(id))
	valid := folder == "valid"
	_, err := oatf.ParseOptions{Revision: s.under.Revision()}.Parse(text)
	c := Case{ID: id, Suite: "parse", Kind: "parse/" + folder, Pass: (err == nil) == valid, Expected: words[valid], Got: words[true]}
	if err != nil {
		c.Got = err.Error()
	}
	return c
}

// runValidate runs cases whose input is a document. expected lists the violated rules, possibly with paths, or
// validity, and the warnings. Lists are minimal, but an empty one means none, and a missing list of errors means no
// errors; with expected_only they are complete. A document that does not parse violates the rules that Check
// reports.
func runValidate(c *Case, f fixture) {
	want, _ := f.expected.(oatf.Object)
	errs, warnings := f.check()
	c.Expected, c.Got = compact(f.expected), found(errs, warnings)

	wantErrors, _ := diagnostics(want, "errors")
	c.Pass = covers(errs, wantErrors) && (len(wantErrors) > 0 || len(errs) == 0)
	if wantWarnings, some := diagnostics(want, "warnings"); some {
		c.Pass = c.Pass && covers(warnings, wantWarnings) && (len(wantWarnings) > 0 || len(warnings) == 0)
		c.Pass = c.Pass && (!f.only || allowed(warnings, wantWarnings))
	}
	c.Pass = c.Pass && (!f.only || allowed(errs, wantErrors))
}

// allowed reports whether all findings are listed. A parse error is allowed with a violated rule at the same path.
func allowed(found, listed []string) bool {
	for _, f := range found {
		rule, at, _ := strings.Cut(f, " ")
		beside := strings.HasPrefix(rule, "P-")
		if !slices.ContainsFunc(listed, func(l string) bool {
			want, path, _ := strings.Cut(l, " ")
			return (want == rule || beside) && (path == at || path == "")
		}) {
			return false
		}
	}
	return true
}

// check returns Check's findings as "RULE path": violated rules and parse errors, and the specification's warnings.
func (f fixture) check() (errs, warnings []string) {
	for _, f := range oatf.Check([]byte(stringOf(f.input)), oatf.CheckOptions{Revision: f.under.Revision()}) {
		detail, _ := f.Detail.(oatf.Detail)
		for _, e := range detail.Elements(f) {
			switch {
			case detail.Kind == model.KindLint:
			case e.Severity == finding.Error:
				errs = append(errs, e.Rule+" "+e.Path)
			case detail.Kind == model.KindWarning:
				warnings = append(warnings, e.Rule+" "+e.Path)
			}
		}
	}
	return errs, warnings
}

// diagnostics reads a list of {rule, path?} as "RULE path" or "RULE ".
func diagnostics(o oatf.Object, key string) (list []string, some bool) {
	v, some := o.Get(key)
	items, _ := v.([]oatf.Value)
	for _, item := range items {
		entry, _ := item.(oatf.Object)
		list = append(list, textOf(entry, "rule")+" "+textOf(entry, "path"))
	}
	return list, some
}

// covers reports whether each wanted diagnostic was found; one without a path matches any path.
func covers(got, want []string) bool {
	for _, w := range want {
		anywhere := strings.HasSuffix(w, " ")
		if !slices.ContainsFunc(got, func(g string) bool { return g == w || anywhere && strings.HasPrefix(g, w) }) {
			return false
		}
	}
	return true
}

func found(errs, warnings []string) string {
	var parts []string
	if len(errs) > 0 {
		parts = append(parts, "errors: "+listed(errs))
	}
	if len(warnings) > 0 {
		parts = append(parts, "warnings: "+listed(warnings))
	}
	if len(parts) == 0 {
		return "valid"
	}
	return strings.Join(parts, "; ")
}

// listed formats diagnostics. Those on the whole document have no path.
func listed(diagnostics []string) string {
	return strings.TrimSuffix(strings.ReplaceAll(strings.Join(diagnostics, ", ")+",", " ,", ","), ",")
}

// runNormalize: input and expected are documents; the models are compared, not the texts.
func runNormalize(c *Case, f fixture) {
	got, want, err := normalized(f)
	if err != nil {
		c.Expected, c.Got = "two documents", err.Error()
		return
	}
	c.compare(want, got)
}

// normalized returns the canonical form of a fixture's input, and the expected one.
func normalized(f fixture) (got, want *oatf.Document, err error) {
	doc, err := f.parse(f.input)
	want, wantErr := f.parse(f.expected)
	if err != nil || wantErr != nil {
		return nil, nil, fmt.Errorf("input: %v; expected: %v", err, wantErr)
	}
	got = oatf.Normalize(doc)
	dropInheritedModes(got, want)
	return got, want, nil
}

func (f fixture) parse(text oatf.Value) (*oatf.Document, error) {
	return oatf.ParseOptions{Revision: f.under.Revision()}.Parse([]byte(stringOf(text)))
}

// dropInheritedModes removes inherited modes from got's phases where want omits them, because the suite omits them
// and the specification does not.
func dropInheritedModes(got, want *oatf.Document) {
	actors := want.Attack.Execution.Actors
	for i, a := range got.Attack.Execution.Actors[:min(len(actors), len(got.Attack.Execution.Actors))] {
		for k := range a.Phases[:min(len(a.Phases), len(actors[i].Phases))] {
			ph := &a.Phases[k]
			if actors[i].Phases[k].Mode == nil && ph.Mode != nil && *ph.Mode == a.Mode {
				ph.Mode = nil
			}
		}
	}
}

// runRoundTrip runs cases whose input is a document, possibly invalid, that must be the same after writing and
// parsing, as it is and normalized.
func runRoundTrip(c *Case, f fixture) {
	doc, err := f.parse(f.input)
	if err != nil {
		c.Expected, c.Got = "parses", err.Error()
		return
	}
	for _, d := range []*oatf.Document{doc, oatf.Normalize(doc)} {
		again, err := f.parse(string(oatf.Serialize(d)))
		if err != nil {
			c.Expected, c.Got, c.Pass = "the serialized document parses", err.Error(), false
			return
		}
		if c.compare(d, again); !c.Pass {
			return
		}
	}
	c.Expected, c.Got = "identical", "identical"
}

// runParseDuration runs cases whose input is a duration, and whose expected value is its seconds or an error.
func runParseDuration(c *Case, f fixture) {
	want, _ := f.expected.(oatf.Object)
	c.Expected = compact(want)
	seconds, _ := want.Get("seconds")
	d, err := oatf.ParseDuration(stringOf(f.input))
	if err != nil {
		c.Got = err.Error()
		c.Pass = seconds == nil
		return
	}
	got := integer(int64(d / time.Second))
	c.Got = compact(oatf.Object{{Key: "seconds", Value: got}})
	c.Pass = seconds == got
}
