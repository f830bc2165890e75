package trace

import (
	"context"
	"fmt"
	"io"

	"github.com/cupel-dev/cupel/internal/digest"
	"github.com/cupel-dev/cupel/internal/say"
)

const checkBytes = 1 << 20

// Check reads the whole log and returns an error if a summarized range has changed. Report does not detect a change
// of equal length, unless a finding quotes the line.
func (s *Summary) Check(ctx context.Context, src io.ReaderAt) error {
	buffer := make([]byte, checkBytes)
	for _, p := range s.pieces {
		sum, section := digest.NewTree(), io.NewSectionReader(src, p.Start, p.End-p.Start)
		for {
			n, err := section.Read(buffer)
			_, _ = sum.Write(buffer[:n]) // never fails
			if err == io.EOF {
				break
			}
			if err == nil {
				err = ctx.Err()
			}
			if err != nil {
				return say.Plain(err)
			}
		}
		if sum.Sum() != p.sum {
			return fmt.Errorf("%v of the log have changed since they were summarized", p.Range)
		}
	}
	return nil
}
