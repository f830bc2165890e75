// Package lexical is the embedding model builtin/lexical, which needs no service: vectors count
// words, pairs of adjacent words, and sequences of three and four characters within words. Texts
// are similar if they use the same or similarly spelled words, regardless of meaning.
//
// A text is folded (Unicode case folding and NFKC) and split into words: sequences of letters, digits and marks; a
// symbol, such as an emoji, is a word. The 64-bit FNV-1a hash of a feature's name selects one of Dimensions numbers
// and whether to add or subtract; square roots then damp repetition:
//
//	w:refund          a word
//	p:refund sent     two neighbors
//	c:<re  c:ref …    three or four characters of <refund>
package lexical

import (
	"context"
	"math"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/cases"
	"golang.org/x/text/unicode/norm"

	"github.com/cupel-dev/cupel/attest/model"
)

// Name is the model's name in assertions.
const Name = "builtin/lexical"

// Dimensions is the length of a vector. It is a power of two.
const Dimensions = 4096

// Embedder implements model.Embedder. It supports only this model and costs nothing.
type Embedder struct{}

// Embed implements model.Embedder. The only error is that of ctx.
func (Embedder) Embed(ctx context.Context, r model.EmbeddingRequest) (model.EmbeddingReply, error) {
	reply := model.EmbeddingReply{Model: Name, Vectors: make([][]float32, 0, len(r.Texts))}
	for _, text := range r.Texts {
		var c counts
		if err := c.add(ctx, text); err != nil {
			return model.EmbeddingReply{}, err
		}
		reply.Vectors = append(reply.Vectors, c.vector())
	}
	return reply, nil
}

// fold normalizes case and character encoding.
func fold(text string) string {
	text = strings.ToValidUTF8(text, "\uFFFD")
	return norm.NFKC.String(cases.Fold().String(norm.NFKD.String(text)))
}

// counts are the features of a text so far. They are integers, so that the result does not depend on the order.
type counts struct {
	sums   [Dimensions]int64
	before string // the word before, "" at first
}

// patience is the number of words between two checks of the context.
const patience = 1024

func (c *counts) add(ctx context.Context, text string) error {
	words := 0
	for text = fold(text); ; words++ {
		if words%patience == 0 && ctx.Err() != nil {
			return ctx.Err()
		}
		var word string
		if word, text = nextWord(text); word == "" {
			return nil
		}
		c.word(word)
	}
}

// nextWord splits off the first word; word is "" if there is none.
func nextWord(text string) (word, rest string) {
	start := -1
	for i, r := range text {
		switch inWord := unicode.IsLetter(r) || unicode.IsDigit(r) || unicode.IsMark(r); {
		case inWord && start < 0:
			start = i
		case inWord:
		case start >= 0:
			return text[start:i], text[i:]
		case unicode.IsSymbol(r):
			end := i + utf8.RuneLen(r)
			return text[i:end], text[end:]
		}
	}
	if start < 0 {
		return "", ""
	}
	return text[start:], ""
}

// FNV-1a, which starts with basis and mixes in each byte.
const (
	basis = 14695981039346656037
	prime = 1099511628211
)

type hash uint64

func (h hash) with(s string) hash {
	for i := range len(s) {
		h = (h ^ hash(s[i])) * prime
	}
	return h
}

func (c *counts) word(word string) {
	c.count(hash(basis).with("w:").with(word))
	if c.before != "" {
		c.count(hash(basis).with("p:").with(c.before).with(" ").with(word))
	}
	c.before = word
	c.characters("<" + word + ">")
}

// characters counts the sequences of three and four characters.
func (c *counts) characters(bounded string) {
	var starts [4]int // of the last four characters, the oldest first
	seen := 0
	for i, r := range bounded {
		copy(starts[:], starts[1:])
		starts[3] = i
		seen++
		end := i + utf8.RuneLen(r)
		if seen >= 3 {
			c.count(hash(basis).with("c:").with(bounded[starts[1]:end]))
		}
		if seen >= 4 {
			c.count(hash(basis).with("c:").with(bounded[starts[0]:end]))
		}
	}
}

// count adds or subtracts a feature, so that collisions cancel out on average.
func (c *counts) count(h hash) {
	place := &c.sums[h%Dimensions]
	if h>>63 == 0 {
		*place++
	} else {
		*place--
	}
}

// vector returns the vector of the features. All texts without features have the same vector.
func (c *counts) vector() []float32 {
	vector := make([]float32, Dimensions)
	some := false
	for i, sum := range c.sums {
		if sum != 0 {
			some = true
			vector[i] = float32(math.Copysign(math.Sqrt(math.Abs(float64(sum))), float64(sum)))
		}
	}
	if !some {
		vector[hash(basis)%Dimensions] = 1
	}
	return vector
}
