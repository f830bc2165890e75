package ruleset

import (
	"bytes"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

// TestMachine: a machine matches what its expression does, for texts that the expression was drawn for and
// for what is left of them after a change.
func TestMachine(t *testing.T) {
	set, err := Default()
	if err != nil {
		t.Fatal(err)
	}
	rules := slices.DeleteFunc(slices.Clone(set.Rules), func(r *Rule) bool { return r.machine == nil || r.machine() != nil && r.machine().wide })
	tells := 0
	for _, r := range rules {
		m := r.machine()
		if m == nil {
			t.Errorf("%s has no machine", r.ID)
		}
		if m != nil && m.from != unknown {
			tells++
		}
	}
	rules = slices.DeleteFunc(rules, func(r *Rule) bool { return r.Mode == Near })
	if len(rules) < 270 {
		t.Errorf("%d rules have machines that are exact, expected at least 270", len(rules))
	}
	if tells < 250 {
		t.Errorf("%d of %d machines tell where the secret is, expected at least 250", tells, len(rules))
	}
	rapid.Check(t, func(t *rapid.T) {
		r := rapid.SampledFrom(rules).Draw(t, "rule")
		text := rapid.StringMatching(r.compiled().String()).Draw(t, "text")
		cut, stop := rapid.IntRange(0, len(text)).Draw(t, "cut"), rapid.IntRange(0, len(text)).Draw(t, "stop")
		after := rapid.SampledFrom([]string{"", " ", `"`, `\n`, `\x`, "a", "_", ".", "\n", "é", "\xff", "=", "-", "A1"}).Draw(t, "after")
		for _, text := range []string{text + after, text[:cut], text[:cut] + after, text[:cut] + after + text[min(cut, stop):]} {
			same(t, r, []byte(text))
		}
	})
}

func same(t *rapid.T, r *Rule, text []byte) {
	m := r.machine()
	end, ok := m.match(text, 0, len(text), nil)
	want := r.compiled().FindSubmatchIndex(text)
	if short := r.submatch(text); !slices.Equal(short, want) {
		t.Fatalf("%s: %v in %q, of a short text %v", r.ID, want, text, short)
	}
	if ok != (want != nil) || ok && end != want[1] {
		t.Fatalf("%s: %q matches: %v, up to %d; its expression %v", r.ID, text, ok, end, want)
	}
	if !ok {
		return
	}
	if from, to, ok := m.secret(text[:end], end == len(text)); ok {
		if a, b := r.secret(want); a != from || b != to {
			t.Fatalf("%s: the secret of %q is at %d to %d; of its expression %v", r.ID, text, from, to, want)
		}
	}
	if got := r.path().groups(text, 0, end, len(text)); !slices.Equal(got, want) {
		t.Fatalf("%s: the groups of %q are %v, of its expression %v", r.ID, text, got, want)
	}
}

// TestPath: where a machine does not count a repetition, its path does, or leaves it to the expression.
func TestPath(t *testing.T) {
	for _, expression := range []string{`a([b-d]{2,70})(e?)`, `(?:x|([a-c]{1,80}))=(?:[a-z]{1,64}|(b+))(c{0,90})d`, `([ab]{1,64}?)(a|ab)(c.{3,200}?)c`} {
		compiled, p := lazy("^(?:"+expression+")")(), newPath(expression, false, true)
		rapid.Check(t, func(t *rapid.T) {
			text := rapid.StringMatching(expression).Draw(t, "text")
			if rapid.Bool().Draw(t, "long") {
				at := rapid.IntRange(0, len(text)).Draw(t, "at")
				text = text[:at] + strings.Repeat(text[:at], rapid.IntRange(1, 80).Draw(t, "times")) + text[at:]
			}
			end, ok := p.machine.match([]byte(text), 0, len(text), nil)
			want := compiled.FindStringSubmatchIndex(text)
			if !ok && want != nil {
				t.Fatalf("no match of %q", text)
			}
			if !ok {
				return
			}
			if got := p.groups([]byte(text), 0, end, len(text)); got != nil && !slices.Equal(got, want) {
				t.Fatalf("the groups of %q are %v, of the expression %v", text, got, want)
			}
		})
	}
}

// TestTrace: with the trace of earlier runs a rule finds what it finds without, in texts that are made of what it looks
// for, whole and cut; and a rule with a window finds what its expression does.
func TestTrace(t *testing.T) {
	set, err := Default()
	if err != nil {
		t.Fatal(err)
	}
	rules := slices.DeleteFunc(slices.Clone(set.Rules), func(r *Rule) bool { return r.machine == nil || r.machine() == nil || r.machine().wide })
	near := slices.DeleteFunc(slices.Clone(rules), func(r *Rule) bool { return r.Mode != Near })
	rapid.Check(t, func(t *rapid.T) {
		r := rapid.SampledFrom(rapid.SampledFrom([][]*Rule{rules, near}).Draw(t, "rules")).Draw(t, "rule")
		text := traced(t, r)
		trace := new(Trace)
		trace.Reset()
		m, starts := r.machine(), placesOf(t, r, text)
		for _, start := range starts {
			limit := min(len(text), start+rapid.SampledFrom([]int{r.After, 100, 1}).Draw(t, "limit"))
			end, ok := m.match(text, start, limit, trace)
			if wantEnd, want := m.match(text, start, limit, nil); ok != want || end != wantEnd {
				t.Fatalf("%s from %d to %d: %v up to %d, without a trace %v up to %d, in %q", r.ID, start, limit, ok, end, want, wantEnd, text)
			}
		}
		trace.Reset()
		for _, start := range starts {
			from, to, ok := r.Find(text, start, trace)
			if wantFrom, wantTo, want := r.Find(text, start, nil); ok != want || ok && (from != wantFrom || to != wantTo) {
				t.Fatalf("%s at %d: %v %d to %d, without a trace %v %d to %d, in %q", r.ID, start, ok, from, to, want, wantFrom, wantTo, text)
			}
		}
		if r.Mode == Near {
			sameNear(t, r, text)
		}
	})
}

func traced(t *rapid.T, r *Rule) []byte {
	match := rapid.StringMatching(r.Expression).Draw(t, "match")
	pieces := []string{match, match[:len(match)*3/4], match[:len(match)/2], match[len(match)/2:], " ", "-", "\n", "=", `"`, "a1", "é", "\xe2\x82", "-p"}
	pieces = append(pieces, r.Keywords...)
	some := rapid.SliceOfN(rapid.SampledFrom(pieces), 1, 4)
	var text []byte
	for range rapid.IntRange(1, 4).Draw(t, "parts") {
		text = append(text, bytes.Repeat([]byte(strings.Join(some.Draw(t, "part"), "")), rapid.IntRange(1, 60).Draw(t, "times"))...)
	}
	return text[:min(len(text), 20_000)]
}

// placesOf are offsets in a text at which a rule is tried, most of them in order.
func placesOf(t *rapid.T, r *Rule, text []byte) (starts []int) {
	lower := bytes.ToLower(text)
	for i := range lower {
		if len(lower) == len(text) && slices.ContainsFunc(r.Keywords, func(k string) bool { return bytes.HasPrefix(lower[i:], []byte(k)) }) {
			starts = append(starts, i)
		}
	}
	for range 5 {
		starts = append(starts, rapid.IntRange(0, len(text)-1).Draw(t, "start"))
	}
	return starts[:min(len(starts), 300)]
}

// sameNear compares the first match that begins and ends in a text with that of the expression.
func sameNear(t *rapid.T, r *Rule, text []byte) {
	n := &Trace{}
	other := *r
	other.Entropy, other.proves, other.allow = 0, false, nil
	from, to, ok := other.findNear(r.machine(), text, 0, len(text), n)
	want := r.compiled().FindSubmatchIndex(text)
	if ok != (want != nil) {
		t.Fatalf("%s: %v, its expression %v, in %q", r.ID, ok, want, text)
	}
	if !ok {
		return
	}
	if a, b := r.secret(want); a != from || b != to {
		t.Fatalf("%s: the secret is at %d to %d, of its expression %v, in %q", r.ID, from, to, want, text)
	}
}

// TestAllowMachine: the machine of an allow-list's expression matches in a text when the expression does.
func TestAllowMachine(t *testing.T) {
	set, err := Default()
	if err != nil {
		t.Fatal(err)
	}
	type alternative struct {
		expression string
		of         *test
		number     int
	}
	var all []alternative
	lists := slices.Clone(set.allow)
	for _, r := range set.Rules {
		lists = append(lists, r.allow...)
	}
	for _, a := range lists {
		for _, one := range slices.DeleteFunc(append(slices.Clone(a.tests), a.whole), func(one *test) bool { return one == nil }) {
			for i, compiled := range one.compiled {
				if m := one.machines[i](); m != nil && !m.wide {
					all = append(all, alternative{compiled().String(), one, i})
				}
			}
		}
	}
	if len(all) < 50 {
		t.Errorf("%d expressions have a machine, expected at least 50", len(all))
	}
	rapid.Check(t, func(t *rapid.T) {
		a := rapid.SampledFrom(all).Draw(t, "expression")
		text := rapid.StringMatching(a.expression).Draw(t, "text")
		cut := rapid.IntRange(0, len(text)).Draw(t, "cut")
		more := rapid.SampledFrom([]string{"", " ", "a", "\n", "é", "\xff", "1", "-"})
		text = more.Draw(t, "before") + text[:cut] + more.Draw(t, "between") + text[cut:] + more.Draw(t, "after")
		m, ok := a.of.machines[a.number](), false
		for at := 0; at <= len(text) && !ok && (at == 0 || len(a.of.begins) > 0 && a.of.begins[a.number]); at++ {
			_, ok = m.match([]byte(text), at, len(text), nil)
		}
		if want := a.of.compiled[a.number]().MatchString(text); ok != want {
			t.Fatalf("%s in %q: %v, the expression %v", a.expression, text, ok, want)
		}
	})
}
