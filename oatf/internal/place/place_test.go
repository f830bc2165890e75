package place_test

import (
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/cupel-dev/cupel/oatf/internal/place"
	"github.com/cupel-dev/cupel/oatf/internal/yamltext"
	"github.com/cupel-dev/cupel/oatf/model"
)

// texts are texts of up to four pieces: every line break of YAML, and characters of every
// width.
func texts(yield func(string)) {
	pieces := []string{"a", "é", "😀", "\n", "\r", "\r\n", "\u0085", "\u2028", "\u2029"}
	var grow func(text string, left int)
	grow = func(text string, left int) {
		yield(text)
		if left > 0 {
			for _, p := range pieces {
				grow(text+p, left-1)
			}
		}
	}
	grow("", 4)
}

// TestLines finds every code point of a text again at the place that the text gives it.
func TestLines(t *testing.T) {
	texts(func(text string) {
		for _, mark := range []string{"", "\ufeff"} {
			checkLines(t, mark+text)
		}
	})
	long := strings.Repeat("é", 5000)
	checkLines(t, long+"\n"+long+"a")
}

func checkLines(t *testing.T, text string) {
	t.Helper()
	lines := place.SplitLines(text)
	mark := len(text) - len(lines.Text)
	step := max(1, utf8.RuneCountInString(lines.Text)/50)
	count := 0
	for i, r := range lines.Text {
		count++
		pos := lines.Position(i)
		if count%step > 0 || strings.ContainsRune("\n\r\u0085\u2028\u2029", r) {
			continue
		}
		if got := lines.Byte(pos.Line, pos.Column); got != mark+i || text[got:got+utf8.RuneLen(r)] != string(r) {
			t.Fatalf("%.40q: byte %d is at %+v, which is byte %d", text, i, pos, got)
		}
		if from := lines.From(pos); !strings.HasPrefix(from, string(r)) {
			t.Fatalf("%.40q: from %+v there is %.20q", text, pos, from)
		}
		if got := lines.Slice(mark+i, mark+i+utf8.RuneLen(r)); got != string(r) {
			t.Fatalf("%.40q: %q is at %d", text, got, i)
		}
	}
	all := ""
	for i := range lines.Count() {
		all += lines.Line(i + 1)
	}
	if bare := strings.NewReplacer("\n", "", "\r", "", "\u0085", "", "\u2028", "", "\u2029", "").Replace(lines.Text); all != bare {
		t.Fatalf("%.40q: the lines hold %.40q", text, all)
	}
	if lines.From(model.Position{Line: lines.Count() + 1, Column: 1}) != "" {
		t.Fatalf("%.40q: there is a line too many", text)
	}
}

const document = `a: text
"b": "quoted é" # note
list:
  - x: 'it''s'
  - [1, 2]
  - &anchor y
  - !!str z
  - *anchor
a.b: dotted
empty:
none: ""
long: "goes
  on"
block: |
  text
map: {k: v}
`

// TestPositions asks for the place of paths, and of keys.
func TestPositions(t *testing.T) {
	source, fault := yamltext.Read([]byte(document), model.Limits{})
	if fault != nil {
		t.Fatal(fault)
	}
	locator := &place.Locator{Source: source}
	for path, want := range map[string][2]model.Position{ // the value's and the key's
		"":               {at(1, 1, 2), at(1, 1, 2)},
		"a":              {at(1, 4, 8), at(1, 1, 2)},
		"b":              {at(2, 6, 16), at(2, 1, 4)},
		"list":           {at(3, 1, 5), at(3, 1, 5)},
		"list[0].x":      {at(4, 8, 15), at(4, 5, 6)},
		"list[1][1]":     {at(5, 9, 10), at(5, 9, 10)},
		"list[1]":        {at(5, 5, 6), at(5, 5, 6)},
		"list[2]":        {at(6, 5, 12), at(6, 5, 12)},
		"list[3]":        {at(7, 5, 10), at(7, 5, 10)},
		"list[4]":        {at(8, 5, 12), at(8, 5, 12)},
		"list[9]":        {at(3, 1, 5), at(3, 1, 5)},
		"a.b":            {at(9, 6, 12), at(9, 1, 4)},
		"empty":          {at(10, 1, 6), at(10, 1, 6)},
		"none":           {at(11, 7, 9), at(11, 1, 5)},
		"long":           {at(12, 7, 12), at(12, 1, 5)},
		"block":          {at(14, 8, 9), at(14, 1, 6)},
		"map":            {at(16, 1, 4), at(16, 1, 4)},
		"map.k":          {at(16, 10, 11), at(16, 7, 8)},
		"nothing.at.all": {at(1, 1, 2), at(1, 1, 2)},
	} {
		if got := locator.Position(path); got != want[0] {
			t.Errorf("%q is at %+v, expected %+v", path, got, want[0])
		}
		if got := locator.KeyPosition(path); got != want[1] {
			t.Errorf("the key of %q is at %+v, expected %+v", path, got, want[1])
		}
		if got := source.Position(path); got != want[0] {
			t.Errorf("%q is at %+v for the source", path, got)
		}
	}
}

func at(line, column, end int) model.Position {
	return model.Position{Line: line, Column: column, EndLine: line, EndColumn: end}
}

// TestLargeMapping finds keys in a mapping that is worth an index.
func TestLargeMapping(t *testing.T) {
	var b strings.Builder
	for i := range 100 {
		b.WriteString("k" + strings.Repeat("x", i) + ": " + strings.Repeat("v", 3) + "\n")
	}
	b.WriteString("k.x: dotted\n")
	source, fault := yamltext.Read([]byte(b.String()), model.Limits{})
	if fault != nil {
		t.Fatal(fault)
	}
	locator := &place.Locator{Source: source}
	for range 2 {
		for path, line := range map[string]int{"k": 1, "kxx": 3, "k.x": 101, "k[0]": 1, "absent": 1} {
			if got := locator.Position(path); got.Line != line {
				t.Errorf("%q is in line %d", path, got.Line)
			}
		}
	}
}

func TestPath(t *testing.T) {
	for want, at := range map[string]*place.Path{
		"":                                place.Root,
		"attack":                          place.Attack,
		"attack.execution":                place.Execution,
		"attack.indicators[2].surface":    place.Attack.Field("indicators").Element(2).Field("surface"),
		"[0][1]":                          place.Root.Element(0).Element(1),
		"attack.execution.state.a.b.":     place.Execution.Field("state").Field("a.b").Field(""),
		"attack.execution.phases[0].name": place.Execution.Field("phases").Element(0).Field("name"),
	} {
		if got := at.String(); got != want {
			t.Errorf("%q, expected %q", got, want)
		}
	}
}

func TestSourceOf(t *testing.T) {
	source := &place.Source{Tolerated: []model.Diagnostic{{Code: "P-002"}}}
	doc := &model.Document{Origin: source}
	if place.SourceOf(doc) != source || place.SourceOf(&model.Document{}) != nil {
		t.Error("the source of a document is another one")
	}
	doc.Warnings()[0].Code = "changed"
	if source.Tolerated[0].Code != "P-002" {
		t.Error("the warnings are not a copy")
	}
}
