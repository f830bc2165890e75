package unpack

import "fmt"

// damage is the kind of damage in compressed data.
type damage int

const (
	damaged damage = iota
	cut
	followed
)

// DamageError means that a compressed stream is damaged.
type DamageError struct {
	Format string
	what   damage
	At     int64 // offset in the compressed stream, possibly approximate
	Text   int64 // bytes of text before
}

func (e *DamageError) Error() string {
	switch e.what {
	case cut:
		return fmt.Sprintf("the input is compressed with %s and truncated: it ends at byte %d, after %d bytes of its text", e.Format, e.At, e.Text)
	case followed:
		return fmt.Sprintf("the input is compressed with %s, and other bytes follow near byte %d, after %d bytes of its text", e.Format, e.At, e.Text)
	}
	return fmt.Sprintf("the input is compressed with %s and damaged near byte %d, after %d bytes of its text", e.Format, e.At, e.Text)
}

// LimitError means that the text exceeds the limit.
type LimitError struct {
	Format string
	Max    int64 // bytes
}

func (e *LimitError) Error() string {
	return fmt.Sprintf("the input is compressed with %s, and its text has more than %d bytes", e.Format, e.Max)
}

// WindowError means that unpacking would need too much memory.
type WindowError struct{}

func (*WindowError) Error() string {
	return fmt.Sprintf("the input is compressed with zstd, and needs a window of more than %d MiB", MaxWindow>>20)
}

// DictionaryError means that a dictionary is required.
type DictionaryError struct{}

func (*DictionaryError) Error() string { return "the input is compressed with zstd and a dictionary" }
