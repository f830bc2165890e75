package oatf

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"go.yaml.in/yaml/v4"
)

// cases reads a list of test cases from testdata/oatf.
func cases[T any](t testing.TB, name string) []T {
	t.Helper()
	text, err := os.ReadFile(filepath.Join("..", "testdata", "oatf", name))
	if err != nil {
		t.Fatal(err)
	}
	var list []T
	if err := yaml.Load(text, &list); err != nil {
		t.Fatal(err)
	}
	if len(list) == 0 {
		t.Fatalf("%s holds no cases", name)
	}
	t.Logf("%s: %d cases", name, len(list))
	return list
}

func TestParse(t *testing.T) {
	type parseCase struct {
		Name, Input string
		Faults      []string
	}
	for _, c := range cases[parseCase](t, "parse.yaml") {
		t.Run(c.Name, func(t *testing.T) {
			_, err := Parse([]byte(c.Input))
			if diff := cmp.Diff(c.Faults, faultLines(t, err)); diff != "" {
				t.Errorf("-want +got\n%s", diff)
			}
		})
	}
}

// faultLines spells the faults of Parse as the test data does.
func faultLines(t *testing.T, err error) []string {
	t.Helper()
	if err == nil {
		return nil
	}
	var faults ParseErrors
	if !errors.As(err, &faults) {
		t.Fatalf("Parse returned a %T: %v", err, err)
	}
	var lines []string
	for _, f := range faults {
		lines = append(lines, strings.Join([]string{f.ID(), span(f.Position), orDash(f.Path), orDash(f.Rule), f.Message}, " "))
	}
	return lines
}

func span(p Position) string {
	if p.EndColumn == 0 {
		return fmt.Sprintf("%d:%d", p.Line, p.Column)
	}
	return fmt.Sprintf("%d:%d-%d", p.Line, p.Column, p.EndColumn)
}

func orDash(s string) string {
	if s == "" {
		return "-"
	}
	return s
}

func TestValidate(t *testing.T) {
	type validateCase struct {
		Name, Input      string
		Errors, Warnings []string
	}
	line := func(id string, p Position, path, message string) string {
		return strings.Join([]string{id, span(p), path, message}, " ")
	}
	for _, c := range cases[validateCase](t, "validate.yaml") {
		t.Run(c.Name, func(t *testing.T) {
			doc, err := Parse([]byte(c.Input))
			if doc == nil {
				t.Fatal(err)
			}
			result := Validate(doc)
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

func TestHelp(t *testing.T) {
	for _, c := range cases[struct{ Input, Help string }](t, "help.yaml") {
		var got []string
		for _, f := range Check([]byte(c.Input), CheckOptions{}) {
			got = append(got, f.Help)
		}
		if !slices.Contains(got, c.Help) {
			t.Errorf("%s\nhelp %q, expected %q", c.Input, got, c.Help)
		}
	}
}
