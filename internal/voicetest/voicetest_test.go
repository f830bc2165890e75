package voicetest_test

import (
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/google/go-cmp/cmp"

	"github.com/cupel-dev/cupel/internal/voicetest"
)

// collected returns the messages of one file, as "kind: text".
func collected(t *testing.T, name, source string) (list []string) {
	t.Helper()
	all, err := voicetest.Collect(fstest.MapFS{name: {Data: []byte("package p\n" + source)}})
	if err != nil {
		t.Fatal(err)
	}
	for _, m := range all {
		list = append(list, m.Kind+": "+m.Text())
	}
	return list
}

// TestCollectTemplates has what is collected from a template of a page.
func TestCollectTemplates(t *testing.T) {
	const template = `<p title="light or {{.}}"><b>what was done:</b> {{range .}}{{.}}{{end}}</p><ul><li>left &amp; out</li></ul>
{{define "x"}}<dl><dt>two words</dt></dl>{{end}}<p>&nbsp;{{.}}</p>`
	all, err := voicetest.Collect(fstest.MapFS{"page/x.tmpl": {Data: []byte(template)}})
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, m := range all {
		got = append(got, m.Kind+": "+m.Text()+" "+m.Places[0])
	}
	want := []string{
		"page: left & out page/x.tmpl:1:1", "page: light or ‹› page/x.tmpl:1:1", "page: two words page/x.tmpl:2:1", "page: what was done: ‹› page/x.tmpl:1:1",
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

// TestCollect has what is collected from a piece of source.
func TestCollect(t *testing.T) {
	for _, c := range []struct {
		source string
		want   []string
	}{
		{`var e = errors.New("it is empty")`, []string{"error: it is empty"}},
		{`func f() error { return fmt.Errorf("cannot read %q: %w", name, err) }`, []string{"error: cannot read ‹›: ‹›"}},
		{`func f() error { return fmt.Errorf("%d%% of %s are gone", n, s) }`, []string{"error: ‹›% of ‹› are gone"}},
		{`func f() error { return &cmdline.UsageError{Message: "no suite given", Hint: "--assertions names it"} }`, []string{"error: no suite given", "hint: --assertions names it"}},
		{`func f() error { return &Hinted{fmt.Errorf("%q is there", a), "name " + b + " instead"} }`, []string{"error: ‹› is there", "hint: name ‹› instead"}},
		{`func f() { PrintError(env, "it is "+what, "see why") }`, []string{"error: it is ‹›", "hint: see why"}},
		{`func f() { x.Help = "save it as UTF-8" }`, []string{"hint: save it as UTF-8"}},
		{`func helpHint(n int) string { return fmt.Sprintf("raise it to %d", n) }`, []string{"hint: raise it to ‹›"}},
		{`const emptyHint = "accept " + "that"`, []string{"hint: accept that"}},
		{`func f() { warn(env, "nothing is watched") }`, []string{"warning: nothing is watched"}},
		{`func f() { out.warn(rule, at, "the list is %s", s) }`, []string{"finding: the list is ‹›"}},
		{`func f() { return rules[r].New("the run has no event " + t) }`, []string{"finding: the run has no event ‹›"}},
		{`var r = Rule{Title: "a run ends", Rationale: "so that it is known", Bad: "{} of it"}`, []string{"title: a run ends"}},
		{`func f() string { return "one of " + strings.Join(list, ", ") }`, []string{"text: one of ‹›"}},
		{`func f() string { return "a " + counted(n, "more of " + what) }`, []string{"text: more of ‹›"}},
		{`var x = regexp.MustCompile("a text of its own")`, nil},
		{`func f() { panic("a bug of ours") }`, nil},
		{`var x = "word"; var y = "two\nlines of text"; var z = 'c'`, nil},
		{"type t struct { a int `json:\"a tag of it\"` }", nil},
		{`import "a path/of it"`, nil},
	} {
		if diff := cmp.Diff(c.want, collected(t, "room/file.go", c.source)); diff != "" {
			t.Errorf("%s (-want +got):\n%s", c.source, diff)
		}
	}
}

// TestCollectFolders checks that folders outside of the program have no messages.
func TestCollectFolders(t *testing.T) {
	const source = `var e = errors.New("it is empty")`
	for name, counts := range map[string]bool{
		"main.go": true, "attest/file.go": true, "attest/internal/check/file.go": true, "commands/a_test.go": false,
		"docs/docs.go": false, "trace/beam/main.go": false, "internal/selftest/file.go": false, "internal/scripted/file.go": false,
		"x/testdata/file.go": false, ".ci/file.go": false, "commands/file.txt": false,
	} {
		if got := collected(t, name, source); (len(got) > 0) != counts {
			t.Errorf("%s: %q, expected messages: %v", name, got, counts)
		}
	}
	if _, err := voicetest.Collect(fstest.MapFS{"a.go": {Data: []byte("package")}}); err == nil {
		t.Error("no error for a file that is no Go")
	}
}

// TestCollectPlaces: a text that is made twice in a room is one message of two places, and one of
// each of two rooms are two.
func TestCollectPlaces(t *testing.T) {
	text := []byte("package p\nvar e = errors.New(\"it is empty\")\n")
	all, err := voicetest.Collect(fstest.MapFS{"a/x.go": {Data: text}, "a/y.go": {Data: text}, "b/z.go": {Data: text}})
	if err != nil {
		t.Fatal(err)
	}
	var places [][]string
	for _, m := range all {
		places = append(places, m.Places)
	}
	if diff := cmp.Diff([][]string{{"a/x.go:2:20", "a/y.go:2:20"}, {"b/z.go:2:20"}}, places); diff != "" {
		t.Error(diff)
	}
}

// TestKnown has texts that are, and are not, one of the messages.
func TestKnown(t *testing.T) {
	all := []voicetest.Message{
		{Parts: []string{"cannot read ", ": ", ""}},
		{Parts: []string{"it is empty"}},
		{Parts: []string{"", " is ", ", expected ", ""}},
		{Parts: []string{"Trace must be an object."}},
		{Parts: []string{"", ": ", ""}}, // values alone
		{Parts: []string{"private text "}},
	}
	for text, known := range map[string]bool{
		"it is empty":                           true,
		"it is empty: EOF":                      true,
		"it is emptied":                         false,
		`cannot read "x": no`:                   true,
		`cannot write "x": no`:                  false,
		"a.yaml:1:2: it is empty":               true,
		"a.yaml:1:2: it is full":                false,
		"it is empty [V-001]":                   true,
		"it is empty [V-001] (and 3 more)":      true,
		"it is empty in /a/b":                   true,
		"it is empty (sensitive, email)":        true,
		"/data/x it is empty":                   true,
		"x is 3, expected 4":                    true,
		"x is 3":                                false,
		"trace must be an object":               true,
		"Trace must be an object.":              false, // the caller that prints it removes the full stop
		"anything: at all":                      false,
		"did you mean this? it is empty":        true,
		"something went wrong; it is empty":     true,
		"something went wrong, that is unknown": false,
	} {
		if got := voicetest.Known(all, text); got != known {
			t.Errorf("%q: %v, expected %v", text, got, known)
		}
	}
}

// TestPart has texts that are messages, and parts of messages.
func TestPart(t *testing.T) {
	for _, c := range []struct {
		kind, text string
		part       bool
	}{
		{"error", "cannot read ‹›: ‹›", false},
		{"error", "no command given", false},
		{"error", "unknown flag ‹›", false},
		{"error", "--‹› requires --‹›", false},
		{"error", "with --by, findings are only in the reports of the sessions", false},
		{"error", "a key of the type ‹›, expected Ed25519", false},
		{"error", "timeout_after_ms", true},
		{"error", "is not one of ‹›", true},
		{"error", "session logs", true},
		{"error", "for --‹›", true},
		{"hint", "name a file", false},
		{"hint", "for example --filter x", false},
		{"hint", "; known: ‹›", true},
		{"finding", "blank line", false},
		{"text", "blank line", true},
		{"text", "‹› is null", false},
		{"text", "the list is empty", false},
		{"text", "Use one of ‹›.", false},
		{"text", "a number that a double can hold", true},
		{"text", "an array of ‹› objects", true},
		{"text", "that the run is complete", true},
		{"text", "has no members", true},
		{"text", "the path of ", true},
		{"text", "invalid YAML:", true},
		{"text", "cupel oatf lint FILE is an example", true},
		{"page", "light or dark", true},
	} {
		m := voicetest.Message{Kind: c.kind, Parts: strings.Split(c.text, voicetest.Value)}
		if m.Part() != c.part {
			t.Errorf("%s %q: %v, expected %v", c.kind, c.text, m.Part(), c.part)
		}
	}
}

// TestTable has each message in its place, and titles of rules nowhere.
func TestTable(t *testing.T) {
	const want = "\n## Errors\n\n### a: error\n\n    it is ‹›\n\n### b: error\n\n    it is empty\n\n## Hints\n\n### a: hint\n\n    see why\n" +
		"\n## Parts of messages\n\nThe program puts these words into a message, a table or a page, or writes them into a file.\n" +
		"\n### b: text\n\n    a list of ‹›\\x00\n"
	text := voicetest.Table([]voicetest.Message{
		{Kind: "error", Room: "a", Parts: []string{"it is ", "\n"}},
		{Kind: "error", Room: "b", Parts: []string{"it is empty"}},
		{Kind: "hint", Room: "a", Parts: []string{"see why"}},
		{Kind: "text", Room: "b", Parts: []string{"a list of ", "\x00"}},
		{Kind: "title", Room: "a", Parts: []string{"a run ends"}},
	})
	if !slices.Equal([]byte(text[len(text)-len(want):]), []byte(want)) {
		t.Errorf("%s\nexpected at its end:\n%s", text, want)
	}
}
