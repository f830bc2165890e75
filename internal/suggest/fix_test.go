package suggest

import (
	"testing"

	"github.com/cupel-dev/cupel/finding"
)

// TestFix applies the fix of the word after the mark of each text; "" if it has no fix.
func TestFix(t *testing.T) {
	for _, c := range []struct {
		before, behind, word, meant, want string
		unsafe                            bool
	}{
		{"a: ", "hihg\n", "hihg", "high", "a: high\n", true},
		{"a: ", "High # c", "High", "high", "a: high # c", false},
		{`{"`, "", `x`, "y", "", false},
		{"{", `"tpye":1}`, "tpye", "type", `{"type":1}`, true},
		{"\ufeffé: {", `'tpye' : 1}`, "tpye", "type", "\ufeffé: {'type' : 1}", true},
		{"", "tpye: 1", "tpye", "type", "type: 1", true},
		{"", "tpye2: 1", "tpye", "type", "", false},
		{"", `"tp\u0079e": 1`, "tpye", "type", "", false},
		{"- ", "outpt.message", "outpt.message", "output.message", "- output.message", true},
		{"- ", "stps[?name=='a b'].args\r\n", "stps[?name=='a b'].args", "steps[?name=='a b'].args", "- steps[?name=='a b'].args\r\n", true},
		{"- ", `"stps[?name=='a'].args"`, "stps[?name=='a'].args", "steps[?name=='a'].args", `- "steps[?name=='a'].args"`, true},
		{"- ", `'stps[?name==''a''].args'`, "stps[?name=='a'].args", "steps[?name=='a'].args", "", false},
		{"- ", `"a\\b"`, `a\\b`, "ab", "", false},
		{"- ", "g", "g", ">", "", false},
		{"- ", `"gt"`, "gt", ">", "", false},
		{"- ", "same", "same", "same", "", false},
		{"- ", "", "same", "other", "", false},
	} {
		text := c.before + c.behind
		fix := Fix([]byte(text), len(c.before), c.word, c.meant)
		got := ""
		if fix != nil {
			out, err := finding.Apply([]byte(text), fix.Edits)
			if err != nil {
				t.Fatal(err)
			}
			if got = string(out); fix.Unsafe != c.unsafe {
				t.Errorf("%q: unsafe is %v", text, fix.Unsafe)
			}
		}
		if got != c.want {
			t.Errorf("%q becomes %q, expected %q", text, got, c.want)
		}
	}
	for _, at := range []int{-1, 9} {
		if Fix([]byte("word"), at, "word", "wood") != nil {
			t.Errorf("there is nothing at %d", at)
		}
	}
}
