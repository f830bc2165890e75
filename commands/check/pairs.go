package checkcmd

import (
	"cmp"
	"io"
	"path/filepath"
	"slices"

	"github.com/cupel-dev/cupel/commands/internal/app"
	"github.com/cupel-dev/cupel/commands/internal/input"
	"github.com/cupel-dev/cupel/commands/internal/rulelist"
	"github.com/cupel-dev/cupel/finding"
	"github.com/cupel-dev/cupel/internal/config"
	"github.com/cupel-dev/cupel/internal/door"
	"github.com/cupel-dev/cupel/internal/say"
	"github.com/cupel-dev/cupel/internal/unpack"
	"github.com/cupel-dev/cupel/internal/walk"
)

// suitePair is a suite and the traces that cupel.yaml pairs with it.
type suitePair struct {
	suite  walk.Input
	traces []walk.Input
	files  int // of those, and the suite, that nothing else has checked
}

// paired is the data of files that can be paired.
type paired struct {
	here   map[string]bool // files, by their places: is one of this shard?
	others []string        // the names of those of other shards
	done   map[string]bool // those that have their suite
}

// pair removes from the list the suites and traces paired in the nearest cupel.yaml. A listed suite
// is evaluated on all its traces, in its shard; otherwise listed traces are evaluated by their
// suites.
func (l *lookout) pair(list []walk.Input) ([]walk.Input, error) {
	names := make([]string, 0, len(list)+len(l.paired.others))
	for _, in := range list {
		l.paired.here[place(in)] = true
		names = append(names, in.Name)
	}
	known := map[string]bool{}
	for _, name := range append(names, l.paired.others...) {
		says, err := app.ConfiguredBy(l.c).ForFile(name, app.OwnFiles)
		if err != nil {
			return nil, err
		}
		if known[says.Path] {
			continue
		}
		known[says.Path] = true
		for _, p := range says.Pairs {
			if err := l.pairOf(says.Path, p); err != nil {
				return nil, err
			}
		}
	}
	return slices.DeleteFunc(list, func(in walk.Input) bool { return l.paired.done[place(in)] }), nil
}

// pairOf adds a pair, as far as its files are among the inputs.
func (l *lookout) pairOf(file string, p config.Pair) error {
	suites, err := l.named(file, p.Suite)
	if err != nil {
		return err
	}
	var traces []walk.Input
	for _, entry := range p.Traces {
		found, err := l.named(file, entry)
		if err != nil {
			return err
		}
		traces = append(traces, found...)
	}
	for _, suite := range suites {
		mine, whole := l.paired.here[place(suite)]
		of := traces
		if !whole {
			of = slices.DeleteFunc(slices.Clone(traces), func(in walk.Input) bool { return !l.paired.here[place(in)] })
		}
		if len(of) > 0 || whole {
			l.addPair(suite, of, mine || !whole)
		}
	}
	return nil
}

// addPair adds a suite with traces, or records that another shard has them.
func (l *lookout) addPair(suite walk.Input, traces []walk.Input, mine bool) {
	files := 0
	for _, in := range append([]walk.Input{suite}, traces...) {
		at := place(in)
		if _, among := l.paired.here[at]; among && !l.paired.done[at] {
			files++
		}
		l.paired.done[at], l.seen[at] = true, true
	}
	if !mine {
		return
	}
	i := slices.IndexFunc(l.pairs, func(p suitePair) bool { return p.suite.Path == suite.Path })
	if i < 0 {
		i = len(l.pairs)
		l.pairs = append(l.pairs, suitePair{suite: suite})
	}
	one := &l.pairs[i]
	one.files += files
	for _, in := range traces {
		if !slices.ContainsFunc(one.traces, func(known walk.Input) bool { return place(known) == place(in) }) {
			one.traces = append(one.traces, in)
		}
	}
}

// inOrder are the pairs in the order of the report: that of their names.
func (k *checkRun) inOrder() []suitePair {
	slices.SortFunc(k.pairs, func(a, b suitePair) int { return cmp.Compare(a.suite.Name, b.suite.Name) })
	for _, p := range k.pairs {
		slices.SortStableFunc(p.traces, func(a, b walk.Input) int { return cmp.Compare(a.Name, b.Name) })
	}
	return k.pairs
}

// named lists the files of a cupel.yaml path or pattern.
func (l *lookout) named(file string, entry config.Entry) ([]walk.Input, error) {
	at := filepath.Join(filepath.Dir(file), filepath.FromSlash(entry.Text))
	list, err := walk.Expand(l.env.Context, []string{app.ShownPath(at)}, walk.Options{Patterns: slices.Concat(input.TraceFiles, input.YAMLFiles), Jobs: l.options.Jobs})
	if err != nil {
		return nil, err
	}
	for i, in := range list {
		open := func() (io.ReadCloser, error) { return openWithin(app.ShownPath(filepath.Dir(file)), in) }
		why := in.Failed()
		if why == nil {
			why = closed(open())
		}
		if why != nil {
			return nil, l.out.Fail(&config.Error{Path: file, Line: entry.Line, Column: entry.Column, Message: why.Error(), Hint: "in attest.pairs, write paths and patterns of files below the folder of " + config.Name})
		}
		list[i] = in.WithOpen(open)
	}
	return list, nil
}

// openWithin opens a file and checks each time that it is below a folder.
func openWithin(dir string, in walk.Input) (io.ReadCloser, error) {
	folder, err := door.Open(dir)
	if err != nil {
		return nil, say.Plain(err)
	}
	defer func() { _ = folder.Close() }() // opened for reading: nothing can be lost
	top, err := filepath.Abs(dir)
	if err != nil {
		return nil, err
	}
	name, err := filepath.Rel(top, place(in))
	if err != nil {
		return nil, err
	}
	file, err := folder.TextOr(filepath.ToSlash(name), unpack.Formats...)
	if err != nil {
		return nil, say.Plain(err)
	}
	return file, nil
}

// closed closes a file and returns the error of opening it.
func closed(file io.Closer, err error) error {
	if err == nil {
		_ = file.Close() // opened for reading: nothing can be lost
	}
	return err
}

func (k *checkRun) evaluate(p suitePair) error {
	return k.part(k.by.Suites(p.suite, k.leaveOut), p.traces, p.files)
}

// leaveOut records a skipped assertion that requires a model.
func (k *checkRun) leaveOut(f finding.Finding) {
	note := rulelist.CheckRules.Lookup(rulelist.ModelRule).New(notJudged(f.Message))
	note.File, note.Line, note.Column, note.Source = f.File, f.Line, f.Column, f.Source
	k.models = append(k.models, note)
}
