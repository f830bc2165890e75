package jcs_test

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/cupel-dev/cupel/internal/jcs"
	"github.com/cupel-dev/cupel/internal/reference"
	"github.com/cupel-dev/cupel/internal/strictjson"
)

func canonical(t testing.TB, p *jcs.Profile, text []byte) []byte {
	t.Helper()
	doc, err := strictjson.NewScanner(strictjson.Limits{}).Scan(text)
	if err != nil {
		t.Fatalf("%q: %v", text, err)
	}
	return jcs.NewWriter(p).Append(nil, doc.Root())
}

// TestVectors runs the shared canonicalization vectors where they are present.
func TestVectors(t *testing.T) {
	root := os.Getenv("CUPEL_VECTORS")
	if root == "" {
		t.Log("CUPEL_VECTORS is not set: only the project's own cases ran")
		return
	}
	t.Logf("%d RFC 8785 documents", officialVectors(t, root))
}

func officialVectors(t *testing.T, root string) (n int) {
	inputs, _ := filepath.Glob(filepath.Join(root, "evidence/rfc8785/official/input/*.json"))
	for _, input := range inputs {
		text, err := os.ReadFile(input)
		if err != nil {
			t.Fatal(err)
		}
		want, err := os.ReadFile(filepath.Join(root, "evidence/rfc8785/official/output", filepath.Base(input)))
		if err != nil {
			t.Fatal(err)
		}
		if got := canonical(t, jcs.RFC8785, text); !bytes.Equal(got, want) {
			t.Errorf("%s:\n got %s\nwant %s", input, got, want)
		}
		n++
	}
	if n == 0 {
		t.Error("no RFC 8785 documents found")
	}
	return n
}

// TestAgainstReference compares with the reference engine on random documents whose
// names and numbers are drawn from the difficult ones.
func TestAgainstReference(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		text := []byte(value(3).Draw(t, "text"))
		doc, err := strictjson.NewScanner(strictjson.Limits{}).Scan(text)
		if err != nil {
			return // names repeat: the scanner's own tests know what it refuses
		}
		want, err := reference.Canonical(text)
		if err != nil {
			t.Fatalf("the reference refuses %s: %v", text, err)
		}
		got := jcs.NewWriter(nil).Append(nil, doc.Root())
		if !bytes.Equal(got, want) {
			t.Fatalf("%s\n     got %s\nreference %s", text, got, want)
		}
		again, err := strictjson.NewScanner(strictjson.Limits{}).Scan(got)
		if err != nil || !bytes.Equal(jcs.NewWriter(nil).Append(nil, again.Root()), got) {
			t.Fatalf("%s is no fixed point: %v", got, err)
		}
		checkMarks(t, doc)
	})
}

// checkMarks holds what the scanner says of values to be canonical to the reference.
func checkMarks(t *rapid.T, doc *strictjson.Document) {
	for i := range doc.Values {
		n := doc.Node(i)
		if !n.Canonical() {
			continue
		}
		want, err := reference.Canonical(n.Raw())
		if err != nil || !bytes.Equal(n.Raw(), want) {
			t.Fatalf("%s is no canonical form: %s, %v", n.Raw(), want, err)
		}
	}
}

// TestCanonicalMarks lists texts that are copied whole, and their neighbours that are not.
func TestCanonicalMarks(t *testing.T) {
	for text, want := range map[string]bool{
		`{"a":1,"ab":[true,{}],"abcdefgh":"é","abcdefghi":{"b":"\"\\\n"},"b":-0.5,"é":0.0001}`: true,
		`{}`: true, `[]`: true, `[1,[2]]`: true, `0`: true, `-7`: true, `123456789012345`: true, `"\u001f"`: false,
		`{"b":1,"a":2}`: false, `{"a":{"b":1,"a":2},"b":1}`: false, `[{"a":1},{"b":1,"a":2}]`: false,
		`{"ab":1,"a":2}`: false, `{"abcdefghij":1,"abcdefghi":2}`: false, `{"a b":1,"a":2}`: false, `{"a":1,"a!":2}`: true,
		"{\"\U00010000\":1,\"\uffff\":2}": false, `{"\u0061":1}`: false, `"\/"`: false, `"\u0041"`: false,
		`{ "a":1}`: false, `{"a" :1}`: false, `{"a": 1}`: false, `{"a":1 }`: false, `{"a":1 ,"b":2}`: false, `{"a":1, "b":2}`: false,
		`[ 1]`: false, `[1 ]`: false, `[1, 2]`: false, `[[ ],1]`: false, `{"a":[1, 2],"b":{}}`: false,
		`-0`: false, `1.0`: false, `1e3`: false, `0.0000001`: false, `0.00009`: false, `1234567890123456`: false, `-0.0`: false,
	} {
		doc, err := strictjson.NewScanner(strictjson.Limits{}).Scan([]byte(text))
		if err != nil {
			t.Fatalf("%s: %v", text, err)
		}
		if doc.Root().Canonical() != want {
			t.Errorf("%s: canonical is %v", text, !want)
		}
	}
}

// TestOrderAgain writes objects with one list of names in orders that change, so that an
// order that was remembered is wrong the next time; names that repeat keep their order.
func TestOrderAgain(t *testing.T) {
	scanner := strictjson.NewScanner(strictjson.Limits{DuplicateKeys: true})
	w := jcs.NewWriter(nil)
	names := []string{`"assayproducer"`, `"assayproducerversion"`, `"b"`, `"a"`, `"\u0061b"`, `"é"`, `"z"`, `"z"`}
	rapid.Check(t, func(t *rapid.T) {
		var members []string
		for i, name := range rapid.Permutation(names).Draw(t, "names") {
			members = append(members, fmt.Sprintf("%s: %d", name, i))
		}
		doc, err := scanner.Scan([]byte("{" + strings.Join(members, ", ") + "}"))
		if err != nil {
			t.Fatal(err)
		}
		again, fresh := w.Append(nil, doc.Root()), jcs.NewWriter(nil).Append(nil, doc.Root())
		if !bytes.Equal(again, fresh) {
			t.Fatalf("%s after others, %s alone", again, fresh)
		}
	})
}

func value(depth int) *rapid.Generator[string] {
	scalars := []*rapid.Generator[string]{
		rapid.SampledFrom([]string{"null", "true", "false", "0", "-0", "1e3", "1.50", "-0.0", "1E-7", "123456789012345678", "0.000001", "0.0000001", "1e21", "999999999999999.9"}),
		rapid.Custom(func(t *rapid.T) string { return fmt.Sprint(rapid.Float64Range(-1e300, 1e300).Draw(t, "f")) }),
		rapid.StringMatching(`-?(0|[1-9][0-9]{0,17})(\.[0-9]{1,17})?([eE][+-]?[0-9]{1,2})?`),
		name(),
	}
	if depth == 0 {
		return rapid.OneOf(scalars...)
	}
	inner := value(depth - 1)
	space := rapid.SampledFrom([]string{"", "", "", " ", "\n\t"})
	array := rapid.Custom(func(t *rapid.T) string {
		a, b := space.Draw(t, "outside"), space.Draw(t, "beside commas")
		return "[" + a + strings.Join(rapid.SliceOfN(inner, 0, 5).Draw(t, "elements"), b+","+b) + a + "]"
	})
	object := rapid.Custom(func(t *rapid.T) string {
		a, b, c := space.Draw(t, "outside"), space.Draw(t, "beside commas"), space.Draw(t, "beside colons")
		names := rapid.SliceOfN(name(), 0, 30).Draw(t, "names")
		if rapid.Bool().Draw(t, "in order") {
			slices.Sort(names)
		}
		for i, k := range names {
			names[i] = k + c + ":" + c + inner.Draw(t, "value")
		}
		return "{" + a + strings.Join(names, b+","+b) + a + "}"
	})
	return rapid.OneOf(append(scalars, array, object, object)...)
}

// name draws a string literal with its quotes.
func name() *rapid.Generator[string] {
	piece := rapid.OneOf(
		rapid.SampledFrom([]string{`\u0000`, `\n`, `\/`, `\"`, `\\`, `\ud83d\ude00`, `😀`, `\ufb33`, "דּ", "\uffff", "\ue000", "\U00010000", "é", "e\u0301", "\u007f", "<", "a", "aa", "b", "Z", "identifier"}),
		rapid.StringMatching(`[a-z0-9_]{0,9}`),
	)
	return rapid.Custom(func(t *rapid.T) string {
		return `"` + strings.Join(rapid.SliceOfN(piece, 0, 4).Draw(t, "pieces"), "") + `"`
	})
}

// FuzzAgainstReference holds the two engines together on any bytes: what the scanner
// accepts, the reference accepts, and both write the same.
func FuzzAgainstReference(f *testing.F) {
	for _, seed := range []string{`{"b":1,"a":[1.0,-0,1e-7]}`, `"\ud83d\ude00"`, `{"\u0061":1,"\ufb33":2,"😀":3}`, `[1e21,123456789012345680]`, " \n[]\t"} {
		f.Add([]byte(seed))
	}
	scanner := strictjson.NewScanner(strictjson.Limits{})
	writer := jcs.NewWriter(nil)
	f.Fuzz(func(t *testing.T, text []byte) {
		doc, err := scanner.Scan(text)
		if err != nil {
			return
		}
		got := writer.Append(nil, doc.Root())
		want, err := reference.Canonical(text)
		if err != nil {
			t.Fatalf("the reference refuses %q: %v", text, err)
		}
		if !bytes.Equal(got, want) {
			t.Fatalf("%q\n     got %q\nreference %q", text, got, want)
		}
	})
}
