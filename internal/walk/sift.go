package walk

import (
	"io"
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
	err := ordered.Pipeline[[]Input, []probed]{
		Jobs:   w.opt.Jobs,
		Read:   ordered.Batches(w.list[from:], siftedFiles, siftedBytes, size),
		Weight: weight,
		NewWorker: func() func([]Input) []probed {
			return func(files []Input) []probed {
				found := make([]probed, len(files))
				for i, in := range files {
					found[i] = w.probe(in)
				}
				return found
			}
		},
		Deliver: func(files []Input, found []probed) error {
			for i, in := range files {
				switch {
				case found[i].err != nil:
					kept = append(kept, in.unread(found[i].err))
				case found[i].Passes:
					kept = append(kept, in)
				default:
					w.passOver(in.Path, found[i].Resembles)
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

// probed is what looking into an input has shown.
type probed struct {
	Look
	err error // it cannot be read
}

func (w *walker) probe(in Input) (p probed) {
	if !in.walked || w.ctx.Err() != nil {
		return probed{Look: Look{Passes: true}}
	}
	f, err := in.Open()
	if err != nil {
		return probed{err: err}
	}
	defer func() { _ = f.Close() }() // opened for reading: nothing can be lost
	r := &noting{r: f}
	p.Look = w.opt.Probe(r)
	p.err = Plain(r.err)
	return p
}

// noting is a file whose reader need not care for errors: they are kept.
type noting struct {
	r   io.Reader
	err error
}

func (n *noting) Read(b []byte) (int, error) {
	k, err := n.r.Read(b)
	if err != nil && err != io.EOF {
		n.err = err
	}
	return k, err
}

// unread is the input as one that cannot be opened.
func (in Input) unread(why error) Input {
	in.failed = why
	in.open = func() (io.ReadCloser, error) { return nil, why }
	return in
}

// countPassed counts a file that does not pass the probe.
func (w *walker) countPassed(resembles string) {
	w.passed++
	if resembles != "" {
		w.resembling++
	}
}

// passOver counts a file that does not pass the probe, and tells of it once.
func (w *walker) passOver(path, resembles string) {
	w.countPassed(resembles)
	key := absolute(path)
	if w.opt.PassedOver != nil && !w.told[key] {
		w.told[key] = true
		w.opt.PassedOver(filepath.ToSlash(path), resembles)
	}
}
