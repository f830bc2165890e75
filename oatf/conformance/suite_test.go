package conformance

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"pgregory.net/rapid"

	"github.com/cupel-dev/cupel/oatf"
	"github.com/cupel-dev/cupel/oatf/internal/revision"
)

const (
	bySDK01   = "it has primitives/resolve-event-qualifier"
	byV202603 = "it has primitives/extract-protocol"
	byNothing = "the suite does not show its revision"
)

// TestRecognize detects suites by their content, whole and in part.
func TestRecognize(t *testing.T) {
	for _, c := range []struct {
		files []string
		want  Recognition
	}{
		{[]string{"primitives/resolve-event-qualifier.yaml"}, Recognition{oatf.SDK01, bySDK01}},
		{[]string{"primitives/parse-event-qualifier.yml"}, Recognition{oatf.SDK01, "it has primitives/parse-event-qualifier"}},
		{[]string{"deep/in/primitives/resolve-event-qualifier.yaml", "primitives/evaluate-trigger.yaml"}, Recognition{oatf.SDK01, bySDK01}},
		{[]string{"primitives/extract-protocol.yaml"}, Recognition{oatf.V202603, byV202603}},
		{[]string{"primitives/select-response.yaml"}, Recognition{oatf.V202603, "it has primitives/select-response"}},
		{[]string{"primitives/extract-protocol.yaml", "primitives/select-response.yaml", "primitives/resolve-event-qualifier.yaml"}, Recognition{oatf.SDK01, bySDK01}},
		{[]string{"primitives/extract-protocol.meta.yaml"}, Recognition{oatf.SDK01, byNothing}},
		{[]string{"primitives/extract-protocol.json"}, Recognition{oatf.SDK01, byNothing}},
		{[]string{"extract-protocol.yaml"}, Recognition{oatf.SDK01, byNothing}},
		{[]string{"primitives/deeper/extract-protocol.yaml"}, Recognition{oatf.SDK01, byNothing}},
		{[]string{"verdict/any.yaml"}, Recognition{oatf.SDK01, byNothing}},
		{nil, Recognition{oatf.SDK01, byNothing}},
	} {
		suite := fstest.MapFS{}
		for _, name := range c.files {
			suite[name] = &fstest.MapFile{Data: []byte("[]")}
		}
		if got, err := Recognize(t.Context(), suite); err != nil || got != c.want {
			t.Errorf("%v: %+v, %v", c.files, got, err)
		}
	}
}

// TestRecognizeByMarks counts the documents of each revision if the kinds of fixtures do not decide.
func TestRecognizeByMarks(t *testing.T) {
	const (
		later   = `{id: x, input: "{attack: {indicators: [{target: a}]}}", expected: 1}`
		earlier = `{id: x, input: "{attack: {indicators: [{surface: tool_name}]}}", expected: 1}`
		plain   = `{id: x, input: "{attack: {name: n}}", expected: 1}`
		broken  = `{id: x, input: "{attack: [", expected: 1}`
		number  = `{id: x, input: 5, expected: 1}`

		laterIndicator   = `{id: x, input: {indicator: {surface: tools/call, target: ""}, message: {}}, expected: 1}`
		earlierIndicator = `{id: x, input: {indicator: {surface: agent_card}, message: {}}, expected: 1}`
	)
	const byMarks = "most documents of the suite have this revision"
	list := func(cases ...string) string { return "[" + strings.Join(cases, ", ") + "]" }
	for _, c := range []struct {
		files map[string]string
		want  Recognition
	}{
		{map[string]string{"validate/x.yaml": list(later)}, Recognition{oatf.V202603, byMarks}},
		{map[string]string{"validate/x.yaml": list(earlier)}, Recognition{oatf.SDK01, byMarks}},
		{map[string]string{"validate/x.yaml": list(plain, broken, number)}, Recognition{oatf.SDK01, byNothing}},
		{map[string]string{"validate/x.yaml": list(earlier, later, earlier)}, Recognition{oatf.SDK01, byMarks}},
		{map[string]string{"validate/x.yaml": list(plain, plain, later)}, Recognition{oatf.V202603, byMarks}},
		{map[string]string{"validate/x.yaml": list(earlier, later)}, Recognition{oatf.V202603, byMarks}},
		{map[string]string{"validate/x.yaml": list(earlier), "normalize/y.yaml": list(later, later)}, Recognition{oatf.V202603, byMarks}},
		{map[string]string{"evaluate/x.yaml": list(laterIndicator)}, Recognition{oatf.V202603, byMarks}},
		{map[string]string{"evaluate/x.yaml": list(earlierIndicator)}, Recognition{oatf.SDK01, byMarks}},
		{map[string]string{"parse/valid/x.yaml": "attack: {indicators: [{target: a}]}"}, Recognition{oatf.V202603, byMarks}},
		{map[string]string{"parse/invalid/x.yaml": "[", "validate/x.yaml": "a: 1"}, Recognition{oatf.SDK01, byNothing}},
		{map[string]string{"primitives/resolve-event-qualifier.yaml": "[]", "validate/x.yaml": list(later, later)}, Recognition{oatf.SDK01, bySDK01}},
		{map[string]string{"primitives/extract-protocol.yaml": "[]", "validate/x.yaml": list(earlier, earlier)}, Recognition{oatf.V202603, byV202603}},
	} {
		suite := fstest.MapFS{}
		for name, text := range c.files {
			suite[name] = &fstest.MapFile{Data: []byte(text)}
		}
		if got, err := Recognize(t.Context(), suite); err != nil || got != c.want {
			t.Errorf("%v: %+v, %v", c.files, got, err)
		}
	}
}

// TestRecognizeParts checks that each folder of a suite whose fixtures contain documents has the same revision as the
// whole.
func TestRecognizeParts(t *testing.T) {
	for _, s := range suites {
		if strings.HasPrefix(s.path, "/") {
			continue
		}
		files := filesOf(t, path.Join("..", "..", "testdata", s.path))
		for _, folder := range []string{"validate", "normalize", "evaluate", "roundtrip"} {
			part := fstest.MapFS{}
			for name, file := range files {
				if strings.HasPrefix(name, folder+"/") {
					part[name] = file
				}
			}
			got, err := Recognize(t.Context(), part)
			if err != nil || got.Revision != s.revision || len(part) == 0 {
				t.Errorf("%s of %s: %+v, %v", folder, s.path, got, err)
			}
		}
	}
}

// TestRecognizeIsInterrupted before it has read a suite.
func TestRecognizeIsInterrupted(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	_, err := Recognize(ctx, fstest.MapFS{"validate/x.yaml": {Data: []byte("[]")}})
	if !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
}

// TestRecognizeRefuses gives the error of a folder that cannot be read.
func TestRecognizeRefuses(t *testing.T) {
	if got, err := Recognize(t.Context(), os.DirFS("there is no such folder")); err == nil {
		t.Errorf("recognised as %+v", got)
	}
}

// TestRecognizeInAnyOrder checks that the detected revision depends neither on the folders' places nor on the order
// of the walk.
func TestRecognizeInAnyOrder(t *testing.T) {
	for _, s := range suites {
		if strings.HasPrefix(s.path, "/") {
			continue
		}
		files := filesOf(t, path.Join("..", "..", "testdata", s.path))
		rapid.Check(t, func(t *rapid.T) {
			moved := fstest.MapFS{}
			for name, file := range files {
				moved[rapid.StringMatching("[a-z]{1,3}").Draw(t, "folder")+"/"+name] = file
			}
			if got, err := Recognize(context.Background(), moved); err != nil || got != (Recognition{s.revision, s.why}) {
				t.Fatalf("%+v, %v", got, err)
			}
		})
	}
}

// filesOf returns the files below a folder.
func filesOf(t *testing.T, folder string) fstest.MapFS {
	t.Helper()
	files := fstest.MapFS{}
	err := walk(os.DirFS(folder), func(name string) error {
		text, err := readFile(os.DirFS(folder), name)
		files[name] = &fstest.MapFile{Data: text}
		return err
	})
	if err != nil || len(files) == 0 {
		t.Fatalf("%d files in %s: %v", len(files), folder, err)
	}
	return files
}

// TestFunctionsOfAnotherRevision checks that these functions are not run, and are reported separately from failures.
func TestFunctionsOfAnotherRevision(t *testing.T) {
	suite := fstest.MapFS{
		"primitives/resolve-event-qualifier.yaml": {Data: []byte("[{id: a, input: {protocol: mcp, base_event: x, content: {}}, expected: null}]")},
		"primitives/parse-event-qualifier.yaml":   {Data: []byte("[{id: b, input: {event: x}, expected: {base: x, qualifier: null}}]")},
		"primitives/extract-protocol.yaml":        {Data: []byte("[{id: c, input: {mode: a_server}, expected: a}]")},
	}
	for _, p := range revision.All {
		var got []string
		err := Run(suite, p.Revision, func(c Case) error {
			got = append(got, fmt.Sprintf("%s %t %t %t", c.ID, c.Pass, c.Ran(), c.Failed()))
			return nil
		})
		want := []string{"c true true false", "b true true false", "a true true false"}
		if len(p.Suite.Only) == 0 {
			want = []string{"c true true false", "b false false false", "a false false false"}
		}
		if err != nil || !slices.Equal(got, want) {
			t.Errorf("%s: %v, %v", p.Revision, got, err)
		}
	}
}

// TestDigestIsOfWhatIsSaid: a case that is spelled otherwise has the same digest, and one in
// which anything is changed another.
func TestDigestIsOfWhatIsSaid(t *testing.T) {
	seen := map[string]string{}
	for name, file := range filesOf(t, "../../testdata/oatf/conformance") {
		if isDocument(name) {
			continue
		}
		cases, err := readCases(file.Data)
		if err != nil {
			t.Fatal(err)
		}
		list, err := oatf.ParseValue(file.Data)
		if err != nil {
			t.Fatal(err)
		}
		for i, entry := range list.([]oatf.Value) {
			f := cases[i]
			if f.digest == "" {
				if text := compact(entry); !strings.Contains(text, "nan") && !strings.Contains(text, "NaN") && !strings.Contains(text, "e4") {
					t.Errorf("%s has no digest: %s", f.id, text)
				}
				continue
			}
			if other := seen[f.digest]; other != "" {
				t.Errorf("%s has the digest of %s", f.id, other)
			}
			seen[f.digest] = f.id
			again, err := readCases([]byte("[" + compact(turned(entry)) + "]"))
			if err != nil || again[0].digest != f.digest {
				t.Errorf("%s: %+v, %v", f.id, again, err)
			}
			for j := range entry.(oatf.Object) {
				if got := digestOf(changed(entry.(oatf.Object), j)); got == f.digest || got == "" {
					t.Errorf("%s without %s: %q", f.id, entry.(oatf.Object)[j].Key, got)
				}
			}
		}
	}
}

// turned returns a value with the members of all objects in the other order.
func turned(v oatf.Value) oatf.Value {
	switch v := v.(type) {
	case oatf.Object:
		out := slices.Clone(v)
		for i := range out {
			out[i].Value = turned(out[i].Value)
		}
		slices.Reverse(out)
		return out
	case []oatf.Value:
		out := slices.Clone(v)
		for i := range out {
			out[i] = turned(out[i])
		}
		return out
	}
	return v
}

// changed returns an object with another value for one member.
func changed(o oatf.Object, i int) oatf.Object {
	out := slices.Clone(o)
	out[i].Value = []oatf.Value{out[i].Value}
	return out
}

// TestDigestOfDocuments is that of the file.
func TestDigestOfDocuments(t *testing.T) {
	err := Run(fstest.MapFS{"parse/valid/x.yaml": {Data: []byte("abc")}}, "", func(c Case) error {
		if c.Digest != "sha256:ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad" || c.File != "parse/valid/x.yaml" || c.Line != 0 {
			t.Errorf("%+v", c)
		}
		return nil
	})
	if err != nil {
		t.Error(err)
	}
}

// TestFaultsAreOfOneFixture checks that a fixture that is known to be wrong is unknown after any change, and under
// another revision.
func TestFaultsAreOfOneFixture(t *testing.T) {
	for _, p := range revision.All {
		for _, fault := range p.Suite.Faults {
			for _, other := range revision.All {
				f := fixture{digest: fault.Digest, under: oatf.Under(other.Revision)}
				if got := knownFault(f); (got == fault.Says) != (other == p) {
					t.Errorf("%s under %s: %q", fault.Digest, other.Revision, got)
				}
			}
			if got := knownFault(fixture{digest: fault.Digest + "0", under: oatf.Under(p.Revision)}); got != "" {
				t.Errorf("another digest: %q", got)
			}
		}
		if got := knownFault(fixture{under: oatf.Under(p.Revision)}); got != "" {
			t.Errorf("no digest under %s: %q", p.Revision, got)
		}
	}
}

// TestFindings checks the place of each failed case.
func TestFindings(t *testing.T) {
	text := "- {id: a, input: 5s, expected: {seconds: 5}}\n- {id: b, name: five, input: 5s, expected: {seconds: 6}}\n"
	suite := fstest.MapFS{
		"primitives/parse-duration.yaml": {Data: []byte(text)},
		"primitives/later.yaml":          {Data: []byte("\n-   id: c\n    input: x\n    expected: y\n")},
		"parse/valid/x.yaml":             {Data: []byte("[")},
	}
	var got []string
	err := Run(suite, "", func(c Case) error {
		if f, ok := c.Finding(); ok {
			got = append(got, fmt.Sprintf("%s:%d:%d %s %s %s|%s", f.File, f.Line, f.Column, f.Rule, f.Message, f.Expected, fmt.Sprint(f.Found != "")))
		}
		return nil
	})
	want := []string{
		"parse/valid/x.yaml:0:0 C-001 case parse/valid/x does not hold parses|true",
		"primitives/later.yaml:2:5 C-002 case c cannot be run |false",
		`primitives/parse-duration.yaml:2:3 C-001 case b (five) does not hold {"seconds":6}|true`,
	}
	if err != nil || !slices.Equal(got, want) {
		t.Errorf("%v: %q", err, got)
	}
	known := Case{ID: "d", KnownFault: "it is wrong", Got: "x"}
	if f, ok := known.Finding(); !ok || f.Rule != "C-003" || f.Message != "case d fails for a known fault of the fixture: it is wrong" {
		t.Errorf("%+v", f)
	}
}

// TestRunStopsAtAFileThatCannotBeRead names it.
func TestRunStopsAtAFileThatCannotBeRead(t *testing.T) {
	err := Run(fstest.MapFS{"validate/x.yaml": {Mode: fs.ModeDir}}, "", func(Case) error { return nil })
	if err == nil {
		t.Error("a folder is a file")
	}
}
