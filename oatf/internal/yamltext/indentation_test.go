package yamltext

import (
	"errors"
	"fmt"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/cupel-dev/cupel/internal/oatftest"
	"github.com/cupel-dev/cupel/oatf/model"
)

// TestIndentation compares the faults of every case, each as "line:column message".
func TestIndentation(t *testing.T) {
	for _, c := range oatftest.Cases[struct {
		Name, Input, Help string
		Faults            []string
	}](t, testData, "indentation.yaml") {
		t.Run(c.Name, func(t *testing.T) {
			_, err := ReadAudited([]byte(c.Input))
			var faults model.ParseErrors
			errors.As(err, &faults)
			var got []string
			for _, f := range faults {
				got = append(got, fmt.Sprintf("%d:%d %s", f.Line, f.Column, f.Message))
				if f.EndLine != f.Line || f.EndColumn != f.Column+1 || f.Help == "" || c.Help != "" && f.Help != c.Help {
					t.Errorf("%+v", f)
				}
			}
			if diff := cmp.Diff(c.Faults, got); diff != "" {
				t.Errorf("-want +got\n%s", diff)
			}
		})
	}
}
