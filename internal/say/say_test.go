package say_test

import (
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/cupel-dev/cupel/internal/say"
	"github.com/cupel-dev/cupel/internal/strictjson"
)

// texts are all texts of up to four pieces: characters of every width, and a byte that is
// no UTF-8.
func texts(yield func(string)) {
	pieces := []string{"a", "é", "…", "😀", "\xff"}
	var grow func(text string, left int)
	grow = func(text string, left int) {
		yield(text)
		if left > 0 {
			for _, p := range pieces {
				grow(text+p, left-1)
			}
		}
	}
	grow("", 4)
}

func TestPreview(t *testing.T) {
	texts(func(text string) {
		for most := range len(text) + 2 {
			got := say.Preview(text, most)
			if same := say.Preview([]byte(text), most); same != got {
				t.Fatalf("%q: the string gives %q, the bytes %q", text, got, same)
			}
			kept, cut := strings.CutSuffix(got, say.Ellipsis)
			switch {
			case !utf8.ValidString(got):
				t.Errorf("preview of %q to %d: %q is not UTF-8", text, most, got)
			case len(text) <= most:
				if want := strings.ToValidUTF8(text, "\uFFFD"); got != want && utf8.ValidString(text) {
					t.Errorf("preview of %q to %d: %q", text, most, got)
				}
			case !cut || len(kept) > most:
				t.Errorf("preview of %q to %d: %q", text, most, got)
			case utf8.ValidString(text) && !strings.HasPrefix(text, kept):
				t.Errorf("preview of %q to %d: %q is not how it begins", text, most, got)
			case utf8.ValidString(text) && most-len(kept) >= utf8.UTFMax:
				t.Errorf("preview of %q to %d: %q leaves out more than it must", text, most, got)
			}
		}
	})
}

func TestClip(t *testing.T) {
	texts(func(text string) {
		for n := 1; n <= 5; n++ {
			runes := []rune(text)
			want := text
			if len(runes) > n {
				want = ""
				for range n - 1 {
					_, size := utf8.DecodeRuneInString(text[len(want):])
					want = text[:len(want)+size]
				}
				want += say.Ellipsis
			}
			if got := say.Clip(text, n); got != want {
				t.Errorf("%q to %d code points: %q, expected %q", text, n, got, want)
			}
		}
	})
}

func TestArticle(t *testing.T) {
	for kind, want := range map[strictjson.Kind]string{
		strictjson.Absent: "absent", strictjson.Null: "null", strictjson.True: "a boolean", strictjson.False: "a boolean",
		strictjson.Number: "a number", strictjson.String: "a string", strictjson.Array: "an array", strictjson.Object: "an object",
	} {
		if got := say.Article(kind.String()); got != want {
			t.Errorf("%s: %q, expected %q", kind, got, want)
		}
	}
	if got := say.Article("integer"); got != "an integer" {
		t.Error(got)
	}
}
