package walk

import (
	"path/filepath"

	"github.com/cupel-dev/cupel/internal/ordered"
)

// Walked files are looked into several at a time, once the walk has listed them.
const (
	siftedFiles  = 64       // that a worker takes at a time
	siftedBytes  = 1 << 20  // … and how much of them there is
	weightOfByte = 32       // memory that is reckoned for each byte that a probe may read
	heaviest     = 16 << 20 // bytes; a file of more is looked into alone, too
)

// sift takes out of the list, from an index on, the walked files that do not pass the
// probe, and tells of them. It fails when the context ends.
func (w *walker) sift(from int) error {
	if w.opt.Probe == nil || len(w.list) == from {
		return nil
	}
	kept := w.list[:from]
	size := func(in Input) int { return int(min(in.Size, heaviest)) }
	weight := func(files []Input) (total int) {
		for _, in := range files {
			total += weightOfByte * max(0, size(in))
		}
		return total
	}
	err := ordered.Pipeline[[]Input, []bool]{
		Jobs:   w.opt.Jobs,
		Read:   ordered.Batches(w.list[from:], siftedFiles, siftedBytes, size),
		Weight: weight,
		NewWorker: func() func([]Input) []bool {
			return func(files []Input) []bool {
				passes := make([]bool, len(files))
				for i, in := range files {
					passes[i] = w.ctx.Err() != nil || w.passes(in)
				}
				return passes
			}
		},
		Deliver: func(files []Input, passes []bool) error {
			for i, in := range files {
				if passes[i] {
					kept = append(kept, in)
				} else {
					w.passOver(in.Path)
				}
			}
			return nil
		},
	}.Run(w.ctx)
	if err == nil {
		w.list = kept
	}
	return err
}

// passes says whether an input is what the command reads. One that cannot be read is:
// reading it will say why.
func (w *walker) passes(in Input) bool {
	if !in.walked {
		return true
	}
	f, err := in.Open()
	if err != nil {
		return true
	}
	defer func() { _ = f.Close() }() // opened for reading: nothing can be lost
	return w.opt.Probe(f)
}

// passOver counts a file that does not pass the probe, and tells of it once.
func (w *walker) passOver(path string) {
	w.passed++
	key := absolute(path)
	if w.opt.PassedOver != nil && !w.told[key] {
		w.told[key] = true
		w.opt.PassedOver(filepath.ToSlash(path))
	}
}
