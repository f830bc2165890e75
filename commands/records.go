package commands

import (
	"io"

	"github.com/cupel-dev/cupel/internal/source"
	"github.com/cupel-dev/cupel/internal/strictjson"
	"github.com/cupel-dev/cupel/trace"
)

// A folder may hold cupel's own records of several kinds, in files whose names do not
// tell them apart. Each command passes over what the first readable record of a walked
// file shows to be another kind; it judges files without such a record, and records that
// nobody knows.

// mayBeTrace says whether a walked file is one for `cupel trace`.
func mayBeTrace(r io.Reader) bool {
	record, known := firstRecord(r)
	return !known || !isEvent(record)
}

// mayBeEvidence says whether a walked file is one for `cupel evidence`.
func mayBeEvidence(r io.Reader) bool {
	record, known := firstRecord(r)
	return !known || isEvent(record) || trace.FamilyOf(record.Raw()) == trace.Unknown
}

// isEvent says whether a record is an evidence event: a CloudEvents envelope names its
// version, and no trace has such a member.
func isEvent(record strictjson.Node) bool { return record.Get("specversion").Exists() }

// firstRecord finds the first line of a file's beginning that is a JSON object.
func firstRecord(r io.Reader) (record strictjson.Node, known bool) {
	blocks := source.NewBlocks(io.LimitReader(r, probeBytes), 0, probeBytes)
	scanner := strictjson.NewScanner(strictjson.Limits{})
	for {
		block, err := blocks.Next(nil)
		if err != nil {
			return strictjson.Node{}, false
		}
		for line := range block.Lines() {
			if doc, err := scanner.Scan(line.Bytes); err == nil && doc.Root().Is(strictjson.Object) {
				return doc.Root(), true
			}
		}
	}
}
