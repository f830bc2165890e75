package door

import (
	"cmp"
	"context"
	"crypto/rand"
	"errors"
	"io/fs"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
)

// Output writes a user's file by atomic replacement. The content goes to a temporary file in the same folder, which
// Commit renames: readers see the old or the new content, also after a crash. An existing file keeps its
// permissions and, if permitted, its owner. Links are kept and their target is replaced. Devices, pipes and process
// streams (/dev/stdout) are written directly. Errors are *fs.PathError with the caller's name. An Output is not
// safe for concurrent use.
type Output struct {
	name   string
	target string      // file to replace; "" if written directly
	old    fs.FileInfo // existing file, or nil
	fresh  bool        // the target must not exist
	tmp    string      // temporary file, until renamed
	mode   fs.FileMode // permissions that a new file gets at the end; 0: those that it has
	free   func()      // releases the lock of the temporary file
	file   File        // nil if closed
	broken error       // first failed write
}

// Create starts writing a file. fresh is the permissions of a new file before umask. Waiting for a
// pipe's reader ends with ctx.
func Create(ctx context.Context, name string, fresh fs.FileMode) (*Output, error) {
	place, err := Resolve(name)
	if err != nil {
		return nil, named("open", name, err)
	}
	o := &Output{name: name, old: place.Info}
	switch {
	case place.Info != nil && place.Info.IsDir():
		return nil, named("open", name, syscall.EISDIR)
	case place.Stream || place.Info != nil && !place.Info.Mode().IsRegular():
		o.file, err = openDirectly(ctx, name)
	default:
		o.target = place.Target
		if o.old != nil {
			fresh = 0o600 // Sync sets the old file's permissions
		}
		err = o.createTemporary(fresh)
	}
	if err != nil {
		return nil, named("open", name, err)
	}
	return o, nil
}

// ReplaceFile writes a whole file with Create and Commit.
func ReplaceFile(ctx context.Context, name string, content []byte, fresh fs.FileMode) error {
	o, err := Create(ctx, name, fresh)
	if err != nil {
		return err
	}
	defer o.Discard()
	if _, err := o.Write(content); err != nil {
		return err
	}
	return o.Commit()
}

// Name returns the name given to Create.
func (o *Output) Name() string { return o.name }

// Replaces reports whether Commit replaces an existing file.
func (o *Output) Replaces() bool { return o.old != nil && o.target != "" }

// Direct reports whether writes are visible at once: on a device, pipe or process stream.
func (o *Output) Direct() bool { return o.target == "" }

func (o *Output) Write(b []byte) (int, error) {
	n, err := o.file.Write(b)
	if o.broken == nil {
		o.broken = named("write", o.name, err)
	}
	return n, named("write", o.name, err)
}

// Sync flushes content, owner and permissions to disk. Several outputs can be synced before the first Commit.
func (o *Output) Sync() error {
	if o.file == nil {
		return o.broken
	}
	f := o.file
	o.file = nil
	switch {
	case o.broken != nil:
		_ = f.Close() // discarded
		return o.broken
	case o.target == "":
		return named("close", o.name, f.Close())
	}
	var err error
	if o.old != nil {
		keepOwner(f, o.old)
		o.mode = o.old.Mode().Perm()
	}
	if o.mode != 0 {
		err = f.Chmod(o.mode)
	}
	return named("write", o.name, errors.Join(err, f.Sync(), f.Close()))
}

// Commit renames the temporary file to its final name.
func (o *Output) Commit() error {
	if err := o.Sync(); err != nil || o.target == "" {
		return err
	}
	if o.fresh {
		return o.commitNew()
	}
	if err := system.Rename(o.tmp, o.target); err != nil {
		return named("replace", o.name, err)
	}
	o.forget()
	return named("sync the folder of", o.name, system.SyncFolder(filepath.Dir(o.target)))
}

// Discard removes an output that was not committed. After Commit it does nothing.
func (o *Output) Discard() {
	if o.file != nil {
		_ = o.file.Close() // content is discarded
		o.file = nil
	}
	if o.tmp != "" {
		_ = system.Remove(o.tmp) // nothing to do about an error
		o.forget()
	}
}

// forget unregisters the temporary file, which has another name or is gone.
func (o *Output) forget() {
	forget(o.tmp)
	o.tmp = ""
	if o.free != nil {
		o.free()
	}
}

// createTemporary creates the temporary file. Until the content is complete, only the user can read it, also if the
// process is killed.
func (o *Output) createTemporary(mode fs.FileMode) (err error) {
	cleanOnce(filepath.Dir(o.target))
	for o.free == nil {
		if o.tmp, o.file, err = createBeside(o.target, mode); err != nil {
			return err
		}
		if o.free, err = claim(o.file, o.tmp); err != nil {
			break
		}
		if o.free == nil {
			_ = o.file.Close() // it is empty
			forget(o.tmp)
		}
	}
	const private = 0o600
	var info fs.FileInfo
	if err == nil {
		info, err = o.file.Stat()
	}
	if err != nil {
		o.Discard()
		return err
	}
	if info.Mode().Perm() != private && o.file.Chmod(private) == nil {
		o.mode = info.Mode().Perm() // after umask
	}
	return nil
}

// TemporaryPrefix starts the names of temporary files.
const TemporaryPrefix = ".cupel-"

// createBeside creates a temporary file in target's folder.
func createBeside(target string, mode fs.FileMode) (name string, f File, err error) {
	for {
		name = filepath.Join(filepath.Dir(target), TemporaryPrefix+rand.Text())
		f, err = remember(name, func() (File, error) { return system.Create(name, mode) })
		if !errors.Is(err, fs.ErrExist) {
			return name, f, err
		}
	}
}

func openDirectly(ctx context.Context, name string) (File, error) {
	type opened struct {
		f   File
		err error
	}
	disk, done := system, make(chan opened)
	go func() {
		f, err := disk.Append(name)
		select {
		case done <- opened{f, err}:
		case <-ctx.Done():
			if err == nil {
				_ = f.Close() // no reader waits for it
			}
		}
	}()
	select {
	case o := <-done:
		return o.f, o.err
	case <-ctx.Done():
		return nil, ctx.Err() // the blocked call can last until the process ends
	}
}

// Place is the target of a name.
type Place struct {
	Target string      // absolute path with links resolved; it can be missing
	Info   fs.FileInfo // nil if missing
	Stream bool        // names a process stream, such as /dev/stdout
}

// maxLinks limits a chain of links.
const maxLinks = 40

// Resolve follows links, also to a missing file. The target's folder must exist.
func Resolve(name string) (Place, error) {
	at := name
	for range maxLinks {
		dir, base := filepath.Split(at)
		if base == "" || base == "." || base == ".." {
			info, err := system.Stat(at)
			return Place{Target: at, Info: info}, err
		}
		dir, err := system.EvalSymlinks(cmp.Or(dir, "."))
		if err == nil {
			dir, err = filepath.Abs(dir)
		}
		if err != nil {
			return Place{}, err
		}
		p := Place{Target: filepath.Join(dir, base), Stream: isStream(dir, base)}
		info, err := system.Lstat(p.Target)
		switch {
		case errors.Is(err, fs.ErrNotExist):
			return p, nil
		case err != nil:
			return Place{}, err
		case p.Stream: // do not resolve its name
			p.Info, err = system.Stat(p.Target)
			return p, err
		case info.Mode()&fs.ModeSymlink == 0:
			p.Info = info
			return p, nil
		}
		link, err := system.Readlink(p.Target)
		if err != nil {
			return Place{}, err
		}
		if at = link; !filepath.IsAbs(at) {
			at = dir + string(filepath.Separator) + at
		}
	}
	return Place{}, syscall.ELOOP
}

// isStream reports whether a name refers to an open file of a process.
func isStream(dir, base string) bool {
	if dir == "/dev" {
		return slices.Contains([]string{"stdin", "stdout", "stderr"}, base)
	}
	return dir == "/dev/fd" || strings.HasPrefix(dir, "/proc/") && strings.HasSuffix(dir, "/fd")
}
