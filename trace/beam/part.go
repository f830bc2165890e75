package main

import (
	"bytes"
	"cmp"
	"encoding"
	"errors"
	"iter"
	"maps"
	"slices"

	"github.com/cupel-dev/cupel/trace/internal/wire"
)

// A part is the known data of a log or session in some ranges: a summary, or a fault that prevents a report ("" for
// none).

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

// encodeKnown encodes a part for transport: a fault, or a summary with the locations of its columns and the columns
// without location.
func encodeKnown(fault string, sum known, lie places) ([]byte, error) {
	if fault != "" {
		return append([]byte{partFault}, fault...), nil
	}
	summary, err := sum.MarshalBinary()
	if err != nil {
		return nil, err
	}
	w := wire.Writer{Bytes: []byte{partSummary}}
	w.Blob(summary)
	w.Uint(uint64(len(lie)))
	for _, digest := range slices.SortedFunc(maps.Keys(lie), func(a, b [32]byte) int { return bytes.Compare(a[:], b[:]) }) {
		at := lie[digest]
		w.Sum(digest)
		w.Text(at.pack)
		w.Uint(uint64(at.offset))
		w.Uint(uint64(at.size))
	}
	for digest, column := range sum.Columns() {
		if _, elsewhere := lie[digest]; !elsewhere {
			w.Blob(column)
		}
	}
	return w.Bytes, nil
}

// leastPlace is the minimum size of an encoded location.
const leastPlace = 32 + 3

// decodeKnown decodes the output of encodeKnown.
func decodeKnown(text []byte, sum known) (fault string, lie places, err error) {
	if len(text) == 0 {
		return "", nil, errors.New("a part of a log that is empty")
	}
	if text[0] == partFault {
		return string(text[1:]), nil, nil
	}
	r := wire.NewReader(text[1:])
	if err := sum.UnmarshalBinary(r.Blob()); err != nil {
		return "", nil, err
	}
	lie = places{}
	for range r.Count(leastPlace) {
		lie[r.Sum()] = place{r.Text(), int64(r.Uint()), int64(r.Uint())}
	}
	for r.More() {
		sum.Attach(bytes.Clone(r.Blob())) // the engine may use the memory again
	}
	return "", lie, r.Done()
}

// joinFaults combines the faults of two parts in any order, or merges their summaries and returns that error.
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
