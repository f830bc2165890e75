package recorder

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/cupel-dev/cupel/internal/door"
)

// ForeignError reports a file that is not such a log, or one that cannot be continued.
type ForeignError struct {
	Name string
	Why  error
}

func (e *ForeignError) Error() string {
	return fmt.Sprintf("cannot append to %q: %v", e.Name, e.Why)
}

func (e *ForeignError) Unwrap() error { return e.Why }

// resume opens the file and continues after its last whole event.
func (r *Recorder) resume() error {
	f, err := r.ledger.Open()
	if err != nil {
		return err
	}
	r.file = f
	info, err := f.Stat()
	if err != nil {
		return door.Because("open", r.name, err)
	}
	r.size = info.Size()
	if err := r.mend(); err != nil {
		return err
	}
	if r.size == 0 {
		if err := r.continueNumbered(); err != nil {
			return err
		}
		return door.Because("sync the folder of", r.name, door.System().SyncFolder(filepath.Dir(r.ledger.Target())))
	}
	r.opt.Notify(Note{Kind: Resumed, Line: r.opt.Encoder.Events()})
	return nil
}

// mend finds the last whole event, and completes or removes what comes after it.
func (r *Recorder) mend() error {
	end := r.size
	first, err := r.text().firstLine()
	if err != nil {
		return err
	}
	for end > 0 {
		start, last, err := r.text().lastLine(end)
		if err != nil {
			return err
		}
		line := bytes.TrimSuffix(last, []byte("\n"))
		if start == 0 {
			first = line
		}
		switch err := r.opt.Encoder.Resume(first, line); {
		case err == nil && len(line) == len(last):
			r.opt.Notify(Note{Kind: Healed})
			r.size = end
			if _, err := r.file.Write([]byte("\n")); err != nil {
				return door.Because("write", r.name, err)
			}
			r.size++
			return door.Because("sync", r.name, r.file.Sync())
		case err == nil:
			return r.cut(end)
		case start == 0 && len(line) == len(last) && begins(r.opt.Encoder.Prefix(), line), start > 0 && errors.Is(err, ErrTorn):
			end = start
		default:
			return &ForeignError{r.name, err}
		}
	}
	return r.cut(0)
}

// begins reports whether a text is a part of a first line with a prefix.
func begins(prefix string, text []byte) bool {
	n := min(len(text), len(prefix))
	return len(bytes.Trim(text, "\x00")) == 0 || string(text[:n]) == prefix[:n]
}

// cut moves the bytes from end on to a side file.
func (r *Recorder) cut(end int64) error {
	if end == r.size {
		return nil
	}
	rest, err := r.text().read(end, r.size)
	if err != nil {
		return err
	}
	for n := 1; ; n++ {
		name := fmt.Sprintf("%s.torn.%d", r.ledger.Target(), n)
		err := door.WriteNew(name, rest, 0o600)
		if errors.Is(err, fs.ErrExist) {
			continue
		}
		if err != nil {
			return err
		}
		r.opt.Notify(Note{Kind: Torn, Name: filepath.Join(filepath.Dir(r.name), filepath.Base(name)), Bytes: int64(len(rest))})
		break
	}
	if err := r.file.Truncate(end); err != nil {
		return door.Because("truncate", r.name, err)
	}
	r.size = end
	return door.Because("sync", r.name, r.file.Sync())
}

// text is a log file to read.
type text struct {
	name    string // for errors
	file    door.File
	size    int64
	maxLine int
}

func (r *Recorder) text() text { return text{r.name, r.file, r.size, r.opt.MaxLine} }

// firstLine returns the first line, without its end.
func (t text) firstLine() ([]byte, error) {
	for n := int64(4 << 10); ; n *= 8 {
		line, err := t.read(0, min(n, t.size))
		if err != nil {
			return nil, err
		}
		if first, _, whole := bytes.Cut(line, []byte("\n")); whole || n >= t.size {
			return first, nil
		}
		if n > int64(t.maxLine) {
			return nil, &ForeignError{t.name, fmt.Errorf("its first line is longer than %d bytes", t.maxLine)}
		}
	}
}

// lastLine returns the start of the line that ends at end, and the line with its end.
func (t text) lastLine(end int64) (start int64, line []byte, err error) {
	for from := end - 1; from > 0; {
		to := from
		from = max(0, to-4<<10)
		part, err := t.read(from, to)
		if err != nil {
			return 0, nil, err
		}
		if i := bytes.LastIndexByte(part, '\n'); i >= 0 {
			start = from + int64(i) + 1
			break
		}
		if end-from > int64(t.maxLine) {
			return 0, nil, &ForeignError{t.name, fmt.Errorf("its last line is longer than %d bytes", t.maxLine)}
		}
	}
	line, err = t.read(start, end)
	return start, line, err
}

func (t text) read(from, to int64) ([]byte, error) {
	b := make([]byte, to-from)
	if _, err := io.ReadFull(io.NewSectionReader(t.file, from, to-from), b); err != nil {
		return nil, door.Because("read", t.name, err)
	}
	return b, nil
}

// numbered is a file that rotation renamed.
type numbered struct {
	path   string
	number int
}

// digits is the least number of digits of a numbered file.
const digits = 6

func numberedName(path string, n int) string {
	stem, ext := split(path)
	return fmt.Sprintf("%s.%0*d%s", stem, digits, n, ext)
}

// numberedFiles returns the numbered files of a log, by number.
func numberedFiles(path string) (list []numbered, err error) {
	stem, ext := split(path)
	folder, err := door.System().Open(filepath.Dir(stem))
	if err != nil {
		return nil, err
	}
	defer func() { _ = folder.Close() }() // opened for reading: nothing can be lost
	entries, err := folder.ReadDir(-1)
	if err != nil {
		return nil, err
	}
	for _, e := range entries {
		middle, ok := strings.CutPrefix(e.Name(), filepath.Base(stem)+".")
		middle, last := strings.CutSuffix(middle, ext)
		n, err := strconv.Atoi(middle)
		if ok && last && err == nil && len(middle) >= digits && n > 0 {
			list = append(list, numbered{filepath.Join(filepath.Dir(stem), e.Name()), n})
		}
	}
	slices.SortFunc(list, func(a, b numbered) int { return a.number - b.number })
	return list, nil
}

// openNumbered opens a numbered file for reading and returns its size.
func openNumbered(path string) (door.File, int64, error) {
	ledger, err := door.OpenLedger(path, 0o600)
	if err != nil {
		return nil, 0, err
	}
	f, err := ledger.Read(nil)
	if err != nil {
		return nil, 0, err
	}
	info, err := f.Stat()
	if err != nil {
		_ = f.Close() // opened for reading: nothing can be lost
		return nil, 0, door.Because("open", path, err)
	}
	return f, info.Size(), nil
}

// continueNumbered links an empty file to the last numbered one, if there is one.
func (r *Recorder) continueNumbered() error {
	list, err := numberedFiles(r.ledger.Target())
	if err != nil || len(list) == 0 {
		return door.Because("open", r.name, err)
	}
	path := list[len(list)-1].path
	f, size, err := openNumbered(path)
	if err != nil {
		return err
	}
	defer func() { _ = f.Close() }() // opened for reading: nothing can be lost
	t := text{r.name, f, size, r.opt.MaxLine}
	first, err := t.firstLine()
	if err != nil {
		return err
	}
	_, last, err := t.lastLine(t.size)
	if err != nil {
		return err
	}
	if err := r.opt.Encoder.Resume(first, bytes.TrimSuffix(last, []byte("\n"))); err != nil {
		return &ForeignError{filepath.Join(filepath.Dir(r.name), filepath.Base(path)), fmt.Errorf("its last event cannot be continued: %w", err)}
	}
	return door.Because("read", path, r.opt.Encoder.Next(io.NewSectionReader(f, 0, t.size)))
}
