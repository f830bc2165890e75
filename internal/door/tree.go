package door

import (
	"cmp"
	"errors"
	"io"
	"io/fs"
	"path"
	"slices"
)

// Walk visits a folder ("." is this one) and its descendants in name order. It does not follow
// links. Names are slash-separated and relative to d. visit is called as by [fs.WalkDir], with
// errors that name files as the user knows them.
func (d *Folder) Walk(name string, visit fs.WalkDirFunc) error {
	info, err := d.root.Lstat(name)
	if err != nil {
		err = visit(name, nil, d.explain(name, err))
	} else {
		err = d.walk(name, fs.FileInfoToDirEntry(info), visit)
	}
	if errors.Is(err, fs.SkipDir) || errors.Is(err, fs.SkipAll) {
		return nil
	}
	return err
}

func (d *Folder) walk(name string, entry fs.DirEntry, visit fs.WalkDirFunc) error {
	if err := visit(name, entry, nil); err != nil || !entry.IsDir() {
		if errors.Is(err, fs.SkipDir) && entry.IsDir() {
			return nil
		}
		return err
	}
	list, err := d.ReadDir(name)
	if err != nil {
		if err := visit(name, entry, err); err != nil {
			if errors.Is(err, fs.SkipDir) {
				return nil
			}
			return err
		}
	}
	for _, below := range list {
		err := d.walk(path.Join(name, below.Name()), below, visit)
		if errors.Is(err, fs.SkipDir) {
			return nil
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// ReadDir lists a folder in name order. On error it also returns the entries read before.
func (d *Folder) ReadDir(name string) ([]fs.DirEntry, error) {
	f, err := d.directory(name)
	if err != nil {
		return nil, err
	}
	defer func() { _ = f.Close() }() // opened for reading: nothing can be lost
	list, err := f.ReadDir(-1)
	slices.SortFunc(list, func(a, b fs.DirEntry) int { return cmp.Compare(a.Name(), b.Name()) })
	if err != nil {
		return list, d.explain(name, err)
	}
	return list, nil
}

// SomeNames lists at most most names, sorted. Of a larger folder, it lists the first ones on disk. On error it also
// returns the names read before.
func (d *Folder) SomeNames(most int) (names []string, err error) {
	f, err := d.directory(".")
	if err != nil {
		return nil, err
	}
	defer func() { _ = f.Close() }() // opened for reading: nothing can be lost
	for len(names) < most && err == nil {
		var list []fs.DirEntry
		list, err = f.ReadDir(most - len(names))
		for _, entry := range list {
			names = append(names, entry.Name())
		}
	}
	slices.Sort(names)
	if err != nil && err != io.EOF {
		return names, d.explain(".", err)
	}
	return names, nil
}

func (d *Folder) directory(name string) (File, error) {
	f, err := d.open(name)
	if err != nil {
		return nil, d.explain(name, err)
	}
	return f, nil
}

// FS returns the folder as a file system of regular text files.
func (d *Folder) FS() fs.FS { return texts{d} }

type texts struct{ folder *Folder }

func (t texts) Open(name string) (fs.File, error) {
	if !fs.ValidPath(name) {
		return nil, &fs.PathError{Op: "open", Path: name, Err: fs.ErrInvalid}
	}
	info, err := t.folder.Stat(name)
	if err != nil {
		return nil, err
	}
	open := t.folder.Text
	if info.IsDir() {
		open = t.folder.directory
	}
	f, err := open(name)
	if err != nil {
		return nil, err
	}
	return f, nil
}
