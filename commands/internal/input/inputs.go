// Package input finds a command's inputs from its operands, identifies and reads them: compressed, excluded by
// cupel.yaml, sharded, or followed.
package input

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"path"
	"slices"
	"strings"

	"github.com/urfave/cli/v2"

	"github.com/cupel-dev/cupel/commands/internal/app"
	"github.com/cupel-dev/cupel/commands/internal/cmdline"
	"github.com/cupel-dev/cupel/internal/config"
	"github.com/cupel-dev/cupel/internal/say"
	"github.com/cupel-dev/cupel/internal/source"
	"github.com/cupel-dev/cupel/internal/term"
	"github.com/cupel-dev/cupel/internal/walk"
)

// Typical use:
//
//	inputs, err := OpenInputs(env, c, reads{Patterns: JSONLines})
//	for _, in := range inputs {
//		r, err := in.Open() // err: out.Fail(err) and go on with the next
//
// The command's flags must include InputFlags. in.Name is the display name, in.Folder() opens the folder, in.Size
// is the size or -1. An operand without inputs is an input whose Open fails.

// JSONLines are the file name patterns of event streams and traces.
var JSONLines = []string{"*.jsonl", "*.ndjson"}

// YAMLFiles are the file name patterns of YAML documents.
var YAMLFiles = []string{"*.yaml", "*.yml"}

// RunFile is the trace in the folder of a reasoning run. It represents the folder.
const RunFile = "trace.jsonl"

// Reads describes what a command reads from folders or by default.
type Reads struct {
	Patterns []string                  // file names that a walk picks
	Probe    func(io.Reader) walk.Look // a walked file must also pass it; nil: all do
	Marker   string                    // a file of this name makes its folder one input
	Here     bool                      // without operands walk "."; else read standard input
	Packed   []string                  // the compressed formats that the command reads as they are
	Unpacks  bool                      // decompress texts
	As       kind                      // expected kind; kindNone: any
	Beside   bool                      // they belong to each of the inputs that --shard deals out
	Digests  *app.Digests              // computes their digests while they are read, or nil

	Files      app.Origin                  // whose files they are
	Others     func(walk.Input)            // called for other shards' inputs; can be nil
	Mend       string                      // what makes a file that resembles one into one
	PassedOver func(name, excluded string) // called for walked files that fail Probe and, with a reason, for exclusions; can be nil
}

// InputFlags returns the flags of commands with operands and cupel.yaml.
func InputFlags() []cli.Flag { return append(OperandFlags(), app.ConfigFlags("Input")...) }

// OperandFlags returns the flags of commands with operands.
func OperandFlags() []cli.Flag {
	const category = "Input"
	return []cli.Flag{
		&cli.StringFlag{Name: "stdin-name", Category: category, Usage: "`PATH` that reports show for standard input"},
		AllowEmptyFlag(category),
	}
}

func AllowEmptyFlag(category string) cli.Flag {
	return &cli.BoolFlag{Name: "allow-empty", Category: category, Usage: "accept an operand that matches no file, and a reasoning trace without events"}
}

type Finder func(env cmdline.Env, c *cli.Context, what Reads) ([]walk.Input, error)

// OpenInputs lists the inputs of the operands in order. Without operands it uses redirected standard input. The
// list is empty only with --allow-empty.
func OpenInputs(env cmdline.Env, c *cli.Context, what Reads) ([]walk.Input, error) {
	return ExpandInputs(env, c, c.Args().Slice(), what)
}

// ExpandInputs is OpenInputs with the given operands.
func ExpandInputs(env cmdline.Env, c *cli.Context, operands []string, what Reads) ([]walk.Input, error) {
	shard, err := app.ShardOf(c)
	if err != nil {
		return nil, err
	}
	operands, picked, err := Pick(env, c, operands)
	if err != nil {
		return nil, err
	}
	changed := picked.Changed
	dealt := shard
	if what.Beside {
		shard = walk.Shard{}
	}
	if changed && what.Probe != nil && what.As != KindNone {
		what.Probe = changedOf(what.As)
	}
	if len(operands) == 0 {
		if changed {
			return nil, picked.Nothing(env, c)
		}
		if !what.Here {
			return impliedStdin(env, c, what)
		}
		operands = []string{"."}
	}
	if !what.Beside && !changed && slices.Contains(operands, "-") {
		if err := app.ShardedStdin(c); err != nil {
			return nil, err
		}
	}
	packed, err := NewPackedInput(env, c, what)
	if err != nil {
		return nil, err
	}
	var others []walk.Input
	heeds := app.ConfiguredBy(c)
	if err := heeds.Readable(); err != nil {
		return nil, err
	}
	leaveOut, err := NewExcluding(c, what.Files)
	if err != nil {
		return nil, err
	}
	excluded := 0
	doubts := &doubtful{env: env, mend: what.Mend, tell: what.PassedOver}
	list, err := walk.Expand(env.Context, operands, walk.Options{
		Patterns: what.Patterns, Never: config.Name, Probe: packed.probe(what.Probe), Marker: what.Marker, Changed: changed, PassedOver: doubts.passedOver, Packed: packed.Formats(what.Packed), Extensions: packed.extensions(),
		Exclude: leaveOut.Why, ForceExclude: c.Bool("force-exclude"), Excluded: func(name, why string) {
			if !dealt.Has(name) {
				excluded++
				return
			}
			if leaveOut.Left(env.Context, name, why) {
				excluded++
			}
			if what.PassedOver != nil {
				what.PassedOver(name, why)
			}
		},
		Shard: shard, Listed: app.ShardListOf(c).Add, Others: func(in walk.Input) { others = append(others, in) },
		Jobs: max(0, c.Int("jobs")), Stdin: env.Stdin, StdinName: c.String("stdin-name"),
	})
	if errors.Is(err, walk.ErrStdinTwice) {
		return nil, &cmdline.UsageError{Message: err.Error(), Hint: ""}
	}
	if err == nil {
		err = leaveOut.Err
	}
	if excluded > 0 && !slices.Contains(cmdline.FlagNames(c.Command), "show-files") {
		cmdline.Warn(env, fmt.Sprintf("excluded by %s: %d", config.Name, excluded))
	}
	if picked.GoneIsFine(c) {
		list = slices.DeleteFunc(list, walk.Input.Empty)
	}
	noted := Take(c, what.As, list)
	for i, in := range list {
		list[i] = packed.Input(noted.Keep(i, what.Digests.Input(in)))
		if foreign := foreignError(env.Context, in, what.As); foreign != nil && !changed {
			list[i] = in.WithOpen(func() (io.ReadCloser, error) { return nil, foreign })
			noted.forget(i)
		}
		if in.Empty() {
			list[i] = in.WithOpen(func() (io.ReadCloser, error) { return nil, doubts.advised(in) })
		}
	}
	switch {
	case err != nil:
		return list, err
	case len(list) > 0:
	case len(others) > 0:
		cmdline.Warn(env, fmt.Sprintf("shard %s is empty: all inputs are in other shards", shard))
	case picked.git != "":
		picked.None(env)
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
	if err := app.FilesToReplace(c).SpareInputs(slices.Concat(list, others)); err != nil || !c.Bool("show-config") {
		return list, err
	}
	return nil, app.Configured(list, what.Files)
}

// doubtful are skipped files that resemble inputs. They are reported, so that a mistyped key does not silently
// prevent a check.
type doubtful struct {
	env   cmdline.Env
	mend  string
	tell  func(name, excluded string) // called for every skipped file; can be nil
	names int
}

func (d *doubtful) passedOver(name, resembles string) {
	if resembles != "" {
		d.names++
		cmdline.Warn(d.env, fmt.Sprintf("%q is skipped, but resembles %s", name, resembles))
	}
	if d.tell != nil {
		d.tell(name, "")
	}
}

// alone returns the error for a run without other inputs.
func (d *doubtful) alone() error {
	if d.names == 0 {
		return nil
	}
	return d.hinted(fmt.Errorf("found nothing to read; skipped: %s", cmdline.Counted(d.names, "file")))
}

// advised returns the error for an operand without inputs, with a hint unless similar files exist.
func (d *doubtful) advised(in walk.Input) error {
	_, err := in.Open()
	if empty, ok := errors.AsType[*walk.EmptyError](err); ok && empty.Resembling > 0 {
		return d.hinted(err)
	}
	return err
}

func (d *doubtful) hinted(err error) error {
	return &cmdline.Hinted{Err: err, Hint: d.mend + ", or name them: named files are always read"}
}

// Nothing returns the error when no files changed, instead of reading standard input or a folder.
func (p Picked) Nothing(env cmdline.Env, c *cli.Context) error {
	if p.GoneIsFine(c) {
		p.None(env)
		return nil
	}
	return &cmdline.UsageError{Message: "--changed needs the names of the changed files", Hint: cmdline.AllowEmptyHint}
}

// impliedStdin returns standard input if there are no operands, unless it is a terminal or empty.
func impliedStdin(env cmdline.Env, c *cli.Context, what Reads) ([]walk.Input, error) {
	if err := app.ShardedStdin(c); err != nil {
		return nil, err
	}
	if !term.Piped(env.Stdin) {
		return nil, &cmdline.UsageError{
			Message: "nothing to read: no input is named, and standard input is neither a pipe nor a file",
			Hint:    "`" + c.Command.HelpName + " --help` shows the usage",
		}
	}
	packed, err := NewPackedInput(env, c, what)
	if err != nil {
		return nil, err
	}
	in := walk.FromStdin(env.Context, env.Stdin, c.String("stdin-name"), packed.Formats(what.Packed)...)
	in = packed.Input(Take(c, what.As, []walk.Input{in}).Keep(0, what.Digests.Input(in)))
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
			return nil, &cmdline.Hinted{Err: errors.New("standard input is empty"), Hint: cmdline.AllowEmptyHint}
		}
		return io.NopCloser(r), nil
	})}, nil
}

// TraceOperands returns the traces named by flag or as operands.
func TraceOperands(c *cli.Context) []string {
	return slices.Concat(c.StringSlice("trace"), c.Args().Slice())
}

// TraceFiles are the file name patterns of attest traces.
var TraceFiles = []string{"*.json", "*.jsonl", "*.ndjson"}

// NamedLike reports whether a file name matches one of the patterns.
func NamedLike(name string, patterns []string, extensions ...string) bool {
	name = strings.ToLower(path.Base(name))
	names := []string{name}
	if extension := path.Ext(name); slices.Contains(extensions, extension) {
		names = append(names, strings.TrimSuffix(name, extension))
	}
	return slices.ContainsFunc(patterns, func(p string) bool {
		return slices.ContainsFunc(names, func(name string) bool { is, _ := path.Match(p, name); return is })
	})
}

// JSONFiles are the file name patterns of tools and policies.
var JSONFiles = []string{"*.json"}

// defaultMaxBytes limits a text that is read whole. With derived data it takes less than a quarter of the memory
// limit.
const defaultMaxBytes = 8 << 20

func MaxBytesFlag(category string) cli.Flag {
	return &cli.IntFlag{Name: "max-bytes", Category: category, Value: defaultMaxBytes, Usage: "accept files of at most `N` bytes"}
}

// Positive returns the value of a flag, which must be at least 1.
func Positive(c *cli.Context, name string) (int, error) {
	n := c.Int(name)
	if n < 1 {
		return 0, &cmdline.UsageError{Message: fmt.Sprintf("--%s is %d, expected a number of 1 or more", name, n), Hint: ""}
	}
	return n, nil
}

// ReadWhole reads an input of at most most bytes. The error can be reported.
func ReadWhole(in walk.Input, most int) ([]byte, error) {
	r, err := in.Open()
	if err != nil {
		return nil, err
	}
	defer func() { _ = r.Close() }() // opened for reading: nothing can be lost
	text, err := source.ReadAll(r, most)
	if _, ok := errors.AsType[*source.TooLargeError](err); ok {
		return nil, &cmdline.Hinted{Err: fmt.Errorf("%q is %w", in.Name, err), Hint: say.RaiseHint("--max-bytes")}
	}
	if err != nil {
		return nil, app.ReadFailed(in.Name, err)
	}
	return text, nil
}

// BundleFiles are the file name patterns of evidence bundles.
var BundleFiles = []string{"*.tar.gz", "*.tgz"}

// SharedFlags returns InputFlags and --shard.
func SharedFlags() []cli.Flag { return append(InputFlags(), app.ShardFlag("Input")) }
