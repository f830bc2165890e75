package history

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"strconv"

	"github.com/cupel-dev/cupel/attest"
	"github.com/cupel-dev/cupel/attest/internal/scan"
	"github.com/cupel-dev/cupel/attest/internal/wording"
	"github.com/cupel-dev/cupel/internal/journal"
	"github.com/cupel-dev/cupel/internal/strictjson"
)

// format is the file format. Lines fit MaxLine even if all bytes of an id are escaped.
var format = journal.Format{Name: "history of scores", First: `{"schema":"cupel.history/1"}`, MaxLine: 6*maxID + 256}

// ErrForeign is returned for a file of another format, which is left unchanged.
var ErrForeign = journal.ErrForeign

// maxID limits an id in a line. A longer id is replaced by its digest.
const maxID = 1024

func keyOf(assertionID string) string {
	if len(assertionID) <= maxID {
		return assertionID
	}
	digest := sha256.Sum256([]byte(assertionID))
	return "sha256:" + hex.EncodeToString(digest[:])
}

func encode(scores []attest.Score) (lines [][]byte, err error) {
	for _, s := range scores {
		if !(s.Score >= 0 && s.Score <= 1) {
			return nil, fmt.Errorf("the score %v of assertion %s is out of range: expected 0.0 to 1.0", s.Score, wording.Quote(s.AssertionID))
		}
		line := wording.AppendQuoted([]byte(`{"assertion_id":`), keyOf(s.AssertionID))
		line = strconv.AppendFloat(append(line, `,"score":`...), s.Score, 'g', -1, 64)
		lines = append(lines, append(line, "}\n"...))
	}
	return lines, nil
}

func newScanner() *strictjson.Scanner { return scan.New(lineDepth, lineValues) }

// Limits of a line, with room for future members.
const (
	lineDepth  = 8
	lineValues = 64
)

// decode parses a line; ok is false unless it is a score.
func decode(scanner *strictjson.Scanner, line []byte) (key string, score float64, ok bool) {
	doc, err := scanner.Scan(line)
	if err != nil {
		return "", 0, false
	}
	key, named := doc.Root().Last("assertion_id").Text()
	score, scored := doc.Root().Last("score").Float()
	return key, score, named && scored && score >= 0 && score <= 1
}
