package commands

import (
	"fmt"
	"strings"

	"github.com/cupel-dev/cupel/evidence"
)

// explainRecord is an explanation in the JSON report.
type explainRecord struct {
	CanonicalInput string          `json:"canonical_input"`
	Covered        []coveredMember `json:"covered"`
	NotCovered     []string        `json:"not_covered"`
}

// coveredMember is one of the five members: byte ranges [start, end) of its value in
// the event's text and in the hash input, null where it is not there.
type coveredMember struct {
	Member string  `json:"member"`
	Event  *[2]int `json:"event_bytes"`
	Input  *[2]int `json:"input_bytes"`
	Note   string  `json:"note,omitempty"`
}

func newExplainRecord(e *evidence.Event) *explainRecord {
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

// explainText lays an explanation out for a person, with the command that reproduces
// the hash.
func explainText(e *evidence.Event) string {
	var b strings.Builder
	x := e.Explanation
	fmt.Fprintf(&b, "  hash input, %d bytes of canonical JSON (RFC 8785):\n    %s\n", len(x.Input), printable(string(x.Input)))
	b.WriteString("  covered:\n")
	for _, m := range x.Covered {
		fmt.Fprintf(&b, "    %-16s %s\n", m.Name, coverage(m))
	}
	fmt.Fprintf(&b, "  not covered: %s\n", printable(strings.Join(x.NotCovered, ", ")))
	if printable(string(x.Input)) == string(x.Input) {
		fmt.Fprintf(&b, "  reproduce: printf '%%s' '%s' | sha256sum\n", strings.ReplaceAll(string(x.Input), "'", `'\''`))
	} else {
		b.WriteString("  the input holds characters that a terminal would act on: --format json has its exact bytes\n")
	}
	return strings.TrimSuffix(b.String(), "\n")
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
