package suite_test

import (
	"errors"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/cupel-dev/cupel/attest"
	"github.com/cupel-dev/cupel/attest/internal/attesttest"
	"github.com/cupel-dev/cupel/attest/suite"
	"github.com/cupel-dev/cupel/finding"
)

const attestCases = "../../testdata/attest/"

// protocolWords are the beginnings of guidance that the protocol prints word for word, in
// single quotes and several sentences.
var protocolWords = []string{"the regex pattern '", "truncate the 'result' field for step '"}

// targetSyntax is how the protocol writes a filter of steps.
var targetSyntax = regexp.MustCompile(`\[\?(name|type)=='[^']*'\]`)

// TestVoice: every finding that the case files provoke, of suites, assertions and traces,
// is in one voice: it begins in lower case, ends without a full stop, says nothing twice,
// and its help puts names in double quotes. Messages quote as the protocol's examples do.
func TestVoice(t *testing.T) {
	seen := 0
	eachFinding(t, func(f finding.Finding) {
		seen++
		for _, text := range []string{f.Message, f.Help} {
			checkVoice(t, text)
		}
		checkOnce(t, f.Message+"; "+f.Help)
		for _, words := range protocolWords {
			if strings.HasPrefix(f.Help, words) {
				return
			}
		}
		if help := targetSyntax.ReplaceAllString(f.Help, ""); singleQuoted.MatchString(help) {
			t.Errorf("single quotes: %s", f.Help)
		}
	})
	if seen < 100 {
		t.Fatalf("only %d findings", seen)
	}
	t.Logf("%d findings", seen)
}

// singleQuoted is a name in single quotes; the apostrophe of a possessive opens none.
var singleQuoted = regexp.MustCompile(`(^|[^\pL\pN])'[^']*'`)

// capital is a word that begins a sentence, unlike an abbreviation.
var capital = regexp.MustCompile(`^[A-Z]([a-z ]|$)`)

func checkVoice(t *testing.T, text string) {
	t.Helper()
	if capital.MatchString(text) || strings.HasSuffix(text, ".") {
		t.Errorf("no clause of a line: %s", text)
	}
}

// clauseEnd separates what a line says one after the other.
var clauseEnd = regexp.MustCompile(`: |; |\. |, (?:or|and) | \(`)

// checkOnce compares the clauses of a line; single words may come again.
func checkOnce(t *testing.T, line string) {
	t.Helper()
	said := map[string]bool{}
	for _, clause := range clauseEnd.Split(line, -1) {
		clause = strings.ToLower(strings.Trim(clause, " .)"))
		if strings.Count(clause, " ") > 1 && said[clause] {
			t.Errorf("said twice, %q: %s", clause, line)
		}
		said[clause] = true
	}
}

// eachFinding reads the suites of the cases, their assertions, each as a suite of its own,
// and their traces.
func eachFinding(t *testing.T, use func(finding.Finding)) {
	t.Helper()
	e := attest.NewEngine(attest.Options{})
	read := func(name string, text []byte) {
		_, findings := suite.Parse(e, name, text, nil)
		for _, f := range findings {
			use(f)
		}
	}
	for _, path := range caseFiles(t, attestCases+"suite/*.*") {
		if text, err := os.ReadFile(path); err != nil {
			t.Fatal(err)
		} else if filepath.Ext(path) != ".want" {
			read(path, text)
		}
	}
	evaluate := os.DirFS(attestCases + "evaluate")
	for _, file := range attesttest.Files(t, evaluate, "*.jsonl") {
		for _, c := range attesttest.Read(t, evaluate, file) {
			if c.Spec != nil {
				read("case.json", []byte(`{"assertion_id":"a1","type":"`+c.Type+`","spec":`+string(c.Spec)+`}`))
			}
		}
	}
	validate := os.DirFS(attestCases + "validate")
	for _, file := range attesttest.Files(t, validate, "*.jsonl") {
		for _, c := range attesttest.Read(t, validate, file) {
			text := attest.TraceText{Raw: c.Trace, Line: 1}
			if refused, ok := errors.AsType[*attest.Error](e.ValidateText(text)); ok {
				use(text.Finding("trace.json", refused))
			}
		}
	}
}
