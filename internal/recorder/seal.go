package recorder

import (
	"io"
	"strings"

	"github.com/cupel-dev/cupel/internal/door"
)

// Sealer states what a log has, for example in a signed checkpoint. A log is all its files, in the order of their
// numbers.
type Sealer interface {
	// Write receives the bytes of the log in order. It never fails.
	io.Writer
	// Resume is called after the bytes that the log has when it is opened. It returns an error if they contradict the
	// last seal, and otherwise whether there are events after it.
	Resume() (more bool, err error)
	// Seal seals what was written. All of it is on the disk.
	Seal() error
}

// sealed passes the existing files to the Sealer.
func (r *Recorder) sealed() error {
	if r.opt.Sealer == nil {
		return nil
	}
	list, err := numberedFiles(r.ledger.Target())
	if err != nil {
		return door.Because("open", r.name, err)
	}
	for _, n := range list {
		f, size, err := openNumbered(n.path)
		if err != nil {
			return err
		}
		ended := strings.NewReader("\n") // a blank line is no event, a missing line end is one that was removed
		_, err = io.Copy(r.opt.Sealer, io.MultiReader(io.NewSectionReader(f, 0, size), ended))
		_ = f.Close() // opened for reading: nothing can be lost
		if err != nil {
			return door.Because("read", n.path, err)
		}
	}
	if _, err := io.Copy(r.opt.Sealer, io.NewSectionReader(r.file, 0, r.size)); err != nil {
		return door.Because("read", r.name, err)
	}
	more, err := r.opt.Sealer.Resume()
	if more {
		r.fresh = 1
	}
	return err
}

// seal seals the events since the last seal, if there are any.
func (r *Recorder) seal() error {
	if r.opt.Sealer == nil || r.fresh == 0 || r.broken != nil {
		return r.broken
	}
	if err := r.sync(); err != nil {
		return err
	}
	if r.broken = r.opt.Sealer.Seal(); r.broken != nil {
		return r.broken
	}
	r.fresh = 0
	r.totals.Seals++
	return nil
}
