package payload_test

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/cupel-dev/cupel/evidence/payload"
)

// words draws an input as testdata/runs.txt writes them.
func words(t *rapid.T) (list []string) {
	for range rapid.IntRange(1, 7).Draw(t, "events") {
		word := rapid.SampledFrom([]string{"S", "S", "E", "E", "f", "f", "n", "p", "d", "x", "v", "!"}).Draw(t, "event")
		if word == "E" {
			count := rapid.IntRange(0, 2)
			word += fmt.Sprintf("%d,%d,%d,%d", count.Draw(t, "files"), count.Draw(t, "connections"), count.Draw(t, "processes"), count.Draw(t, "degradations"))
		}
		if slices.Contains([]string{"f", "n", "p"}, word) && rapid.Bool().Draw(t, "about") {
			word += "=" + rapid.SampledFrom([]string{"a", "b"}).Draw(t, "subject")
		}
		if word != "!" && rapid.IntRange(0, 9).Draw(t, "jump") == 0 {
			word += "@" + strconv.Itoa(rapid.IntRange(0, 9).Draw(t, "to"))
		}
		if word != "!" && rapid.IntRange(0, 9).Draw(t, "back") == 0 {
			word += "<"
		}
		list = append(list, word)
	}
	return list
}

// naiveRun says what a Run must say of words, sorted, by looking at all of them again for
// every rule.
func naiveRun(words []string) (said []string) {
	say := func(severity, rule string, line int, pointer string) {
		said = append(said, fmt.Sprintf("%s %s %d %s", severity, rule, line, pointer))
	}
	lines := func(letters string) (list []int) {
		for i, w := range words {
			if strings.Contains(letters, w[:1]) {
				list = append(list, i+1)
			}
		}
		return list
	}
	readable, starts, ends := lines("SEfnpdxv"), lines("S"), lines("E")
	whole := len(readable) == len(words) && len(words) > 1
	next, clock, latest := 0, 0, 0
	for i, w := range words {
		if w == "!" {
			continue
		}
		if _, at, jumps := strings.Cut(strings.TrimSuffix(w, "<"), "@"); jumps && at != strconv.Itoa(next) {
			whole = false
			next, _ = strconv.Atoi(at)
		}
		next++
		if clock++; strings.HasSuffix(w, "<") {
			clock -= 2
		}
		if latest > clock && i+1 != readable[0] {
			say("warning", "EV-135", i+1, "/time")
		}
		latest = clock
	}
	for _, c := range [][2]string{{"x", "EV-201"}, {"v", "EV-202"}} {
		if at := lines(c[0]); len(at) > 0 {
			say("info", c[1], at[0], "/type")
		}
	}
	if len(starts)+len(ends) == 0 {
		if whole {
			say("info", "EV-541", 0, "")
		}
		return said
	}
	for i, at := range starts {
		if i > 0 {
			say("warning", "EV-502", at, "/type")
		} else if at > 1 {
			say("warning", "EV-503", at, "/type")
		}
	}
	if len(ends) > 0 && len(starts) == 0 && whole {
		say("warning", "EV-501", 1, "")
	}
	if len(ends) == 0 {
		if len(starts) > 0 && whole {
			say("warning", "EV-511", len(words), "")
		}
		return said
	}
	for _, at := range ends[1:] {
		say("warning", "EV-512", at, "/type")
	}
	if ends[0] < len(words) {
		say("warning", "EV-513", ends[0], "/type")
	}
	counts, _, _ := strings.Cut(strings.TrimSuffix(words[ends[0]-1][1:], "<"), "@")
	for i, text := range strings.Split(counts, ",") {
		count, _ := strconv.Atoi(text)
		letter := "fnpd"[i : i+1]
		seen, about := len(lines(letter)), map[string]int{}
		for _, at := range lines(letter) {
			_, subject, named := strings.Cut(words[at-1], "=")
			if named = named && letter != "d"; named {
				subject, _, _ = strings.Cut(strings.TrimSuffix(subject, "<"), "@")
			} else {
				subject = strconv.Itoa(at)
			}
			about[subject]++
		}
		bound := !whole || letter != "d" && len(lines("fnp")) == 0
		if bound && count < len(about) || !bound && count != seen && count != len(about) {
			name := []string{"files_count", "network_count", "processes_count", "sandbox_degradation_count"}[i]
			say("warning", "EV-521", ends[0], "/data/"+name)
		}
	}
	return said
}

// TestRunAgainstNaive compares what is said of drawn inputs with the naive check.
func TestRunAgainstNaive(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		list := words(rt)
		got := []string{}
		for _, f := range check(t, run(t, strings.Join(list, " ")), payload.Options{}) {
			got = append(got, fmt.Sprintf("%s %s %d %s", f.Severity, f.Rule, f.Line, f.Path))
		}
		want := append([]string{}, naiveRun(list)...)
		slices.Sort(got)
		slices.Sort(want)
		if !slices.Equal(got, want) {
			rt.Fatalf("%s\n  got %q\nnaive %q", strings.Join(list, " "), got, want)
		}
	})
}
