package primitive

import (
	"os"
	"testing"

	"github.com/cupel-dev/cupel/internal/oatftest"
	"github.com/cupel-dev/cupel/oatf/internal/parse"
	"github.com/cupel-dev/cupel/oatf/internal/profile"
	"github.com/cupel-dev/cupel/oatf/internal/revision"
	"github.com/cupel-dev/cupel/oatf/internal/value"
	"github.com/cupel-dev/cupel/oatf/internal/yamltext"
	"github.com/cupel-dev/cupel/oatf/model"
)

var testData = os.DirFS("testdata")

// valueOf reads a value from a text of YAML or JSON.
func valueOf(t testing.TB, text string) model.Value {
	t.Helper()
	source, err := yamltext.ReadAudited([]byte(text))
	if err != nil {
		t.Fatalf("%s: %v", text, err)
	}
	return yamltext.Value(source.Root)
}

// words returns the text of an error, or "".
func words(err error) string {
	if err == nil {
		return ""
	}
	return err.Error()
}

func TestPaths(t *testing.T) {
	for _, c := range oatftest.Cases[struct {
		Path, Value, Simple, Wildcard, Error string
	}](t, testData, "paths.yaml") {
		t.Run(c.Path, func(t *testing.T) {
			v := valueOf(t, c.Value)
			simple := "none"
			if got, found := ResolveSimple(c.Path, v); found {
				simple = string(value.JSON(nil, got))
			}
			if c.Simple == "" {
				c.Simple = "none"
			}
			if simple != c.Simple {
				t.Errorf("simple: %s, expected %s", simple, c.Simple)
			}
			path, err := CompilePath(c.Path)
			if words(err) != c.Error {
				t.Fatalf("error %q, expected %q", words(err), c.Error)
			}
			if err != nil {
				return
			}
			var wildcard string
			path.Each(v, func(v model.Value, at *Trail) bool {
				wildcard += "; " + at.String() + ": " + string(value.JSON(nil, v))
				return true
			})
			if wildcard != "" {
				wildcard = wildcard[2:]
			}
			if wildcard != c.Wildcard {
				t.Errorf("wildcard: %s, expected %s", wildcard, c.Wildcard)
			}
		})
	}
}

func TestConditions(t *testing.T) {
	for _, p := range revision.All {
		t.Run(string(p.Revision), func(t *testing.T) { conditions(t, p) })
	}
}

// conditions tries those of a revision; in the file, those of the oldest one have no revision name.
func conditions(t *testing.T, p *profile.Profile) {
	file := "conditions-" + string(p.Revision) + ".yaml"
	if p == revision.All[0] {
		file = "conditions.yaml"
	}
	for _, c := range oatftest.Cases[struct {
		Condition   string
		True, False []string
		Why         string // of the first true value: operator and span
		Error       string
	}](t, testData, file) {
		t.Run(c.Condition, func(t *testing.T) {
			condition, err := compiled(p, valueOf(t, c.Condition))
			if words(err) != c.Error {
				t.Fatalf("error %q, expected %q", words(err), c.Error)
			}
			for want, texts := range map[bool][]string{true: c.True, false: c.False} {
				for _, text := range texts {
					if got := condition.Match(valueOf(t, text)); got != want {
						t.Errorf("%s: %t", text, got)
					}
				}
			}
			if c.Why != "" {
				v := valueOf(t, c.True[0])
				operator, start, end := condition.Why(v)
				why := operator
				if s, ok := condition.Text(v); ok {
					why += " " + s[start:end]
				}
				if why != c.Why {
					t.Errorf("why: %q, expected %q", why, c.Why)
				}
			}
		})
	}
}

func compiled(p *profile.Profile, v model.Value) (*Condition, error) {
	condition, err := parse.Condition(p, v)
	if err != nil {
		return nil, err
	}
	return CompileCondition(p, condition)
}

func TestPredicates(t *testing.T) {
	for _, c := range oatftest.Cases[struct {
		Predicate   string
		True, False []string
		Error       string
	}](t, testData, "predicates.yaml") {
		t.Run(c.Predicate, func(t *testing.T) {
			read, err := parse.Predicate(revision.All[0], valueOf(t, c.Predicate))
			var predicate *Predicate
			if err == nil {
				predicate, err = CompilePredicate(revision.All[0], read)
			}
			if words(err) != c.Error {
				t.Fatalf("error %q, expected %q", words(err), c.Error)
			}
			for want, texts := range map[bool][]string{true: c.True, false: c.False} {
				for _, text := range texts {
					if got := predicate.Match(valueOf(t, text)); got != want {
						t.Errorf("%s: %t", text, got)
					}
				}
			}
		})
	}
}

// TestNoCondition compiles what only callers can build.
func TestNoCondition(t *testing.T) {
	for want, c := range map[string]*model.Condition{
		"there is no condition [type_error]":         nil,
		"the condition has no operator [type_error]": {Operators: &model.MatchCondition{}},
	} {
		if _, err := CompileCondition(revision.All[0], c); words(err) != want {
			t.Errorf("%v, expected %s", err, want)
		}
	}
	broken := model.Number("1x")
	condition, err := CompileCondition(revision.All[0], &model.Condition{Operators: &model.MatchCondition{GT: &broken}})
	if err != nil || condition.Match(model.Number("2")) {
		t.Errorf("%v: something is greater than %s", err, broken)
	}
	if value.Equal(broken, broken) {
		t.Errorf("%s equals itself", broken)
	}
}
