package evidencecmd

import (
	"bytes"
	"cmp"
	"fmt"
	"io"
	"slices"

	"github.com/cupel-dev/cupel/commands/internal/app"
	"github.com/cupel-dev/cupel/commands/internal/cmdline"
	"github.com/cupel-dev/cupel/evidence"
	"github.com/cupel-dev/cupel/internal/door"
	"github.com/cupel-dev/cupel/internal/source"
)

const maxSumLine = 64 << 10

// MaxListedSums limits a list of hashes, which takes 150 bytes of memory per hash. Tests lower it.
var MaxListedSums = 4 << 20

type sumList struct {
	path, stdin string         // the file, and the name of standard input
	inputs      []*listedInput // in the order of their first hashes
	hashes      int
	improper    int
	objects     bool // one of the improper lines begins like a JSON object
}

type listedInput struct {
	name   string
	sums   []*listedSum // in the list's order
	judged int          // of them
	events []*listedSum // those of events, by line; line 0 is the only event
}

type listedSum struct {
	kind   evidence.SumKind
	line   int
	listed string
	*sumResult
}

// sumResult is the computed hash for a listed one.
type sumResult struct {
	computed string // or ""
	why      string // … for this reason
	id       *string
	notes    []string
}

func (in *listedInput) at(line int) []*listedSum {
	byLine := func(sum *listedSum, line int) int { return cmp.Compare(sum.line, line) }
	start, _ := slices.BinarySearchFunc(in.events, line, byLine)
	end, _ := slices.BinarySearchFunc(in.events, line+1, byLine)
	return in.events[start:end]
}

func (l *sumList) read(env cmdline.Env) error {
	r, err := l.open(env)
	if err != nil {
		return err
	}
	defer func() { _ = r.Close() }() // opened for reading: nothing can be lost
	byName := map[string]*listedInput{}
	for line, err := range source.NewReader(r, maxSumLine).All() {
		switch {
		case err != nil:
			return app.ReadFailed(l.path, err)
		case line.Blank() || line.Bytes[0] == '#':
			continue
		}
		sum, ok := evidence.ParseSumLine(line.Bytes)
		if !ok || line.Long {
			l.improper++
			l.objects = l.objects || bytes.HasPrefix(bytes.TrimLeft(line.Bytes, " \t\ufeff"), []byte("{"))
			continue
		}
		if l.hashes++; l.hashes > MaxListedSums {
			return &cmdline.Hinted{
				Err:  fmt.Errorf("the list %q has more than %d hashes", l.path, MaxListedSums),
				Hint: "split the list and check its parts one after another",
			}
		}
		name, place := placed(sum, func(name string) bool { return byName[name] != nil })
		in := byName[name]
		if in == nil {
			in = &listedInput{name: name}
			byName[name] = in
			l.inputs = append(l.inputs, in)
		}
		in.sums = append(in.sums, &listedSum{kind: sum.Kind, line: place, listed: sum.Hash})
	}
	for _, in := range l.inputs {
		for _, sum := range in.sums {
			if sum.kind != evidence.RunRootSum {
				in.events = append(in.events, sum)
			}
		}
		slices.SortStableFunc(in.events, func(a, b *listedSum) int { return cmp.Compare(a.line, b.line) })
	}
	return nil
}

// placed splits "events.ndjson:3" into file and line, unless there is a file with that name.
func placed(sum evidence.SumLine, known func(string) bool) (name string, line int) {
	if sum.Kind == evidence.RunRootSum {
		return sum.Name, 0
	}
	name, line = sum.Place()
	if line > 0 && !known(name) {
		if _, err := door.Lstat(sum.Name); err == nil {
			return sum.Name, 0
		}
	}
	return name, line
}

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
