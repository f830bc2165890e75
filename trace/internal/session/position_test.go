package session_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/cupel-dev/cupel/trace/internal/session"
)

// TestNumberAtFault: a fault of an event's number points at the member that holds it, by
// the name that the line uses.
func TestNumberAtFault(t *testing.T) {
	const (
		v1   = `{"seq":%d,"event_type":"SESSION_START","session_id":"s","timestamp":"t","payload":{},"prev_hash":"p","event_hash":"h"}`
		bare = `{"%[2]s":%[1]d,"event_type":"LOG_DROP","payload":{}}`
	)
	v0 := goodLog(session.V0)[0]
	for name, c := range map[string]struct {
		family, line, path string
	}{
		"session-v0":            {session.V0, v0, "sequence_number"},
		"session-v1":            {session.V1, fmt.Sprintf(v1, 4), "seq"},
		"bare, seq":             {session.Bare, fmt.Sprintf(bare, 4, "seq"), "seq"},
		"bare, sequence_number": {session.Bare, fmt.Sprintf(bare, 4, "sequence_number"), "sequence_number"},
	} {
		column := strings.Index(c.line, c.path+`":`) + len(c.path) + 3
		lines := []string{c.line}
		if c.family == session.V0 {
			lines = append(lines, c.line) // the number comes again
		}
		found := false
		for _, f := range check(t, c.family, lines, 0, session.Options{}).findings {
			if f.Rule == "sequence.gap" || f.Rule == "sequence.repeat" {
				found = true
				if f.Path != c.path || f.Column != column {
					t.Errorf("%s: %s at %q, column %d; want %q, column %d", name, f.Rule, f.Path, f.Column, c.path, column)
				}
			}
		}
		if !found {
			t.Errorf("%s: no fault of a number", name)
		}
	}
}
