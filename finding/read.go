package finding

import (
	"bytes"
	"encoding/json"
	"fmt"
)

// UnmarshalJSON parses the output of MarshalJSON. Other members become the Detail, so that the JSON form is
// preserved.
func (f *Finding) UnmarshalJSON(text []byte) error {
	var read form
	if err := json.Unmarshal(text, &read); err != nil {
		return err
	}
	more, err := otherMembers(text)
	if err != nil {
		return err
	}
	*f = Finding{
		Rule: read.Rule, Severity: read.Severity, File: read.File, Line: read.Line, Column: read.Column,
		EndLine: read.EndLine, EndColumn: read.EndColumn, Index: read.Index, Path: read.Path,
		Message: read.Message, Expected: read.Expected, Found: read.Found, Notes: read.Notes,
		Help: read.Help, Fix: read.Fix,
	}
	if read.CausedBy != nil {
		f.CausedBy = *read.CausedBy
	}
	if len(more) > 0 {
		f.Detail = otherDetail("{" + string(more) + "}")
	}
	return nil
}

// otherDetail is the JSON Detail of a finding of unknown family.
type otherDetail string

func (otherDetail) Remarks() [][2]string { return nil }

// Fingerprint returns the member fingerprint.
func (d otherDetail) Fingerprint() string {
	var known struct{ Fingerprint string }
	if json.Unmarshal([]byte(d), &known) != nil {
		return "" // it is something else
	}
	return known.Fingerprint
}

func (d otherDetail) MarshalJSON() ([]byte, error) { return []byte(d), nil }

var formMembers = map[string]bool{
	"rule": true, "severity": true, "file": true, "line": true, "column": true, "end_line": true, "end_column": true,
	"index": true, "caused_by": true, "path": true, "message": true, "expected": true, "found": true, "notes": true, "help": true, "fix": true,
}

// otherMembers returns the members of an object that form does not have, with commas between.
func otherMembers(object []byte) (more []byte, err error) {
	dec := json.NewDecoder(bytes.NewReader(object))
	if _, err := dec.Token(); err != nil {
		return nil, err
	}
	for dec.More() {
		name, err := dec.Token()
		if err != nil {
			return nil, err
		}
		var value json.RawMessage
		if err := dec.Decode(&value); err != nil {
			return nil, err
		}
		if formMembers[name.(string)] {
			continue
		}
		if len(more) > 0 {
			more = append(more, ',')
		}
		more = append(more, fmt.Appendf(nil, "%s:%s", quoted(name.(string)), value)...)
	}
	return more, nil
}

func quoted(s string) []byte {
	text, _ := json.Marshal(s) // a string is always JSON
	return text
}
