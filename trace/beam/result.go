package main

import (
	"errors"
	"fmt"
	"reflect"

	sdk "github.com/apache/beam/sdks/v2/go/pkg/beam"

	"github.com/cupel-dev/cupel/trace"
)

func init() {
	sdk.RegisterType(reflect.TypeFor[result]())
	sdk.RegisterType(reflect.TypeFor[tally]())
}

type result struct {
	Input            string
	Report           []byte // the element of "inputs", as JSON, or nil
	Verdict          string
	Errors, Warnings int64
	Failure          string // why the report is missing, or ""
}

// tally counts results. Its JSON form is the "summary" of `cupel trace verify`.
type tally struct {
	Inputs   int64 `json:"inputs"`
	Valid    int64 `json:"valid"`
	Invalid  int64 `json:"invalid"`
	Rejected int64 `json:"rejected"`
	Errors   int64 `json:"errors"`
	Warnings int64 `json:"warnings"`

	Failures int64 `json:"-"` // logs without a report
	Shards   int64 `json:"-"` // shards that were counted
}

func (t *tally) add(r result) {
	if r.Failure != "" {
		t.Failures++
		return
	}
	t.Inputs++
	t.Errors += r.Errors
	t.Warnings += r.Warnings
	switch trace.Verdict(r.Verdict) {
	case trace.Valid:
		t.Valid++
	case trace.Invalid:
		t.Invalid++
	case trace.Rejected:
		t.Rejected++
	}
}

func (t *tally) merge(o tally) {
	t.Inputs += o.Inputs
	t.Valid += o.Valid
	t.Invalid += o.Invalid
	t.Rejected += o.Rejected
	t.Errors += o.Errors
	t.Warnings += o.Warnings
	t.Failures += o.Failures
	t.Shards += o.Shards
}

// verdict is nil when every log is valid.
func (t tally) verdict() error {
	switch {
	case t.Failures > 0:
		return fmt.Errorf("%s could not be verified; the reports name them", counted(t.Failures, "log"))
	case t.Inputs == 0:
		return fmt.Errorf("nothing was verified")
	case t.Valid != t.Inputs:
		return errNo
	}
	return nil
}

func (t tally) String() string {
	return fmt.Sprintf("%s: %d valid, %d invalid, %d rejected; %s, %s", counted(t.Inputs, "input"), t.Valid, t.Invalid, t.Rejected, counted(t.Errors, "error"), counted(t.Warnings, "warning"))
}

func counted(n int64, what string) string {
	if n != 1 {
		what += "s"
	}
	return fmt.Sprintf("%d %s", n, what)
}

// errNo means that the result is negative and was already reported.
var errNo = errors.New("the answer is no")
