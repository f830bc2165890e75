package commands

import (
	"context"
	"errors"
	"io"
	"os"
	"time"
)

// followEvery is how often a followed log is looked at for new lines.
const followEvery = 100 * time.Millisecond

// follower reads a file that grows. It ends when its context does.
type follower struct {
	ctx  context.Context
	file *os.File
}

// Read waits for the next bytes.
func (f *follower) Read(p []byte) (int, error) {
	for {
		n, err := f.file.Read(p)
		if n > 0 || err != nil && err != io.EOF {
			return n, err
		}
		if err := f.shrunk(); err != nil {
			return 0, err
		}
		select {
		case <-f.ctx.Done():
			return 0, io.EOF
		case <-time.After(followEvery):
		}
	}
}

// shrunk returns an error when the file is shorter than what was read of it.
func (f *follower) shrunk() error {
	place, err := f.file.Seek(0, io.SeekCurrent)
	if err != nil {
		return err
	}
	info, err := f.file.Stat()
	if err == nil && info.Size() < place {
		return errors.New("the file was cut while it was followed")
	}
	return err
}
