package trace

import (
	"context"
	"fmt"
	"hash/crc32"
	"io"
)

// checkBytes is how much of a log Check reads at a time.
const checkBytes = 1 << 20

// Check reads the whole log and returns an error when a range of it no longer has the
// checksum of the bytes that were summarised. Report does not: it reads the lines again that
// findings show, so that a change of others goes unnoticed that leaves the log's length as it
// is. The checksum is one against accidents, CRC-32C: who fears more summarises the log again.
func (s *Summary) Check(ctx context.Context, src io.ReaderAt) error {
	buffer := make([]byte, checkBytes)
	for _, p := range s.pieces {
		sum, section := crc32.New(crc32.MakeTable(crc32.Castagnoli)), io.NewSectionReader(src, p.Start, p.End-p.Start)
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
				return plain(err)
			}
		}
		if sum.Sum32() != p.check {
			return fmt.Errorf("%v of the log have changed since they were summarised", p.Range)
		}
	}
	return nil
}
