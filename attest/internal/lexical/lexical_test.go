package lexical_test

import (
	"context"
	"errors"
	"hash/fnv"
	"math"
	"slices"
	"strings"
	"testing"
	"unicode"

	"golang.org/x/text/unicode/norm"
	"pgregory.net/rapid"

	"github.com/cupel-dev/cupel/attest/internal/lexical"
	"github.com/cupel-dev/cupel/attest/model"
)

func vectors(t interface{ Fatal(...any) }, texts ...string) [][]float32 {
	reply, err := lexical.Embedder{}.Embed(context.Background(), model.EmbeddingRequest{Model: lexical.Name, Texts: texts})
	if err != nil || len(reply.Vectors) != len(texts) || reply.Model != lexical.Name || reply.Usage != (model.Usage{}) {
		t.Fatal(reply.Model, reply.Usage, err)
	}
	return reply.Vectors
}

func similarity(t interface{ Fatal(...any) }, a, b string) float64 {
	v := vectors(t, a, b)
	var dot, aa, bb float64
	for i := range v[0] {
		x, y := float64(v[0][i]), float64(v[1][i])
		dot, aa, bb = dot+x*y, aa+x*x, bb+y*y
	}
	return dot / math.Sqrt(aa*bb)
}

// TestSimilarity: about how alike texts are.
func TestSimilarity(t *testing.T) {
	const refund = "The refund has been processed and will appear within 3 business days."
	for _, c := range []struct {
		a, b        string
		least, most float64
	}{
		{refund, refund, 1, 1},
		{refund, "Your refund has been processed; it will appear within 3 business days!", 0.7, 0.95},
		{refund, "We processed your refunds. They appear in three days.", 0.2, 0.6},
		{refund, "Bananas are yellow fruit", -0.1, 0.1},
		{"processing refunds", "processed refund", 0.4, 0.9},
		{"dog bites man", "man bites dog", 0.7, 0.99},
		{"日本の首都は東京です", "東京は日本の首都です", 0.3, 0.95},
		{"日本の首都は東京です", "猫が好き", -0.1, 0.15},
		{"Привет, мир", "привет мира", 0.5, 0.99},
		{"👍", "👍👍", 0.5, 1},
		{"👍", "👎", -0.1, 0.6},
		{"", "!?", 1, 1},
		{"", "word", -0.1, 0.1},
		{"yes", strings.Repeat("yes ", 1000), 0.5, 1},
	} {
		if got := similarity(t, c.a, c.b); !(got >= c.least-1e-9 && got <= c.most+1e-9) {
			t.Errorf("%q and %.60q: %.3f, want %v to %v", c.a, c.b, got, c.least, c.most)
		}
	}
}

// TestGolden: vectors do not change from one version to the next, as scores would with them.
func TestGolden(t *testing.T) {
	some := map[int]float32{}
	for i, x := range vectors(t, "Ab ab")[0] {
		if x != 0 {
			some[i] = x
		}
	}
	// w:ab p:ab ab c:<ab c:<ab> c:ab>, by their FNV-1a hashes; all but the pair are there twice
	root := float32(math.Sqrt2)
	want := golden(root)
	if len(some) != len(want) {
		t.Fatalf("got %v, want %v", some, want)
	}
	for i, x := range want {
		if some[i] != x {
			t.Errorf("number %d is %v, want %v", i, some[i], x)
		}
	}
}

// TestWhatNeverMatters checks that case, the encoding of characters, and separators do not matter.
func TestWhatNeverMatters(t *testing.T) {
	word := rapid.SampledFrom([]string{"refund", "Größe", "ΣΊΣΥΦΟΣ", "été", "ｆｕｌｌ", "ﬁne", "日本", "42", "한국어", "ñandú", "Å", "ǅ"})
	rapid.Check(t, func(t *rapid.T) {
		words := rapid.SliceOfN(word, 1, 8).Draw(t, "words")
		plain := strings.Join(words, " ")
		gap := rapid.SampledFrom([]string{" ", "\n", ", ", " – ", "…", "\u00a0", "\u3000", "!? "})
		var other strings.Builder
		for i, w := range words {
			if i > 0 {
				other.WriteString(gap.Draw(t, "gap"))
			}
			switch rapid.IntRange(0, 4).Draw(t, "spelling") {
			case 0:
				w = norm.NFD.String(w)
			case 1:
				w = norm.NFC.String(w)
			case 2:
				w = strings.Map(unicode.ToUpper, w)
			case 3:
				w = norm.NFKC.String(w)
			}
			other.WriteString(w)
		}
		if got := vectors(t, plain, other.String()); !slices.Equal(got[0], got[1]) {
			t.Fatalf("%q and %q differ", plain, &other)
		}
	})
}

// TestAnyText has a vector with an angle, of its own, whatever it is.
func TestAnyText(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		text := rapid.OneOf(rapid.String(), rapid.Map(rapid.SliceOf(rapid.Byte()), func(b []byte) string { return string(b) })).Draw(t, "text")
		if got := similarity(t, text, text); !(got > 0.999999) {
			t.Fatalf("%q and itself: %v", text, got)
		}
	})
}

// TestEnds: a long text does not outlast its request.
func TestEnds(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := (lexical.Embedder{}).Embed(ctx, model.EmbeddingRequest{Texts: []string{strings.Repeat("word ", 1<<20)}}); !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
}

// golden returns the numbers of "ab ab", computed by the standard library's FNV-1a.
func golden(root float32) map[int]float32 {
	want := map[int]float32{}
	for name, x := range map[string]float32{"w:ab": root, "p:ab ab": 1, "c:<ab": root, "c:<ab>": root, "c:ab>": root} {
		h := fnv.New64a()
		_, _ = h.Write([]byte(name))
		if h.Sum64()>>63 == 1 {
			x = -x
		}
		want[int(h.Sum64()%lexical.Dimensions)] = x
	}
	return want
}
