package model

import (
	"context"
	"errors"
	"strings"
	"testing"
)

func TestEvaluationErrorTexts(t *testing.T) {
	for want, err := range map[string]error{
		"m [cel_error]":             &EvaluationError{Kind: EvaluationCELError, Message: "m"},
		"ID-01: m [type_error]":     &EvaluationError{Kind: EvaluationTypeError, Message: "m", IndicatorID: "ID-01"},
		"m [timeout]":               &GenerationError{Kind: GenerationTimeout, Message: "m"},
		"probe: m [content_policy]": &GenerationError{Kind: GenerationContentPolicy, Message: "m", PhaseName: "probe", PromptPreview: "p"},
	} {
		if got := err.Error(); got != want {
			t.Errorf("%q, expected %q", got, want)
		}
	}
	for _, err := range []error{&EvaluationError{Cause: context.Canceled}, &GenerationError{Cause: context.Canceled}} {
		if !errors.Is(err, context.Canceled) {
			t.Errorf("%T hides its cause", err)
		}
	}
}

func TestPromptPreview(t *testing.T) {
	for _, c := range []struct{ prompt, want string }{
		{"", ""},
		{"short", "short"},
		{strings.Repeat("é", 200), strings.Repeat("é", 200)},
		{strings.Repeat("é", 200) + "x", strings.Repeat("é", 200)},
		{strings.Repeat("\xff", 201), strings.Repeat("\xff", 200)},
	} {
		if got := PromptPreview(c.prompt); got != c.want {
			t.Errorf("%.20q…: %d bytes, expected %d", c.prompt, len(got), len(c.want))
		}
	}
}
