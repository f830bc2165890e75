package redact

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"
	"testing"
	"testing/iotest"

	"pgregory.net/rapid"

	"github.com/cupel-dev/cupel/internal/strictjson"
)

// testRest is a limit that a test reaches sooner.
const testRest = 1 << 12

// cut reads a document piece by piece.
func cut(r io.Reader) (elements []string, rest string, err error) {
	p := newPieces(r)
	p.mostRest, p.mostElement = testRest, 1<<16
	for {
		element, ok, err := p.next()
		if err != nil || !ok {
			return elements, string(p.rest), err
		}
		elements = append(elements, string(element))
	}
}

// TestPieces cuts documents in every spelling.
func TestPieces(t *testing.T) {
	for text, want := range map[string]string{
		`{"events":[]}`:                                `[] {"events":[]}`,
		"\t{ \"events\" : [ ] }\n":                     "[] \t{ \"events\" : [] }\n",
		`{"a":[1,2],"events":[{"b":"],"},[3]],"c":{}}`: `[{"b":"],"} [3]] {"a":[1,2],"events":[],"c":{}}`,
		`{"a":{"events":[1]},"events":[2]}`:            `[2] {"a":{"events":[1]},"events":[]}`,
		`{"a":"events","b":[1],"events":[2]}`:          `[2] {"a":"events","b":[1],"events":[]}`,
		`{"events":1,"x":[2]}`:                         `[] {"events":1,"x":[2]}`,
		`{"events":["\"]","\\"]}`:                      `["\"]" "\\"] {"events":[]}`,
		`{"events":[1,]}`:                              `[1 ] {"events":[]}`,
		`{"events":[,1]}`:                              `[ 1] {"events":[]}`,
		`{"events":[1],"events":[2]}`:                  `[1] {"events":[],"events":[2]}`,
		`{"ev\u0065nts":[1]}`:                          `[] {"ev\u0065nts":[1]}`,
		`[{"events":[1]}]`:                             `[] [{"events":[1]}]`,
		"":                                             `[] `,
		`{"events":[1`:                                 `[] {"events":[: it ends too early`,
		`{"events":["`:                                 `[] {"events":[: it ends too early`,
		`{"ev`:                                         `[] {"ev: it ends too early`,
		`{"a":"` + strings.Repeat("x", testRest) + `"}`:   `…: the report has more than 1048576 bytes outside the list of events`,
		`{"events":[]` + strings.Repeat(" ", testRest):    `…: the report has more than 1048576 bytes outside the list of events`,
		strings.Repeat(" ", testRest+1) + `{"events":[]}`: `…: the report has more than 1048576 bytes outside the list of events`,
	} {
		for name, r := range map[string]io.Reader{"whole": strings.NewReader(text), "bytes": iotest.OneByteReader(strings.NewReader(text))} {
			elements, rest, err := cut(r)
			if len(rest) > 1000 {
				elements, rest = nil, "…"
			}
			got := fmt.Sprint(elements, " ", rest)
			if err != nil {
				got += ": " + err.Error()
			}
			if got = strings.Replace(got, "[] …", "…", 1); got != want {
				t.Errorf("%.40s, %s: %s, want %s", text, name, got, want)
			}
		}
	}
}

// TestPiecesEndless leaves a document that never ends, wherever that is.
func TestPiecesEndless(t *testing.T) {
	for start, repeated := range map[string]string{
		"": " ", "{": `"`, `{"`: "x", `{"events":[`: " ", `{"events":["`: "x", `{"events":[]`: "}", `{"events":[{`: `"a":1,`, `[`: "[",
	} {
		r := io.MultiReader(strings.NewReader(start), &endless{text: []byte(repeated)})
		if elements, _, err := cut(r); err == nil || len(elements) > 0 {
			t.Errorf("%s%s…: %d elements, %v", start, repeated, len(elements), err)
		}
	}
}

// endless repeats a text.
type endless struct {
	text []byte
	at   int
}

func (e *endless) Read(p []byte) (int, error) {
	for i := range p {
		p[i] = e.text[e.at]
		e.at = (e.at + 1) % len(e.text)
	}
	return len(p), nil
}

// TestPiecesBrokenReader passes the reader's error on.
func TestPiecesBrokenReader(t *testing.T) {
	broken := errors.New("broken")
	text := `{"a":"b","events":[{"c":"d"},{}],"e":1}`
	for n := range len(text) {
		if _, _, err := cut(io.MultiReader(strings.NewReader(text[:n]), iotest.ErrReader(broken))); !errors.Is(err, broken) {
			t.Errorf("after %s: %v", text[:n], err)
		}
	}
}

// TestPiecesAreTheDocument: what is cut is what a reader of the whole document finds, however
// that is spelled.
func TestPiecesAreTheDocument(t *testing.T) {
	value := rapid.Custom(drawValue)
	rapid.Check(t, func(t *rapid.T) {
		list := rapid.SliceOfN(value, 0, 4).Draw(t, "list")
		before := rapid.MapOfN(rapid.StringMatching(`[a-d"\\\[\]{},:]{1,3}`), value, 0, 3).Draw(t, "before")
		members := []string{}
		for name, v := range before {
			members = append(members, spelled(name)+":"+spelled(v))
		}
		members = append(members, `"events":`+spelled(list))
		text := "{" + strings.Join(rapid.Permutation(members).Draw(t, "members"), ",") + "}"
		if rapid.Bool().Draw(t, "indented") {
			var b bytes.Buffer
			if err := json.Indent(&b, []byte(text), "", "  "); err != nil {
				t.Fatal(err)
			}
			text = b.String()
		}
		elements, rest, err := cut(strings.NewReader(text))
		if err != nil || len(elements) != len(list) {
			t.Fatalf("%s: %q, %v", text, elements, err)
		}
		for i, element := range elements {
			if got, want := compacted(t, element), spelled(list[i]); got != want {
				t.Fatalf("element %d of %s: %s, want %s", i, text, got, want)
			}
		}
		doc, wrong := strictjson.NewScanner(strictjson.Limits{}).Scan([]byte(rest))
		if wrong != nil || doc.Root().Get("events").Len() != 0 || doc.Root().Len() != len(before)+1 {
			t.Fatalf("the rest of %s: %s, %v", text, rest, wrong)
		}
	})
}

func drawValue(t *rapid.T) any {
	switch rapid.IntRange(0, 4).Draw(t, "kind") {
	case 0:
		return rapid.StringMatching(`["\\\[\]{},: events]{0,6}`).Draw(t, "text")
	case 1:
		return rapid.IntRange(-9, 9).Draw(t, "number")
	case 2:
		return []any{drawValue(t)}
	case 3:
		return map[string]any{rapid.SampledFrom([]string{"events", "a", "]"}).Draw(t, "name"): drawValue(t)}
	}
	return nil
}

func spelled(v any) string {
	text, err := json.Marshal(v)
	if err != nil {
		panic(err)
	}
	return string(text)
}

func compacted(t *rapid.T, text string) string {
	var b bytes.Buffer
	if err := json.Compact(&b, []byte(text)); err != nil {
		t.Fatal(err)
	}
	return b.String()
}
