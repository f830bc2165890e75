package regex_test

import (
	"errors"
	"fmt"
	"regexp/syntax"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/cupel-dev/cupel/attest/internal/regex"
)

// TestSize: what is compiled is about as large as it was said to be, and never much larger.
func TestSize(t *testing.T) {
	part := rapid.SampledFrom([]string{"a", "abc", "[a-z]", ".", `\w`, "(a|b)", "(ab?c*)", "(x{3}|y{2,})", `\pL`, "(?i)k"})
	times := rapid.SampledFrom([]string{"", "*", "+?", "{7}", "{2,9}", "{30,}", "{0,200}", "?"})
	rapid.Check(t, func(t *rapid.T) {
		var pattern strings.Builder
		for range rapid.IntRange(1, 6).Draw(t, "parts") {
			fmt.Fprintf(&pattern, "(?:%s)%s", part.Draw(t, "part"), times.Draw(t, "times"))
		}
		re, err := regex.Compile(pattern.String())
		if err != nil {
			t.Fatalf("%s: %v", &pattern, err)
		}
		parsed, err := syntax.Parse(re.String(), syntax.Perl)
		if err != nil {
			t.Fatal(err)
		}
		program, err := syntax.Compile(parsed.Simplify())
		if err != nil {
			t.Fatal(err)
		}
		if len(program.Inst) > 2*re.Size+4 {
			t.Errorf("%s: %d instructions, estimated %d", &pattern, len(program.Inst), re.Size)
		}
	})
}

// TestTooLarge: repetitions that multiply are refused before they take memory.
func TestTooLarge(t *testing.T) {
	for _, pattern := range []string{"([ab][ab]" + strings.Repeat("[cd]", 200) + "){1000}", strings.Repeat("(a?b?c?){1000}", 60), "((((a{10}){10}){10}b){0,9}){0,9}" + strings.Repeat("(.{1000})", 100)} {
		size, err := regex.Size(pattern)
		var large *regex.TooLarge
		if syntaxError := (*syntax.Error)(nil); errors.As(err, &syntaxError) {
			continue // the library has limits of its own
		}
		if !errors.As(err, &large) || size <= regex.MaxProgram || !strings.Contains(err.Error(), fmt.Sprint(regex.MaxProgram)) {
			t.Errorf("%.40s: %v", pattern, err)
		}
	}
	if _, err := regex.Compile("(a"); err == nil {
		t.Error("not refused")
	}
	if _, err := regex.Compile(strings.Repeat("a", 10_000)); err != nil {
		t.Error(err)
	}
}
