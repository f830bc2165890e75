// Package attesttest reads test cases from testdata/attest.
package attesttest

import (
	"encoding/json"
	"io/fs"
	"strings"
	"testing"
)

// Case is a line of a case file:
//
//	{"trace": {…}}                                   the trace of the following lines
//	{"case": …, "type": …, "spec": {…}, "want": …}   an assertion and its result
//	{"case": …, "params": {…}, "want": …}            a whole request and its answer
//
// "want" is {"status", "score", "explanation"} for an assertion, the batch's result for a request, or {"error":
// {…}}. "options" configure the engine.
type Case struct {
	Trace   json.RawMessage `json:"trace,omitempty"`
	Case    string          `json:"case,omitempty"`
	Options *Options        `json:"options,omitempty"`
	Type    string          `json:"type,omitempty"`
	Spec    json.RawMessage `json:"spec,omitempty"`
	Params  json.RawMessage `json:"params,omitempty"`
	Want    json.RawMessage `json:"want,omitempty"`
}

// Options configure the engine of a case.
type Options struct {
	Lax                      bool `json:"lax,omitempty"`
	AssertionErrorsAsResults bool `json:"assertion_errors_as_results,omitempty"`
}

// Want is the expected assertion result or error.
type Want struct {
	Status      string
	Explanation string
	Error       *struct {
		Message string
		Data    struct{ Detail string }
	}
}

// Wanted decodes the want of a case with one assertion.
func (c Case) Wanted(t *testing.T) (w Want) {
	t.Helper()
	if err := json.Unmarshal(c.Want, &w); err != nil {
		t.Fatal(err)
	}
	return w
}

// Files lists the case files of a folder that match a pattern.
func Files(t *testing.T, folder fs.FS, pattern string) []string {
	t.Helper()
	files, err := fs.Glob(folder, pattern)
	if err != nil || len(files) == 0 {
		t.Fatalf("no case files match %s", pattern)
	}
	return files
}

// Read returns the lines of a case file.
func Read(t *testing.T, folder fs.FS, file string) (list []Case) {
	t.Helper()
	data, err := fs.ReadFile(folder, file)
	if err != nil {
		t.Fatal(err)
	}
	for i, line := range strings.Split(strings.TrimSpace(string(data)), "\n") {
		var c Case
		d := json.NewDecoder(strings.NewReader(line))
		d.DisallowUnknownFields()
		if err := d.Decode(&c); err != nil {
			t.Fatalf("%s:%d: %v", file, i+1, err)
		}
		list = append(list, c)
	}
	return list
}

// Assertions calls use for every case with one assertion, with its trace. It fails if there are no cases.
func Assertions(t *testing.T, folder fs.FS, pattern string, use func(t *testing.T, trace json.RawMessage, c Case)) {
	t.Helper()
	total := 0
	for _, file := range Files(t, folder, pattern) {
		var trace json.RawMessage
		for _, c := range Read(t, folder, file) {
			switch {
			case c.Case == "":
				trace = c.Trace
			case c.Params == nil:
				total++
				t.Run(file+"/"+c.Case, func(t *testing.T) { use(t, trace, c) })
			}
		}
	}
	if total == 0 {
		t.Fatal("no cases")
	}
}
