package evidencecmd

import (
	"bytes"
	"cmp"
	"io"
	"iter"
	"math"
	"slices"

	"github.com/cupel-dev/cupel/commands/internal/app"
	"github.com/cupel-dev/cupel/commands/internal/cmdline"
	"github.com/cupel-dev/cupel/evidence"
	"github.com/cupel-dev/cupel/internal/door"
	"github.com/cupel-dev/cupel/internal/source"
)

// A list of hashes is processed in windows, at about 300 bytes per hash, to bound memory. The order
// within a window does not matter. A longer list in input order costs one pass per input, another
// order one per window.
const (
	maxSumLine  = 64 << 10
	windowBytes = 8 << 20 // of names
)

// WindowSums is how many hashes a window has. Tests make it small.
var WindowSums = 32 << 10

// sumList is a file of hashes.
type sumList struct {
	path, stdin string // the file, and the name that stands for standard input
	next        func() (source.Line, error, bool)
	held        *placedSum // read, and the first of the next window
	last        string     // the input of the hash before
	hashes      int
	improper    int
	objects     bool // one of the improper lines begins like a JSON object
}

// placedSum is a listed hash and the input that it is about.
type placedSum struct {
	input string
	sum   *listedSum
}

// listedSum is one listed hash, and what became of it.
type listedSum struct {
	kind     evidence.SumKind
	line     int
	listed   string
	computed string // "": there is none
	why      string // … for this reason
	id       *string
	notes    []string
}

// window is a part of a list, grouped by the inputs that it names.
type window struct {
	inputs []*listedInput
	byName map[string]*listedInput
	last   *listedInput // that of the last hash
	more   bool         // the list goes on
}

// listedInput is one input with the hashes that a window lists for it.
type listedInput struct {
	name   string
	sums   []*listedSum // in the list's order
	events []*listedSum // those of events, by line; line 0 is the only event
}

// at returns the listed hashes of a line's event.
func (in *listedInput) at(line int) []*listedSum {
	byLine := func(sum *listedSum, line int) int { return cmp.Compare(sum.line, line) }
	start, _ := slices.BinarySearchFunc(in.events, line, byLine)
	end, _ := slices.BinarySearchFunc(in.events, line+1, byLine)
	return in.events[start:end]
}

// span is the first and the last line with an event that is listed.
func (in *listedInput) span() (first, last int) {
	if len(in.events) == 0 {
		return math.MaxInt, 0
	}
	return in.events[0].line, in.events[len(in.events)-1].line
}

// start opens the list. The caller calls stop.
func (l *sumList) start(env cmdline.Env) (stop func(), err error) {
	r, err := l.open(env)
	if err != nil {
		return nil, err
	}
	next, end := iter.Pull2(source.NewReader(r, maxSumLine).All())
	l.next = next
	return func() {
		end()
		_ = r.Close() // opened for reading: nothing can be lost
	}, nil
}

// window reads the next window; it has no inputs at the end of the list. Hashes of one
// event are not parted.
func (l *sumList) window() (*window, error) {
	w := &window{byName: map[string]*listedInput{}}
	names := 0
	for n := 0; ; n++ {
		p, err := l.peek(w)
		if err != nil || p == nil {
			w.sort()
			return w, err
		}
		if full := n >= WindowSums || names >= windowBytes; full && (!w.endsWith(p) || n >= 2*WindowSums) {
			w.more = true
			w.sort()
			return w, nil
		}
		l.held = nil
		if w.byName[p.input] == nil {
			names += len(p.input)
		}
		w.add(p)
	}
}

// peek reads the next hash, unless it is held already; nil at the end.
func (l *sumList) peek(w *window) (*placedSum, error) {
	for l.held == nil {
		line, err, ok := l.next()
		switch {
		case !ok:
			return nil, nil
		case err != nil:
			return nil, app.ReadFailed(l.path, err)
		case line.Blank() || line.Bytes[0] == '#':
			continue
		}
		sum, ok := evidence.ParseSumLine(line.Bytes)
		if !ok || line.Long {
			l.improper++
			l.objects = l.objects || bytes.HasPrefix(bytes.TrimLeft(line.Bytes, " \t\ufeff"), []byte("{"))
			continue
		}
		l.hashes++
		l.held = l.placed(sum, w)
		l.last = l.held.input
	}
	return l.held, nil
}

// placed distinguishes "events.ndjson:3", line 3 of a file, from a file of that name.
func (l *sumList) placed(sum evidence.SumLine, w *window) *placedSum {
	p := &placedSum{sum.Name, &listedSum{kind: sum.Kind, listed: sum.Hash}}
	if sum.Kind == evidence.RunRootSum {
		return p
	}
	name, line := sum.Place()
	if line > 0 && w.byName[name] == nil && l.last != name {
		if _, err := door.Lstat(sum.Name); err == nil {
			return p
		}
	}
	p.input, p.sum.line = name, line
	return p
}

func (w *window) add(p *placedSum) {
	in := w.byName[p.input]
	if in == nil {
		in = &listedInput{name: p.input}
		w.byName[p.input] = in
		w.inputs = append(w.inputs, in)
	}
	in.sums = append(in.sums, p.sum)
	if p.sum.kind != evidence.RunRootSum {
		in.events = append(in.events, p.sum)
	}
	w.last = in
}

// endsWith reports whether a hash is of the event that the last one is of.
func (w *window) endsWith(p *placedSum) bool {
	return w.last != nil && w.last.name == p.input && w.last.sums[len(w.last.sums)-1].line == p.sum.line
}

func (w *window) sort() {
	for _, in := range w.inputs {
		slices.SortStableFunc(in.events, func(a, b *listedSum) int { return cmp.Compare(a.line, b.line) })
	}
}

// take removes an input whose hashes all follow a line, unless it can continue in the next window;
// nil if there is none.
func (w *window) take(name string, line int) *listedInput {
	in := w.byName[name]
	if in == nil || w.last == in && len(w.inputs) > 1 {
		return nil
	}
	if first, _ := in.span(); first < line {
		return nil
	}
	w.inputs = slices.DeleteFunc(w.inputs, func(other *listedInput) bool { return other == in })
	delete(w.byName, name)
	return in
}

// open opens the list itself, which the user names.
func (l *sumList) open(env cmdline.Env) (io.ReadCloser, error) {
	if l.path == "-" {
		return door.Stdin(env.Context, env.Stdin), nil
	}
	if info, err := door.Stat(l.path); err == nil && info.IsDir() {
		return nil, app.SumsFile.Unread(cmdline.IsFolder(l.path))
	}
	r, err := app.SumsFile.Open(env.Context, l.path)
	if err != nil {
		return nil, app.SumsFile.Unread(err)
	}
	return r, nil
}
