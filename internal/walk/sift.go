package walk

import (
	"context"
	"io"
	"path/filepath"

	"github.com/cupel-dev/cupel/internal/ordered"
	"github.com/cupel-dev/cupel/internal/say"
)

// Walked files are probed concurrently after the walk.
const (
	siftedFiles  = 64       // files per batch
	siftedBytes  = 1 << 20  // bytes per batch
	weightOfByte = 32       // estimated memory per byte that a probe can read
	heaviest     = 16 << 20 // bytes; larger files are probed alone
)

// sift removes walked files that fail the probe from index from on, and reports them. It fails when ctx ends.
func (w *walker) sift(from int) error {
	if w.opt.Probe == nil || len(w.list) == from {
		return nil
	}
	kept := w.list[:from]
	err := Each(w.ctx, w.opt.Jobs, w.list[from:], w.probe, func(in Input, p probeResult) error {
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

// Each probes inputs, jobs at a time (0: one per core), and delivers the results in order. It fails
// when ctx ends or deliver fails.
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

type probeResult struct {
	Look
	err error // read error
}

func (w *walker) probe(in Input) (p probeResult) {
	if !in.walked || w.ctx.Err() != nil {
		return probeResult{Look: Look{Passes: true}}
	}
	if w.opt.Never != "" && filepath.Base(in.Path) == w.opt.Never {
		return probeResult{}
	}
	p.err = in.Peek(func(r io.Reader) { p.Look = w.opt.Probe(r) })
	return p
}

// Peek opens the input for look and returns read errors, which look can ignore.
func (in Input) Peek(look func(io.Reader)) error {
	f, err := in.Open()
	if err != nil {
		return err
	}
	defer func() { _ = f.Close() }() // opened for reading: nothing can be lost
	r := &errorKeeper{r: f}
	look(r)
	return say.Plain(r.err)
}

// errorKeeper is a file that keeps its read error.
type errorKeeper struct {
	r   io.Reader
	err error
}

func (n *errorKeeper) Read(b []byte) (int, error) {
	k, err := n.r.Read(b)
	if err != nil && err != io.EOF {
		n.err = err
	}
	return k, err
}

func (in Input) unread(why error) Input {
	in.failed = why
	in.open = func([]string) (io.ReadCloser, error) { return nil, why }
	return in
}

// countPassed counts a file that fails the probe.
func (w *walker) countPassed(resembles string) {
	w.passed++
	if resembles != "" {
		w.resembling++
	}
}

// passOver counts a file that fails the probe and reports it once.
func (w *walker) passOver(path, resembles string) {
	w.countPassed(resembles)
	key := absolute(path)
	if w.opt.PassedOver != nil && !w.told[key] {
		w.told[key] = true
		w.opt.PassedOver(filepath.ToSlash(path), resembles)
	}
}
