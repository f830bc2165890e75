package door

import (
	"context"
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"syscall"
	"time"

	"github.com/cupel-dev/cupel/internal/say"
)

// Ledger is a regular file that several processes append to, one at a time. It is safe for concurrent use. Writers
// hold a file lock, which the system releases when the process ends. Readers do not lock and can see a partial
// write. Errors are *fs.PathError with the caller's name, except those of the caller's functions.
type Ledger struct {
	name   string
	target string      // path with links resolved
	fresh  fs.FileMode // permissions for a new file
}

// ErrDangling is the reason for refusing a dangling link: its author, not the user, would choose
// where the file is created.
var ErrDangling error = &RefusedError{"the symbolic link points to a file that does not exist; cupel does not create it"}

// OpenLedger resolves the file, which can be missing. fresh is the permissions of a new file before
// umask. It refuses irregular files unopened and dangling links with ErrDangling.
func OpenLedger(name string, fresh fs.FileMode) (*Ledger, error) {
	place, err := Resolve(name)
	switch {
	case err != nil:
		return nil, named("open", name, err)
	case place.Stream:
		return nil, refused(name, "the path is a stream of the process, expected a regular file")
	case place.Info != nil && !place.Info.Mode().IsRegular():
		return nil, refused(name, say.Irregular(place.Info.Mode()))
	}
	if info, err := system.Lstat(name); place.Info == nil && err == nil && info.Mode()&fs.ModeSymlink != 0 {
		return nil, named("open", name, ErrDangling)
	}
	return &Ledger{name, place.Target, fresh}, nil
}

// Read opens the file for reading. It returns known, an earlier result or nil, if that is still the
// current file; otherwise it closes known.
func (l *Ledger) Read(known File) (File, error) {
	there, err := system.Lstat(l.target)
	if err != nil {
		err = named("open", l.name, err)
	} else if !there.Mode().IsRegular() {
		err = refused(l.name, say.Irregular(there.Mode()))
	}
	if known != nil {
		if err == nil && isFile(known, there) {
			return known, nil
		}
		_ = known.Close() // opened for reading: nothing can be lost
	}
	if err != nil {
		return nil, err
	}
	f, err := l.below()
	if err != nil {
		return nil, named("open", l.name, err)
	}
	return regular(f, l.name)
}

// below opens the file through its folder's root, which lets others replace it on Windows.
func (l *Ledger) below() (File, error) {
	folder, err := system.OpenRoot(filepath.Dir(l.target))
	if err != nil {
		return nil, err
	}
	f, err := openToRead(folder, filepath.Base(l.target))
	if closing := folder.Close(); err == nil && closing != nil {
		return nil, errors.Join(closing, f.Close())
	}
	return f, err
}

func isFile(f File, described fs.FileInfo) bool {
	info, err := f.Stat()
	return err == nil && os.SameFile(info, described)
}

// Limits on waiting for other writers: in total and between attempts.
const (
	lockPatience = 5 * time.Second
	longestNap   = 64 * time.Millisecond
)

// Write calls do while holding the lock. It creates a missing file.
func (l *Ledger) Write(ctx context.Context, do func(Held) error) error {
	ctx, cancel := context.WithTimeoutCause(ctx, lockPatience, errLocked)
	defer cancel()
	for {
		f, err := l.Open()
		if err != nil {
			return err
		}
		err = l.lock(ctx, f)
		if err == nil {
			err = do(Held{f, l})
		}
		err = errors.Join(err, named("close", l.name, f.Close()))
		if !errors.Is(err, errReplaced) || ctx.Err() != nil {
			return err
		}
	}
}

// Open opens the file for reading and appending, without a lock. It creates a missing file.
func (l *Ledger) Open() (File, error) {
	if info, err := system.Lstat(l.target); err == nil && !info.Mode().IsRegular() {
		return nil, refused(l.name, say.Irregular(info.Mode()))
	}
	f, err := system.Ledger(l.target, l.fresh)
	if err != nil {
		return nil, named("open", l.name, err)
	}
	return regular(f, l.name)
}

// Target returns the path of the file with links resolved.
func (l *Ledger) Target() string { return l.target }

var (
	errLocked   = errors.New("another program kept the file locked for too long")
	errReplaced = errors.New("the file was replaced by a different one")
)

// lock waits for the lock. The error is errReplaced if another file took the name meanwhile.
func (l *Ledger) lock(ctx context.Context, f File) error {
	for wait := time.Millisecond; ; wait = min(2*wait, longestNap) {
		err := tryLock(f)
		if err == nil {
			break
		}
		if !errors.Is(err, syscall.EWOULDBLOCK) {
			return named("lock", l.name, err)
		}
		select {
		case <-time.After(wait):
		case <-ctx.Done():
			return named("lock", l.name, context.Cause(ctx))
		}
	}
	if there, err := system.Lstat(l.target); err != nil || !isFile(f, there) {
		return errReplaced
	}
	return nil
}

// Held is a locked Ledger file.
type Held struct {
	file   File
	ledger *Ledger
}

// Size returns the number of bytes in the file.
func (h Held) Size() (int64, error) {
	info, err := h.file.Stat()
	if err != nil {
		return 0, named("open", h.ledger.name, err)
	}
	return info.Size(), nil
}

func (h Held) ReadAt(b []byte, offset int64) (int, error) {
	n, err := h.file.ReadAt(b, offset)
	if err != io.EOF { // required by io.ReaderAt
		err = named("read", h.ledger.name, err)
	}
	return n, err
}

// Append writes at the end of the file. After an error or a crash, part of b can remain.
func (h Held) Append(b []byte) error {
	_, err := h.file.Write(b)
	return named("write", h.ledger.name, err)
}

// Replace atomically replaces the file with what do writes. The lock is released. If do fails, the
// file stays as it is.
func (h Held) Replace(ctx context.Context, do func(io.Writer) error) error {
	o, err := Create(ctx, h.ledger.target, h.ledger.fresh)
	if err != nil {
		return named("replace", h.ledger.name, err)
	}
	defer o.Discard()
	if err := do(o); err != nil {
		return named("replace", h.ledger.name, err)
	}
	return named("replace", h.ledger.name, o.Commit())
}
