package digest_test

import (
	"bytes"
	"crypto/sha256"
	"fmt"
	"testing"

	"pgregory.net/rapid"

	"github.com/cupel-dev/cupel/internal/digest"
)

// TestMany: the digests of messages that are computed together are those that each has alone,
// whatever the others are.
func TestMany(t *testing.T) {
	var many digest.Many // is used again: nothing of the messages before may be left
	rapid.Check(t, func(t *rapid.T) {
		text := rapid.SliceOfN(rapid.Byte(), 1, 700).Draw(t, "text")
		var messages [][]byte
		for i := range rapid.IntRange(0, 9).Draw(t, "messages") {
			from := rapid.IntRange(0, len(text)).Draw(t, fmt.Sprint("from ", i))
			messages = append(messages, text[from:rapid.IntRange(from, len(text)).Draw(t, fmt.Sprint("to ", i))])
		}
		before := bytes.Clone(text)
		sums := many.Sums(messages)
		if len(sums) != len(messages) {
			t.Fatalf("%d digests of %d messages", len(sums), len(messages))
		}
		for i, message := range messages {
			if want := sha256.Sum256(message); sums[i] != want {
				t.Fatalf("message %d, %d bytes: %x, expected %x", i, len(message), sums[i], want)
			}
		}
		if !bytes.Equal(text, before) {
			t.Fatal("a message was changed")
		}
	})
}

// TestManyLengths has every pair of lengths around the ends of blocks, where the padding differs.
func TestManyLengths(t *testing.T) {
	var many digest.Many
	text := bytes.Repeat([]byte("0123456789abcdef"), 20)
	for a := range 200 {
		for b := range 200 {
			messages := [][]byte{text[:a], text[1 : 1+b], text[2:]}
			for i, sum := range many.Sums(messages) {
				if want := sha256.Sum256(messages[i]); sum != want {
					t.Fatalf("message %d of %d, %d and %d bytes: %x, expected %x", i, a, b, len(text)-2, sum, want)
				}
			}
		}
	}
}

func BenchmarkMany(b *testing.B) {
	var many digest.Many
	messages := make([][]byte, 32)
	for i := range messages {
		messages[i] = make([]byte, 160+400*(i%2))
	}
	size := int64(16 * (160 + 560))
	b.Run("together", func(b *testing.B) {
		b.SetBytes(size)
		for b.Loop() {
			many.Sums(messages)
		}
	})
	b.Run("alone", func(b *testing.B) {
		b.SetBytes(size)
		for b.Loop() {
			for _, message := range messages {
				digest.Of(message)
			}
		}
	})
}
