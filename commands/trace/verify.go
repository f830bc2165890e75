// Package tracecmd has the commands of `cupel trace`.
package tracecmd

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"

	"github.com/urfave/cli/v2"

	"github.com/cupel-dev/cupel/commands/internal/app"
	"github.com/cupel-dev/cupel/commands/internal/cmdline"
	"github.com/cupel-dev/cupel/commands/internal/input"
	"github.com/cupel-dev/cupel/commands/internal/rulelist"
	"github.com/cupel-dev/cupel/finding"
	"github.com/cupel-dev/cupel/internal/door"
	"github.com/cupel-dev/cupel/internal/report"
	"github.com/cupel-dev/cupel/internal/say"
	"github.com/cupel-dev/cupel/internal/walk"
	"github.com/cupel-dev/cupel/trace"
)

// VerifyRun is the report of the command.
var VerifyRun = report.Run{
	Command: "trace verify", Schema: "cupel.trace/1", Lists: []string{"inputs", input.PassedOverList}, Rules: rulelist.TraceVerifyRules, Binds: true,
	Baseline: "an invalid or rejected trace still fails",
}

// VerifyCommand is `cupel trace verify`.
func VerifyCommand(env cmdline.Env) *cli.Command {
	return withRanges(env, VerifyRun, app.Reporting(env, VerifyRun, &cli.Command{
		Name:      "verify",
		Usage:     "verify reasoning traces and session logs",
		ArgsUsage: "[PATH…]",
		UsageText: strings.Join([]string{
			"cupel trace verify run/",
			"cupel trace verify --format json --check-ids run/trace.jsonl",
			"cupel trace verify --no-evidence - < trace.jsonl",
			"git diff -z --name-only main | xargs -0 cupel trace verify --changed --",
			"cupel trace verify --range 0:268435456 --summary 1.cupelsum log.jsonl",
			"cupel trace verify --checkpoint log.checkpoint --vkey log.checkpoint.vkey --timestamp log.tsr --tsa-cert authority.pem log.jsonl",
		}, "\n"),
		Flags: slices.Concat(traceVerifyFlags(), sessionFlags(), checkpointFlags(), rangeFlags(), app.AttestFlags(), input.PickFlags(), input.SharedFlags()),
	}, func(c *cli.Context, out *app.Output) (report.Summary, error) {
		return VerifyTraces(env, c, out, input.OpenInputs)
	}))
}

// VerifyTraces is the work of the command on the inputs that find lists.
func VerifyTraces(env cmdline.Env, c *cli.Context, out *app.Output, find input.Finder) (report.Summary, error) {
	v := &LogVerifier{env: env, c: c, out: out, live: app.LiveFindings(c) && !c.IsSet("by"), passed: input.PassedOver{None: "no trace"}}
	opt, err := traceOptions(c)
	if name := c.String("sources"); name != "" && err == nil {
		sources, refused := input.OpenSources(env, "sources", name)
		if refused != nil {
			return report.Summary{}, refused
		}
		defer sources.Close()
		opt.Session.Sources = sources
	}
	if c.Bool("follow") {
		defer input.HeedTermination(&v.env, v.c)()
	}
	if err == nil {
		v.stops, err = input.NewStops(c, "until-seal")
	}
	if err == nil {
		err = v.readPlan()
	}
	if err == nil {
		v.demands, err = app.ReadDemands(c)
	}
	if err == nil {
		v.checkpoint, err = readCheckpoint(c)
	}
	if err != nil {
		return report.Summary{}, err
	}
	v.read = v.digests()
	app.RaiseHeap(32*opt.Limits.IDs + sessionBytes*opt.Limits.Sessions + endedBytes*opt.Limits.Ended)
	inputs, err := find(v.env, c, input.Reads{As: input.KindTrace, Patterns: input.LogFiles, Marker: input.RunFile, Probe: input.Of(input.KindTrace), PassedOver: v.passed.Add, Unpacks: true, Digests: v.read})
	if err != nil {
		return report.Summary{}, err
	}
	if err := v.passed.List(c, out); err != nil {
		return report.Summary{}, err
	}
	if err := oneLog(c, len(inputs)); err != nil {
		return report.Summary{}, err
	}
	defer app.RoomyHeap()() // not while inputs are found: what that leaves would stay
	opt.OnTranscript = sync.OnceFunc(app.TightHeap)
	v.many = len(inputs) > 1
	out.Reads(len(inputs))
	if c.Bool("chain") {
		err = v.chain(inputs, opt)
	} else {
		if !c.Bool("follow") {
			out.Plan(inputs)
		}
		err = v.several(inputs, opt)
	}
	return v.summary(), err
}

func traceVerifyFlags() []cli.Flag {
	const category, limits = "Verify", "Limits"
	return []cli.Flag{
		&cli.StringFlag{Name: "schema-versions", Category: category, Value: "1", Usage: "accepted trace schema `VERSIONS`, comma-separated"},
		&cli.BoolFlag{Name: "strict", Category: category, Usage: "reject assumptions that are warnings by default"},
		&cli.BoolFlag{Name: "contiguous", Category: category, Usage: "require idx to run 0, 1, 2, …"},
		&cli.BoolFlag{Name: "accept-aliases", Category: category, Usage: "accept the member names of older writers"},
		&cli.StringFlag{Name: "evidence-root", Category: category, Usage: "`DIR` that content_path is relative to (default: the trace's own)"},
		&cli.BoolFlag{Name: "no-evidence", Category: category, Usage: "do not read evidence files"},
		&cli.StringFlag{Name: "plan", Category: category, Usage: "the plan's `FILE` (default: plan.json next to the trace)"},
		&cli.BoolFlag{Name: "check-ids", Category: category, Usage: "require the trace id to match the content"},
		&cli.BoolFlag{Name: "manifest", Category: category, Usage: "require manifest.json next to the trace to match the files"},
		&cli.StringFlag{Name: "expect-sha256", Category: category, Usage: "the SHA-256 of the whole input must be `DIGEST`"},
		cmdline.OneOf(&cli.StringFlag{Name: "engine", Category: category, Value: string(trace.Fast), Usage: "`ENGINE` for lines and rules: fast, reference, or both (stop at a difference)"}, cmdline.EngineWords...),
		app.RequireFlag(category),
		input.ShowFilesFlag(category),
		app.JobsFlag(limits),
		input.PackedFlag(limits),
		&cli.IntFlag{Name: "max-findings", Category: limits, Usage: "keep at most `N` errors and N notes of an input and count the rest (default: 1000)"},
		&cli.IntFlag{Name: "max-line-bytes", Category: limits, Usage: "longest line in `BYTES` (default: 16 MiB)"},
		&cli.IntFlag{Name: "max-depth", Category: limits, Usage: "deepest nesting of a line (default: 128)"},
		&cli.IntFlag{Name: "max-keys", Category: limits, Usage: "most members of one object (default: 100000)"},
		&cli.IntFlag{Name: "max-values", Category: limits, Usage: "most values of one line, at 28 bytes each (default: 1000000)"},
		&cli.IntFlag{Name: "max-ids", Category: limits, Usage: "most distinct ids to remember, at 32 bytes each (default: 4000000)"},
		&cli.IntFlag{Name: "max-sessions", Category: limits, Usage: "most open sessions of an input, with --by (default: 10000)"},
		&cli.IntFlag{Name: "max-ended", Category: limits, Usage: "most ended sessions of an input, with --by, at 1 KiB each (default: 100000)"},
	}
}

// traceOptions reads the flags that are the same for every input.
func traceOptions(c *cli.Context) (trace.Options, error) {
	workers, err := app.Jobs(c)
	if err != nil {
		return trace.Options{}, err
	}
	strict, err := app.Strict(c)
	if err != nil {
		return trace.Options{}, err
	}
	opt := trace.Options{
		Jobs: workers, Engine: trace.Engine(c.String("engine")), Strict: strict, ExpectSHA256: c.String("expect-sha256"), Diagnose: true,
		Limits: trace.Limits{
			LineBytes: c.Int("max-line-bytes"), Depth: c.Int("max-depth"), Keys: c.Int("max-keys"), Values: c.Int("max-values"),
			Findings: c.Int("max-findings"), IDs: c.Int("max-ids"), Sessions: c.Int("max-sessions"), Ended: c.Int("max-ended"),
		},
		Reasoning: trace.ReasoningOptions{
			Contiguous: c.Bool("contiguous"), AcceptAliases: c.Bool("accept-aliases"),
			CheckIDs: c.Bool("check-ids"), Manifest: c.Bool("manifest"), NoEvidence: c.Bool("no-evidence"),
		},
	}
	if err := app.AtLeastOne(c, "max-findings", "max-line-bytes", "max-depth", "max-keys", "max-values", "max-ids", "max-sessions", "max-ended"); err != nil {
		return opt, err
	}
	if known := cmdline.WordNames(cmdline.EngineWords); !slices.Contains(known, c.String("engine")) {
		return opt, cmdline.BadValue("engine", c.String("engine"), known)
	}
	if c.Bool("no-evidence") && c.String("evidence-root") != "" {
		return opt, &cmdline.UsageError{Message: "--no-evidence reads no evidence files, but --evidence-root names their folder", Hint: cmdline.LeaveOneHint}
	}
	if opt.ExpectSHA256, err = sha256Flag(opt.ExpectSHA256); err != nil {
		return opt, err
	}
	if err := sessionOptions(c, &opt); err != nil {
		return opt, err
	}
	opt.Reasoning.SchemaVersions, err = versionsFlag(c.String("schema-versions"))
	return opt, err
}

// sha256Flag reads a digest with or without its prefix.
func sha256Flag(value string) (string, error) {
	digits := strings.ToLower(strings.TrimPrefix(value, "sha256:"))
	if value != "" && (len(digits) != 64 || strings.Trim(digits, "0123456789abcdef") != "") {
		return "", &cmdline.UsageError{Message: fmt.Sprintf("--expect-sha256 is %q, expected 64 hexadecimal digits", value), Hint: "`sha256sum FILE` prints the digits"}
	}
	return digits, nil
}

func versionsFlag(value string) (list []int64, err error) {
	for word := range strings.SplitSeq(value, ",") {
		version, err := strconv.ParseInt(strings.TrimSpace(word), 10, 64)
		if err != nil || version < 1 {
			return nil, &cmdline.UsageError{Message: fmt.Sprintf("--schema-versions is %q, expected positive integers", word), Hint: "for example --schema-versions 1,2"}
		}
		list = append(list, version)
	}
	return list, nil
}

// LogVerifier is one run of the command.
type LogVerifier struct {
	env   cmdline.Env
	c     *cli.Context
	out   *app.Output
	live  bool
	stops *input.Stops // of a followed log
	read  *app.Digests // of the inputs; nil: nothing shows them
	plan  []byte       // of --plan, for every input, or nil

	demands    app.Demands
	checkpoint *checkpointDemand // nil without --checkpoint

	Inputs, Valid, Invalid, Rejected, Errors, Warnings int
	Sessions                                           *SessionCounts // of all inputs; nil without --by
	passed                                             input.PassedOver
	segments                                           []string // the names of the inputs, with --chain
	links                                              trace.Links
	many                                               bool        // there are several inputs
	views                                              *traceViews // of the current input, or nil without a page
}

// digests returns what computes the digests of the inputs. A log that is followed, or that an earlier
// run has begun, is not read from its start to its end.
func (v *LogVerifier) digests() *app.Digests {
	if v.c.Bool("follow") || v.c.IsSet("state") {
		return nil
	}
	return v.out.Digests()
}

// readPlan reads --plan once, because it can be a pipe.
func (v *LogVerifier) readPlan() (err error) {
	if name := v.c.String("plan"); name != "" {
		v.plan, err = app.PlanFile(v.c).Read(v.c.Context, name)
	}
	return err
}

// input verifies one input. Its error ends the run; what cannot be read is said and
// passed over.
func (v *LogVerifier) input(in walk.Input, opt trace.Options) error {
	r, err := in.Open()
	if err != nil {
		v.out.Progress("", in.Size).End()
		return v.out.Fail(err)
	}
	opt.Name = in.Name
	if err := resumeAt(v.c, in.Name, r, &opt); err != nil {
		_ = r.Close() // opened for reading: nothing can be lost
		return err
	}
	if file, ok := input.Followable(v.c, r); ok {
		return v.follow(in, file, opt)
	}
	ctx, text := v.env.Context, io.Reader(r)
	if v.c.Bool("follow") {
		ctx, text = context.WithoutCancel(ctx), input.FollowPipe(v.env, r, v.stops)
		opt.Follow = input.FollowingPipe(v.stops)
	}
	answer, err := v.verify(ctx, in, text, opt)
	_ = r.Close()
	if err == nil && answer != nil {
		err = v.keepState(answer)
	}
	return cmp.Or(err, ctx.Err())
}

// follow verifies a growing log and its successors until a signal or a flag ends that. The reports are
// complete, unless a signal comes while much is unread: that is the error of the context.
func (v *LogVerifier) follow(in walk.Input, file door.File, opt trace.Options) error {
	ctx, stop := context.WithCancel(context.WithoutCancel(v.env.Context))
	defer stop()
	log, err := input.NewFollower(v.env, in, file, v.stops, stop)
	if err != nil {
		return v.out.Fail(say.Plain(err))
	}
	if opt.Resume != nil {
		log.Known = opt.Resume.Offset
	}
	var states stateKeeper
	for log != nil {
		opt.Follow = log.Following()
		answer, err := v.verify(ctx, in, log, opt)
		if err != nil || answer == nil {
			log.Close()
			return err
		}
		if states.take(answer); answer.Ended == "" {
			log.Close()
			break
		}
		log, opt.Resume = log.Successor(), nil
	}
	return cmp.Or(v.keepLast(states), ctx.Err())
}

// verify verifies a log and answers. Without a report, the reason was reported.
func (v *LogVerifier) verify(ctx context.Context, in walk.Input, r io.Reader, opt trace.Options) (*trace.Report, error) {
	around, err := openAround(v.c, in, &opt.Reasoning)
	defer around.close()
	if err != nil {
		return nil, v.out.Fail(err)
	}
	opt.Reasoning.Input = inputInRun(in, r, &opt)
	if v.plan != nil {
		opt.Reasoning.Plan, opt.Reasoning.PlanName = bytes.NewReader(v.plan), filepath.ToSlash(v.c.String("plan"))
	}
	r = v.checkpoint.copied(v.view(in, r, opt))
	progress := v.progress(in)
	defer progress.End()
	unwritten := v.sendLive(&opt)
	answer, err := trace.Verify(ctx, progress.Reader(r), opt)
	progress.End()
	switch {
	case *unwritten != nil:
		return nil, *unwritten
	case app.Spared(err) != nil:
		return nil, app.Spared(err)
	case err != nil && v.env.Context.Err() == nil:
		return nil, v.out.Fail(explained(in, err))
	case answer != nil:
		if v.stops.Failed() {
			answer.NotCovered = append(answer.NotCovered, "everything after the first error, because of --fail-fast")
		}
		return answer, v.conclude(answer)
	}
	return nil, nil
}

// sendLive streams findings, if enabled. unwritten is the first write error.
func (v *LogVerifier) sendLive(opt *trace.Options) (unwritten *error) {
	unwritten = new(error)
	if v.live || v.c.Bool("fail-fast") {
		opt.OnFinding = func(f finding.Finding) {
			if f.Severity == finding.Error || v.out.Refuses(f) {
				v.stops.Error()
			}
			if v.live {
				*unwritten = cmp.Or(*unwritten, v.out.Finding(f), v.out.Flush())
			}
		}
	}
	return unwritten
}

// progress shows how far a file has been read, unless it is followed.
func (v *LogVerifier) progress(in walk.Input) *app.Progress {
	if v.c.Bool("follow") {
		return nil
	}
	return v.out.Progress("verifying "+in.Name, in.Size)
}

// conclude reports the verdict on one input, or that it is pending.
func (v *LogVerifier) conclude(r *trace.Report) error {
	return errors.Join(v.answer(r), v.awaited(r))
}

// answer reports the verdict on one input, and before it those on its sessions.
func (v *LogVerifier) answer(r *trace.Report) error {
	if err := v.refuse(r); err != nil {
		return v.out.Fail(err)
	}
	before := len(r.Findings)
	if err := v.checkpoint.judge(r); err != nil {
		return err
	}
	if v.live { // the findings before are already in the stream
		for _, f := range r.Findings[before:] {
			if err := v.out.Finding(f); err != nil {
				return err
			}
		}
	}
	if err := v.demand(r); err != nil {
		return err
	}
	if err := v.link(r); err != nil {
		return err
	}
	v.count(r)
	v.digest(r)
	if r.Verdict == trace.Valid && r.Family == trace.Reasoning && r.Events == 0 {
		input.NoteHollow(v.c, r.Input)
	}
	if v.views != nil {
		v.views.whole = r
	}
	if r.Sessions != nil {
		return v.divided(r)
	}
	a, err := v.judged(r)
	if err != nil {
		return err
	}
	if v.live {
		a.Value = liveReport{r}
	}
	return v.out.Answer(a)
}

// link compares a session log with the inputs before it.
func (v *LogVerifier) link(r *trace.Report) error {
	if v.c.IsSet("shard") || v.segments != nil || r.Sessions != nil {
		return nil
	}
	for _, f := range v.links.Check(r, !v.many && v.Inputs == 0) {
		if v.live {
			if err := v.out.Finding(f); err != nil {
				return err
			}
		}
	}
	return nil
}

// digest adds the digests of what was read.
func (v *LogVerifier) digest(r *trace.Report) {
	if d := v.read.Of(r.Input); d != nil {
		r.SHA256, r.Bytes = d.SHA256, d.Bytes
	}
	for _, name := range v.segments {
		if d := v.read.Of(name); d != nil {
			r.Segments = append(r.Segments, trace.SegmentSum{Input: name, SHA256: d.SHA256, Bytes: d.Bytes})
		}
	}
}

// judged sends the findings of a report out, and returns the answer that it is.
func (v *LogVerifier) judged(r *trace.Report) (report.Answer, error) {
	several := v.many && r.Family == trace.Transcript
	if !v.live {
		for _, f := range r.Findings {
			if several && f.Severity == finding.Info {
				continue // in the report of the file alone: a folder shows its problems
			}
			if err := v.out.Finding(f); err != nil {
				return report.Answer{}, err
			}
		}
	}
	problems := [...]int{finding.Warning: r.Warnings, finding.Error: r.Errors}
	r.Findings = slices.DeleteFunc(r.Findings, func(f finding.Finding) bool {
		if v.out.Keep(f) {
			return false
		}
		problems[f.Severity]--
		return true
	})
	bad := r.Verdict.Bad()
	if bad {
		v.out.No()
	}
	a := report.Answer{
		List: "inputs", Value: r, Subject: r.Input, Outcome: report.Outcome{Weight: report.Good, Word: shownVerdict(r)},
		Facts: traceFacts(r), NotCovered: r.NotCovered, Findings: r.Findings, Brief: true,
	}
	a.View, a.Silent = v.views.of(r), several && !bad && r.Warnings == 0
	switch r.Family {
	case trace.Unknown:
	case trace.Transcript:
		a.Scope = []string{r.Format + " transcript", say.Counted(r.Events+r.Header, "record")}
		a.Transcript = v.views.indexed(r, v.c.Args().Slice(), problems[finding.Error], problems[finding.Warning])
	default:
		a.Scope = []string{string(r.Family), say.Counted(r.Events, "event")}
	}
	if several {
		a.Facts = nil // a folder shows its problems
	}
	switch {
	case bad:
		a.Weight, a.Reason = report.Bad, fmt.Sprintf("the trace is %s", r.Verdict)
	case r.Verdict == "":
		a.Weight = report.Caution
	case r.Family == trace.Reasoning && r.Events == 0 && !v.live && !v.c.Bool("allow-empty"):
		a.Weight = report.Caution
		return a, v.out.FailCounted(&cmdline.Hinted{
			Err:  fmt.Errorf("%q has no events to verify", r.Input),
			Hint: "--allow-empty accepts a run that recorded nothing",
		})
	}
	return a, nil
}

// liveReport is the report on an input whose findings have gone out as they came.
type liveReport struct{ *trace.Report }

// Brief is the report without the findings.
func (r liveReport) Brief() any {
	brief := *r.Report
	brief.Findings = nil
	return &brief
}

func (v *LogVerifier) count(r *trace.Report) {
	v.Inputs++
	v.Errors += r.Errors
	v.Warnings += r.Warnings
	switch r.Verdict {
	case trace.Invalid, trace.Inconsistent:
		v.Invalid++
	case trace.Rejected:
		v.Rejected++
	case trace.Valid, trace.Consistent:
		v.Valid++
	}
}

// awaited says that a growing log whose first line has not ended cannot be judged yet.
func (v *LogVerifier) awaited(r *trace.Report) error {
	if r.Verdict != "" || r.Ended != "" || r.Interrupted {
		return nil
	}
	return v.out.Fail(&cmdline.Hinted{Err: fmt.Errorf("cannot check %q yet: the first line is still being written", r.Input), Hint: "verify the log again when the line is complete"})
}

// traceFacts returns further facts on an input for people.
func traceFacts(r *trace.Report) []report.Fact {
	facts := append(sessionFacts(r), checkpointFacts(r)...)
	if r.Usage != nil && (r.Usage.Total > 0 || r.Usage.Unknown == "") {
		facts = append(facts, report.Fact{Name: "tokens", Value: usageText(r.Usage)})
	}
	if n := r.Omitted; n > 0 {
		facts = append(facts, report.Fact{Value: cmdline.NotShown(n)})
	}
	if what, ok := app.Endings[r.Ended]; ok {
		facts = append(facts, report.Fact{Name: "ended", Value: what})
	}
	return facts
}

// shownVerdict returns the verdict in words, or that it is pending.
func shownVerdict(r *trace.Report) string {
	switch {
	case r.Interrupted && r.Verdict == "":
		return "interrupted, no fault so far"
	case r.Interrupted:
		return "interrupted, " + string(r.Verdict)
	case r.Verdict == "":
		return "no verdict yet"
	}
	return string(r.Verdict)
}

// Tally returns the counts for the closing line; rest is an addition.
func (v *LogVerifier) Tally(rest string) *report.Tally {
	t := &report.Tally{Noun: "file", Total: v.Inputs, Failed: v.Invalid + v.Rejected, Errors: v.Errors, Warnings: v.Warnings, Rest: rest}
	if sessions := strings.TrimPrefix(v.Sessions.text(), "; "); sessions != "" {
		t.Rest = strings.TrimSuffix(sessions+"; "+rest, "; ")
	}
	return t
}

func (v *LogVerifier) summary() report.Summary {
	form := struct {
		Inputs   int            `json:"inputs"`
		Valid    int            `json:"valid"`
		Invalid  int            `json:"invalid"`
		Rejected int            `json:"rejected"`
		Errors   int            `json:"errors"`
		Warnings int            `json:"warnings"`
		Passed   int            `json:"passed_over,omitempty"`
		Sessions *SessionCounts `json:"sessions,omitempty"`
	}{v.Inputs, v.Valid, v.Invalid, v.Rejected, v.Errors, v.Warnings, len(v.passed.Files), v.Sessions}
	s := report.Summary{
		Value: form, Weight: report.Good, Tally: v.Tally(v.passed.Rest()),
	}
	if v.Invalid+v.Rejected > 0 {
		s.Weight = report.Bad
	}
	return s
}
