package bundle_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"math/bits"
	"reflect"
	"slices"
	"sort"
	"strconv"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/cupel-dev/cupel/evidence"
	"github.com/cupel-dev/cupel/evidence/bundle"
)

// event is an event of the laws, from which its JSON is made.
type lawEvent struct {
	Type    string
	Subject *string
	Data    any
	Run     string
	Seq     int
	Time    string
	Other   string // an attribute that the contract does not name; "": none
}

func drawEvents(t *rapid.T, name string) []lawEvent {
	one := rapid.Custom(func(t *rapid.T) lawEvent {
		e := lawEvent{
			Type: rapid.SampledFrom([]string{"a", "b"}).Draw(t, "type"), Run: rapid.SampledFrom([]string{"r", "s"}).Draw(t, "run"),
			Data: drawData(t, 2), Time: rapid.SampledFrom([]string{"2026-01-02T03:04:05Z", "2026-01-02T03:04:06Z"}).Draw(t, "time"),
			Other: rapid.SampledFrom([]string{"", "", "x"}).Draw(t, "other"),
		}
		if rapid.Bool().Draw(t, "about") {
			subject := rapid.SampledFrom([]string{"", "é"}).Draw(t, "subject")
			e.Subject = &subject
		}
		return e
	})
	list := rapid.SliceOfN(one, 1, 7).Draw(t, name)
	for i := range list {
		list[i].Seq = i
	}
	return list
}

func drawData(t *rapid.T, depth int) any {
	kinds := 3
	if depth > 0 {
		kinds = 5
	}
	switch rapid.IntRange(0, kinds-1).Draw(t, "kind") {
	case 0:
		return nil
	case 1:
		return float64(rapid.IntRange(0, 2).Draw(t, "number"))
	case 2:
		return rapid.SampledFrom([]string{"", "x/~\n", "é"}).Draw(t, "text")
	case 3:
		list := []any{}
		for range rapid.IntRange(0, 2).Draw(t, "elements") {
			list = append(list, drawData(t, depth-1))
		}
		return list
	}
	object := map[string]any{}
	for range rapid.IntRange(0, 3).Draw(t, "members") {
		object[rapid.SampledFrom([]string{"", "a", "b/~", "é"}).Draw(t, "name")] = drawData(t, depth-1)
	}
	return object
}

// written returns the stream of events, spelled in one of several ways.
func written(t *rapid.T, events []lawEvent) string {
	var b strings.Builder
	for _, e := range events {
		members := map[string]any{
			"specversion": "1.0", "datacontenttype": "application/json", "type": e.Type, "data": e.Data, "source": "urn:x", "assayrunid": e.Run,
			"assayseq": e.Seq, "id": e.Run + ":" + strconv.Itoa(e.Seq), "time": e.Time, "assayproducer": "p", "assayproducerversion": "1",
		}
		if e.Subject != nil {
			members["subject"] = *e.Subject
		} else if rapid.Bool().Draw(t, "null") {
			members["subject"] = nil
		}
		if e.Other != "" {
			members["other"] = e.Other
		}
		if rapid.Bool().Draw(t, "default") {
			members["assaypii"], members["assaygit"] = false, "unknown"
		}
		if rapid.Bool().Draw(t, "fraction") {
			members["time"] = strings.Replace(e.Time, "Z", ".000+00:00", 1)
		}
		if rapid.Bool().Draw(t, "assumed") {
			delete(members, "datacontenttype")
		}
		b.WriteString(anySpelling(t, members) + "\n")
	}
	return b.String()
}

// anySpelling returns a JSON text of a value, with members in any order, blanks, and escapes.
func anySpelling(t *rapid.T, v any) string {
	blank := rapid.SampledFrom([]string{"", " ", "\t"}).Draw(t, "blank")
	switch v := v.(type) {
	case map[string]any:
		var parts []string
		for _, name := range rapid.Permutation(slices.Sorted(maps.Keys(v))).Draw(t, "order") {
			parts = append(parts, anySpelling(t, name)+blank+":"+anySpelling(t, v[name]))
		}
		return "{" + strings.Join(parts, ","+blank) + blank + "}"
	case []any:
		var parts []string
		for _, element := range v {
			parts = append(parts, anySpelling(t, element))
		}
		return "[" + blank + strings.Join(parts, blank+",") + "]"
	case float64:
		return fmt.Sprint(v) + rapid.SampledFrom([]string{"", ".0", "e0"}).Draw(t, "number")
	case string:
		if rapid.Bool().Draw(t, "escaped") {
			var b strings.Builder
			for _, r := range v {
				fmt.Fprintf(&b, `\u%04x`, r)
			}
			return `"` + b.String() + `"`
		}
	}
	text, err := json.Marshal(v)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// spilled is a spill in memory.
type spilled struct{ bytes.Buffer }

func (s *spilled) ReadAt(p []byte, offset int64) (int, error) {
	return bytes.NewReader(s.Bytes()).ReadAt(p, offset)
}

func (s *spilled) Close() error { return nil }

func compare(t require, a, b string, jobs int) (*bundle.Comparison, []bundle.Difference) {
	var list []bundle.Difference
	opt := bundle.CompareOptions{Jobs: jobs, Spill: func() (bundle.Spill, error) { return &spilled{}, nil }}
	c, err := bundle.Compare(t.Context(), input("a", a), input("b", b), opt, func(d *bundle.Difference) error {
		list = append(list, *d)
		return nil
	})
	if err != nil || !c.Answered() {
		t.Fatalf("%v\n%s%s", err, a, b)
	}
	return c, list
}

func input(name, text string) bundle.Input {
	return bundle.Input{Name: name, Size: -1, Reader: strings.NewReader(text)}
}

// TestCompareLaw compares with a naive comparison of the events themselves, whatever their
// spelling, and with the same comparison the other way round.
func TestCompareLaw(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		a, b := drawEvents(t, "a"), drawEvents(t, "b")
		if rapid.Bool().Draw(t, "related") { // much of b is a's
			b = slices.Concat(a[rapid.IntRange(0, len(a)-1).Draw(t, "from"):], b[:rapid.IntRange(0, len(b)-1).Draw(t, "to")])
			b = rapid.Permutation(b).Draw(t, "b")
			for i := range b {
				b[i].Seq = i
			}
		}
		left, right := written(t, a), written(t, b)
		c, got := compare(t, left, right, rapid.IntRange(1, 3).Draw(t, "jobs"))
		want := naiveDiff(a, b)
		if g, w := told(got), told(want); !slices.Equal(g, w) {
			t.Fatalf("got\n%s\nwant\n%s\na:\n%sb:\n%s", strings.Join(g, "\n"), strings.Join(w, "\n"), left, right)
		}
		if c.Equal() != (c.A.RunRoot == c.B.RunRoot) {
			t.Errorf("equal: %v, run roots %s and %s", c.Equal(), c.A.RunRoot, c.B.RunRoot)
		}
		back, mirrored := compare(t, right, left, 2)
		if g, w := told(turned(mirrored)), told(got); !slices.Equal(g, w) {
			t.Fatalf("the other way round\n%s\nand\n%s\na:\n%sb:\n%s", strings.Join(g, "\n"), strings.Join(w, "\n"), left, right)
		}
		if back.Same != c.Same || back.Added != c.Removed || back.Envelope != c.Envelope {
			t.Errorf("%+v and %+v", c, back)
		}
		if c, list := compare(t, left, written(t, a), 1); !c.Equal() || len(list) > 0 || c.Same != len(a) {
			t.Errorf("differs from itself: %v", told(list))
		}
	})
}

// TestOnlyMoved: another order of the same events is nothing but moves.
func TestOnlyMoved(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		a := drawEvents(t, "a")
		c, list := compare(t, written(t, a), written(t, rapid.Permutation(a).Draw(t, "b")), 1)
		for _, d := range list {
			if d.Kind != bundle.Moved && d.Kind != bundle.OtherEnvelope { // equal content may have had several envelopes
				t.Errorf("%v", told(list))
			}
		}
		if c.Same+c.Moved != len(a) {
			t.Errorf("%+v", c)
		}
	})
}

// told formats differences as lines, in any order, without hashes, because the naive comparison has none.
func told(list []bundle.Difference) []string {
	var lines []string
	for _, d := range list {
		for _, p := range []*bundle.EventPlace{d.A, d.B} {
			if p != nil {
				p.ContentHash = ""
			}
		}
		if d.Kind == bundle.OtherEnvelope {
			d.Type, d.Subject = "", nil
		}
		slices.SortFunc(d.Changes, func(a, b bundle.Change) int { return strings.Compare(a.Pointer, b.Pointer) })
		text, _ := json.Marshal(d)
		lines = append(lines, string(text))
	}
	sort.Strings(lines)
	return lines
}

// turned exchanges the sides.
func turned(list []bundle.Difference) []bundle.Difference {
	var back []bundle.Difference
	for _, d := range list {
		switch d.Kind {
		case bundle.Removed:
			d.Kind = bundle.Added
		case bundle.Added:
			d.Kind = bundle.Removed
		}
		d.A, d.B = d.B, d.A
		d.Changes = slices.Clone(d.Changes)
		for i, c := range d.Changes {
			d.Changes[i].A, d.Changes[i].B = c.B, c.A
		}
		back = append(back, d)
	}
	return back
}

// naiveDiff compares events as values.
func naiveDiff(a, b []lawEvent) (list []bundle.Difference) {
	place := func(e []lawEvent, i int) *bundle.EventPlace {
		seq := uint64(e[i].Seq)
		return &bundle.EventPlace{Line: i + 1, Seq: &seq}
	}
	pairs := map[int]int{}
	taken := map[int]bool{}
	pair := func(fits func(x, y lawEvent) bool) {
		for i := range a {
			for j := range b {
				if _, has := pairs[i]; !has && !taken[j] && fits(a[i], b[j]) {
					pairs[i], taken[j] = j, true
				}
			}
		}
	}
	pair(sameContent)
	pair(sameName)
	stays := inOrder(len(a), func(i int) (int, bool) {
		j, ok := pairs[i]
		return j, ok && sameContent(a[i], b[j])
	})
	for i := range a {
		j, paired := pairs[i]
		d := bundle.Difference{A: place(a, i), Type: a[i].Type, Subject: a[i].Subject}
		if !paired {
			d.Kind = bundle.Removed
			list = append(list, d)
			continue
		}
		d.B, d.Attributes = place(b, j), envelopeDiffers(a[i], b[j])
		switch {
		case !sameContent(a[i], b[j]):
			d.Kind = bundle.Changed
			d.Changes = naiveChanges("/data", a[i].Data, b[j].Data, true, true)
		case !stays[i]:
			d.Kind = bundle.Moved
		case len(d.Attributes) > 0:
			d.Kind = bundle.OtherEnvelope
		default:
			continue
		}
		list = append(list, d)
	}
	for j := range b {
		if !taken[j] {
			list = append(list, bundle.Difference{Kind: bundle.Added, B: place(b, j), Type: b[j].Type, Subject: b[j].Subject})
		}
	}
	return list
}

func sameName(a, b lawEvent) bool {
	return a.Type == b.Type && reflect.DeepEqual(a.Subject, b.Subject)
}

func sameContent(a, b lawEvent) bool { return sameName(a, b) && reflect.DeepEqual(a.Data, b.Data) }

func envelopeDiffers(a, b lawEvent) (names []string) {
	if a.Run != b.Run {
		names = append(names, "assayrunid")
	}
	if a.Time != b.Time {
		names = append(names, "time")
	}
	if a.Other != b.Other {
		names = append(names, "other")
	}
	return names
}

// inOrder tries all parts of a list of places, and says what is in each of the longest that
// ascend.
func inOrder(n int, placeOf func(int) (int, bool)) (stays []bool) {
	longest := -1
	var all uint
	for set := uint(0); set < 1<<n; set++ {
		last, ascends := -1, true
		for i := range n {
			if set&(1<<i) != 0 {
				place, ok := placeOf(i)
				ascends = ascends && ok && place > last
				last = place
			}
		}
		switch size := bits.OnesCount(set); {
		case !ascends || size < longest:
		case size > longest:
			longest, all = size, set
		default:
			all &= set
		}
	}
	for i := range n {
		stays = append(stays, all&(1<<i) != 0)
	}
	return stays
}

func naiveChanges(pointer string, a, b any, hasA, hasB bool) (list []bundle.Change) {
	if hasA && hasB && reflect.DeepEqual(a, b) {
		return nil
	}
	token := strings.NewReplacer("~", "~0", "/", "~1")
	x, isObject := a.(map[string]any)
	y, both := b.(map[string]any)
	if isObject && both {
		names := maps.Clone(x)
		maps.Copy(names, y)
		for name := range names {
			left, hasLeft := x[name]
			right, hasRight := y[name]
			list = append(list, naiveChanges(pointer+"/"+token.Replace(name), left, right, hasLeft, hasRight)...)
		}
		return list
	}
	l, isArray := a.([]any)
	r, both := b.([]any)
	if isArray && both {
		at := func(list []any, i int) (any, bool) {
			if i < len(list) {
				return list[i], true
			}
			return nil, false
		}
		for i := range max(len(l), len(r)) {
			left, hasLeft := at(l, i)
			right, hasRight := at(r, i)
			list = append(list, naiveChanges(pointer+"/"+strconv.Itoa(i), left, right, hasLeft, hasRight)...)
		}
		return list
	}
	text := func(v any, has bool) *string {
		if !has {
			return nil
		}
		b, _ := json.Marshal(v)
		s := string(b)
		return &s
	}
	return []bundle.Change{{Pointer: pointer, A: text(a, hasA), B: text(b, hasB)}}
}

// require is what the tests and the laws have in common.
type require = *rapid.T

var errSpill = errors.New("no room")

// TestCompareSpills: more than is held goes into the spill, whose errors are the answer.
func TestCompareSpills(t *testing.T) {
	var a, b strings.Builder
	for i := range 12 {
		fmt.Fprintf(&a, `{"specversion":"1.0","type":"t","subject":"%d","data":"%s"}`+"\n", i, strings.Repeat("x", 1_000_000))
		fmt.Fprintf(&b, `{"specversion":"1.0","type":"t","subject":"%d","data":"%s"}`+"\n", i, strings.Repeat("x", 1_000_000-i%2))
	}
	kept := 0
	run := func(spill bundle.Spill) (changed int, err error) {
		opt := bundle.CompareOptions{Spill: func() (bundle.Spill, error) { kept++; return spill, nil }}
		c, err := bundle.Compare(t.Context(), input("a", a.String()), input("b", b.String()), opt, func(d *bundle.Difference) error {
			changed++
			if d.Kind != bundle.Changed || len(d.Changes) != 1 || d.Changes[0].Pointer != "/data" {
				t.Errorf("%+v", d)
			}
			return nil
		})
		if err == nil && c.Same != 6 {
			t.Errorf("%+v", c)
		}
		return changed, err
	}
	if changed, err := run(&spilled{}); err != nil || changed != 6 || kept != 1 {
		t.Errorf("%d changed, %d spills, %v", changed, kept, err)
	}
	if _, err := run(full{}); !errors.Is(err, errSpill) {
		t.Errorf("full: %v", err)
	}
	if _, err := run(&forgetful{}); err == nil {
		t.Error("what a spill gives back is not looked at")
	}
}

// full is a spill without room, forgetful one that gives back other bytes.
type (
	full      struct{ io.ReaderAt }
	forgetful struct{ spilled }
)

func (full) Write([]byte) (int, error) { return 0, errSpill }
func (full) Close() error              { return nil }

func (f *forgetful) ReadAt(p []byte, offset int64) (int, error) {
	n, err := f.spilled.ReadAt(p, offset)
	copy(p, `{"specversion":"1.0"`)
	for i := 30; i < n; i++ {
		p[i] = 'y'
	}
	return n, err
}

// TestCompareCannotAnswer: an input that cannot be read to its end is not compared.
func TestCompareCannotAnswer(t *testing.T) {
	const good = `{"specversion":"1.0","type":"t","data":1}` + "\n"
	for _, bad := range []string{"", "\n", "{\n", good + "{}\n", good + "\n" + good, "\x1f\x8b", good[:20]} {
		for _, sides := range [][2]string{{good, bad}, {bad, good}} {
			c, err := bundle.Compare(t.Context(), input("a", sides[0]), input("b", sides[1]), bundle.CompareOptions{}, func(*bundle.Difference) error {
				t.Error("a difference")
				return nil
			})
			if err != nil || c.Answered() || c.Equal() {
				t.Errorf("%q: %+v, %v", bad, c, err)
			}
		}
	}
	limits := evidence.Limits{Events: 1}
	c, err := bundle.Compare(t.Context(), input("a", good+good), input("b", good+good), bundle.CompareOptions{Limits: limits}, nil)
	if err != nil || c.Answered() || c.A.Faults[0].File != "a" {
		t.Errorf("beyond a limit: %+v, %v", c, err)
	}
}

// TestChanges: the places of what differs, and nothing that is only spelled in another way.
func TestChanges(t *testing.T) {
	event := func(data string) string {
		return `{"specversion":"1.0","type":"t","datacontenttype":"application/json","data":` + data + `}`
	}
	for _, c := range []struct{ a, b, want string }{
		{event(`{"x":1,"y":1.0,"z":"\u0061"}`), event(`{"z":"a","y":1,"x":2}`), `/data/x: 1 to 2`},
		{event(`{"a/b":{"~":[1,2,3]}}`), event(`{"a/b":{"~":[1,4]}}`), `/data/a~1b/~0/1: 2 to 4, /data/a~1b/~0/2: 3 to nothing`},
		{event(`{}`), event(`[]`), `/data: {} to []`},
		{event(`{"b":1,"a":null}`), event(`{"c":1}`), `/data/a: null to nothing, /data/b: 1 to nothing, /data/c: nothing to 1`},
		{event(`1`), strings.Replace(event(`1`), "application/json", "text/x", 1), `/datacontenttype: "application/json" to "text/x"`},
		{strings.Replace(event(`1`), `"datacontenttype":"application/json",`, "", 1), event(`2`), `/data: 1 to 2`},
		{event(`{"é":"\n"}`), event(`{"é":"` + strings.Repeat("é", 100) + `"}`), `/data/é: "\n" to "` + strings.Repeat("é", 39) + "…"},
		{event(`{"` + strings.Repeat("n", 1000) + `":{"x":1}}`), event(`{"` + strings.Repeat("n", 1000) + `":{"x":2}}`), "/data/" + strings.Repeat("n", 394) + "…: 1 to 2"},
	} {
		var got []string
		_, err := bundle.Compare(t.Context(), input("a", c.a), input("b", c.b), bundle.CompareOptions{}, func(d *bundle.Difference) error {
			for _, change := range d.Changes {
				got = append(got, change.Pointer+": "+value(change.A)+" to "+value(change.B))
			}
			return nil
		})
		if err != nil || strings.Join(got, ", ") != c.want {
			t.Errorf("%s and %s: %q, %v", c.a, c.b, got, err)
		}
	}
}

func value(text *string) string {
	if text == nil {
		return "nothing"
	}
	return *text
}

// TestManyChanges checks that the report on one event is bounded, and that its time is proportional to the event's
// size.
func TestManyChanges(t *testing.T) {
	event := func(value string) string {
		var members []string
		for i := range 9_999 {
			members = append(members, fmt.Sprintf(`"%d":%s`, i, value))
		}
		return `{"specversion":"1.0","type":"t","data":{` + strings.Join(members, ",") + `}}`
	}
	_, err := bundle.Compare(t.Context(), input("a", event("1")), input("b", event("2")), bundle.CompareOptions{}, func(d *bundle.Difference) error {
		if len(d.Changes) != bundle.MaxChanges || d.Omitted != 9_999-bundle.MaxChanges {
			t.Errorf("%d changes, %d omitted", len(d.Changes), d.Omitted)
		}
		return nil
	})
	if err != nil {
		t.Error(err)
	}
}
