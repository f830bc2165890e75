package evidencecmd

import (
	"fmt"
	"strings"

	"github.com/cupel-dev/cupel/evidence"
	"github.com/cupel-dev/cupel/internal/report"
	"github.com/cupel-dev/cupel/internal/say"
)

type explainRecord struct {
	CanonicalInput string          `json:"canonical_input"`
	Covered        []coveredMember `json:"covered"`
	NotCovered     []string        `json:"not_covered"`
}

// coveredMember is one of the five members with the byte ranges [start, end) of its value in text and hash input,
// null if absent.
type coveredMember struct {
	Member string  `json:"member"`
	Event  *[2]int `json:"event_bytes"`
	Input  *[2]int `json:"input_bytes"`
	Note   string  `json:"note,omitempty"`
}

func newExplainRecord(e *evidence.Result) *explainRecord {
	if e.Explanation == nil {
		return nil
	}
	r := &explainRecord{CanonicalInput: string(e.Explanation.Input), NotCovered: append([]string{}, e.Explanation.NotCovered...)}
	for _, m := range e.Explanation.Covered {
		r.Covered = append(r.Covered, coveredMember{
			Member: m.Name, Event: byteRange(m.Start, m.End), Input: byteRange(m.InputStart, m.InputEnd), Note: m.Note,
		})
	}
	return r
}

func byteRange(start, end int) *[2]int {
	if start == end {
		return nil
	}
	return &[2]int{start, end}
}

// explainFacts returns an explanation, with the command that computes the hash if requested.
func explainFacts(e *evidence.Result) []report.Fact {
	x := e.Explanation
	if x == nil {
		return nil
	}
	var covered []report.Fact
	for _, m := range x.Covered {
		covered = append(covered, report.Fact{Name: m.Name, Value: coverage(m)})
	}
	input := string(x.Input)
	reproduce := report.Fact{Name: "reproduce", Value: recipeOf(x)}
	if reproduce.Value == "" {
		reproduce = report.Fact{Value: "parts of the input are shown escaped; --format json has the exact bytes"}
	}
	return []report.Fact{
		{Name: fmt.Sprintf("hash input, %d bytes of canonical JSON (RFC 8785)", len(input)), Members: []report.Fact{{Value: input}}},
		{Name: "covered", Members: covered},
		{Name: report.NotCovered, Value: strings.Join(x.NotCovered, ", ")},
		reproduce,
	}
}

// recipeOf returns the command that computes the hash, or "" if it cannot be printed safely.
func recipeOf(x *evidence.Explanation) string {
	input := string(x.Input)
	if say.Visible(input) != input {
		return ""
	}
	return "printf '%s' '" + strings.ReplaceAll(input, "'", `'\''`) + "' | sha256sum"
}

func coverage(m evidence.Member) string {
	switch m.Note {
	case "absent":
		return "absent, left out"
	case "null":
		return "null, left out"
	case "assumed":
		return fmt.Sprintf("assumed to be \"application/json\", bytes %d–%d of the input", m.InputStart, m.InputEnd)
	}
	return fmt.Sprintf("bytes %d–%d of the event, %d–%d of the input", m.Start, m.End, m.InputStart, m.InputEnd)
}
