package capture_test

import (
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"
	"testing"
	"unicode/utf8"

	"pgregory.net/rapid"

	"github.com/cupel-dev/cupel/oatf/capture"
)

// drawn is a line that a law draws: a message, spelled in one way and in another.
type drawn struct{ line, again string }

// member is one member of an object that is to be spelled.
type member struct{ name, value string }

// spell writes an object with its members in any order, and strings of its envelope with
// escapes. What follows "=" is text of its own.
func spell(t *rapid.T, members []member) string {
	members = rapid.Permutation(members).Draw(t, "order")
	space := rapid.SampledFrom([]string{"", " ", "\t"}).Draw(t, "space")
	list := make([]string, len(members))
	for i, m := range members {
		list[i] = spellText(t, m.name) + space + ":" + space + spellValue(t, m.value)
	}
	return space + "{" + strings.Join(list, space+",") + "}" + space
}

func spellValue(t *rapid.T, value string) string {
	if text, err := strconv.Unquote(value); err == nil && strings.HasPrefix(value, `"`) {
		return spellText(t, text)
	}
	if number, ok := otherSpellings[value]; ok {
		return rapid.SampledFrom(number).Draw(t, "number")
	}
	return value
}

// otherSpellings are ids, and how else their numbers are written.
var otherSpellings = map[string][]string{"1": {"1", "1.0", "10e-1", "0.1E+1"}, "-20": {"-20", "-2e1", "-20.00"}, "0": {"0", "-0", "0e5"}}

func spellText(t *rapid.T, text string) string {
	if !utf8.ValidString(text) || !rapid.Bool().Draw(t, "escaped") {
		return `"` + text + `"`
	}
	var b strings.Builder
	for i, r := range text {
		if r < 0x10000 && i == 0 {
			fmt.Fprintf(&b, `\u%04x`, r)
			continue
		}
		b.WriteRune(r)
	}
	return `"` + b.String() + `"`
}

var (
	ids     = []string{"1", `"1"`, "-20", "0", `"a"`, "null", "7"}
	methods = []string{"tools/call", "tools/list", "sampling/createMessage", "roots/list", "vendor/other", "message/stream"}
	results = []string{`{"content":[]}`, `{"role":"assistant","content":{}}`, `{"tools":[1.50]}`, `{"roots":[]}`, `{}`, `null`, `"x"`}
	payload = []string{`{}`, `{"name":"calc","arguments":{"b":1,"a":"\u00e9<&>"}}`, `[1,2]`, `null`, `1e400`}
	broken  = []string{`{`, `{"jsonrpc":"2.0","id":1,"id":1,"method":"tools/list"}`, `{"a":"\ud800"}`, `[]`, `{"jsonrpc":"2.0"}`, `{"jsonrpc":"2.0","id":{},"method":"ping"}`, `7`, `{"jsonrpc":"1.0","id":1,"method":"m"}`, `{"jsonrpc":"2.0","result":1}`, `x`, ``, ` `}
)

// drawEnvelope draws the members of a JSON-RPC message.
func drawEnvelope(t *rapid.T) []member {
	members := []member{{"jsonrpc", `"2.0"`}}
	id := member{"id", rapid.SampledFrom(ids).Draw(t, "id")}
	switch rapid.IntRange(0, 4).Draw(t, "role") {
	case 0:
		members = append(members, member{"method", `"notifications/message"`})
	case 1, 2:
		members = append(members, id, member{"method", `"` + rapid.SampledFrom(methods).Draw(t, "method") + `"`})
	case 3:
		return append(members, id, member{"error", `{"code":1}`})
	default:
		return append(members, id, member{"result", rapid.SampledFrom(results).Draw(t, "result")})
	}
	if rapid.Bool().Draw(t, "has params") {
		members = append(members, member{"params", rapid.SampledFrom(payload).Draw(t, "params")})
	}
	return members
}

func drawDirection(t *rapid.T) string {
	return `"` + rapid.SampledFrom([]string{"incoming", "Outgoing", "OUTGOING", "Incoming"}).Draw(t, "direction") + `"`
}

// drawLine draws a line of a format, now and then a broken one.
func drawLine(t *rapid.T, format capture.Format) drawn {
	if rapid.IntRange(0, 9).Draw(t, "broken") == 0 {
		line := rapid.SampledFrom(broken).Draw(t, "line")
		return drawn{line, line}
	}
	var members []member
	switch format {
	case capture.Plain:
		line := rapid.SampledFrom(payload).Draw(t, "payload")
		return drawn{line, line}
	case capture.Runner:
		members = []member{
			{"direction", drawDirection(t)},
			{"method", `"` + rapid.SampledFrom(append(methods, "notifications/message")).Draw(t, "method") + `"`},
			{"content", rapid.SampledFrom(payload).Draw(t, "content")},
			{"seq", "7"},
		}
	default:
		members = drawEnvelope(t)
		if rapid.IntRange(0, 3).Draw(t, "foreign") == 0 {
			members = append(members, member{"direction", drawDirection(t)})
		}
		if rapid.IntRange(0, 5).Draw(t, "batch") == 0 {
			second := drawEnvelope(t)
			return drawn{"[" + spell(t, members) + "," + spell(t, second) + "]", "[" + spell(t, members) + "," + spell(t, second) + "]"}
		}
	}
	return drawn{spell(t, members), spell(t, members)}
}

// drawLog draws the lines of a log, and how to read them.
func drawLog(t *rapid.T) ([]drawn, capture.Options) {
	format := rapid.SampledFrom([]capture.Format{capture.Plain, capture.JSONRPC, capture.JSONRPC, capture.Runner}).Draw(t, "format")
	options := capture.Options{Format: format}
	if rapid.Bool().Draw(t, "both") {
		options.Directions = capture.BothDirections
	}
	list := make([]drawn, rapid.IntRange(0, 25).Draw(t, "lines"))
	for i := range list {
		list[i] = drawLine(t, format)
	}
	return list, options
}

func text(list []drawn, end string) string {
	var b strings.Builder
	for _, d := range list {
		b.WriteString(d.line + end)
	}
	return b.String()
}

func sameLists(t *rapid.T, what string, got, want []string) {
	t.Helper()
	if !slices.Equal(got, want) {
		t.Fatalf("%s: the reader says\n%s\nexpected\n%s", what, strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
}

// TestNaiveReaderAgrees holds the Reader to the naive one.
func TestNaiveReaderAgrees(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		list, options := drawLog(t)
		log := text(list, "\n")
		sameLists(t, log, outline(capture.NewReader(strings.NewReader(log), options)), readNaively(log, options))
	})
}

// TestSpellingDoesNotMatter reads the same log with other line ends, chunks, spellings of
// ids and texts, orders of members, and cut in two.
func TestSpellingDoesNotMatter(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		list, options := drawLog(t)
		log := text(list, "\n")
		want := outline(capture.NewReader(strings.NewReader(log), options))
		sameLists(t, "CRLF", outline(capture.NewReader(strings.NewReader(text(list, "\r\n")), options)), want)
		sameLists(t, "no last line end", outline(capture.NewReader(strings.NewReader(strings.TrimSuffix(log, "\n")), options)), want)
		size := rapid.IntRange(1, 20).Draw(t, "chunk")
		sameLists(t, "chunks", outline(capture.NewReader(&chunks{strings.NewReader(log), size}, options)), want)
		for i := range list {
			list[i].line = list[i].again
		}
		if plain(options) {
			return // a payload is what it is spelled as
		}
		sameLists(t, "other spelling", outline(capture.NewReader(strings.NewReader(text(list, "\n")), options)), want)
	})
}

// plain reports whether a log is read as plain payloads.
func plain(options capture.Options) bool { return options.Format == capture.Plain }

// TestOneRunOfTwoInputs reads a log in two parts with a given format; otherwise the format of the second part is
// detected again.
func TestOneRunOfTwoInputs(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		list, options := drawLog(t)
		cut := rapid.IntRange(0, len(list)).Draw(t, "cut")
		want := outline(capture.NewReader(strings.NewReader(text(list, "\n")), options))
		r := capture.NewReader(strings.NewReader(text(list[:cut], "\n")), options)
		got := outline(r)
		r.Continue(strings.NewReader(strings.Repeat("\n", cut) + text(list[cut:], "\n")))
		sameLists(t, "two inputs", append(got, outline(r)...), want)
	})
}

// TestInterleavingDoesNotMatter mixes two logs of ids of their own, each of which is read
// as when it is alone.
func TestInterleavingDoesNotMatter(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var logs [2][]drawn
		for i := range logs {
			logs[i] = make([]drawn, rapid.IntRange(0, 15).Draw(t, "lines"))
			for j := range logs[i] {
				members := drawEnvelope(t)
				for k, m := range members {
					if m.name == "id" && m.value != "null" {
						members[k].value = fmt.Sprintf(`"%d of %d"`, rapid.IntRange(0, 2).Draw(t, "id"), i)
					}
				}
				logs[i][j].line = spell(t, members)
			}
		}
		options := capture.Options{Format: capture.JSONRPC}
		var mixed []drawn
		var owner []int
		rest := logs
		for len(rest[0])+len(rest[1]) > 0 {
			i := rapid.IntRange(0, 1).Draw(t, "next")
			if len(rest[i]) == 0 {
				i = 1 - i
			}
			mixed, owner, rest[i] = append(mixed, rest[i][0]), append(owner, i), rest[i][1:]
		}
		var apart [2][]string
		for at, said := range outline(capture.NewReader(strings.NewReader(text(mixed, "\n")), options)) {
			apart[owner[at]] = append(apart[owner[at]], afterNumber(said))
		}
		for i := range logs {
			alone := outline(capture.NewReader(strings.NewReader(text(logs[i], "\n")), options))
			for j := range alone {
				alone[j] = afterNumber(alone[j])
			}
			sameLists(t, "mixed", apart[i], alone)
		}
	})
}

func afterNumber(said string) string {
	_, rest, _ := strings.Cut(said, " ")
	return rest
}

// chunks hands out a few bytes at a time.
type chunks struct {
	r    io.Reader
	size int
}

func (c *chunks) Read(p []byte) (int, error) { return c.r.Read(p[:min(len(p), c.size)]) }
