package search

import (
	"fmt"
	"testing"

	"github.com/cupel-dev/cupel/internal/strictjson"
)

func TestTexts(t *testing.T) {
	doc, err := strictjson.NewScanner(strictjson.Limits{}).Scan([]byte(`{"a":"Straße \u00c5","n":12.50}`))
	if err != nil {
		t.Fatal(err)
	}
	var texts Texts
	a := texts.Of(doc.Root().Get("a"))
	if a != texts.Of(doc.Root().Get("a")) || a.Value != "Straße Å" || texts.Of(doc.Root().Get("n")).Value != "12.50" {
		t.Errorf("%+v", texts)
	}
	for _, c := range []struct {
		form Form
		word string
		has  bool
	}{
		{Form{}, "strasse", false},
		{Form{Fold: true}, "strasse", true},
		{Form{}, "A\u030a", false},
		{Form{NFC: true}, "A\u030a", true},
		{Form{NFC: true, Fold: true}, "a\u030a", true},
	} {
		in := a.In(c.form)
		if got := in.Has(c.form.Apply(c.word)); got != c.has || in != a.In(c.form) {
			t.Errorf("%+v %s: %v", c.form, c.word, got)
		}
	}
}

// TestSeek: words are counted once, few or many, and those that come late are found too.
func TestSeek(t *testing.T) {
	in := (&Text{Value: "w1 w3 w5 w77"}).In(Form{})
	for i := range 100 {
		word := fmt.Sprint("w", i)
		if first, again := in.Seek(word), in.Seek(word); first != i || again != i {
			t.Errorf("%s is word %d, then %d", word, first, again)
		}
	}
	for word, want := range map[string]bool{"w1": true, "w2": false, "w77": true, "w78": false, "late": false, "5 w": true} {
		if got := in.Has(word); got != want {
			t.Errorf("%s: %v", word, got)
		}
	}
}

func TestContainsWord(t *testing.T) {
	for text, want := range map[string]bool{
		"ok": true, "it is ok.": true, "ok1": false, "book": false, "book ok": true, "ok_": false, "éok": false, "": false,
		"okok": false, "ok\u0301": false,
	} {
		if got := ContainsWord(text, "ok"); got != want {
			t.Errorf("%q: %v", text, got)
		}
	}
}

func TestFold(t *testing.T) {
	for text, want := range map[string]string{"abc": "abc", "ABC": "abc", "ΣΑΣ": "σασ", "\u212a": "k"} {
		if got := (Form{Fold: true}).Apply(text); got != want {
			t.Errorf("%s: %s", text, got)
		}
	}
}
