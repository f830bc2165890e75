package capture_test

import (
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/cupel-dev/cupel/oatf/capture"
	"github.com/cupel-dev/cupel/oatf/model"
)

var update = flag.Bool("update", false, "write what the reader says into the captures of testdata")

// says is the line after the text of a capture in testdata.
const says = "-- says --\n"

// TestCaptures reads each capture in testdata and compares the result with the part after a line "-- says --". The
// first line can have options: "options format=plain".
func TestCaptures(t *testing.T) {
	files, err := filepath.Glob("testdata/*.txt")
	if err != nil || len(files) == 0 {
		t.Fatal("no captures", err)
	}
	for _, file := range files {
		t.Run(strings.TrimSuffix(filepath.Base(file), ".txt"), func(t *testing.T) {
			text, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			input, want, found := strings.Cut(string(text), says)
			if !found {
				t.Fatal("the file says nothing of the capture")
			}
			var options capture.Options
			if first, rest, _ := strings.Cut(input, "\n"); strings.HasPrefix(first, "options ") {
				options, input = parseOptions(t, first), rest
			}
			got := say(capture.NewReader(strings.NewReader(input), options))
			if *update {
				whole, _, _ := strings.Cut(string(text), says)
				if err := os.WriteFile(file, []byte(whole+says+got), 0o600); err != nil {
					t.Fatal(err)
				}
				return
			}
			if got != want {
				t.Errorf("the reader says\n%s\nexpected\n%s", got, want)
			}
		})
	}
}

func parseOptions(t *testing.T, line string) (o capture.Options) {
	t.Helper()
	for _, word := range strings.Fields(line)[1:] {
		name, value, _ := strings.Cut(word, "=")
		n, _ := strconv.Atoi(value)
		switch name {
		case "format":
			o.Format = capture.Format(value)
		case "directions":
			o.Directions = map[string]capture.Directions{"both": capture.BothDirections, "outgoing": capture.OutgoingOnly}[value]
		case "open":
			o.MaxOpen = n
		case "open-bytes":
			o.MaxOpenBytes = n
		case "line-bytes":
			o.Limits.LineBytes = n
		case "values":
			o.Limits.Values = n
		case "depth":
			o.Limits.Depth = n
		case "skip":
			o.SkipBadLines = true
		case "params":
			o.KeepParams = true
		default:
			t.Fatalf("unknown option %q", word)
		}
	}
	return o
}

// say is what a reader says of its input: each message and each error, and the stats that
// are not zero.
func say(r *capture.Reader) string {
	var b strings.Builder
	for {
		m, err := r.Next()
		var bad *capture.LineError
		switch {
		case err == io.EOF:
			sayStats(&b, r.Stats())
			return b.String()
		case errors.As(err, &bad):
			fmt.Fprintf(&b, "%v", bad)
			if bad.Hint != "" {
				fmt.Fprintf(&b, " hint: %s", bad.Hint)
			}
			if bad.Limit != "" {
				fmt.Fprintf(&b, " limit %s", bad.Limit)
			}
			if bad.Truncated {
				b.WriteString(" truncated")
			}
			b.WriteString("\n")
		case err != nil:
			fmt.Fprintf(&b, "error: %v\n", err)
			return b.String()
		default:
			sayMessage(&b, m)
		}
	}
}

func sayMessage(b *strings.Builder, m *capture.Message) {
	fmt.Fprintf(b, "%d: %s", m.Line, m.Kind)
	for _, word := range []string{string(m.Protocol), string(m.Direction), m.Actor, m.Phase} {
		if word != "" {
			b.WriteString(" " + word)
		}
	}
	if m.IsError {
		b.WriteString(" failed")
	}
	b.WriteString(" " + jsonOf(m.Value))
	if root, ok := m.Wrapped(""); ok {
		b.WriteString(" in " + jsonOf(root))
	}
	if params, ok := m.Params(); ok {
		b.WriteString(" of " + jsonOf(params))
	}
	b.WriteString("\n")
}

func sayStats(b *strings.Builder, s capture.Stats) {
	format := s.Format
	if format == capture.Auto {
		format = "unknown"
	}
	fmt.Fprintf(b, "%s: %d lines", format, s.Lines)
	for _, count := range []struct {
		name  string
		n     int
		first capture.Place
	}{
		{"blank", s.Blank, capture.Place{}},
		{"bad", s.BadLines, capture.Place{}},
		{"messages", s.Messages, capture.Place{}},
		{"passed over", s.PassedOver, capture.Place{}},
		{"evicted", s.Evicted, s.FirstEvicted},
		{"uncorrelated", s.Uncorrelated, capture.Place{}},
		{"unanswered", s.Unanswered, s.FirstOpen},
	} {
		if count.n > 0 {
			fmt.Fprintf(b, ", %d %s", count.n, count.name)
		}
		if count.first.Line > 0 {
			fmt.Fprintf(b, " from line %d", count.first.Line)
		}
	}
	b.WriteString("\n")
}

// jsonOf returns the JSON text of a value, with its own order and spellings.
func jsonOf(v model.Value) string {
	switch v := v.(type) {
	case nil:
		return "null"
	case bool:
		return strconv.FormatBool(v)
	case model.Number:
		return string(v)
	case string:
		return strconv.Quote(v)
	case []model.Value:
		list := make([]string, len(v))
		for i, e := range v {
			list[i] = jsonOf(e)
		}
		return "[" + strings.Join(list, ",") + "]"
	case model.Object:
		list := make([]string, len(v))
		for i, m := range v {
			list[i] = strconv.Quote(m.Key) + ":" + jsonOf(m.Value)
		}
		return "{" + strings.Join(list, ",") + "}"
	}
	panic(fmt.Sprintf("%T", v))
}
