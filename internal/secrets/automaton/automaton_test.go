package automaton_test

import (
	"bytes"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/cupel-dev/cupel/internal/secrets/automaton"
)

// TestFind compares with a search for each keyword at each place.
func TestFind(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		words := rapid.SliceOf(rapid.StringMatching(`[aAbc-]{0,4}`)).Draw(t, "keywords")
		text := []byte(rapid.StringMatching(`[aAbBcC x-]{0,60}`).Draw(t, "text"))
		a, err := automaton.New(words)
		if err != nil {
			t.Fatal(err)
		}
		type hit struct{ word, start int }
		var got, want []hit
		a.Find(text, func(word, start int) bool { got = append(got, hit{word, start}); return true })
		for i, word := range words {
			for at := range text {
				end := at + len(word)
				if word != "" && end <= len(text) && bytes.EqualFold(text[at:end], []byte(word)) {
					want = append(want, hit{i, at})
				}
			}
		}
		order := func(a, b hit) int { return (a.word-b.word)*1000 + a.start - b.start }
		slices.SortFunc(got, order)
		slices.SortFunc(want, order)
		if !slices.Equal(got, want) {
			t.Fatalf("got %v, want %v", got, want)
		}
		if a.Contains(text) != (len(want) > 0) {
			t.Fatal("Contains differs from Find")
		}
	})
}

func BenchmarkFind(b *testing.B) {
	a, err := automaton.New(strings.Fields("password passwd token secret api_key apikey ghp_ github_pat_ akia asia sk- xoxb authorization bearer cookie key"))
	if err != nil {
		b.Fatal(err)
	}
	text := bytes.Repeat([]byte("the tool answered with 12 lines of output and went on to the next file; "), 1000)
	b.SetBytes(int64(len(text)))
	for b.Loop() {
		a.Find(text, func(int, int) bool { return true })
	}
}
