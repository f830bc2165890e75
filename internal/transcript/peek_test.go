package transcript

import (
	"errors"
	"io"
	"strings"
	"testing"

	"github.com/cupel-dev/cupel/internal/strictjson"
)

var errWaits = errors.New("it waits for more")

// waiting is the end of a file that can grow.
type waiting struct{}

func (waiting) Read([]byte) (int, error) { return 0, errWaits }

// TestPeekLive: a file that can grow is not waited for after a broken first line: the complete lines after it decide.
func TestPeekLive(t *testing.T) {
	const record = `{"parentUuid":null,"sessionId":"5b1e0f6a-0000-4000-8000-000000000001","type":"user",` +
		`"message":{"role":"user","content":"list"},"uuid":"00000001-0000-4000-8000-000000000000","timestamp":"2026-05-01T10:00:01.000Z"}` + "\n"
	for name, c := range map[string]struct {
		text  string
		want  Format
		waits bool
	}{
		"a record":                        {record, None, true},
		"three records":                   {record + record + record, ClaudeCode, false},
		"a broken line":                   {"{\"parent\n", None, false},
		"a broken record":                 {record[:150] + "\n", ClaudeCode, false},
		"a broken record of a trace":      {`{"event_type":1,` + record[:150] + "\n", None, false},
		"a broken record and a trace":     {record[:150] + "\n{\"trace\":1}\n", None, false},
		"a broken line and a record":      {"{\"parent\n" + record, ClaudeCode, false},
		"a broken line and part of one":   {"{\"parent\n" + record[:90], None, true},
		"a broken line and another thing": {"{\"parent\n{\"a\":1}\n", None, false},
		"a broken line and a trace":       {"{\"parent\n{\"trace\":1}\n" + record, None, false},
	} {
		isTrace := func(n strictjson.Node) bool { return n.Get("trace").Is(strictjson.Number) }
		head, kind, err := Peek(io.MultiReader(strings.NewReader(c.text), waiting{}), true, isTrace)
		if kind.Format != c.want || errors.Is(err, errWaits) != c.waits || string(head) != c.text {
			t.Errorf("%s: %q, %v, want %q; %d bytes", name, kind.Format, err, c.want, len(head))
		}
	}
}

// TestDamagedAlone: a file whose only line is damaged belongs to the format that its names are of.
func TestDamagedAlone(t *testing.T) {
	for text, want := range map[string]Format{
		`{"type":"user","sessionId":"1","parentUuid":null,"message`:             ClaudeCode,
		`{"timestamp":"2026","type":"session_meta","payload":{"id"`:             Codex,
		`{"id":"1","parentId":null,"type":"a.b","timestamp":"2026","data":{"a"`: Copilot,
		`{"sessionId":"1","projectHash":"2","startTime`:                         Gemini,
		`{"sessionId":"1","type`:                                                None,
		`["sessionId","projectHash"`:                                            None,
	} {
		for _, text := range []string{text, text + "\n", "\ufeff\n" + text} {
			if kind, decided := Detect([]byte(text), true, nil); kind.Format != want || !decided {
				t.Errorf("%q: %v, want %q", text, kind, want)
			}
			if kind, decided := Detect([]byte(text), false, nil); decided {
				t.Errorf("%q: %v, but more can follow", text, kind)
			}
		}
	}
}
