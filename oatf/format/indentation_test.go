package format_test

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/cupel-dev/cupel/internal/oatftest"
	"github.com/cupel-dev/cupel/oatf"
	"github.com/cupel-dev/cupel/oatf/format"
)

// TestIndentation compares the faults of every case with what linting and formatting say.
func TestIndentation(t *testing.T) {
	type layoutCase struct {
		Name, Input string
		Faults      []string
	}
	for _, c := range oatftest.Cases[layoutCase](t, os.DirFS(filepath.Join("..", "..", "testdata", "oatf")), "indentation.yaml") {
		t.Run(c.Name, func(t *testing.T) {
			linted, formatted := layoutFaults(c.Input)
			if diff := cmp.Diff(c.Faults, formatted); diff != "" {
				t.Errorf("fmt: -want +got\n%s", diff)
			}
			if diff := cmp.Diff(c.Faults, linted); diff != "" {
				t.Errorf("lint: -want +got\n%s", diff)
			}
		})
	}
}

// layoutFaults returns the faults of an invalid YAML text, from `oatf lint` and from the refusal of `oatf fmt`.
func layoutFaults(text string) (linted, formatted []string) {
	for _, f := range oatf.Check([]byte(text), oatf.CheckOptions{}) {
		if f.Rule == "P-001" {
			linted = append(linted, fmt.Sprintf("%d:%d %s", f.Line, f.Column, f.Message))
		}
	}
	_, err := format.Format([]byte(text))
	var faults oatf.ParseErrors
	errors.As(err, &faults)
	for _, f := range faults {
		formatted = append(formatted, fmt.Sprintf("%d:%d %s", f.Line, f.Column, f.Message))
	}
	return linted, formatted
}
