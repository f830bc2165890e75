package diagnosis_test

import (
	"fmt"
	"io"
	"maps"
	"slices"
	"strconv"
	"strings"
	"testing"
	"unicode/utf16"

	"golang.org/x/text/encoding/charmap"
	"pgregory.net/rapid"

	"github.com/cupel-dev/cupel/internal/sessiontest"
	"github.com/cupel-dev/cupel/internal/strictjson"
	"github.com/cupel-dev/cupel/trace/internal/session/diagnosis"
	"github.com/cupel-dev/cupel/trace/internal/stream"
)

// families returns the family of a record as trace does, for these logs.
func families(record strictjson.Node) string {
	switch {
	case record.Get("payload_hash").Exists() || record.Get("prev_event_hash").Exists():
		return "session-v0"
	case record.Get("prev_hash").Exists() && record.Get("seq").Exists():
		return "session-v1"
	case record.Get("prev_hash").Exists():
		return "session-v1b"
	}
	return ""
}

func diagnose(text string) diagnosis.Story {
	story, _ := diagnosis.Of(section(text), diagnosis.Options{Family: families})
	return story
}

func section(text string) *io.SectionReader {
	return io.NewSectionReader(strings.NewReader(text), 0, int64(len(text)))
}

func kinds(story diagnosis.Story) (list []string) {
	for _, d := range story.Damage {
		if !slices.Contains(list, string(d.Kind)) {
			list = append(list, string(d.Kind))
		}
	}
	return list
}

// log returns the lines of an intact log of n events.
func log(family, session string, n int) (lines []string) {
	l := sessiontest.NewLog(family)
	l.Session = session
	for i := range n {
		kind, payload := "TOOL_CALL", fmt.Sprintf(`{"tool_name":"lookup","session_id":%q,"args":{"q":"größer Ä %d","n":%d,"score":0.7312345678}}`, session, i, i)
		switch i {
		case 0:
			kind, payload = "SESSION_START", fmt.Sprintf(`{"agent_id":"a","session_id":%q}`, session)
		case n - 1:
			kind, payload = "SESSION_END", `{"status":"success"}`
		}
		lines = append(lines, l.Event(kind, payload))
	}
	return lines
}

func text(lines []string) string { return strings.Join(lines, "\n") + "\n" }

var chained = []string{"session-v0", "session-v1", "session-v1b"}

// plant is one damage: it changes an intact log at place i.
type plant struct {
	name  string
	kinds []string // any of them names it
	do    func(lines []string, i int) string
}

func with(lines []string, i int, line string) []string {
	out := slices.Clone(lines)
	out[i] = line
	return out
}

var plants = []plant{
	{"nothing", nil, func(l []string, _ int) string { return text(l) }},
	{"CRLF", nil, func(l []string, _ int) string { return strings.ReplaceAll(text(l), "\n", "\r\n") }},
	{"edited", []string{"edited"}, func(l []string, i int) string {
		return text(with(l, i, strings.Replace(l[i], "lookup", "remove", 1)))
	}},
	{"foreign line", []string{"foreign_line"}, func(l []string, i int) string {
		return text(slices.Insert(slices.Clone(l), i, "Traceback (most recent call last):"))
	}},
	{"foreign object", []string{"foreign_line"}, func(l []string, i int) string {
		return text(slices.Insert(slices.Clone(l), i, `{"level":"info","msg":"started"}`))
	}},
	{"glued", []string{"missing_newline"}, func(l []string, i int) string { return text(slices.Delete(with(l, i, l[i]+l[i+1]), i+1, i+2)) }},
	{"torn", []string{"torn_write"}, func(l []string, i int) string { return text(with(l, i, l[i][:len(l[i])/2])) }},
	{"torn and retried", []string{"torn_write"}, func(l []string, i int) string { return text(slices.Insert(slices.Clone(l), i, l[i][:len(l[i])/2])) }},
	{"torn and retried on its line", []string{"torn_write"}, func(l []string, i int) string { return text(with(l, i, l[i][:len(l[i])/2]+l[i])) }},
	{"torn before the next", []string{"torn_write"}, func(l []string, i int) string {
		return text(slices.Delete(with(l, i, l[i][:len(l[i])/2]+l[i+1]), i+1, i+2))
	}},
	{"NUL block", []string{"torn_write"}, func(l []string, i int) string {
		return text(with(l, i, l[i][:40]+strings.Repeat("\x00", 60)+l[i][100:]))
	}},
	{"swapped", []string{"swapped"}, func(l []string, i int) string {
		l = slices.Clone(l)
		l[i], l[i+1] = l[i+1], l[i]
		return text(l)
	}},
	{"reversed", []string{"reordered"}, func(l []string, _ int) string {
		l = slices.Clone(l)
		slices.Reverse(l)
		return text(l)
	}},
	{"moved", []string{"reordered"}, func(l []string, i int) string {
		return text(slices.Insert(slices.Delete(slices.Clone(l), i, i+1), i+3, l[i]))
	}},
	{"removed", []string{"removed"}, func(l []string, i int) string { return text(slices.Delete(slices.Clone(l), i, i+2)) }},
	{"repeated", []string{"repeated"}, func(l []string, i int) string { return text(slices.Insert(slices.Clone(l), i, l[i])) }},
	{"repeated far away", []string{"repeated"}, func(l []string, i int) string { return text(slices.Insert(slices.Clone(l), i+3, l[i])) }},
	{"new session", []string{"new_session"}, func(l []string, i int) string {
		return text(slices.Concat(l[:i+2], log(familyOf(l), "other", 7)))
	}},
	{"interleaved", []string{"interleaved"}, func(l []string, i int) string {
		other := log(familyOf(l), "other", 7)
		return text(slices.Concat(l[:i+1], other[:3], l[i+1:], other[3:]))
	}},
	{"BOM", []string{"re_encoded"}, func(l []string, _ int) string { return "\xef\xbb\xbf" + text(l) }},
	{"UTF-16", []string{"re_encoded"}, func(l []string, _ int) string {
		out := "\xff\xfe"
		for _, u := range utf16.Encode([]rune(text(l))) {
			out += string([]byte{byte(u), byte(u >> 8)})
		}
		return out
	}},
	{"Windows-1252", []string{"re_encoded"}, func(l []string, _ int) string {
		out, err := charmap.Windows1252.NewEncoder().String(text(l))
		if err != nil {
			panic(err)
		}
		return out
	}},
	{"mojibake", []string{"re_encoded"}, func(l []string, _ int) string {
		out, err := charmap.ISO8859_1.NewDecoder().String(text(l))
		if err != nil {
			panic(err)
		}
		return out
	}},
	{"upper case", []string{"respelled"}, func(l []string, _ int) string {
		for i, line := range l {
			l = with(l, i, upperHash(line))
		}
		return text(l)
	}},
	{"docker", []string{"wrapped"}, func(l []string, _ int) string {
		for i, line := range l {
			l = with(l, i, `{"log":`+strconv.Quote(line+"\n")+`,"stream":"stdout","time":"2026-03-01T00:00:00Z"}`)
		}
		return text(l)
	}},
	{"grep -n", []string{"wrapped"}, func(l []string, _ int) string {
		for i, line := range l {
			l = with(l, i, fmt.Sprintf("%d:%s", i+1, line))
		}
		return text(l)
	}},
	{"syslog", []string{"wrapped"}, func(l []string, _ int) string {
		for i, line := range l {
			l = with(l, i, "Mar  1 00:00:00 web-1 agent[17]: "+line)
		}
		return text(l)
	}},
}

func familyOf(lines []string) string {
	switch {
	case strings.Contains(lines[0], `"payload_hash"`):
		return "session-v0"
	case strings.Contains(lines[0], `"seq"`):
		return "session-v1"
	}
	return "session-v1b"
}

func upperHash(line string) string {
	const before = `event_hash":"`
	i := strings.LastIndex(line, before)
	if strings.Contains(line, `, "event_hash": "`) {
		i = strings.LastIndex(line, `event_hash": "`) + 1
	}
	i += len(before)
	return line[:i] + strings.ToUpper(line[i:i+64]) + line[i+64:]
}

// TestPlanted holds that a planted damage is named, and nothing else.
func TestPlanted(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		family, p := rapid.SampledFrom(chained).Draw(t, "family"), rapid.SampledFrom(plants).Draw(t, "plant")
		lines := log(family, "5e551017", rapid.IntRange(8, 14).Draw(t, "events"))
		i := rapid.IntRange(1, len(lines)-5).Draw(t, "place")
		got := kinds(diagnose(p.do(lines, i)))
		switch {
		case len(p.kinds) == 0 && len(got) == 0:
		case len(got) == 1 && slices.Contains(p.kinds, got[0]):
		default:
			t.Fatalf("%s at %d of a log of %s: %v, expected one of %v\n%+v", p.name, i, family, got, p.kinds, diagnose(p.do(lines, i)).Damage)
		}
	})
}

// TestConverted holds that a conversion of all lines hides no other damage.
func TestConverted(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		lines := log("session-v0", "5e551017", 12)
		p := rapid.SampledFrom([]string{"swapped", "removed", "repeated", "foreign line"}).Draw(t, "plant")
		i := slices.IndexFunc(plants, func(of plant) bool { return of.name == p })
		whole := plants[i].do(lines, rapid.IntRange(1, 6).Draw(t, "place"))
		switch rapid.IntRange(0, 2).Draw(t, "conversion") {
		case 0:
			whole = "\xef\xbb\xbf" + whole
		case 1:
			whole, _ = charmap.ISO8859_1.NewDecoder().String(whole)
		case 2:
			whole, _ = charmap.Windows1252.NewEncoder().String(whole)
		}
		if got := kinds(diagnose(whole)); len(got) != 2 || !slices.Contains(got, plants[i].kinds[0]) || !slices.Contains(got, "re_encoded") {
			t.Fatalf("%s: %v", p, got)
		}
	})
}

// TestPicked compares the diagnosis of a log with omitted, repeated and moved lines with one from their numbers
// alone.
func TestPicked(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(2, 9).Draw(t, "events")
		lines := log(rapid.SampledFrom(chained[:2]).Draw(t, "family"), "5e551017", n)
		picked := rapid.SliceOfN(rapid.IntRange(0, n-1), 1, 12).Draw(t, "picked")
		var chosen []string
		for _, i := range picked {
			chosen = append(chosen, lines[i])
		}
		count := map[stream.DamageKind]int64{}
		for _, d := range diagnose(text(chosen)).Damage {
			count[d.Kind] += d.Count
			if d.From > d.To || d.To > int64(len(chosen)) {
				t.Fatalf("%v: %+v", picked, d)
			}
		}
		missing, again, moved := byNumbers(picked)
		if count[stream.DamageRemoved] != missing || count[stream.DamageRepeated] != again {
			t.Fatalf("%v: %v, expected %d removed and %d repeated", picked, count, missing, again)
		}
		if again == 0 && moved != (count[stream.DamageReordered]+count[stream.DamageSwapped] > 0) {
			t.Fatalf("%v: %v, moved %t", picked, count, moved)
		}
		if n := len(count); count[stream.DamageRemoved]+count[stream.DamageRepeated]+count[stream.DamageReordered]+count[stream.DamageSwapped] == 0 && n > 0 || count[stream.DamageFork]+count[stream.DamageEdited]+count[stream.DamageInserted] > 0 {
			t.Fatalf("%v: %v", picked, count)
		}
	})
}

// byNumbers returns the naive story: the numbers below the largest that are missing, the lines that are
// there again, and whether the others ascend.
func byNumbers(picked []int) (missing, again int64, moved bool) {
	seen := map[int]bool{}
	for _, i := range picked {
		if seen[i] {
			again++
		}
		seen[i] = true
	}
	for i := range slices.Max(picked) {
		if !seen[i] {
			missing++
		}
	}
	return missing, again, !slices.IsSorted(picked)
}

// TestPermuted checks that no order of the events is reported as a removal or an edit.
func TestPermuted(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		lines := log(rapid.SampledFrom(chained).Draw(t, "family"), "5e551017", 9)
		mixed := rapid.Permutation(lines).Draw(t, "order")
		for _, kind := range kinds(diagnose(text(mixed))) {
			if kind != "reordered" && kind != "swapped" {
				t.Fatalf("%s claimed for a permutation", kind)
			}
		}
	})
}

// FuzzDiagnosis: no text makes it panic or name a line that is not there.
func FuzzDiagnosis(f *testing.F) { // slow: every line as each kind of damage
	lines := log("session-v1", "5e551017", 8)
	for _, p := range plants {
		f.Add(p.do(lines, 2))
	}
	f.Fuzz(func(t *testing.T, whole string) {
		last := int64(strings.Count(whole, "\n") + 1)
		for _, d := range diagnose(whole).Damage {
			if d.From < 0 || d.To < d.From || !strings.Contains(whole, "\x00") && d.To > last {
				t.Errorf("%+v of %d lines", d, last)
			}
		}
	})
}

// sessionOf returns the session of a line.
func sessionOf(line string) string {
	_, rest, _ := strings.Cut(line, `"session_id":"`)
	id, _, _ := strings.Cut(rest, `"`)
	return id
}

// TestOfSessions: the sessions of a log are diagnosed as logs with only their lines are, each under the line numbers of the whole.
func TestOfSessions(t *testing.T) {
	damages := map[string]func([]string) []string{
		"intact":    func(l []string) []string { return l },
		"respelled": func(l []string) []string { return withLine(l, 4, strings.Replace(l[4], "Z\"", "+00:00\"", 1)) },
		"removed":   func(l []string) []string { return slices.Delete(slices.Clone(l), 3, 5) },
		"edited":    func(l []string) []string { return withLine(l, 5, strings.Replace(l[5], "lookup", "search", 1)) },
		"another object": func(l []string) []string {
			return slices.Insert(slices.Clone(l), 3, `{"session_id":"`+sessionOf(l[0])+`","message":"{}"}`)
		},
		"reordered": func(l []string) []string {
			l = slices.Clone(l)
			l[2], l[6] = l[6], l[2]
			return l
		},
	}
	keyOf := func(r strictjson.Node) string { return string(r.Get("session_id").TextBytes(nil)) }
	rapid.Check(t, func(t *rapid.T) {
		family := rapid.SampledFrom([]string{"session-v0", "session-v1"}).Draw(t, "family")
		left, wanted := map[string][]string{}, map[string]bool{}
		for i := range rapid.IntRange(1, 4).Draw(t, "sessions") {
			id := fmt.Sprintf("5e551017-0000-4000-8000-%012d", i)
			damage := rapid.SampledFrom([]string{"intact", "respelled", "removed", "edited", "another object", "reordered"}).Draw(t, id)
			left[id], wanted[id] = damages[damage](log(family, id, 9)), damage != "intact"
		}
		ids := slices.Sorted(maps.Keys(left))
		var whole []string
		alone, at := map[string][]string{}, map[string][]int64{} // lines of a session, and their numbers in the whole
		for len(left) > 0 {
			id := rapid.SampledFrom(slices.Sorted(maps.Keys(left))).Draw(t, "next")
			whole = append(whole, left[id][0])
			alone[id], at[id] = append(alone[id], left[id][0]), append(at[id], int64(len(whole)))
			if left[id] = left[id][1:]; len(left[id]) == 0 {
				delete(left, id)
			}
		}
		opt := diagnosis.Options{Family: families}
		got := diagnosis.OfSessions(section(strings.Join(whole, "\n")), opt, keyOf, wanted)
		for _, id := range ids {
			if !wanted[id] {
				if got[id] != nil {
					t.Fatalf("%s is not wanted, but has %+v", id, got[id])
				}
				continue
			}
			want := diagnose(strings.Join(alone[id], "\n")).Damage
			for i := range want {
				for _, line := range []*int64{&want[i].From, &want[i].To} {
					if *line > 0 {
						*line = at[id][*line-1]
					}
				}
			}
			if fmt.Sprint(got[id]) != fmt.Sprint(want) {
				t.Fatalf("%s:\n%+v\nalone:\n%+v", id, got[id], want)
			}
		}
	})
}

// withLine returns the lines with another one at an index.
func withLine(lines []string, i int, line string) []string {
	lines = slices.Clone(lines)
	lines[i] = line
	return lines
}
