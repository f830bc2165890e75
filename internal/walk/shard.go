package walk

import (
	"crypto/sha256"
	"fmt"
	"path"
	"path/filepath"
	"strconv"
	"strings"
)

// Shard is one of several disjoint parts of the inputs, for separate machines. The part depends
// only on an input's name: its SHA-256 as a big-endian number, modulo Count, plus one. The name is
// that in reports, with forward slashes and cleaned ("./", "//", "a/../"):
//
//	python3 -c 'import hashlib,sys; print(int(hashlib.sha256(sys.argv[1].encode()).hexdigest(),16)%int(sys.argv[2])+1)' logs/a.jsonl 3
//
// The zero Shard contains every input.
type Shard struct {
	Index int // from 1 to Count
	Count int
}

// MaxShards limits the shards of one list.
const MaxShards = 1_000_000

// ParseShard reads "i/n".
func ParseShard(text string) (Shard, error) {
	index, count, _ := strings.Cut(text, "/")
	i, okIndex := wholeNumber(index)
	n, okCount := wholeNumber(count)
	switch {
	case !okIndex || !okCount:
		return Shard{}, fmt.Errorf("is %q, expected i/n such as 1/3", text)
	case n > MaxShards:
		return Shard{}, fmt.Errorf("is %q, expected at most %d shards", text, MaxShards)
	case i < 1 || i > n:
		return Shard{}, fmt.Errorf("is %q, expected a shard from 1/%d to %d/%d", text, max(n, 1), max(n, 1), max(n, 1))
	}
	return Shard{i, n}, nil
}

// wholeNumber parses digits without sign, blanks or leading zeros.
func wholeNumber(text string) (n int, ok bool) {
	n, err := strconv.Atoi(text)
	return n, err == nil && strconv.Itoa(n) == text && n >= 0
}

// String returns the form that ParseShard reads.
func (s Shard) String() string { return fmt.Sprintf("%d/%d", s.Index, s.Count) }

// Whole reports whether the shard contains every input.
func (s Shard) Whole() bool { return s.Count < 2 }

// Has reports whether the shard contains an input.
func (s Shard) Has(name string) bool { return s.Whole() || ShardOf(name, s.Count) == s.Index }

// ShardName returns the form of an input's name that decides its shard.
func ShardName(name string) string { return path.Clean(filepath.ToSlash(name)) }

func ShardOf(name string, count int) int {
	sum := sha256.Sum256([]byte(ShardName(name)))
	rest := 0
	for _, b := range sum {
		rest = (rest<<8 | int(b)) % count
	}
	return rest + 1
}

// settle completes an operand's files from index from on: it removes those of other shards and
// probes the rest. any reports whether the operand has inputs in any shard.
func (w *walker) settle(from int) (any bool, err error) {
	others := w.deal(from)
	if err := w.sift(from); err != nil {
		return false, err
	}
	if len(w.list) == from {
		others, err = w.passing(others)
	}
	if w.opt.Others != nil {
		for _, in := range others {
			w.opt.Others(in)
		}
	}
	return len(w.list) > from || len(others) > 0, err
}

// deal removes the inputs of other shards from index from on.
func (w *walker) deal(from int) (others []Input) {
	if w.opt.Shard.Whole() {
		return nil
	}
	mine := w.list[from:from]
	for _, in := range w.list[from:] {
		if w.opt.Listed != nil {
			w.opt.Listed(in.Name)
		}
		if w.opt.Shard.Has(in.Name) {
			mine = append(mine, in)
		} else {
			others = append(others, in)
			if in.walked {
				w.leave(in.Path)
			}
		}
	}
	w.list = w.list[:from+len(mine)]
	return others
}

// leave marks a file that another shard reports as skipped.
func (w *walker) leave(path string) { w.told[absolute(path)] = true }

// passing returns the other shards' inputs from the first that passes the probe: one is enough to
// know that there are inputs. Earlier ones are counted and reported by their shard.
func (w *walker) passing(others []Input) ([]Input, error) {
	for i, in := range others {
		if w.ctx.Err() != nil {
			return nil, w.ctx.Err()
		}
		if w.opt.Probe == nil {
			return others, nil
		}
		p := w.probe(in)
		if p.err != nil || p.Passes {
			return others[i:], nil
		}
		w.countPassed(p.Resembles)
	}
	return nil, nil
}
