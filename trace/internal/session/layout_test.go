package session_test

import (
	"context"
	"fmt"
	"io"
	"slices"
	"strings"
	"testing"
	"testing/iotest"
	"unicode/utf8"

	"github.com/cupel-dev/cupel/trace"
)

// TestGluedRecords joins each two neighbours of a good log on one line: the finding
// points at the second and says that it is lost.
func TestGluedRecords(t *testing.T) {
	for _, family := range []string{"session-v0", "session-v1"} {
		for _, space := range []string{"", " ", "\t \r", strings.Repeat(" ", 99)} {
			good := goodLog(family)
			for i := range len(good) - 1 {
				glued := slices.Concat(good[:i], []string{good[i] + space + good[i+1]}, good[i+2:])
				r, err := trace.Verify(context.Background(), strings.NewReader(strings.Join(glued, "\n")+"\n"), trace.Options{})
				if err != nil {
					t.Fatal(err)
				}
				if want := []string{fmt.Sprintf("edited %d-%d 2", i+1, i+1)}; i < len(good)-2 && !slices.Equal(damageOf(r), want) {
					t.Errorf("%s, lines %d and %d: damage %q, want %q", family, i+1, i+2, damageOf(r), want)
				}
				column := utf8.RuneCountInString(good[i]+space) + 1
				if f := r.Findings[0]; f.Rule != "line.json" || f.Line != i+1 || f.Column != column || !strings.HasSuffix(f.Message, "a second record begins here, and is lost with the first") {
					t.Errorf("%s, lines %d and %d: %d:%d %s", family, i+1, i+2, f.Line, f.Column, f.Message)
				}
			}
		}
	}
	for _, other := range []string{",{}", "]", "x", "[{}]", "\"{\"", "\ufeff{}"} {
		r, err := trace.Verify(context.Background(), strings.NewReader(goodLog("")[0]+other+"\n"), trace.Options{})
		if err != nil {
			t.Fatal(err)
		}
		if strings.Contains(r.Findings[0].Message, "second record") {
			t.Errorf("%q after a record: %s", other, r.Findings[0].Message)
		}
	}
}

// TestMarkBeforeArray puts a byte order mark before a good log in every layout of an
// array: that is the one fault, and the log is read as without it.
func TestMarkBeforeArray(t *testing.T) {
	for _, family := range []string{"session-v0", "session-v1"} {
		for _, layout := range [][3]string{
			{"[", ",", "]"},
			{"\n [\n", ",\n", "\n]\n"},
			{" [\r\n\t", "\r\n,", "]"},
			{`{"events":[`, ",", "]}"},
			{"{\n \"n\": [1],\n \"events\": [\n", ",\n", "\n ]\n}\n"},
		} {
			array := layout[0] + strings.Join(goodLog(family), layout[1]) + layout[2]
			marked := "\ufeff" + array
			plain, err := trace.Verify(context.Background(), strings.NewReader(array), trace.Options{})
			if err != nil || plain.Verdict != trace.Valid {
				t.Fatal(plain, err)
			}
			for name, in := range map[string]io.Reader{
				"whole": strings.NewReader(marked), "bytewise": iotest.OneByteReader(strings.NewReader(marked)),
			} {
				r, err := trace.Verify(context.Background(), in, trace.Options{})
				if err != nil {
					t.Fatal(err)
				}
				if len(r.Findings) != 1 || r.Findings[0].Rule != "line.bom" || r.Findings[0].Line != 1 || r.Findings[0].Column != 1 {
					t.Errorf("%s, %s, %q: %v", family, name, layout[0], errorsOf(r))
				}
				if r.Verdict != trace.Rejected || r.Family != plain.Family || r.Events != plain.Events || r.Head != plain.Head || len(r.Damage) > 0 {
					t.Errorf("%s, %s, %q: %s, %s, %d events", family, name, layout[0], r.Verdict, r.Family, r.Events)
				}
			}
		}
	}
}
