package walk

import (
	"crypto/sha256"
	"fmt"
	"path"
	"path/filepath"
	"strconv"
	"strings"
)

// Shard is one of several parts that together have every input once: each can be read by
// another machine. Which one has an input depends on its name alone, not on what else
// there is: SHA-256 of the name as a number of 256 bits, the first byte the highest, modulo
// Count, plus one. The name is the one in reports with forward slashes, without what changes
// nothing about where it leads ("./", "//", "a/../"):
//
//	python3 -c 'import hashlib,sys; print(int(hashlib.sha256(sys.argv[1].encode()).hexdigest(),16)%int(sys.argv[2])+1)' logs/a.jsonl 3
//
// The zero Shard has every input.
type Shard struct {
	Index int // from 1 to Count
	Count int
}

// MaxShards bounds the shards of one list.
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

// wholeNumber reads digits alone: no sign, no blank, no leading zero.
func wholeNumber(text string) (n int, ok bool) {
	n, err := strconv.Atoi(text)
	return n, err == nil && strconv.Itoa(n) == text && n >= 0
}

// String is what ParseShard reads.
func (s Shard) String() string { return fmt.Sprintf("%d/%d", s.Index, s.Count) }

// Whole says whether the shard has every input.
func (s Shard) Whole() bool { return s.Count < 2 }

// Has says whether the shard has the input of a name.
func (s Shard) Has(name string) bool { return s.Whole() || ShardOf(name, s.Count) == s.Index }

// ShardOf is the index, from 1 to count, of the shard that has the input of a name.
func ShardOf(name string, count int) int {
	sum := sha256.Sum256([]byte(path.Clean(filepath.ToSlash(name))))
	rest := 0
	for _, b := range sum {
		rest = (rest<<8 | int(b)) % count
	}
	return rest + 1
}

// settle is what comes after the files that an operand leads to have been listed, from an
// index on: those of other shards are taken out, and the others looked into. It says whether
// the operand leads to anything, in whatever shard.
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

// deal takes the inputs of other shards out of the list, from an index on.
func (w *walker) deal(from int) (others []Input) {
	if w.opt.Shard.Whole() {
		return nil
	}
	mine := w.list[from:from]
	for _, in := range w.list[from:] {
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

// leave lets another shard tell of a file, should it be passed over, however the operands
// after this one spell it.
func (w *walker) leave(path string) { w.told[absolute(path)] = true }

// passing leaves out the inputs of other shards before the first that passes the probe: one
// is enough to know that there is something. Each other one is counted, and told of by the
// shard that has it.
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
