package report_test

import (
	"bytes"
	"fmt"
	"strings"
	"testing"

	"github.com/cupel-dev/cupel/internal/report"
)

// tabled lays out rows as text on a terminal of a width.
func tabled(t *testing.T, width int, rows ...[]string) []string {
	t.Helper()
	var b bytes.Buffer
	run := report.Run{Columns: []report.Column{{Name: "N", Right: true}, {Name: "NAME", Cut: true}, {Name: "REST", Cut: true}, {Name: "END"}}}
	w, err := report.New("text", &b, run, report.Options{Width: width})
	if err != nil {
		t.Fatal(err)
	}
	for _, row := range rows {
		if err := w.Answer(report.Answer{Row: row}); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(report.Summary{}); err != nil {
		t.Fatal(err)
	}
	return strings.Split(strings.TrimSuffix(b.String(), "\n"), "\n")
}

func TestTable(t *testing.T) {
	long := strings.Repeat("x", 30)
	for _, c := range []struct {
		width int
		rows  [][]string
		want  []string
	}{
		{0, nil, []string{""}},
		{0, [][]string{{"1", "a", "", "z"}, {"20", "日本", "r", ""}}, []string{
			" N  NAME  REST  END", " 1  a           z", "20  日本  r",
		}},
		{0, [][]string{{"1", long, "a\nb\x1b", "z"}}, []string{
			"N  NAME" + strings.Repeat(" ", 26) + "  REST           END",
			"1  " + long + `  a\u{a}b\u{1b}  z`,
		}},
		{30, [][]string{{"1", long, "short", "z"}}, []string{
			"N  NAME             REST   END", "1  xxxxxxxxxxxxxx…  short  z",
		}},
		{5, [][]string{{"1", long, long, "z"}}, []string{ // as narrow as can be
			"N  NAME      REST      END", "1  xxxxxxx…  xxxxxxx…  z",
		}},
	} {
		got := tabled(t, c.width, c.rows...)
		if strings.Join(got, "\n") != strings.Join(c.want, "\n") {
			t.Errorf("width %d, %q:\n%s", c.width, c.rows, strings.Join(got, "\n"))
		}
	}
}

// TestLongTable checks that rows after the measured ones are also cut to the terminal, and that a table of any length
// is streamed.
func TestLongTable(t *testing.T) {
	var rows [][]string
	for i := range 1000 {
		rows = append(rows, []string{fmt.Sprint(i), strings.Repeat("y", i), "r", "z"})
	}
	got := tabled(t, 60, rows...)
	if len(got) != 1001 {
		t.Fatalf("%d lines", len(got))
	}
	for _, line := range got {
		if report.Columns(line) > 61 { // 1000 has one digit more than the measured rows
			t.Errorf("%d columns: %s", report.Columns(line), line)
		}
	}
}

// TestEventFormats: the formats of events hold the events alone, and are valid without any.
func TestEventFormats(t *testing.T) {
	for _, c := range []struct {
		format string
		events []string
		want   string
	}{
		{"ndjson", nil, ""},
		{"ndjson", []string{`{"a":1}`, "", "{\"b\":\"\u202e##[\"}"}, "{\"a\":1}\n{\"b\":\"\\u202e\\u0023#[\"}\n"},
		{"cloudevents-batch", nil, "[]\n"},
		{"cloudevents-batch", []string{`{"a":1}`, "", "{\"b\":\"\x7f\"}"}, "[\n{\"a\":1},\n{\"b\":\"\\u007f\"}\n]\n"},
	} {
		var b bytes.Buffer
		w, err := report.New(c.format, &b, report.Run{}, report.Options{})
		if err != nil {
			t.Fatal(err)
		}
		for _, e := range c.events {
			value := &report.Event{}
			if e != "" {
				value.Text = []byte(e)
			}
			_ = w.Answer(report.Answer{List: "events", Value: value})
		}
		_ = w.Answer(report.Answer{List: "inputs", Value: "no event"})
		_ = w.Fail("not here")
		if err := w.Close(report.Summary{Text: "nor here"}); err != nil || b.String() != c.want {
			t.Errorf("%s of %q: %q, %v", c.format, c.events, b.String(), err)
		}
	}
}
