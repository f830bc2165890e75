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

// Journal records the changes that a run makes to the disk, in order, to compute what a power failure at any time
// would leave. It is safe for concurrent use. It assumes only what POSIX guarantees: file content as of the last
// sync or later, and folder entries as of the last sync plus a prefix of the later changes.
type Journal struct {
	mu      sync.Mutex
	changes []change
}

// change is a change of a name or content, or a sync.
type change struct {
	kind string
	name string   // created, renamed, linked or removed name; for a sync, the folder
	to   string   // new name
	file *content // file that is created, written or synced
	text string   // written text
}

// content is the current and the synced content of a file.
type content struct{ now, kept string }

// Changes returns the number of changes.
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

// Disk returns d with recorded changes.
func (j *Journal) Disk(d door.Disk) door.Disk { return notedDisk{d, j} }

// Crashes yields, for each number of changes, the files that a power failure can leave in dir, by
// name. before is the initial content.
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

// crash computes the files left after done changes if only the first named name changes and those
// of synced folders reached the disk. flushed includes unsynced contents.
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

// synced reports whether the folder of change i was synced later, within the first done changes.
func (j *Journal) synced(i, done int) bool {
	folder := filepath.Dir(j.changes[i].name)
	for _, c := range j.changes[i:done] {
		if c.kind == "sync folder" && c.name == folder {
			return true
		}
	}
	return false
}

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

// SyncFolder is only recorded.
func (d notedDisk) SyncFolder(name string) error {
	d.journal.note(change{kind: "sync folder", name: name})
	return nil
}

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

// Sync is only recorded.
func (f notedFile) Sync() error {
	f.journal.note(change{kind: "sync", file: f.file})
	return nil
}
