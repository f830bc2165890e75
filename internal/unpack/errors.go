package unpack

import "fmt"

// damage is what is wrong with compressed data.
type damage int

const (
	damaged damage = iota
	cut
	followed
)

// DamageError says that a compressed stream has no whole text.
type DamageError struct {
	Format string
	what   damage
	At     int64 // in the compressed stream: where it ends, or about where the fault is
	Text   int64 // bytes of text before
}

func (e *DamageError) Error() string {
	switch e.what {
	case cut:
		return fmt.Sprintf("it is compressed with %s, and cut: it ends at byte %d, after %d bytes of its text", e.Format, e.At, e.Text)
	case followed:
		return fmt.Sprintf("it is compressed with %s, and other bytes follow the compressed ones, near byte %d, after %d bytes of its text", e.Format, e.At, e.Text)
	}
	return fmt.Sprintf("it is compressed with %s, and damaged near byte %d, after %d bytes of its text", e.Format, e.At, e.Text)
}

// LimitError says that a text is longer than it may be.
type LimitError struct {
	Format string
	Max    int64 // bytes
}

func (e *LimitError) Error() string {
	return fmt.Sprintf("it is compressed with %s, and its text has more than %d bytes", e.Format, e.Max)
}

// WindowError says that unpacking would take too much memory.
type WindowError struct{}

func (*WindowError) Error() string {
	return fmt.Sprintf("it is compressed with zstd, and takes a window of more than %d MiB", MaxWindow>>20)
}

// DictionaryError says that a text was compressed with a dictionary.
type DictionaryError struct{}

func (*DictionaryError) Error() string { return "it is compressed with zstd and a dictionary" }
