package yamltext

import (
	"errors"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"go.yaml.in/yaml/v4"

	"github.com/cupel-dev/cupel/internal/oatftest"
	"github.com/cupel-dev/cupel/oatf/model"
)

var testData = os.DirFS(filepath.Join("..", "..", "..", "testdata", "oatf"))

// TestWriteReadsBack reads every text of the cases, writes what it means, and reads that
// again.
func TestWriteReadsBack(t *testing.T) {
	count := 0
	for _, name := range []string{"parse.yaml", "validate.yaml", "format.yaml", "roundtrip/serialize.yaml"} {
		for _, c := range oatftest.Cases[struct{ Input string }](t, testData, name) {
			source, err := ReadAudited([]byte(c.Input))
			if err != nil {
				continue
			}
			root, ok := Value(source.Root).(model.Object)
			if !ok {
				continue
			}
			count++
			text := Write(root)
			again, err := ReadAudited(text)
			if err != nil {
				t.Fatalf("%v\n%s", err, text)
			}
			if got := Value(again.Root); !reflect.DeepEqual(got, model.Value(root)) && len(root) > 0 {
				t.Errorf("%v becomes %v\n%s", root, got, text)
			}
		}
	}
	if count < 50 {
		t.Errorf("only %d texts", count)
	}
}

// TestWriteAwkward takes strings and shapes round in which a writer of YAML goes wrong.
func TestWriteAwkward(t *testing.T) {
	var list []model.Value
	for _, s := range []string{
		"", " ", "\n", "\n\na", "a\n", "a\n\n", "a\nb", " a\nb", "a\n b\n", "a \nb", "\ta\nb", "a\r\nb", "null", "~", "yes", "1", "1:30", "=", "<<",
		"- a", "a: b", "a #b", "#", "&a", "|", "---", "{}", "\"", "'", "\x00", "\u0085", "\u2028", "\ufeff", "\U0001f600", "\U000e0001", "a:", "\\x",
	} {
		list = append(list, s, model.Object{{Key: s, Value: s}})
	}
	list = append(list, nil, true, model.Inf, model.Number("1.50"), model.Object{}, []model.Value{}, []model.Value{[]model.Value{"a", []model.Value{}}, model.Object{{Key: "b", Value: nil}}})
	root := model.Object{
		{Key: "list", Value: list},
		{Key: strings.Repeat("k", 1010), Value: model.Object{{Key: "deep", Value: list}}},
	}
	source, err := Read(Write(root), model.Limits{Key: 2000})
	if err != nil {
		t.Fatal(err)
	}
	if got := Value(source.Root); !reflect.DeepEqual(got, model.Value(root)) {
		t.Errorf("%v\nbecomes\n%v", root, got)
	}
	if text := string(Write(model.Object{{Key: "number", Value: model.Number("nonsense")}})); text != "number: nonsense\n" {
		t.Errorf("what is no number is written %q", text)
	}
}

// TestReadRefuses names the fault of each text, and the line it is in.
func TestReadRefuses(t *testing.T) {
	limits := model.Limits{Bytes: 1 << 20, Nodes: 1000, Depth: 5, Key: 20, Errors: 3}
	for _, c := range []struct {
		name, text, want string
		line             int
	}{
		{"nothing", "", "the document is empty", 1},
		{"too large", strings.Repeat("#", 1<<20+1), "larger than the limit of 1048576 bytes", 0},
		{"UTF-16", "\xff\xfea\x00", "encoded in UTF-16", 1},
		{"UTF-16, big end first", "\x00a\x00:", "encoded in UTF-16", 1},
		{"UTF-16 without a mark", "a\x00:\x00", "encoded in UTF-16", 1},
		{"UTF-32", "\xff\xfe\x00\x00a\x00\x00\x00", "encoded in UTF-32", 1},
		{"UTF-32, big end first", "\x00\x00\xfe\xff\x00\x00\x00a", "encoded in UTF-32", 1},
		{"no UTF-8", "a: 1\nb: \xff", "byte 0xff is not valid UTF-8", 2},
		{"a control character", "a: \x01", "control character U+0001", 1},
		{"too many values", "[" + strings.Repeat("1,\n", 2000) + "]", "more values than the limit of 1000", 0},
		{"a dense line", "[" + strings.Repeat("1,", 260) + "]", "the line has more than 250 values, a line's share of the limit of 1000", 1},
		{"too deep", "[[[[[[[1]]]]]]]", "nesting is deeper than the limit of 5", 1},
		{"a second document", "a: 1\n---\nb: 2\n", "a second YAML document begins here", 2},
		{"a broken second document", "a: 1\n---\n[\n", "invalid YAML", 4},
		{"a tab", "a:\n\tb: 1\n", "invalid YAML", 2},
		{"a tag directive", "%TAG ! x\n---\na: 1", "tag directives are not allowed", 1},
		{"an unclosed string", "a: 1\nb: \"c\n\nd", "invalid YAML", 4},
	} {
		_, fault := Read([]byte(c.text), limits)
		if fault == nil || !strings.Contains(fault.Message, c.want) || fault.Line != c.line {
			t.Errorf("%s: %v", c.name, fault)
		}
	}
	for _, text := range []string{"%YAML 1.2\n---\na: 1", "# a comment\n%YAML 1.2\n---\na: 1\n", "\ufeffa: 1\n", "a: 1\n...\n"} {
		if _, fault := Read([]byte(text), limits); fault != nil {
			t.Errorf("%q: %v", text, fault)
		}
	}
}

// TestAudit names what YAML allows and OATF does not.
func TestAudit(t *testing.T) {
	for text, want := range map[string]string{
		"a: &x 1":                         `anchor "&x" is not allowed`,
		"b: &x 1\na: [*x]":                `alias "*x" is not allowed`,
		"<<: {a: 1}":                      `merge key "<<" is not allowed`,
		"a: !t 1":                         `tag "!t" is not allowed`,
		"a: !!int x":                      `tag "!!int" does not fit "x"`,
		"a: !!seq {}":                     `tag "!!seq" does not fit ""`,
		"a: 1\na: 2":                      `key "a" is repeated; it is already in line 1`,
		"[a]: 1":                          "a mapping key must be a scalar, found a list",
		"{a: 1}: 1":                       "a mapping key must be a scalar, found a mapping",
		strings.Repeat("k", 1500) + ": 1": "",
		"? " + strings.Repeat("k", 1500) + "\n: 1":                 "a mapping key has 1500 bytes, more than the limit of 1024",
		"a: !!float 1\nb: !!str 1\nc: !!bool true\nd: !!null null": "",
	} {
		_, err := ReadAudited([]byte(text))
		var faults model.ParseErrors
		if errors.As(err, &faults); want != "" && (!slices.ContainsFunc(faults, func(e *model.ParseError) bool { return e.Message == want })) {
			t.Errorf("%.60q: %v, expected %s", text, err, want)
		}
	}
	many := ""
	for i := range 40 {
		many += strings.Repeat("k", i+1) + ": 1\n"
	}
	if _, err := ReadAudited([]byte(many + "kkk: 2\n" + strings.Repeat("k", 30) + ": 2\n")); err == nil || !strings.Contains(err.Error(), "and 1 more") {
		t.Errorf("repeated keys among many: %v", err)
	}
}

// TestFaultsLimit holds that the last fault says how many were left out.
func TestFaultsLimit(t *testing.T) {
	source, fault := Read([]byte("a: &x 1\nb: &y 1\nc: &z 1\n"), model.Limits{Errors: 2})
	if fault != nil {
		t.Fatal(fault)
	}
	faults := NewFaults(source)
	Audit(faults)
	if list := faults.Sorted(); len(list) != 3 || list[2].Message != "1 more fault is not shown: the limit is 2" || list[2].Omitted != 1 || !faults.Full() {
		t.Errorf("%v", list)
	}
	if e := faults.WrongType(&yaml.Node{Kind: yaml.AliasNode}, nil, "a string"); e.Message != "" {
		t.Errorf("an alias is refused twice: %v", e)
	}
}

func TestDescribe(t *testing.T) {
	for text, want := range map[string]string{
		"{}": "a mapping", "[]": "a list", "~": "null", "true": "the boolean true", "0x1F": "the number 0x1F", "'1'": `the string "1"`,
	} {
		source, fault := Read([]byte(text), model.Limits{})
		if fault != nil {
			t.Fatal(fault)
		}
		if got := Describe(source.Root); got != want || IsNull(source.Root) != (want == "null") {
			t.Errorf("%s is %s", text, got)
		}
	}
	if got := Describe(&yaml.Node{Kind: yaml.AliasNode}); got != "an alias" {
		t.Error(got)
	}
}

// TestIsRetyped lists plain scalars that are strings to YAML 1.2 and something else to
// YAML 1.1.
func TestIsRetyped(t *testing.T) {
	for text, want := range map[string]bool{
		"yes": true, "No": true, "on": true, "1:30": true, "1_000": true, "2025-06-01": true, "0b11": true,
		"abc": false, "1": false, "true": false, "'yes'": false, "a:b": false, "1:": false,
	} {
		source, fault := Read([]byte("["+text+"]"), model.Limits{})
		if fault != nil {
			t.Fatalf("%s: %v", text, fault)
		}
		EachScalar(source.Root, func(n *yaml.Node) {
			if (IsPlain(n) && IsRetyped(n)) != want {
				t.Errorf("%s", text)
			}
		})
	}
}
