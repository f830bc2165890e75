package main

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"maps"

	"github.com/cupel-dev/cupel/internal/door"
)

// Short columns are stored in their summaries. Others are stored below the output in one file (a pack) per range,
// because a range can have many sessions.

// longestCarried is the maximum size in bytes of columns that travel with their range.
const longestCarried = 32 << 10

// packMagic starts a pack, so that it does not look like compressed text.
const packMagic = "cupel.columns\n"

type place struct {
	pack         string // its name
	offset, size int64
}

// places maps the digests of columns to locations.
type places map[[32]byte]place

func (lie places) with(others places) places {
	if len(lie) == 0 {
		return others
	}
	all := maps.Clone(lie)
	maps.Copy(all, others)
	return all
}

// of returns the locations of a summary's columns.
func (lie places) of(sum known) places {
	own := places{}
	for digest := range sum.Columns() {
		if at, ok := lie[digest]; ok {
			own[digest] = at
		}
	}
	return own
}

// columnsFolder is the folder of the columns during a job.
const columnsFolder = "columns"

// pack writes the columns of summaries, except short ones, and returns their locations. It is idempotent, because
// equal columns have the same pack.
func pack[K known](ctx context.Context, output string, sums ...K) (places, error) {
	lie, all, end := places{}, sha256.New(), int64(len(packMagic))
	var columns [][]byte
	for _, sum := range sums {
		for digest, column := range sum.Columns() {
			if _, twice := lie[digest]; twice {
				continue
			}
			lie[digest] = place{offset: end, size: int64(len(column))}
			end += int64(len(column))
			columns = append(columns, column)
			all.Write(digest[:])
		}
	}
	if end-int64(len(packMagic)) <= longestCarried {
		return nil, nil
	}
	name := below(output, columnsFolder+"/"+hex.EncodeToString(all.Sum(nil))+".columns")
	for digest, at := range lie {
		at.pack = name
		lie[digest] = at
	}
	err := storeOf(name).write(ctx, name, func(w io.Writer) error {
		_, err := io.WriteString(w, packMagic)
		for _, column := range columns {
			if err == nil {
				_, err = w.Write(column)
			}
		}
		return err
	})
	if err != nil {
		return nil, fmt.Errorf("cannot write %q: %w", name, err)
	}
	return lie, nil
}

// mostPacks is the number of packs that are open at a time.
const mostPacks = 128

// errNowhere means that a column of a part is missing.
var errNowhere = errors.New("a column of a summary is not there, nor where it lies")

// packs are the packs that a worker has open.
type packs struct {
	open   map[string]*watchedLog
	failed error // a transient error of opening
}

// columns opens columns in packs. Packs stay open for other summaries.
func (p *packs) columns(ctx context.Context, lie places) func(digest [32]byte) (io.ReadCloser, error) {
	return func(digest [32]byte) (io.ReadCloser, error) {
		at, ok := lie[digest]
		if !ok {
			p.failed = errNowhere
			return nil, p.failed
		}
		log, err := p.named(ctx, at.pack)
		if err != nil {
			p.failed = err
			return nil, err
		}
		return io.NopCloser(io.NewSectionReader(log, at.offset, at.size)), nil
	}
}

func (p *packs) named(ctx context.Context, name string) (*watchedLog, error) {
	if log := p.open[name]; log != nil {
		return log, nil
	}
	if len(p.open) == mostPacks {
		p.close()
	}
	src, err := storeOf(name).open(context.WithoutCancel(ctx), name) // for longer than one element
	if err != nil {
		return nil, err
	}
	if p.open == nil {
		p.open = map[string]*watchedLog{}
	}
	p.open[name] = &watchedLog{source: src}
	return p.open[name], nil
}

// failure returns a transient error of reading a column, once.
func (p *packs) failure() error {
	err := p.failed
	for _, log := range p.open {
		if err == nil {
			err = log.failed
		}
	}
	if p.failed = nil; err != nil {
		p.close()
	}
	return err
}

func (p *packs) close() {
	for _, log := range p.open {
		_ = log.Close() // opened for reading: nothing can be lost
	}
	p.open = nil
}

// removeColumns removes temporary files of the job, including those of crashed workers.
func removeColumns(ctx context.Context, output string) error {
	at := storeOf(output)
	left := []string{"*.columns", "*" + lakeSuffix}
	_, isLocal := at.(local)
	if isLocal {
		left = append(left, door.TemporaryPrefix+"*")
	}
	none := true
	for _, pattern := range left {
		names, err := at.list(ctx, below(output, columnsFolder+"/"+pattern))
		if err != nil {
			return err
		}
		for _, f := range names {
			if f.refused != "" {
				continue
			}
			none = false
			if err := at.remove(ctx, f.name); err != nil {
				return err
			}
		}
	}
	if none || !isLocal {
		return nil
	}
	if err := at.remove(ctx, below(output, columnsFolder)); !errors.Is(err, fs.ErrExist) { // with files of somebody else it stays
		return err
	}
	return nil
}

// lakeSuffix ends the name of a lake.
const lakeSuffix = ".lake"
