package checkcmd

import (
	"errors"
	"path"
	"path/filepath"
	"slices"

	"github.com/urfave/cli/v2"

	"github.com/cupel-dev/cupel/commands/internal/app"
	"github.com/cupel-dev/cupel/commands/internal/cmdline"
	"github.com/cupel-dev/cupel/commands/internal/input"
	"github.com/cupel-dev/cupel/internal/unpack"
	"github.com/cupel-dev/cupel/internal/walk"
)

// find lists the operands' files and detects their formats. It reports unreadable files and continues.
func (k *checkRun) find() error {
	operands, picked, err := input.Pick(k.env, k.c, k.c.Args().Slice())
	if err != nil {
		return err
	}
	k.picked = picked
	changed := picked.Changed
	if len(operands) == 0 && changed {
		return picked.Nothing(k.env, k.c)
	}
	if len(operands) == 0 {
		operands = []string{"."}
	}
	if slices.Contains(operands, "-") && !changed {
		return &cmdline.UsageError{Message: "standard input has no name, which check needs to detect a format", Hint: "use the command for the format, such as `cupel trace verify -`"}
	}
	look, err := k.lookout()
	if err != nil {
		return err
	}
	if changed {
		if _, err = look.operands(operands); err != nil {
			return err
		}
		if k.found()+len(look.others) == 0 {
			picked.None(k.env)
		}
		return k.spare()
	}
	for _, op := range operands {
		any, err := look.operands([]string{op})
		if err == nil && !any && !k.c.Bool("allow-empty") {
			err = k.out.Fail(k.nothingIn(op))
		}
		if err != nil {
			return err
		}
	}
	return k.spare()
}

// spare returns an error if the run would overwrite inputs.
func (k *checkRun) spare() error {
	replaced := app.FilesToReplace(k.c)
	err := replaced.SpareInputs(slices.Concat(k.files[:]...))
	for _, p := range k.pairs {
		if err == nil {
			err = replaced.SpareInputs(append([]walk.Input{p.suite}, p.traces...))
		}
	}
	return err
}

// found returns the number of records.
func (k *checkRun) found() (n int) {
	for _, list := range k.files {
		n += len(list)
	}
	return n + len(k.pairs)
}

// nothingIn is the error for an operand without records.
func (k *checkRun) nothingIn(operand string) error {
	return &cmdline.Hinted{Err: &walk.EmptyError{Operand: operand, Wanted: []string{"record"}}, Hint: "--show-files lists the skipped files; --allow-empty accepts a run without inputs"}
}

// lookout searches for records.
type lookout struct {
	*checkRun
	options  walk.Options
	detector input.Detector
	seen     map[string]bool // files, by their absolute paths: are they of a kind that is checked?
	others   []walk.Input    // files of other shards that the operands lead to
	paired   paired
	runs     map[string]bool // the folders of reasoning runs

	excludes [2]*input.Excluder // what cupel.yaml leaves out, by whose the files are
}

func (k *checkRun) lookout() (*lookout, error) {
	workers, err := app.Jobs(k.c)
	if err != nil {
		return nil, err
	}
	shard, err := app.ShardOf(k.c)
	if err != nil {
		return nil, err
	}
	packed, err := input.NewPackedInput(k.env, k.c, input.Reads{Unpacks: true})
	if err != nil {
		return nil, err
	}
	heeds := app.ConfiguredBy(k.c)
	if err := heeds.Readable(); err != nil {
		return nil, err
	}
	foreign, err := input.NewExcluding(k.c, app.ForeignFiles)
	if err != nil {
		return nil, err
	}
	own, err := input.NewExcluding(k.c, app.OwnFiles)
	if err != nil {
		return nil, err
	}
	l := &lookout{
		excludes: [...]*input.Excluder{foreign, own},
		checkRun: k, seen: map[string]bool{}, runs: map[string]bool{},
		paired:   paired{here: map[string]bool{}, done: map[string]bool{}},
		detector: input.Detector{Packed: packed, Changed: k.picked.Changed},
	}
	l.options = walk.Options{
		Patterns: []string{"*"}, Marker: input.RunFile, Inside: true, Changed: l.detector.Changed, Packed: unpack.Formats,
		Shard: shard, Listed: app.ShardListOf(k.c).Add, Others: l.other, Jobs: workers,
		Exclude: l.exclude, ForceExclude: k.c.Bool("force-exclude"), Excluded: l.excludedBy,
		PassedOver: func(name, _ string) { l.passOver(name, input.Skipped("the format is not supported")) },
	}
	return l, nil
}

// exclude returns why cupel.yaml excludes a path. It excludes a folder only if it does so for every kind of record.
func (l *lookout) exclude(path string, isDir bool) string {
	files := app.ForeignFiles
	if input.NamedLike(path, input.YAMLFiles) {
		files = app.OwnFiles
	}
	why := l.excludes[files].Why(path, isDir)
	if isDir && why != "" && l.excludes[app.OwnFiles].Why(path, isDir) == "" {
		return ""
	}
	return why
}

// excludedBy is called for exclusions by cupel.yaml.
func (l *lookout) excludedBy(name, why string) {
	if l.excludes[0].Left(l.checkRun.env.Context, name, why) || l.excludes[1].Left(l.checkRun.env.Context, name, why) {
		l.checkRun.excluded++
	}
	l.passOver(name, input.Skipped(why))
}

// other is called for other shards' files.
func (l *lookout) other(in walk.Input) {
	l.others = append(l.others, in)
	l.paired.here[place(in)] = false
	l.paired.others = append(l.paired.others, in.Name)
	l.noteRun(in)
}

// noteRun marks the folder of a trace as a reasoning run.
func (l *lookout) noteRun(in walk.Input) {
	if path.Base(in.Name) == input.RunFile {
		l.runs[path.Dir(in.Name)] = true
	}
}

// runOf returns the run that contains a file, or "".
func (l *lookout) runOf(name string) string {
	for dir := path.Dir(name); len(l.runs) > 0; dir = path.Dir(dir) {
		if l.runs[dir] {
			return path.Join(dir, input.RunFile)
		}
		if dir == path.Dir(dir) {
			break
		}
	}
	return ""
}

// operands lists the operands' inputs, and reports whether any shard has a record of them.
func (l *lookout) operands(operands []string) (any bool, err error) {
	l.others = nil
	list, err := walk.Expand(l.env.Context, operands, l.options)
	if err := errors.Join(err, l.excludes[app.ForeignFiles].Err, l.excludes[app.OwnFiles].Err); err != nil {
		return false, err
	}
	list = slices.DeleteFunc(list, func(in walk.Input) bool {
		is, known := l.seen[place(in)]
		l.seen[place(in)], any = is, any || is
		return known || in.Empty() && (!l.options.Changed || l.picked.GoneIsFine(l.c)) // nothingIn says why
	})
	for _, in := range list {
		l.noteRun(in)
	}
	rest, err := l.pair(list)
	if err != nil {
		return false, err
	}
	any, list = any || len(rest) < len(list), rest
	err = walk.Each(l.env.Context, l.options.Jobs, list, l.detector.Detect, func(in walk.Input, is input.Identified) error {
		l.seen[place(in)] = is.Err != nil || is.Kind != input.KindNone
		any = any || l.seen[place(in)] || l.mustTell(in) || l.searches // or says why not
		return l.take(in, is)
	})
	if any || err != nil || l.options.Changed { // changed files need not be records
		return any, err
	}
	return l.elsewhere()
}

// elsewhere reports whether another shard has a record of the operands, or reports an unknown one.
func (l *lookout) elsewhere() (bool, error) {
	for _, in := range l.others {
		if err := l.env.Context.Err(); err != nil {
			return false, err
		}
		if l.mustTell(in) || l.paired.done[place(in)] {
			return true, nil
		}
		if in.Empty() {
			continue
		}
		if is := l.detector.Detect(in); is.Err != nil || is.Kind != input.KindNone {
			return true, nil
		}
	}
	return false, nil
}

// configured ends a run that shows the configuration of each file, in the order of the report.
func (k *checkRun) configured() *app.ConfiguredInputs {
	var found app.ConfiguredInputs
	for kind, list := range k.files {
		found = append(found, *app.Configured(list, k.by.Records[kind].Files)...)
	}
	for _, p := range k.pairs {
		found = append(found, app.ConfiguredName{Name: p.suite.Name, Files: app.OwnFiles})
		found = append(found, *app.Configured(p.traces, app.OwnFiles)...)
	}
	return &found
}

// place identifies a file independently of its name.
func place(in walk.Input) string {
	at, err := filepath.Abs(in.Path)
	if err != nil {
		return in.Path
	}
	return at
}

// mustTell reports whether an undetected format is an error.
func (l *lookout) mustTell(in walk.Input) bool {
	return in.Explicit && !l.options.Changed && !l.searches
}

// take adds a file to the list for its command.
func (l *lookout) take(in walk.Input, is input.Identified) error {
	if run := l.runOf(in.Name); run != "" {
		is = is.InRun(run)
	}
	switch {
	case is.Err != nil:
		return l.out.Fail(is.Err)
	case is.Kind == input.KindNone && l.mustTell(in):
		return l.out.Fail(input.Foreign(in.Name, is.Answer, input.KindNone))
	case is.Kind == input.KindNone:
		l.passOver(in.Name, is)
		if l.searches {
			found, err := l.search(in)
			if err != nil {
				return l.out.Fail(err)
			}
			l.passed[len(l.passed)-1].secrets = found
		}
	default:
		l.files[is.Kind] = append(l.files[is.Kind], in)
	}
	return nil
}

func (l *lookout) passOver(name string, is input.Identified) {
	l.passed = append(l.passed, passedRecord{PassedFile: input.PassedFile{File: name, Reason: is.Why}, unknown: is.Damaged() && !l.options.Changed})
}

// given returns inputs that were already found, for another command.
func given(inputs []walk.Input) input.Finder {
	return func(env cmdline.Env, c *cli.Context, what input.Reads) ([]walk.Input, error) {
		packed, err := input.NewPackedInput(env, c, what)
		if err != nil {
			return nil, err
		}
		noted := input.Take(c, what.As, inputs)
		list := make([]walk.Input, len(inputs))
		for i, in := range inputs {
			list[i] = packed.Input(noted.Keep(i, what.Digests.Input(in.Packed(packed.Formats(what.Packed)...))))
		}
		return list, nil
	}
}
