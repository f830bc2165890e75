package session

import (
	"io"
	"sync/atomic"

	"github.com/cupel-dev/cupel/internal/digest"
	"github.com/cupel-dev/cupel/trace/internal/stream"
)

// Sources opens the files that a log was made of. It is safe for concurrent use.
type Sources interface {
	// Source returns the bytes of the file with a path or, failing that, with a digest. The error wraps
	// fs.ErrNotExist if the file does not exist.
	Source(path string, sum digest.Sum) (Source, error)
}

// Source is the content of a file.
type Source struct {
	Text io.ReaderAt
	Size int64
	Sum  digest.Sum
}

// citedCounts count events by whether they cite a source.
type citedCounts struct{ cited, uncited, values atomic.Int64 }

func (c *citedCounts) outcome() *stream.Cited {
	return &stream.Cited{Events: c.cited.Load(), Uncited: c.uncited.Load(), Values: c.values.Load()}
}
