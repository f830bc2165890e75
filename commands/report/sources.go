package reportcmd

import (
	"fmt"
	"io"

	"github.com/cupel-dev/cupel/commands/internal/cmdline"
	"github.com/cupel-dev/cupel/commands/internal/input"
	"github.com/cupel-dev/cupel/internal/walk"
)

// reportSources are the files of reports, which are read several times. Files that are not seekable are copied to a
// temporary file.
type reportSources struct {
	list  []reportSource
	spool input.TempFile
	used  int64 // bytes of the temporary file

	last   int // the source that is open
	opened io.Closer
	reader io.ReaderAt
}

// reportSource is a file, or an offset in the temporary file.
type reportSource struct {
	walk.Input
	spooled bool
	start   int64
}

// add adds an input and returns its number and a reader, which copies the data if necessary.
func (s *reportSources) add(in walk.Input) (number int, r io.Reader, done func(), err error) {
	opened, err := in.Open()
	if err != nil {
		return 0, nil, nil, err
	}
	done = func() { _ = opened.Close() } // opened for reading: nothing can be lost
	_, again := opened.(io.ReaderAt)
	if !again && s.spool.Temp == nil {
		if s.spool, err = input.NewTempFile(); err != nil {
			done()
			return 0, nil, nil, err
		}
	}
	s.list = append(s.list, reportSource{in, !again, s.used})
	if again {
		return len(s.list) - 1, opened, done, nil
	}
	return len(s.list) - 1, io.TeeReader(opened, s), done, nil
}

func (s *reportSources) Write(b []byte) (int, error) {
	n, err := s.spool.Write(b)
	s.used += int64(n)
	return n, err
}

func (s *reportSources) section(number int, from, to int64) (*io.SectionReader, error) {
	source := &s.list[number]
	if source.spooled {
		return io.NewSectionReader(s.spool, source.start+from, to-from), nil
	}
	if s.reader == nil || s.last != number {
		s.closeLast()
		opened, err := source.Open()
		if err != nil {
			return nil, err
		}
		again, ok := opened.(io.ReaderAt)
		if !ok {
			_ = opened.Close() // opened for reading: nothing can be lost
			return nil, errReportChanged(source.Name)
		}
		s.last, s.opened, s.reader = number, opened, again
	}
	return io.NewSectionReader(s.reader, from, to-from), nil
}

func (s *reportSources) closeLast() {
	if s.opened != nil {
		_ = s.opened.Close() // opened for reading: nothing can be lost
		s.opened, s.reader = nil, nil
	}
}

// close closes all files.
func (s *reportSources) close() {
	s.closeLast()
	if s.spool.Temp != nil {
		s.spool.Discard()
	}
}

// errReportChanged returns the error for a file that has changed.
func errReportChanged(name string) error {
	return &cmdline.Hinted{Err: fmt.Errorf("%q was changed while it was read", name), Hint: "merge the reports after all runs have ended"}
}
