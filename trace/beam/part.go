package main

import (
	"cmp"
	"context"
	"encoding"
	"io"
)

// A part is what is known of a log, or of a session, in some ranges: a summary, or a fault,
// which is why there will be no report; "": none so far.

// The first byte of an encoded part.
const (
	partSummary = iota
	partFault
)

// encodeKnown is how a part travels.
func encodeKnown(fault string, sum encoding.BinaryMarshaler) ([]byte, error) {
	if fault != "" {
		return append([]byte{partFault}, fault...), nil
	}
	text, err := sum.MarshalBinary()
	return append([]byte{partSummary}, text...), err
}

// decodeKnown reads what encodeKnown wrote: a fault, or the summary.
func decodeKnown(text []byte, sum encoding.BinaryUnmarshaler) (fault string, err error) {
	kind, rest := text[0], text[1:]
	if kind == partFault {
		return string(rest), nil
	}
	return "", sum.UnmarshalBinary(rest)
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
