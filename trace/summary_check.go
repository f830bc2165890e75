package trace

import (
	"context"
	"crypto/sha256"
	"fmt"
	"io"

	"github.com/cupel-dev/cupel/internal/digest"
	"github.com/cupel-dev/cupel/internal/say"
)

// checkBytes is how much of a log Check reads at a time.
const checkBytes = 1 << 20

// Check reads the whole log and returns an error when a range of it is no longer the bytes
// that were summarized, by their SHA-256. Report does not: it reads the lines again that
// findings show, so that a change of others goes unnoticed that leaves the log's length as it
// is.
func (s *Summary) Check(ctx context.Context, src io.ReaderAt) error {
	buffer := make([]byte, checkBytes)
	for _, p := range s.pieces {
		sum, section := sha256.New(), io.NewSectionReader(src, p.Start, p.End-p.Start)
		for {
			n, err := section.Read(buffer)
			sum.Write(buffer[:n])
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
		if digest.Sum(sum.Sum(nil)) != p.sum {
			return fmt.Errorf("%v of the log have changed since they were summarized", p.Range)
		}
	}
	return nil
}
