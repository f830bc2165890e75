package commands

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"slices"

	"github.com/urfave/cli/v2"

	"github.com/cupel-dev/cupel/internal/config"
	"github.com/cupel-dev/cupel/internal/term"
	"github.com/cupel-dev/cupel/internal/walk"
)

// Inputs of a command, in three lines:
//
//	inputs, err := openInputs(env, c, reads{Patterns: jsonLines})
//	for _, in := range inputs {
//		r, err := in.Open() // err: out.Fail(err) and go on with the next
//
// inputFlags must be among the command's flags. in.Name is what reports show, in.Folder()
// opens the folder around it, in.Size is its bytes or -1. An operand that leads nowhere is an
// input whose Open says so: it fails in its place, in operand order.

// jsonLines are the file names of event streams and traces.
var jsonLines = []string{"*.jsonl", "*.ndjson"}

// yamlFiles are the file names of YAML documents.
var yamlFiles = []string{"*.yaml", "*.yml"}

// runFile is the trace in the folder of a reasoning run: it stands for the folder.
const runFile = "trace.jsonl"

// reads says what a command reads when it is given folders, or nothing.
type reads struct {
	Patterns []string                  // file names that a walk picks
	Probe    func(io.Reader) walk.Look // a walked file must also pass it; nil: all do
	Marker   string                    // a folder that holds a file of this name stands for it
	Claims   func(io.Reader) walk.Look // what Probe is for changed files; nil: Probe
	Here     bool                      // without operands walk "."; else read standard input
	Packed   []string                  // the compressed formats that the command reads as they are
	Unpacks  bool                      // texts may be compressed, and are unpacked
	As       kind                      // what they are taken for; kindNone: anything
	Beside   bool                      // they belong to each of the inputs that --shard deals out

	Files      origin                      // whose files they are
	Others     func(walk.Input)            // is told of inputs of other shards; nil: nobody is
	Mend       string                      // what makes a file that resembles one into one
	PassedOver func(name, excluded string) // is told of walked files that do not pass Probe, and, with the reason, of those that cupel.yaml excludes; nil: nobody is
}

// inputFlags are the flags of every command that takes operands to read and heeds cupel.yaml.
func inputFlags() []cli.Flag { return append(operandFlags(), configFlags("Input")...) }

// operandFlags are the flags of every command that takes operands to read.
func operandFlags() []cli.Flag {
	const category = "Input"
	return []cli.Flag{
		&cli.StringFlag{Name: "stdin-name", Category: category, Usage: "`PATH` that reports show for standard input"},
		allowEmptyFlag(category),
	}
}

func allowEmptyFlag(category string) cli.Flag {
	return &cli.BoolFlag{Name: "allow-empty", Category: category, Usage: "let an operand match nothing"}
}

// changedFlag is that of the commands that a hook of a version control system calls.
func changedFlag(category string) cli.Flag {
	return &cli.BoolFlag{Name: "changed", Category: category, Usage: "the operands are files that have changed: pass over what is of another kind, and take a file inside a run for the run"}
}

// finder lists what a command reads: openInputs, or what another command has found for it.
type finder func(env Env, c *cli.Context, what reads) ([]walk.Input, error)

// openInputs lists what the operands stand for, in their order. Without operands it
// takes standard input when that is a pipe or a file. The list is empty only with
// --allow-empty.
func openInputs(env Env, c *cli.Context, what reads) ([]walk.Input, error) {
	return expandInputs(env, c, c.Args().Slice(), what)
}

// expandInputs is openInputs for operands that a flag may have named, too.
func expandInputs(env Env, c *cli.Context, operands []string, what reads) ([]walk.Input, error) {
	changed := c.Bool("changed")
	shard, err := shardOf(c)
	if err != nil {
		return nil, err
	}
	dealt := shard
	if what.Beside {
		shard = walk.Shard{}
	}
	if changed && what.Claims != nil {
		what.Probe = what.Claims
	}
	if len(operands) == 0 {
		if changed {
			return nothingChanged(c)
		}
		if !what.Here {
			return impliedStdin(env, c, what)
		}
		operands = []string{"."}
	}
	if !what.Beside && !changed && slices.Contains(operands, "-") {
		if err := shardedStdin(c); err != nil {
			return nil, err
		}
	}
	packed, err := newPackedInput(env, c, what)
	if err != nil {
		return nil, err
	}
	var others []walk.Input
	heeds := configuredBy(c)
	if err := heeds.readable(); err != nil {
		return nil, err
	}
	leaveOut := newExcluding(heeds, what.Files)
	excluded := 0
	doubts := &doubtful{env: env, mend: what.Mend, tell: what.PassedOver}
	list, err := walk.Expand(env.Context, operands, walk.Options{
		Patterns: what.Patterns, Never: config.Name, Probe: packed.probe(what.Probe), Marker: what.Marker, Changed: changed, PassedOver: doubts.passedOver, Packed: packed.formats(what.Packed), Extensions: packed.extensions(),
		Exclude: leaveOut.why, ForceExclude: c.Bool("force-exclude"), Excluded: func(name, why string) {
			excluded++
			if what.PassedOver != nil && dealt.Has(name) {
				what.PassedOver(name, why)
			}
		},
		Shard: shard, Others: func(in walk.Input) { others = append(others, in) },
		Jobs: max(0, c.Int("jobs")), Stdin: env.Stdin, StdinName: c.String("stdin-name"),
	})
	if errors.Is(err, walk.ErrStdinTwice) {
		return nil, &usageError{err.Error(), ""}
	}
	if err == nil {
		err = leaveOut.err
	}
	if excluded > 0 && !slices.Contains(flagNames(c.Command), "show-files") {
		warn(env, fmt.Sprintf("excluded by %s: %d", config.Name, excluded))
	}
	if c.Bool("allow-empty") {
		list = slices.DeleteFunc(list, walk.Input.Empty)
	}
	noted := take(c, what.As, list)
	for i, in := range list {
		list[i] = packed.input(noted.keep(i, in))
		if in.Empty() {
			list[i] = in.WithOpen(func() (io.ReadCloser, error) { return nil, doubts.advised(in) })
		}
	}
	switch {
	case err != nil:
		return list, err
	case len(list) > 0:
	case len(others) > 0:
		warn(env, fmt.Sprintf("shard %s is empty: other shards have the inputs", shard))
	case !changed && excluded == 0:
		if err := doubts.alone(); err != nil {
			return list, err
		}
	}
	if what.Others != nil {
		for _, in := range others {
			what.Others(in)
		}
	}
	if err := filesToReplace(c).spareInputs(slices.Concat(list, others)); err != nil || !c.Bool("show-config") {
		return list, err
	}
	return nil, configured(list, what.Files)
}

// doubtful are the files that a walk passes over although they resemble what the command
// reads. Each is named, so that a mistyped key does not keep a file from being judged
// without anybody's knowing.
type doubtful struct {
	env   Env
	mend  string
	tell  func(name, excluded string) // is told of every file that is passed over; nil: nobody is
	names int
}

func (d *doubtful) passedOver(name, resembles string) {
	if resembles != "" {
		d.names++
		warn(d.env, fmt.Sprintf("%q is passed over, but resembles %s", name, resembles))
	}
	if d.tell != nil {
		d.tell(name, "")
	}
}

// alone is the error of a run that reads nothing else.
func (d *doubtful) alone() error {
	if d.names == 0 {
		return nil
	}
	return d.hinted(fmt.Errorf("found nothing to read but what is passed over: %s", counted(d.names, "file")))
}

// advised is the error of an operand that leads to nothing. That nothing may be read is no
// advice where something resembles it.
func (d *doubtful) advised(in walk.Input) error {
	_, err := in.Open()
	if empty, ok := errors.AsType[*walk.EmptyError](err); ok && empty.Resembling > 0 {
		return d.hinted(err)
	}
	return err
}

func (d *doubtful) hinted(err error) error {
	return &hinted{err, d.mend + ", or name them: a file that is named is read"}
}

// nothingChanged is the list of no changed files: standard input or a folder cannot be
// what was meant.
func nothingChanged(c *cli.Context) ([]walk.Input, error) {
	if c.Bool("allow-empty") {
		return nil, nil
	}
	return nil, &usageError{"--changed wants the names of the files that have changed, and there is none", allowEmptyHint}
}

// impliedStdin is standard input when nothing else was named: never a terminal, and
// an empty one cannot be what was meant.
func impliedStdin(env Env, c *cli.Context, what reads) ([]walk.Input, error) {
	if err := shardedStdin(c); err != nil {
		return nil, err
	}
	if !term.Piped(env.Stdin) {
		return nil, &usageError{
			"nothing to read: no operand, and standard input is no pipe or file",
			"`" + c.Command.HelpName + " --help` shows the usage",
		}
	}
	packed, err := newPackedInput(env, c, what)
	if err != nil {
		return nil, err
	}
	in := walk.FromStdin(env.Context, env.Stdin, c.String("stdin-name"), packed.formats(what.Packed)...)
	in = packed.input(take(c, what.As, []walk.Input{in}).keep(0, in))
	if c.Bool("allow-empty") {
		return []walk.Input{in}, nil
	}
	return []walk.Input{in.WithOpen(func() (io.ReadCloser, error) {
		stream, err := in.Open()
		if err != nil {
			return nil, err
		}
		r := bufio.NewReader(stream)
		if _, err := r.Peek(1); err == io.EOF {
			return nil, &hinted{errors.New("standard input is empty"), allowEmptyHint}
		}
		return io.NopCloser(r), nil
	})}, nil
}
