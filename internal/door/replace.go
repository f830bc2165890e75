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

// Output is a file of the user that is being written. What lies under its name stays as it
// is until Commit: the content goes into a temporary file beside it, which then takes its
// place in one step, so that a reader sees the old content or the new one, whole, also
// after a crash. A file that is there keeps its permissions, and its owner where the system
// permits that; a link stays, and what it leads to is replaced.
//
// Devices, pipes and the process's own streams (/dev/stdout) cannot be replaced, and are
// written directly.
//
// Each error is an *fs.PathError with the name that the caller gave. An Output is not safe
// for concurrent use.
type Output struct {
	name   string
	target string      // what is replaced; "": written directly
	old    fs.FileInfo // of what is there; nil: nothing
	fresh  bool        // the target must not be there
	tmp    string      // the temporary file, while it is there
	file   File        // nil: closed
	broken error       // of the first write that failed
}

// Create begins to write a file. Fresh are the permissions of one that is not there yet,
// before the umask. Where it waits for the other end of a named pipe, the end of ctx ends
// the wait.
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
			fresh = 0o600 // until Sync gives it the permissions of the old file
		}
		o.tmp, o.file, err = createBeside(o.target, fresh)
	}
	if err != nil {
		return nil, named("open", name, err)
	}
	return o, nil
}

// ReplaceFile writes a whole file as Create and Commit do.
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

// Name is what Create was given.
func (o *Output) Name() string { return o.name }

// Replaces reports whether the file is there and gives its place up.
func (o *Output) Replaces() bool { return o.old != nil && o.target != "" }

// Direct reports whether what is written is seen at once: a device, a pipe or a stream of
// the process.
func (o *Output) Direct() bool { return o.target == "" }

// Write writes to the temporary file. One that failed keeps the output from its place: it
// is cut.
func (o *Output) Write(b []byte) (int, error) {
	n, err := o.file.Write(b)
	if o.broken == nil {
		o.broken = named("write", o.name, err)
	}
	return n, named("write", o.name, err)
}

// Sync ends writing: the content, with its owner and permissions, is on the disk. Of
// several outputs all can be synced before the first takes its place.
func (o *Output) Sync() error {
	if o.file == nil {
		return o.broken
	}
	f := o.file
	o.file = nil
	switch {
	case o.broken != nil:
		_ = f.Close() // it is given up
		return o.broken
	case o.target == "":
		return named("close", o.name, f.Close())
	}
	var err error
	if o.old != nil {
		keepOwner(f, o.old)
		err = f.Chmod(o.old.Mode().Perm())
	}
	return named("write", o.name, errors.Join(err, f.Sync(), f.Close()))
}

// Commit puts the file in its place.
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
	forget(o.tmp)
	o.tmp = ""
	return named("sync the folder of", o.name, system.SyncFolder(filepath.Dir(o.target)))
}

// Discard ends an output that was not committed, and leaves nothing behind. After Commit
// it does nothing.
func (o *Output) Discard() {
	if o.file != nil {
		_ = o.file.Close() // what it holds is not wanted
		o.file = nil
	}
	if o.tmp != "" {
		_ = system.Remove(o.tmp) // nobody can be helped by knowing
		forget(o.tmp)
		o.tmp = ""
	}
}

// TemporaryPrefix begins the names of files that are written before they take their place.
const TemporaryPrefix = ".cupel-"

// createBeside makes a temporary file in the folder of another.
func createBeside(target string, mode fs.FileMode) (name string, f File, err error) {
	for {
		name = filepath.Join(filepath.Dir(target), TemporaryPrefix+rand.Text())
		f, err = remember(name, func() (File, error) { return system.Create(name, mode) })
		if !errors.Is(err, fs.ErrExist) {
			return name, f, err
		}
	}
}

// openDirectly opens what is no regular file to write at its end.
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
				_ = f.Close() // nobody waits for it any more
			}
		}
	}()
	select {
	case o := <-done:
		return o.f, o.err
	case <-ctx.Done():
		return nil, ctx.Err() // the blocked call may last as long as the process
	}
}

// Place is where a name leads.
type Place struct {
	Target string      // the file behind all links, absolute; it need not be there
	Info   fs.FileInfo // of that file; nil: it is not there
	Stream bool        // it names a stream of this process, such as /dev/stdout
}

// maxLinks is how many links a name may lead through.
const maxLinks = 40

// Resolve follows a name through its links, also to a file that is not there. The folder
// that it leads to must be there.
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
		case p.Stream: // not to be followed by its name
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

// isStream reports whether a file of a folder stands for an open file of a process.
func isStream(dir, base string) bool {
	if dir == "/dev" {
		return slices.Contains([]string{"stdin", "stdout", "stderr"}, base)
	}
	return dir == "/dev/fd" || strings.HasPrefix(dir, "/proc/") && strings.HasSuffix(dir, "/fd")
}
