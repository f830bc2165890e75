package trace_test

import (
	"fmt"
	"io"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/cupel-dev/cupel/finding"
	"github.com/cupel-dev/cupel/trace"
)

const record = `{"event_type":"ERROR","payload":{"error_type":"t","message":"m","fatal":false}}` + "\n"

// wide writes ASCII as UTF-16LE does.
func wide(text string) string {
	var b strings.Builder
	for i := range len(text) {
		b.WriteString(text[i:i+1] + "\x00")
	}
	return b.String()
}

// TestForeignInput checks that an input that is not a log has one finding, however it is read, and that a log with a
// damaged beginning has one for each of those lines.
func TestForeignInput(t *testing.T) {
	for name, c := range map[string]struct {
		text string
		want []string // rule@line of every finding that rejects
		help string   // of the first
	}{
		"YAML":                      {"oatf: 1\nattack:\n  id: x\n  steps:\n    - a\n", []string{"line.json@1"}, "YAML"},
		"YAML behind blank lines":   {"\n \noatf: 1\nattack:\n", []string{"line.json@3"}, "YAML"},
		"prose":                     {"This is\nno log.\n", []string{"line.json@1"}, "one JSON object on each line"},
		"UTF-16":                    {"\xff\xfe" + wide(record+record), []string{"line.utf8@1"}, "iconv -f UTF-16LE"},
		"UTF-16 without a mark":     {wide(record + record), []string{"line.json@1"}, "iconv -f UTF-16LE"},
		"binary":                    {"\x89PNG\r\n\x1a\n\x00\x00\x00\rIHDR\n\x08{\n", []string{"line.utf8@1"}, "binary data"},
		"numbers":                   {"1\n2\n3\n", []string{"line.not_object@1"}, ""},
		"many lines":                {strings.Repeat("key: value\n", 3000), []string{"line.json@1"}, "YAML"},
		"a mark, then YAML":         {"\ufeffkey: value\nmore: values\n", []string{"line.bom@1"}, "byte order mark"},
		"a damaged beginning":       {"x\ny\n" + record, []string{"line.json@1", "line.json@2"}, ""},
		"zeros at the beginning":    {strings.Repeat("\x00", 50) + "\nx\n" + record, []string{"line.json@1", "line.json@2"}, "binary data"},
		"damaged records":           {"{\n{\n{\n", []string{"line.json@1", "line.json@2", "line.json@3"}, ""},
		"a record between two":      {"x\n" + record + "y\n", []string{"line.json@1", "line.json@3"}, ""},
		"damage beyond a block":     {"x\n" + strings.Repeat("y\n", 140_000) + record, nil, ""},
		"a record beyond many more": {strings.Repeat("x\n", 2000) + record, nil, ""},
	} {
		t.Run(name, func(t *testing.T) {
			var first string
			engine := trace.Both
			if len(c.text) > 100_000 { // the second engine takes a while
				engine = trace.Fast
			}
			for reading, r := range map[string]io.Reader{
				"whole": strings.NewReader(c.text), "halves": iotest.HalfReader(strings.NewReader(c.text)), "with the end": iotest.DataErrReader(strings.NewReader(c.text)),
			} {
				for _, jobs := range []int{1, 3} {
					var live []string
					got := verifyReader(t, r, trace.Options{Jobs: jobs, Engine: engine, OnFinding: func(f trace.Finding) { live = append(live, at(f)) }})
					form := fmt.Sprint(got.Verdict, got.Errors, got.Unreadable, places(got.Findings))
					if first == "" {
						first = form
					}
					switch {
					case form != first:
						t.Errorf("%s, %d jobs: %.300s\nbefore: %.300s", reading, jobs, form, first)
					case got.Verdict != trace.Rejected || c.want != nil && fmt.Sprint(places(got.Findings)) != fmt.Sprint(c.want) || !strings.Contains(got.Findings[0].Help, c.help):
						t.Errorf("%s: %.300s, help %q; expected %q, %q", got.Verdict, places(got.Findings), got.Findings[0].Help, c.want, c.help)
					case c.want != nil && fmt.Sprint(live) != fmt.Sprint(liveOf(got)):
						t.Errorf("live: %q, in the report: %q", live, liveOf(got))
					}
					r = strings.NewReader(c.text)
				}
			}
		})
	}
	broken := verify(t, []byte("x\n"+strings.Repeat("y\n", 140_000)+record), trace.Options{})
	if broken.Errors != 140_001 || len(broken.Findings) < 1000 || broken.Events != 1 {
		t.Errorf("%d errors, %d findings, %d events: the damage before a record is not all counted", broken.Errors, len(broken.Findings), broken.Events)
	}
}

func verifyReader(t *testing.T, r io.Reader, opt trace.Options) *trace.Report {
	t.Helper()
	report, err := trace.Verify(t.Context(), r, opt)
	if err != nil {
		t.Fatal(err)
	}
	return report
}

func at(f trace.Finding) string { return fmt.Sprintf("%s@%d", f.Rule, f.Line) }

// places returns the findings that reject.
func places(list []trace.Finding) (names []string) {
	for _, f := range list {
		if f.Severity == finding.Error {
			names = append(names, at(f))
		}
	}
	return names
}

// liveOf returns the findings of a report that were passed on as they came.
func liveOf(r *trace.Report) (names []string) {
	for _, f := range r.Findings {
		names = append(names, at(f))
	}
	return names
}
