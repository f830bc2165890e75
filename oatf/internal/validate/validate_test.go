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

	"github.com/cupel-dev/cupel/oatf/internal/parse"
	"github.com/cupel-dev/cupel/oatf/internal/validate"
	"github.com/cupel-dev/cupel/oatf/model"
	"github.com/cupel-dev/cupel/oatf/oatftest"
)

var testData = os.DirFS(filepath.Join("..", "..", "..", "testdata", "oatf"))

func TestValidate(t *testing.T) {
	type validateCase struct {
		Name, Input      string
		Errors, Warnings []string
	}
	line := func(id string, p model.Position, path, message string) string {
		return strings.Join([]string{id, span(p), path, message}, " ")
	}
	for _, c := range oatftest.Cases[validateCase](t, testData, "validate.yaml") {
		t.Run(c.Name, func(t *testing.T) {
			doc, err := parse.Document([]byte(c.Input), parse.Options{})
			if doc == nil {
				t.Fatal(err)
			}
			result := validate.Document(doc).Result()
			var got validateCase
			for _, e := range result.Errors {
				got.Errors = append(got.Errors, line(e.Rule, e.Position, e.Path, e.Message))
				if e.SpecRef == "" {
					t.Errorf("%v has no clause", e)
				}
			}
			for _, w := range result.Warnings {
				got.Warnings = append(got.Warnings, line(w.Code, w.Position, w.Path, w.Message))
			}
			got.Name, got.Input = c.Name, c.Input
			if diff := cmp.Diff(c, got); diff != "" {
				t.Errorf("-want +got\n%s", diff)
			}
		})
	}
}

// span spells a place as the cases do.
func span(p model.Position) string {
	if p.EndColumn == 0 {
		return fmt.Sprintf("%d:%d", p.Line, p.Column)
	}
	return fmt.Sprintf("%d:%d-%d", p.Line, p.Column, p.EndColumn)
}

// TestValidateVectors asks more of the public suite's validation cases than its rules
// do, by which refusing to parse is enough: the expected errors must be among those of
// Validate also where Parse has refused the document.
func TestValidateVectors(t *testing.T) {
	root := os.Getenv("CUPEL_VECTORS")
	if root == "" {
		t.Log("CUPEL_VECTORS is not set: only the project's own cases ran")
		return
	}
	text, err := os.ReadFile(filepath.Join(root, "oatf", "suite", "validate", "suite.yaml"))
	if err != nil {
		t.Fatal(err)
	}
	var list []struct {
		ID, Input string
		Expected  struct{ Errors []struct{ Rule, Path string } }
	}
	if err := yaml.Load(text, &list); err != nil {
		t.Fatal(err)
	}
	expected := 0
	for _, v := range list {
		doc, err := parse.Document([]byte(v.Input), parse.Options{})
		if doc == nil {
			t.Errorf("%s: no document: %v", v.ID, err)
			continue
		}
		result := validate.Document(doc).Result()
		for _, want := range v.Expected.Errors {
			expected++
			if !slices.ContainsFunc(result.Errors, func(e *model.ValidationError) bool {
				return e.Rule == want.Rule && (want.Path == "" || e.Path == want.Path)
			}) {
				t.Errorf("%s: no %v in %v", v.ID, want, result.Errors)
			}
		}
	}
	if expected == 0 {
		t.Fatal("no errors are expected of any case")
	}
	t.Logf("%d cases, %d expected errors", len(list), expected)
}

// TestUnparsed validates documents that no text stands behind: everything is found, with
// paths and without places.
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
