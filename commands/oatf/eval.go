package oatfcmd

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/urfave/cli/v2"

	"github.com/cupel-dev/cupel/commands/internal/app"
	"github.com/cupel-dev/cupel/commands/internal/cmdline"
	"github.com/cupel-dev/cupel/commands/internal/input"
	"github.com/cupel-dev/cupel/internal/report"
	"github.com/cupel-dev/cupel/internal/walk"
	"github.com/cupel-dev/cupel/oatf"
	"github.com/cupel-dev/cupel/oatf/capture"
	"github.com/cupel-dev/cupel/oatf/eval"
)

// EvalRun is the report of the command.
var EvalRun = report.Run{
	Command: "oatf eval", Schema: "cupel.verdict/1", Lists: []string{"verdicts", "inputs", input.PassedOverList}, Rules: eval.Rules, Binds: true,
	Baseline: "the verdict does not change",
	NotProved: []string{
		"whether the agent is safe: the verdict covers only these messages, and another run may differ",
		"whether the capture is complete and true: unrecorded messages were not examined",
		"anything that no indicator looks for",
	},
}

// EvalCommand is `cupel oatf eval`.
func EvalCommand(env cmdline.Env) *cli.Command {
	return input.Watching(env, app.Reporting(env, EvalRun, &cli.Command{
		Name:      "eval",
		Usage:     "evaluate from captured messages whether an agent complied with attacks",
		ArgsUsage: "DOC…",
		UsageText: strings.Join([]string{
			"cupel oatf eval attack.yaml --trace run.jsonl",
			"cupel oatf eval library/ --trace monday.jsonl --trace tuesday.jsonl --each --format junit=verdicts.xml",
			"capture | cupel oatf eval attack.yaml --trace - --explain-selection",
		}, "\n"),
		Flags: slices.Concat(oatfEvalFlags(), input.SharedFlags()),
	}, func(c *cli.Context, out *app.Output) (report.Summary, error) {
		j := &evalRun{env: env, out: out, passed: input.PassedOver{None: "no OATF document"}}
		if err := j.run(c); err != nil {
			return report.Summary{Value: &j.counts}, err
		}
		s := j.counts.summary()
		s.Text += j.passed.Text()
		return s, nil
	}))
}

func oatfEvalFlags() []cli.Flag {
	const category = "Evaluation"
	return slices.Concat([]cli.Flag{
		&cli.StringSliceFlag{Name: "trace", KeepSpace: true, Category: category, Usage: "captured messages, one JSON value per line: a `FILE`, folder or glob, or -; repeatable: one run, in this order"},
		&cli.BoolFlag{Name: "each", Category: category, Usage: "give a verdict on each capture instead of one on all"},
		&cli.BoolFlag{Name: "require-delivery", Category: category, Usage: "exit 2 for a document whose payload did not reach the agent"},
		&cli.BoolFlag{Name: "explain-selection", Category: category, Usage: "show the messages, and the places in them, that each indicator examines"},
		&cli.BoolFlag{Name: "no-evidence-text", Category: category, Usage: "show where an indicator matched, without message text"},
		&cli.BoolFlag{Name: "show-secrets", Category: category, Usage: "do not hide keys, tokens and passwords in message text"},
	}, judgingFlags(category))
}

// judgingFlags returns the flags of commands that evaluate documents.
func judgingFlags(category string) []cli.Flag {
	return slices.Concat([]cli.Flag{
		maxStepsFlag(category, "of all regular and CEL expressions of a run"),
		&cli.BoolFlag{Name: "strict-missing", Category: category, Usage: "treat a missing key in a CEL expression as an error (always on for 2026-03)"},
		app.RevisionFlag(category, app.ByMarks),
		unknownFieldsFlag(category),
		input.WatchFlag(category),
		input.ShowFilesFlag(category),
	}, semanticFlags(category), captureFlags(category))
}

// captureFlags returns the flags of commands that read captured messages.
func captureFlags(category string) []cli.Flag {
	return []cli.Flag{
		cmdline.OneOf(&cli.StringFlag{Name: "trace-format", Category: category, Value: traceFormats[0].name, Usage: "`FORMAT` of the lines: " + strings.Join(traceFormatNames(), ", ") + "; auto finds messages in logs, archives, transcripts and traces of all known kinds"}, cmdline.WordsOf(traceFormatNames(), traceFormatMeans)...),
		&cli.BoolFlag{Name: "skip-bad-lines", Category: category, Usage: "skip and count unreadable lines instead of exiting with 2"},
		&cli.IntFlag{Name: "max-open", Category: category, Value: capture.DefaultMaxOpen, Usage: "remember the last `N` requests without a response; responses to older ones are not matched"},
		input.PackedFlag(category),
		&cli.IntFlag{Name: "max-line-bytes", Category: category, Value: capture.DefaultLineBytes, Usage: "`N`: longest line of a capture, in bytes"},
		&cli.IntFlag{Name: "max-depth", Category: category, Value: capture.DefaultDepth, Usage: "`N`: deepest nesting of a line"},
		&cli.IntFlag{Name: "max-values", Category: category, Value: capture.DefaultValues, Usage: "`N`: most values of a line"},
		&cli.IntFlag{Name: "max-keys", Category: category, Value: capture.DefaultKeys, Usage: "`N`: most members of one object"},
	}
}

// limitFlags maps limits of a line to the flags that raise them.
var limitFlags = map[capture.Limit]string{
	capture.LimitLineBytes: "max-line-bytes", capture.LimitDepth: "max-depth", capture.LimitValues: "max-values", capture.LimitKeys: "max-keys",
}

var traceFormats = []struct {
	name   string
	format capture.Format
}{{"auto", capture.Auto}, {"plain", capture.Plain}, {"jsonrpc", capture.JSONRPC}, {"runner", capture.Runner}}

var traceFormatMeans = map[string]string{
	"auto":    "find messages in any known container",
	"plain":   "messages alone",
	"jsonrpc": "JSON-RPC, with requests and their answers",
	"runner":  "lines of a runner, with the messages inside",
}

func traceFormatNames() (names []string) {
	for _, f := range traceFormats {
		names = append(names, f.name)
	}
	return names
}

func captureOptions(c *cli.Context) (opt capture.Options, err error) {
	names := traceFormatNames()
	at := slices.Index(names, c.String("trace-format"))
	if at < 0 {
		return opt, cmdline.BadValue("trace-format", c.String("trace-format"), names)
	}
	if err := app.AtLeastOne(c, "max-open", "max-line-bytes", "max-depth", "max-values", "max-keys"); err != nil {
		return opt, err
	}
	return capture.Options{
		Format: traceFormats[at].format, MaxOpen: c.Int("max-open"), SkipBadLines: c.Bool("skip-bad-lines"),
		Limits: capture.Limits{LineBytes: c.Int("max-line-bytes"), Depth: c.Int("max-depth"), Values: c.Int("max-values"), Keys: c.Int("max-keys")},
	}, nil
}

// evalRun is one run of `cupel oatf eval`.
type evalRun struct {
	env     cmdline.Env
	out     *app.Output
	each    bool
	explain bool
	demand  bool // --require-delivery
	reading capture.Options
	opt     eval.Options
	known   *app.Revisions
	read    *app.Digests // of documents and captures; nil: nothing shows them
	counts  verdictCounts
	passed  input.PassedOver

	documents []*judgedDocument
	together  *eval.Batch    // their evaluators
	batch     *eval.BatchRun // their state in the run
	spoiled   bool           // a part of the run cannot be read, which has been said
	guessed   string         // capture whose records were assumed to be payloads
	reader    *capture.Reader
	captures  []string    // the display names of those that the reader has had, by number
	log       *messageLog // of the run, for a page; nil for other formats
	context   messageContext
}

func (j *evalRun) run(c *cli.Context) error {
	captures := c.StringSlice("trace")
	if err := checkEvalOperands(c.Args().Slice(), captures); err != nil {
		return err
	}
	parse, err := j.readFlags(c)
	if err != nil {
		return err
	}
	semantic, err := semanticCommand(j.env, c)
	if err != nil {
		return err
	}
	if semantic != nil {
		defer semantic.close()
		j.opt.Semantic = semantic
	}
	what := oatfReads()
	j.read = j.out.Digests()
	what.PassedOver, what.Digests = j.passed.AddOnce, j.read
	documents, err := input.OpenInputs(j.env, c, what)
	if err != nil {
		return err
	}
	traces, err := input.ExpandInputs(j.env, c, captures, input.Reads{Patterns: input.JSONLines, Beside: true, Unpacks: true, PassedOver: j.passed.AddOnce, Digests: j.read})
	if err != nil {
		return err
	}
	j.counts.Passed = len(j.passed.Files)
	if err := j.passed.List(c, j.out); err != nil {
		return err
	}
	if err := j.load(documents, parse); err != nil || len(j.documents) == 0 {
		return err
	}
	j.out.Plan(traces)
	return j.readAll(traces)
}

// checkEvalOperands returns an error without documents or captures, or if both are standard input.
func checkEvalOperands(documents, captures []string) error {
	switch {
	case len(documents) == 0:
		return &cmdline.UsageError{Message: "no document given as an operand", Hint: "`cupel oatf eval DOC… --trace FILE` evaluates documents over captured messages"}
	case len(captures) == 0:
		return &cmdline.UsageError{Message: "no --trace given", Hint: "name a file of captured messages with --trace FILE; --trace - reads standard input"}
	case slices.Contains(documents, "-") && slices.Contains(captures, "-"):
		return &cmdline.UsageError{Message: walk.ErrStdinTwice.Error(), Hint: ""}
	}
	return nil
}

func maxStepsFlag(category, of string) cli.Flag {
	return &cli.Int64Flag{Name: "max-steps", Category: category, Value: eval.DefaultSteps, Usage: "`N`: most steps " + of}
}

func maxSteps(c *cli.Context) (int64, error) {
	n := c.Int64("max-steps")
	if n < 1 {
		return n, &cmdline.UsageError{Message: fmt.Sprintf("--max-steps is %d, expected at least 1", n)}
	}
	return n, nil
}

func (j *evalRun) readFlags(c *cli.Context) (parse oatf.ParseOptions, err error) {
	most, err := maxSteps(c)
	if err != nil {
		return parse, err
	}
	j.each, j.explain, j.demand = c.Bool("each"), c.Bool("explain-selection"), c.Bool("require-delivery")
	if j.reading, err = captureOptions(c); err != nil {
		return parse, err
	}
	j.opt = eval.Options{
		CEL:            eval.NewCEL(eval.CELOptions{StrictMissing: c.Bool("strict-missing")}),
		NoEvidenceText: c.Bool("no-evidence-text"),
		Budget:         eval.NewBudget(),
		MaxSteps:       most,
	}
	if !c.Bool("show-secrets") {
		if j.opt.Hide, err = secretHider(); err != nil {
			return parse, err
		}
	}
	if j.opt.Clock, err = clock(j.env); err != nil {
		return parse, err
	}
	if j.known, err = app.ReadRevisions(c, app.ConfiguredBy(c)); err != nil {
		return parse, err
	}
	parse.UnknownFields, err = unknownFields(c)
	return parse, err
}

func clock(env cmdline.Env) (func() time.Time, error) {
	now, err := app.TimeOfRun(env)
	return func() time.Time { return now }, err
}
