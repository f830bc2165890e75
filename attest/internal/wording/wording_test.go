package wording_test

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/cupel-dev/cupel/attest/internal/scan"
	"github.com/cupel-dev/cupel/attest/internal/wording"
)

func TestWords(t *testing.T) {
	many := strings.Split(strings.Repeat("n ", 12)+"n", " ")
	for got, want := range map[string]string{
		wording.Preview("a\nb\x7fc\u2028d"):                    "a b c d",
		wording.Preview(strings.Repeat("é", 300)):              strings.Repeat("é", 199) + "…",
		wording.Quote("it"):                                    "'it'",
		wording.QuoteList(nil):                                 "[]",
		wording.QuoteList([]string{"a", "b"}):                  "['a', 'b']",
		wording.QuoteList(many[:11]):                           "[" + strings.Repeat("'n', ", 10) + "'n']",
		wording.QuoteList(many):                                "[" + strings.Repeat("'n', ", 10) + "… (13 in all)]",
		wording.IndexList([]int32{3, 5}):                       "[3, 5]",
		wording.Help("see:\n  ^\nSend it as text."):            "send it as text",
		wording.Help("LLM-backed checks are slow."):            "LLM-backed checks are slow",
		wording.Help(""):                                       "",
		wording.JoinNames([]string{"a", "b"}):                  "a, b",
		wording.DidYouMean("mesage", []string{"message", "x"}): " (did you mean 'message'?)",
		wording.DidYouMean("zzz", []string{"message"}):         "",
	} {
		if got != want {
			t.Errorf("got %s, want %s", got, want)
		}
	}
	if got := wording.Column("éa", 2); got != 2 {
		t.Errorf("column %d", got)
	}
}

func TestShowValue(t *testing.T) {
	for text, want := range map[string]string{`"a\tb"`: "'a b'", `1.50`: "1.50", `{"a": 1}`: `{"a": 1}`} {
		doc, err := scan.New(10, 0).Scan([]byte(text))
		if err != nil {
			t.Fatal(err)
		}
		if got := wording.ShowValue(doc.Root()); got != want {
			t.Errorf("%s: %s", text, got)
		}
	}
}

// TestAppendQuoted: any text comes back from its JSON; what is not UTF-8 is replaced.
func TestAppendQuoted(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s := string(rapid.SliceOf(rapid.Byte()).Draw(t, "text"))
		var back string
		if err := json.Unmarshal(wording.AppendQuoted(nil, s), &back); err != nil || back != strings.ToValidUTF8(s, "\uFFFD") && !slices.Equal([]rune(back), []rune(s)) {
			t.Fatalf("%q becomes %q, %v", s, back, err)
		}
	})
	if got := string(wording.AppendQuoted([]byte("x"), "\"\\\n\t\x01<é\xff")); got != `x"\"\\\n\t\u0001<é`+"\uFFFD\"" {
		t.Error(got)
	}
}

func TestAppendList(t *testing.T) {
	for want, list := range map[string][]string{`x[]`: nil, `x["a"]`: {"a"}, `x["a","\"b"]`: {"a", `"b`}} {
		if got := string(wording.AppendList([]byte("x"), list)); got != want {
			t.Errorf("%q: %s", list, got)
		}
	}
}
