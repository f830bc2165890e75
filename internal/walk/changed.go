package walk

import (
	"io/fs"
	"path/filepath"

	"github.com/cupel-dev/cupel/internal/door"
	"github.com/cupel-dev/cupel/internal/say"
)

// changed adds what a file that has changed stands for: every run that it lies in, whatever
// its name, or else itself, where a walk would pick it. What it does not pick is passed over
// and counted. The names come from a commit and not from the user, so each is opened as
// what a walk finds; "-" is a name like others.
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
		g.dir = "." // a link may lead to another file of the same tree
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
	case inRun && door.Absent(err): // the run says what that means
		return nil
	}
	return w.missing(op, err)
}

// changedIn adds the changed file of that name below the ground, or what a folder holds.
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

// settleOnce is settle for what changed files stand for: each is taken the first time,
// however they are spelled.
func (w *walker) settleOnce(from int) error {
	w.once(from)
	_, err := w.settle(from)
	return err
}

// missing says why a changed file cannot be reached. Where it is gone, nothing can be said
// about it: a wrong current folder would look as if all were well.
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

// runsAround adds the runs that a file lies in, and says whether there are any: they hold
// Options.Marker and lie above it, up to the repository's root, or outside a repository up
// to the current folder.
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

// run says whether a folder is a run, and adds it when it is asked for the first time.
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
		return false // the file below it will say why
	}
	defer func() { _ = folder.Close() }() // opened for reading: nothing can be lost
	return w.marked(ground{dir, folder}, w.opt.Marker)
}

// once leaves out, from an index of the list on, what changed files before stand for, too.
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
