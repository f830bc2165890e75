// A program in another module that uses cupel's four libraries. It shows which API callers depend on.
package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"strings"

	"github.com/cupel-dev/cupel/attest"
	"github.com/cupel-dev/cupel/evidence"
	"github.com/cupel-dev/cupel/evidence/privacy"
	"github.com/cupel-dev/cupel/evidence/redact"
	"github.com/cupel-dev/cupel/finding"
	"github.com/cupel-dev/cupel/oatf"
	"github.com/cupel-dev/cupel/trace"
)

func main() {
	for _, job := range []func() error{verify, check, hash, clean, validate, names} {
		if err := job(); err != nil {
			fmt.Fprintln(os.Stderr, "no answer:", err)
			os.Exit(2)
		}
	}
}

func verify() error {
	log := `{"trace_schema_version":1}
{"idx":0,"kind":"step_started","step_id":"s1"}
{"idx":0,"kind":"step_finished","step_id":"s1","output":{"type":"gather"}}
`
	report, err := trace.Verify(context.Background(), strings.NewReader(log), trace.Options{Name: "trace.jsonl"})
	if err != nil {
		return err
	}
	fmt.Println("trace:", report.Verdict)
	var findings []trace.Finding = report.Findings
	show(findings, trace.SeverityError)
	return nil
}

func check() error {
	document := `oatf: "0.1"
attack:
  execution:
    mode: mcp_server
    phases:
      - state: {tools: []}
        triger: {after: 10m}
`
	var findings []oatf.Finding = oatf.Check([]byte(document), oatf.CheckOptions{})
	fmt.Println("oatf:", len(findings) > 0)
	show(findings, oatf.SeverityError)
	return nil
}

func hash() error {
	event := `{"specversion":"1.0","type":"a","datacontenttype":"application/json","data":{}}`
	text, err := evidence.ContentHash([]byte(event))
	if err != nil {
		return err
	}
	fmt.Println("evidence:", text)
	_, err = evidence.ContentHash([]byte(`{}`))
	fmt.Println("evidence:", err)
	return nil
}

// clean redacts one event, and a whole input with a fault.
func clean() error {
	text := `{"specversion":"1.0","type":"a","datacontenttype":"application/json","data":"/home/bob/x --token=k"}` + "\n"
	result, err := evidence.NewHasher(evidence.Options{}).Hash([]byte(text))
	if err != nil {
		return err
	}
	policy, err := privacy.ParsePolicy("policy.yaml", []byte("classes: [{pointer: /data, class: sensitive}]"), privacy.Default(), nil)
	if err != nil {
		return err
	}
	var left *privacy.SweepError
	var changes []privacy.Change
	out, changes, err := privacy.NewRedactor(policy).Event(nil, result.Event)
	if errors.As(err, &left) {
		return left
	}
	fmt.Printf("privacy: %s", out)
	for _, c := range changes {
		fmt.Println("privacy:", c.Pointer, c.Class, c.Rule, c.Action, c.Class == privacy.Sensitive, c.Action == privacy.Replaced)
	}
	for _, accept := range []bool{false, true} {
		var copied bytes.Buffer
		report, err := redact.Redact(context.Background(), strings.NewReader(text), int64(len(text)), "run.ndjson", new(scratch), &copied,
			redact.Options{Policy: policy, AcceptUnverified: accept})
		if err != nil {
			return err
		}
		fmt.Println("redact:", report.Redacted, report.InputVerified, report.Summary.Changed, copied.String() == string(out))
	}
	return nil
}

// scratch is a temporary file in memory.
type scratch struct{ text []byte }

func (s *scratch) Write(p []byte) (int, error) {
	s.text = append(s.text, p...)
	return len(p), nil
}

func (s *scratch) ReadAt(p []byte, at int64) (int, error) {
	return bytes.NewReader(s.text).ReadAt(p, at)
}

func validate() error {
	engine := attest.NewEngine(attest.Options{})
	var valid func([]byte) error = engine.ValidateTrace
	if err := valid([]byte(`{"schema_version":1,"trace_id":"t","output":{"message":"done"}}`)); err != nil {
		return err
	}
	fmt.Println("attest:", valid([]byte(`{}`)) != nil)
	return nil
}

// show prints the findings of severity least or above. The four packages share the type.
func show(findings []finding.Finding, least finding.Severity) {
	for _, f := range findings {
		if f.Severity >= least {
			fmt.Printf("%s:%d:%d: %v: %s [%s]\n", f.File, f.Line, f.Column, f.Severity, f.Message, f.Rule)
		}
	}
}

// severities are the packages' constants, in increasing order.
var severities = [][3]finding.Severity{
	{finding.Info, finding.Warning, finding.Error},
	{trace.SeverityInfo, trace.SeverityWarning, trace.SeverityError},
	{oatf.SeverityInfo, oatf.SeverityWarning, oatf.SeverityError},
	{evidence.SeverityInfo, evidence.SeverityWarning, evidence.SeverityError},
	{attest.SeverityInfo, attest.SeverityWarning, attest.SeverityError},
}

func names() error {
	var own []attest.Finding
	for _, row := range severities {
		own = append(own, evidence.Finding{Rule: "r", Severity: row[1]})
		fmt.Println("severities:", row[0], row[1], row[2])
	}
	show(own, attest.SeverityError)
	return nil
}
