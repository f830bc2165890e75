package walk

import (
	"context"
	"io"
	"path/filepath"

	"github.com/cupel-dev/cupel/internal/ordered"
	"github.com/cupel-dev/cupel/internal/say"
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
	err := Each(w.ctx, w.opt.Jobs, w.list[from:], w.probe, func(in Input, p probed) error {
		switch {
		case p.err != nil:
			kept = append(kept, in.unread(p.err))
		case p.Passes:
			kept = append(kept, in)
		default:
			w.passOver(in.Path, p.Resembles)
		}
		return nil
	})
	if err == nil {
		w.list = kept
	}
	return err
}

// Each looks into inputs, jobs at a time (0: one for each core), and delivers what was seen in
// their order. It fails when ctx ends or deliver does.
func Each[Seen any](ctx context.Context, jobs int, list []Input, look func(Input) Seen, deliver func(Input, Seen) error) error {
	size := func(in Input) int { return int(min(in.Size, heaviest)) }
	return ordered.Pipeline[[]Input, []Seen]{
		Jobs: jobs,
		Read: ordered.Batches(list, siftedFiles, siftedBytes, size),
		Weight: func(files []Input) (total int) {
			for _, in := range files {
				total += weightOfByte * max(0, size(in))
			}
			return total
		},
		NewWorker: func() func([]Input) []Seen {
			return func(files []Input) []Seen {
				seen := make([]Seen, len(files))
				for i, in := range files {
					seen[i] = look(in)
				}
				return seen
			}
		},
		Deliver: func(files []Input, seen []Seen) error {
			for i, in := range files {
				if err := deliver(in, seen[i]); err != nil {
					return err
				}
			}
			return nil
		},
	}.Run(ctx)
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
	if w.opt.Never != "" && filepath.Base(in.Path) == w.opt.Never {
		return probed{}
	}
	p.err = in.Peek(func(r io.Reader) { p.Look = w.opt.Probe(r) })
	return p
}

// Peek opens the input for look, whose reader need not care for errors: Peek returns them.
func (in Input) Peek(look func(io.Reader)) error {
	f, err := in.Open()
	if err != nil {
		return err
	}
	defer func() { _ = f.Close() }() // opened for reading: nothing can be lost
	r := &noting{r: f}
	look(r)
	return say.Plain(r.err)
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
	in.open = func([]string) (io.ReadCloser, error) { return nil, why }
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
