package doortest

import (
	"io/fs"
	"iter"
	"maps"
	"path/filepath"
	"strings"
	"sync"

	"github.com/cupel-dev/cupel/internal/door"
)

// Journal remembers what a run changes of the disk, and in which order, so that a test can
// look at what a power cut at any time would have left. It is safe for concurrent use.
//
// What a cut leaves is what POSIX promises, and no more: the content of a file as it was
// when it was last synced, or anything later; the names of a folder as they were when it
// was last synced, and of the changes since then the first ones.
type Journal struct {
	mu      sync.Mutex
	changes []change
}

// change is one change of the disk: of a name, of a content, or that one of both is kept.
type change struct {
	kind string
	name string   // what is created, renamed, linked or removed; of a synced folder its own
	to   string   // the new name
	file *content // what is created, written or synced
	text string   // what is written
}

// content is what a file holds.
type content struct{ now, kept string }

// Changes is how many changes were made.
func (j *Journal) Changes() int {
	j.mu.Lock()
	defer j.mu.Unlock()
	return len(j.changes)
}

func (j *Journal) note(c change) {
	j.mu.Lock()
	defer j.mu.Unlock()
	j.changes = append(j.changes, c)
}

// Disk is another disk whose changes are noted.
func (j *Journal) Disk(d door.Disk) door.Disk { return notedDisk{d, j} }

// Crashes are the files of a folder, by their names below it, that power cuts may leave: in
// turn after each number of changes. before is what the folder held at the beginning.
func (j *Journal) Crashes(dir string, before map[string]string) iter.Seq[map[string]string] {
	return func(yield func(map[string]string) bool) {
		for done := range len(j.changes) + 1 {
			for named := range done + 1 {
				for _, flushed := range []bool{false, true} {
					if !yield(j.crash(dir, before, done, named, flushed)) {
						return
					}
				}
			}
		}
	}
}

// crash is what is left after the first done changes, when only the first named ones of
// those that concern names are on the disk, besides those of synced folders. flushed says
// that contents are there that were not synced.
func (j *Journal) crash(dir string, before map[string]string, done, named int, flushed bool) map[string]string {
	files := map[string]*content{}
	for name, text := range before {
		files[filepath.Join(dir, name)] = &content{text, text}
	}
	for i, c := range j.changes[:done] {
		if c.file != nil && c.kind == "create" {
			*c.file = content{}
		}
		if i < named || j.synced(i, done) {
			c.rename(files)
		}
		switch c.kind {
		case "write":
			c.file.now += c.text
		case "sync":
			c.file.kept = c.file.now
		}
	}
	left := map[string]string{}
	for path, file := range files {
		name := strings.TrimPrefix(path, dir+string(filepath.Separator))
		if left[name] = file.kept; flushed {
			left[name] = file.now
		}
	}
	return left
}

// synced reports whether the folder of a change was synced after it, among the first done.
func (j *Journal) synced(i, done int) bool {
	folder := filepath.Dir(j.changes[i].name)
	for _, c := range j.changes[i:done] {
		if c.kind == "sync folder" && c.name == folder {
			return true
		}
	}
	return false
}

// rename makes the change, when it is one of names.
func (c change) rename(files map[string]*content) {
	switch c.kind {
	case "create":
		files[c.name] = c.file
	case "link":
		if file, there := files[c.name]; there {
			files[c.to] = file
		}
	case "rename":
		if file, there := files[c.name]; there {
			files[c.to] = file
		}
		delete(files, c.name)
	case "remove":
		maps.DeleteFunc(files, func(name string, _ *content) bool { return name == c.name })
	}
}

// notedDisk is a disk whose changes are noted once they are made.
type notedDisk struct {
	door.Disk
	journal *Journal
}

func (d notedDisk) Create(name string, mode fs.FileMode) (door.File, error) {
	f, err := d.Disk.Create(name, mode)
	if err != nil {
		return nil, err
	}
	file := new(content)
	d.journal.note(change{kind: "create", name: name, file: file})
	return notedFile{f, file, d.journal}, nil
}

func (d notedDisk) Rename(from, to string) error {
	err := d.Disk.Rename(from, to)
	if err == nil {
		d.journal.note(change{kind: "rename", name: from, to: to})
	}
	return err
}

func (d notedDisk) Link(from, to string) error {
	err := d.Disk.Link(from, to)
	if err == nil {
		d.journal.note(change{kind: "link", name: from, to: to})
	}
	return err
}

func (d notedDisk) Remove(name string) error {
	err := d.Disk.Remove(name)
	if err == nil {
		d.journal.note(change{kind: "remove", name: name})
	}
	return err
}

// SyncFolder is noted and does nothing: the power is not cut.
func (d notedDisk) SyncFolder(name string) error {
	d.journal.note(change{kind: "sync folder", name: name})
	return nil
}

// notedFile is a file that is written.
type notedFile struct {
	door.File
	file    *content
	journal *Journal
}

func (f notedFile) Write(p []byte) (int, error) {
	n, err := f.File.Write(p)
	f.journal.note(change{kind: "write", file: f.file, text: string(p[:n])})
	return n, err
}

// Sync is noted and does nothing.
func (f notedFile) Sync() error {
	f.journal.note(change{kind: "sync", file: f.file})
	return nil
}
