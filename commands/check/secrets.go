package checkcmd

import (
	"bytes"
	"errors"
	"fmt"
	"io"

	"github.com/urfave/cli/v2"

	"github.com/cupel-dev/cupel/commands/internal/rulelist"
	"github.com/cupel-dev/cupel/finding"
	"github.com/cupel-dev/cupel/internal/secrets"
	"github.com/cupel-dev/cupel/internal/walk"
)

// secretsFlag enables the search in files that are not records.
func secretsFlag(category string) cli.Flag {
	return &cli.BoolFlag{Name: "secrets", Category: category, Usage: "also look for keys, tokens and passwords in transcripts and in files that are not records; never shows their values"}
}

// Bytes read of a file at a time, and examined for binary content.
const (
	pieceBytes  = 1 << 20
	againBytes  = 128 << 10 // of a piece without a line break, which are examined again with the next one
	binaryBytes = 8000
)

// search finds secrets in a text file that is not a record. The findings do not contain the value.
func (k *checkRun) search(in walk.Input) (found []finding.Finding, err error) {
	set, err := secrets.Credentials()
	if err != nil {
		return nil, err
	}
	r, err := in.Open()
	if err != nil {
		return nil, err
	}
	defer func() { _ = r.Close() }() // opened for reading: nothing can be lost
	scanner := secrets.NewScanner(set)
	piece, filled, line := make([]byte, pieceBytes), 0, 1
	for first, more := true, true; more; first = false {
		n, err := io.ReadFull(r, piece[filled:])
		filled += n
		more = err == nil
		if err != nil && !errors.Is(err, io.EOF) && !errors.Is(err, io.ErrUnexpectedEOF) {
			return found, err
		}
		if first && bytes.IndexByte(piece[:min(filled, binaryBytes)], 0) >= 0 {
			return nil, nil
		}
		end, next := filled, filled
		if more {
			if last := bytes.LastIndexByte(piece[:filled], '\n'); last >= 0 {
				end, next = last+1, last+1
			} else {
				next = filled - againBytes
			}
		}
		at := 0
		for _, h := range scanner.Scan(piece[:end]) {
			if h.Start >= next {
				break
			}
			line += bytes.Count(piece[at:h.Start], []byte{'\n'})
			at = h.Start
			f := rulelist.CheckRules.Lookup(rulelist.SecretRule).New("a secret of the kind " + h.Rule)
			f.File, f.Line = in.Name, line
			f.Help = fmt.Sprintf("`cupel explain secret.%s` describes the rule; `git log -S` finds older copies", h.Rule)
			found = append(found, f)
		}
		line += bytes.Count(piece[at:next], []byte{'\n'})
		filled = copy(piece, piece[next:filled])
	}
	return found, nil
}
