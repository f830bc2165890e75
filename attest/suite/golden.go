package suite

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"

	"github.com/cupel-dev/cupel/attest"
	"github.com/cupel-dev/cupel/attest/importer"
	"github.com/cupel-dev/cupel/attest/internal/rule"
	"github.com/cupel-dev/cupel/attest/internal/wording"
	"github.com/cupel-dev/cupel/attest/trajectory"
	"github.com/cupel-dev/cupel/internal/strictjson"
)

const recordHint = "`cupel attest record TRACE > golden.json` writes one"

// golden replaces the member "golden" of a spec, the name of a file, by the calls of that file in "expect". The file
// is a document of `cupel attest record`, or a trace in any format.
func (r *reader) golden(doc document, n strictjson.Node, spec any) bool {
	start, _ := n.Span()
	place := doc.at(start)
	members, _ := spec.(map[string]any)
	name := ""
	switch text := members["golden"].(type) {
	case string:
		name = text
	case json.RawMessage:
		_ = json.Unmarshal(text, &name)
	}
	switch {
	case name == "":
		r.report(rule.SuiteCase, place, "golden must be the name of a file", recordHint)
		return false
	case members["expect"] != nil:
		r.report(rule.SuiteCase, place, "a spec has either golden or expect", "")
		return false
	}
	if r.goldens[name] == nil {
		data, ok := r.side(place, name)
		if !ok {
			return false
		}
		expect, err := r.recorded(data)
		if err != nil {
			message := fmt.Sprintf("cannot use %q as a golden trajectory: %v", wording.Preview(name), err)
			r.report(rule.SuiteCase, place, message, recordHint)
			return false
		}
		r.goldens[name] = expect
	}
	delete(members, "golden")
	members["expect"] = r.goldens[name]
	return true
}

// recorded returns the expected calls of a file.
func (r *reader) recorded(data []byte) (json.RawMessage, error) {
	var g struct {
		Schema string          `json:"schema"`
		Expect json.RawMessage `json:"expect"`
	}
	if json.Unmarshal(data, &g) == nil && g.Schema == trajectory.GoldenSchema {
		return g.Expect, nil
	}
	var found []attest.TraceText
	for t, err := range importer.Traces(r.engine, bytes.NewReader(data), importer.Options{From: importer.Auto}) {
		switch {
		case err != nil:
			return nil, err
		case t.Refused != nil:
			return nil, errors.New(t.Refused.Message)
		case t.Coverage != nil && !t.Coverage.Complete:
			return nil, errors.New("the trace is incomplete: " + t.Coverage.Text())
		}
		t.Raw = bytes.Clone(t.Raw) // it outlives the next read
		found = append(found, t.TraceText)
	}
	if len(found) != 1 {
		return nil, fmt.Errorf("it has %d traces, expected one", len(found))
	}
	recorded, err := trajectory.Record(r.engine, found[0], trajectory.Args)
	if err != nil {
		return nil, err
	}
	return json.Marshal(recorded.Expect)
}
