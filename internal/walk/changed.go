package walk

import (
	"io/fs"
	"path/filepath"

	"github.com/cupel-dev/cupel/internal/door"
	"github.com/cupel-dev/cupel/internal/say"
)

// changed adds the inputs for a changed file: the runs that contain it, or the file itself if a walk would select
// it. Others are skipped and counted. Names come from a commit, so that files are opened like walked ones; "-" is
// an ordinary name.
func (w *walker) changed(op string) error {
	if w.ctx.Err() != nil {
		return w.ctx.Err()
	}
	if op == "" {
		return w.gone(op)
	}
	file, before := filepath.Clean(op), len(w.list)
	inRun := w.runsAround(file)
	if inRun {
		if err := w.settleOnce(before); err != nil || !w.opt.Inside {
			return err
		}
	}
	g := ground{dir: filepath.Dir(file)}
	if filepath.IsLocal(file) {
		g.dir = "." // a link can lead to another file of the tree
	}
	name, err := filepath.Rel(g.dir, file)
	if err == nil {
		g.folder, err = door.Open(g.dir)
	}
	var info fs.FileInfo
	if err == nil {
		defer func() { _ = g.folder.Close() }() // opened for reading: nothing can be lost
		name = filepath.ToSlash(name)
		info, err = g.folder.Lstat(name)
	}
	switch {
	case err == nil:
		return w.changedIn(g, name, info)
	case inRun && door.Absent(err): // reported by the run
		return nil
	}
	return w.missing(op, err)
}

// changedIn adds a changed file below the ground, or a folder's content.
func (w *walker) changedIn(g ground, name string, info fs.FileInfo) (err error) {
	before := len(w.list)
	if info.IsDir() {
		err = w.directory(g.path(name))
	} else {
		w.found(g, name, fs.FileInfoToDirEntry(info))
	}
	switch {
	case err != nil:
		return err
	case len(w.list) > before:
		return w.settleOnce(before)
	case w.opt.Shard.Has(g.path(name)):
		w.passOver(g.path(name), "")
	default:
		w.leave(g.path(name))
	}
	return nil
}

// settleOnce is settle for changed files. Each input is added once, even if its path is written differently.
func (w *walker) settleOnce(from int) error {
	w.once(from)
	_, err := w.settle(from)
	return err
}

// missing returns why a changed file cannot be opened. A deleted file is an error, because a wrong
// current folder would otherwise look like success.
func (w *walker) missing(op string, err error) error {
	if door.Absent(err) {
		return w.gone(op)
	}
	w.fail(op, say.Plain(err))
	return w.settleOnce(len(w.list) - 1)
}

func (w *walker) gone(op string) error {
	w.fail(op, &EmptyError{Operand: op, Gone: true})
	w.list[len(w.list)-1].empty = true
	w.once(len(w.list) - 1)
	return nil
}

// runsAround adds the runs that contain a file (folders with Options.Marker up to the repository
// root or current folder) and reports whether there are any.
func (w *walker) runsAround(file string) (any bool) {
	if w.opt.Marker == "" {
		return false
	}
	dir := filepath.Dir(file)
	top := repository(absolute(dir))
	if top == "" {
		top = absolute(".")
	}
	for {
		any = w.run(dir) || any
		at := absolute(dir)
		if at == top || at == filepath.Dir(at) {
			return any
		}
		dir = filepath.Join(dir, "..")
	}
}

// run reports whether a folder is a run, and adds it if it is new.
func (w *walker) run(dir string) bool {
	key := absolute(dir)
	is, known := w.runs[key]
	if !known {
		is = w.addRun(dir)
		w.runs[key] = is
	}
	return is
}

func (w *walker) addRun(dir string) bool {
	folder, err := door.Open(dir)
	if err != nil {
		return false // reported by the file below it
	}
	defer func() { _ = folder.Close() }() // opened for reading: nothing can be lost
	return w.marked(ground{dir, folder}, w.opt.Marker)
}

// once removes inputs from index from on that earlier changed files added.
func (w *walker) once(from int) {
	kept := w.list[:from]
	for _, in := range w.list[from:] {
		key := absolute(in.Path)
		if !w.seen[key] {
			kept = append(kept, in)
		}
		w.seen[key] = true
	}
	w.list = kept
}
