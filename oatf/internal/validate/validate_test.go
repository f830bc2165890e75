package validate_test

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"go.yaml.in/yaml/v4"

	"github.com/cupel-dev/cupel/internal/oatftest"
	"github.com/cupel-dev/cupel/oatf/internal/parse"
	"github.com/cupel-dev/cupel/oatf/internal/validate"
	"github.com/cupel-dev/cupel/oatf/model"
)

var testData = os.DirFS(filepath.Join("..", "..", "..", "testdata", "oatf"))

// TestValidate runs the cases of each revision under it.
func TestValidate(t *testing.T) {
	for revision, file := range map[model.Revision]string{"sdk-0.1": "validate.yaml", "2026-03": "validate-2026-03.yaml"} {
		for _, c := range oatftest.Cases[validateCase](t, testData, file) {
			t.Run(string(revision)+"/"+c.Name, func(t *testing.T) { testValidate(t, revision, c) })
		}
	}
}

type validateCase struct {
	Name, Input      string
	Errors, Warnings []string
}

func testValidate(t *testing.T, revision model.Revision, c validateCase) {
	line := func(id string, p model.Position, path, message string) string {
		return strings.Join([]string{id, span(p), path, message}, " ")
	}
	doc, err := parse.Document([]byte(c.Input), parse.Options{Revision: revision})
	if doc == nil {
		t.Fatal(err)
	}
	result := validate.Document(doc).Result()
	got := validateCase{Name: c.Name, Input: c.Input}
	for _, e := range result.Errors {
		got.Errors = append(got.Errors, line(e.Rule, e.Position, e.Path, e.Message))
		if e.SpecRef == "" {
			t.Errorf("%v has no clause", e)
		}
	}
	for _, w := range result.Warnings {
		got.Warnings = append(got.Warnings, line(w.Code, w.Position, w.Path, w.Message))
	}
	if diff := cmp.Diff(c, got); diff != "" {
		t.Errorf("-want +got\n%s", diff)
	}
}

// span spells a place as the cases do.
func span(p model.Position) string {
	if p.EndColumn == 0 {
		return fmt.Sprintf("%d:%d", p.Line, p.Column)
	}
	return fmt.Sprintf("%d:%d-%d", p.Line, p.Column, p.EndColumn)
}

// TestValidateVectors is stricter than the rules of the public suites' validation cases, which accept a refusal to
// parse: Validate must return the expected errors even if Parse refused the document.
func TestValidateVectors(t *testing.T) {
	root := os.Getenv("CUPEL_VECTORS")
	if root == "" {
		t.Log("CUPEL_VECTORS is not set: only the project's own cases ran")
		return
	}
	for revision, folder := range map[model.Revision]string{"sdk-0.1": "oatf", "2026-03": "oatf-2026-03"} {
		t.Run(string(revision), func(t *testing.T) {
			testValidateVectors(t, revision, filepath.Join(root, folder, "suite", "validate", "suite.yaml"))
		})
	}
}

func testValidateVectors(t *testing.T, revision model.Revision, file string) {
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	type expectation struct{ Rule, Path string }
	var list []struct {
		ID, Input string
		Expected  struct{ Errors, Warnings []expectation }
	}
	if err := yaml.Load(text, &list); err != nil {
		t.Fatal(err)
	}
	expected := 0
	for _, v := range list {
		doc, err := parse.Document([]byte(v.Input), parse.Options{Revision: revision})
		if doc == nil {
			t.Errorf("%s: no document: %v", v.ID, err)
			continue
		}
		result := validate.Document(doc).Result()
		for _, want := range v.Expected.Errors {
			expected++
			if want.Path != "" && faulty[string(revision)+" "+v.ID] == want.Path {
				continue
			}
			if !slices.ContainsFunc(result.Errors, func(e *model.ValidationError) bool {
				return e.Rule == want.Rule && (want.Path == "" || e.Path == want.Path)
			}) {
				t.Errorf("%s: no %v in %v", v.ID, want, result.Errors)
			}
		}
		for _, want := range v.Expected.Warnings {
			expected++
			if !slices.ContainsFunc(result.Warnings, func(d model.Diagnostic) bool {
				return d.Code == want.Rule && (want.Path == "" || d.Path == want.Path)
			}) {
				t.Errorf("%s: no %v in %v", v.ID, want, result.Warnings)
			}
		}
	}
	if expected == 0 {
		t.Fatal("no errors are expected of any case")
	}
	t.Logf("%d cases, %d expectations", len(list), expected)
}

// faulty are the paths that cases expect where their input has another one.
var faulty = map[string]string{
	"2026-03 VAL-032b": "attack.execution.actors[0].phases[0].state.tools[0].response.content[0].text",
}

// TestUnparsed validates documents without a source text: it expects every finding, with paths and without places.
func TestUnparsed(t *testing.T) {
	status, level, mode := model.Status("published"), model.LogLevel("loud"), model.ElicitationMode("post")
	doc := &model.Document{OATF: "0.1", Attack: model.Attack{
		Status: &status, Severity: &model.Severity{Level: "extreme"}, Impact: []model.Impact{"noise"},
		Classification: &model.Classification{Mappings: []model.FrameworkMapping{{}}},
		Correlation:    &model.Correlation{},
		Execution: model.Execution{Phases: []model.Phase{{
			State:      "text",
			Extractors: []model.Extractor{{Name: "a", Source: "request", Type: "xpath", Selector: "/"}},
			OnEnter:    []model.Action{{Log: &model.Log{Level: &level}}, {SendElicitation: &model.SendElicitation{Mode: &mode}}},
		}}},
	}}
	var got []string
	for _, e := range validate.Document(doc).Result().Errors {
		if e.Line != 0 {
			t.Errorf("%v has a place", e)
		}
		got = append(got, e.Rule+" "+e.Path)
	}
	want := []string{
		"V-028 attack.execution.phases[0].mode",
		"V-005 attack.execution.phases[0].extractors[0].type",
		"V-005 attack.execution.phases[0].on_enter[0].log.level",
		"V-005 attack.execution.phases[0].on_enter[1].send_elicitation.mode",
		"V-009 attack.execution.phases[0].state",
		"V-005 attack.impact[0]", "V-005 attack.severity.level", "V-005 attack.status",
	}
	slices.Sort(got)
	slices.Sort(want)
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("-want +got\n%s", diff)
	}
}
