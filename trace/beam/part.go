package main

import (
	"bytes"
	"cmp"
	"context"
	"encoding"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"iter"
)

// A part is what is known of a log, or of a session, in some ranges: a summary, or a fault,
// which is why there will be no report; "": none so far.

// The first byte of an encoded part.
const (
	partSummary = iota
	partFault
)

// known is a summary of a log, or of a session, in some ranges.
type known interface {
	encoding.BinaryMarshaler
	encoding.BinaryUnmarshaler
	Columns() iter.Seq2[[32]byte, []byte]
	Attach(column []byte)
}

// longestCarried is the longest column that travels with its summary. Longer ones lie below
// the output.
const longestCarried = 32 << 10

// encodeKnown is how a part travels: a fault, or a summary and its short columns, each behind
// its length.
func encodeKnown(fault string, sum known) ([]byte, error) {
	if fault != "" {
		return append([]byte{partFault}, fault...), nil
	}
	summary, err := sum.MarshalBinary()
	if err != nil {
		return nil, err
	}
	size := 1 + binary.MaxVarintLen64 + len(summary)
	for _, column := range sum.Columns() {
		if len(column) <= longestCarried {
			size += binary.MaxVarintLen64 + len(column)
		}
	}
	text := appendSized(append(make([]byte, 0, size), partSummary), summary)
	for _, column := range sum.Columns() {
		if len(column) <= longestCarried {
			text = appendSized(text, column)
		}
	}
	return text, nil
}

func appendSized(text, more []byte) []byte {
	return append(binary.AppendUvarint(text, uint64(len(more))), more...)
}

// decodeKnown reads what encodeKnown wrote: a fault, or the summary.
func decodeKnown(text []byte, sum known) (fault string, err error) {
	if len(text) == 0 {
		return "", errPart
	}
	kind, rest := text[0], text[1:]
	if kind == partFault {
		return string(rest), nil
	}
	summary, rest, err := cutSized(rest)
	if err == nil {
		err = sum.UnmarshalBinary(summary)
	}
	for err == nil && len(rest) > 0 {
		var column []byte
		if column, rest, err = cutSized(rest); err == nil {
			sum.Attach(bytes.Clone(column)) // the engine may use the memory again
		}
	}
	return "", err
}

// errPart says that what an engine delivered is not what it was given.
var errPart = errors.New("a part of a log was damaged on its way")

// cutSized cuts off what appendSized appended.
func cutSized(text []byte) (first, rest []byte, err error) {
	size, n := binary.Uvarint(text)
	if n <= 0 || size > uint64(len(text)-n) {
		return nil, nil, errPart
	}
	text = text[n:]
	return text[:size], text[size:], nil
}

// writeColumns writes the columns below the output that do not travel with their summary.
func writeColumns(ctx context.Context, output string, sum known) error {
	for digest, column := range sum.Columns() {
		if len(column) <= longestCarried {
			continue
		}
		name := columnName(output, digest)
		err := storeOf(name).write(ctx, name, func(w io.Writer) error {
			_, err := io.Copy(w, bytes.NewReader(column))
			return err
		})
		if err != nil {
			return fmt.Errorf("cannot write %q: %w", name, err)
		}
	}
	return nil
}

// joinFaults is the fault of two parts together, in whatever order they come, and that of
// merging their summaries where neither has one.
func joinFaults(a, b string, merge func() error) string {
	switch {
	case a != "" && b != "":
		return min(a, b)
	case a+b != "":
		return cmp.Or(a, b)
	}
	if err := merge(); err != nil {
		return err.Error()
	}
	return ""
}

// columnsBelow opens the columns of summaries, which lie below the output. It hands why one
// cannot be read to failed: another try may read it.
func columnsBelow(ctx context.Context, output string, failed *error) func(digest [32]byte) (io.ReadCloser, error) {
	return func(digest [32]byte) (io.ReadCloser, error) {
		name := columnName(output, digest)
		r, err := storeOf(name).read(ctx, name)
		if err != nil {
			*failed = err
		}
		return r, err
	}
}
