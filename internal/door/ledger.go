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

// Ledger is a regular file of the user to whose end several processes write, one at a time.
// It is safe for concurrent use.
//
// Whoever writes holds a lock on the file, which the system takes away when the process ends,
// however it does. Readers hold none: they may meet the first bytes of what is being written.
//
// Each error is an *fs.PathError with the name that the caller gave, but for those of the
// caller's own functions.
type Ledger struct {
	name   string
	target string      // the file behind all links
	fresh  fs.FileMode // of one that is not there
}

// ErrDangling is why a link to nothing is refused: whoever put it there, and not the user, would
// say where a file is made.
var ErrDangling error = &RefusedError{"it is a link to nothing, which is not made"}

// OpenLedger finds the file, which need not be there. Fresh are the permissions of one that
// is made, before the umask. What is no regular file is refused unopened, and so is a link to
// nothing, as an ErrDangling.
func OpenLedger(name string, fresh fs.FileMode) (*Ledger, error) {
	place, err := Resolve(name)
	switch {
	case err != nil:
		return nil, named("open", name, err)
	case place.Stream:
		return nil, refused(name, "it is a stream of the process, expected a regular file")
	case place.Info != nil && !place.Info.Mode().IsRegular():
		return nil, refused(name, say.Irregular(place.Info.Mode()))
	}
	if info, err := system.Lstat(name); place.Info == nil && err == nil && info.Mode()&fs.ModeSymlink != 0 {
		return nil, named("open", name, ErrDangling)
	}
	return &Ledger{name, place.Target, fresh}, nil
}

// Read opens the file to read. known is what it has returned before, or nil; it is returned
// again as long as no other file has taken its place, and closed otherwise.
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

// below opens the file below its folder, so that it can be removed and replaced meanwhile on Windows, too.
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

// isFile says whether an open file is the one that is described.
func isFile(f File, described fs.FileInfo) bool {
	info, err := f.Stat()
	return err == nil && os.SameFile(info, described)
}

// How long a writer waits for the others, of which each writes a few lines: in all, and
// until it looks again.
const (
	lockPatience = 5 * time.Second
	longestNap   = 64 * time.Millisecond
)

// Write lets do write while no other process does. A file that is not there is made.
func (l *Ledger) Write(ctx context.Context, do func(Held) error) error {
	ctx, cancel := context.WithTimeoutCause(ctx, lockPatience, errLocked)
	defer cancel()
	for {
		f, err := l.open()
		if err != nil {
			return named("open", l.name, err)
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

// open opens the file to write at its end.
func (l *Ledger) open() (File, error) {
	if info, err := system.Lstat(l.target); err == nil && !info.Mode().IsRegular() {
		return nil, refused(l.name, say.Irregular(info.Mode()))
	}
	f, err := system.Ledger(l.target, l.fresh)
	if err != nil {
		return nil, err
	}
	return regular(f, l.name)
}

var (
	errLocked   = errors.New("another program has kept it locked for too long")
	errReplaced = errors.New("another file has taken its place")
)

// lock waits until no other process holds the file. The error is errReplaced when it has lost
// its name meanwhile.
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

// Held is the file of a Ledger while no other process writes to it.
type Held struct {
	file   File
	ledger *Ledger
}

// Size is the number of bytes in the file.
func (h Held) Size() (int64, error) {
	info, err := h.file.Stat()
	if err != nil {
		return 0, named("open", h.ledger.name, err)
	}
	return info.Size(), nil
}

// ReadAt reads a part of the file; io.EOF is behind its end.
func (h Held) ReadAt(b []byte, offset int64) (int, error) {
	n, err := h.file.ReadAt(b, offset)
	if err != io.EOF { // as the contract of io.ReaderAt has it
		err = named("read", h.ledger.name, err)
	}
	return n, err
}

// Append writes at the end of the file. After an error a part of b may be there, as after the
// end of the process.
func (h Held) Append(b []byte) error {
	_, err := h.file.Write(b)
	return named("write", h.ledger.name, err)
}

// Replace puts a new file in the place of this one, in one step, of which nothing is held
// afterwards. The end of do is the end of the content; its error leaves the file as it is.
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
