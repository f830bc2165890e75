// Package recordcmd is the command that records events.
package recordcmd

import (
	"bufio"
	"cmp"
	"context"
	"errors"
	"fmt"
	"os/signal"
	"slices"
	"syscall"
	"time"

	"github.com/urfave/cli/v2"

	"github.com/cupel-dev/cupel/commands/internal/app"
	"github.com/cupel-dev/cupel/commands/internal/cmdline"
	"github.com/cupel-dev/cupel/commands/internal/input"
	evidencerecord "github.com/cupel-dev/cupel/evidence/record"
	"github.com/cupel-dev/cupel/internal/buildinfo"
	"github.com/cupel-dev/cupel/internal/door"
	"github.com/cupel-dev/cupel/internal/recorder"
	"github.com/cupel-dev/cupel/internal/say"
	"github.com/cupel-dev/cupel/internal/source"
	"github.com/cupel-dev/cupel/internal/term"
	"github.com/cupel-dev/cupel/trace/record"
)

// recordSchema names the JSON form of `record`.
const recordSchema = "cupel.record/1"

// Spec is `cupel record`.
var Spec = app.Spec[options]{
	Name:  "record",
	Usage: "record an agent's events from standard input in a session log or evidence stream",
	Examples: []string{
		"agent | cupel record -o log.jsonl --end",
		"agent | cupel record -o log.jsonl --sync each --sign key.pem",
		"agent | cupel record -o log.jsonl --checkpoint example.com/desk --checkpoint-key key.pem --checkpoint-every 1000",
		"cupel record --from claude-code -o log.jsonl session.jsonl",
		"cupel trace verify --sources session.jsonl log.jsonl",
		"cupel record --mcp -o log.jsonl --end -- mcp-server-files /srv",
	},
	Description: "Each line of the input is one event: a session event (event_type and payload), a step of\na test trace, or with --type any object. cupel adds the number, the time and the hashes, and\nwrites the event at once. A new log begins with SESSION_START; an existing one continues\nafter its last whole event.",
	About:       cmdline.About{Common: []string{"output", "from", "mcp", "otlp", "to", "end", "type", "redact", "sync", "sign", "rotate-size"}, Docs: []string{"record-agents", "session-logs"}},
	Operands:    "[PATH…]",
	Shows:       app.Shown{Schema: recordSchema},
	Flags:       func(o *options) []cli.Flag { return append(o.flags(), input.PackedFlag("Limits")) },
	Run: func(ctx context.Context, r *app.Run, o options) error {
		if o.mcp {
			return proxy(ctx, r, o)
		}
		return answer(ctx, r, o)
	},
}

var answer = app.Answer(recordForms, run)

type options struct {
	app.FormatOption
	live
	checkpoints
	output, eventType, session, agent string
	to                                string
	end, redact                       bool
	sync, rotateSize                  string
	interval, wait, rotateEvery       time.Duration
	sign, password                    string
	maxLine                           int
	from                              string
}

const (
	toSession  = "session"
	toEvidence = "evidence"
)

var logFormats = []cmdline.Word{
	{Name: toSession, Means: "a session log with a hash chain"},
	{Name: toEvidence, Means: "an evidence stream with content hashes"},
}

var syncPolicies = []cmdline.Word{
	{Name: "each", Means: "after each event"},
	{Name: "interval", Means: "about once per --sync-interval"},
	{Name: "end", Means: "when the recording ends"},
}

func (o *options) flags() []cli.Flag {
	return append([]cli.Flag{
		&cli.StringFlag{Name: "output", Aliases: []string{"o"}, Category: "Output", Destination: &o.output, Usage: "append to `FILE`, which is created if missing (required)"},
		fromFlag(&o.from),
		o.Flag("`FORMAT` of the summary: text or json", recordForms.Words()),
		cmdline.OneOf(&cli.StringFlag{Name: "to", Category: "Output", Value: toSession, Destination: &o.to, Usage: "`FORMAT` of the log: session or evidence"}, logFormats...),
		&cli.StringFlag{Name: "type", Category: "Events", Destination: &o.eventType, Usage: "record objects that are not events as the payload of events of this `TYPE`"},
		&cli.StringFlag{Name: "session", Category: "Events", Destination: &o.session, Usage: "`ID` of a new session or evidence run (default: that of the first event, or a random one)"},
		&cli.StringFlag{Name: "agent", Category: "Events", Destination: &o.agent, Usage: "`ID` of the agent for SESSION_START (default: " + record.DefaultAgent + ")"},
		&cli.BoolFlag{Name: "end", Category: "Events", Destination: &o.end, Usage: "write SESSION_END when the input ends"},
		&cli.BoolFlag{Name: "redact", Category: "Events", Destination: &o.redact, Usage: "hide secrets and personal data before events are hashed, by the default classes of cupel evidence redact"},
		cmdline.OneOf(&cli.StringFlag{Name: "sync", Category: "Durability", Value: "interval", Destination: &o.sync, Usage: "flush events to the disk: `WHEN` is each, interval or end"}, syncPolicies...),
		&cli.DurationFlag{Name: "sync-interval", Category: "Durability", Value: recorder.DefaultInterval, Destination: &o.interval, Usage: "`TIME` between flushes with --sync interval"},
		&cli.DurationFlag{Name: "wait-lock", Category: "Durability", Value: recorder.DefaultWait, Destination: &o.wait, Usage: "wait up to `TIME` for another writer of the log"},
		&cli.StringFlag{Name: "rotate-size", Category: "Rotation", Destination: &o.rotateSize, Usage: "start a new file when the log has `SIZE`, such as 64MiB"},
		&cli.DurationFlag{Name: "rotate-every", Category: "Rotation", Destination: &o.rotateEvery, Usage: "start a new file when the session is `TIME` old, such as 24h"},
		&cli.StringFlag{Name: "sign", Category: "Signatures", Destination: &o.sign, Usage: "sign each event with the Ed25519 private key in `FILE`"},
		&cli.StringFlag{Name: "sign-password-file", Category: "Signatures", Destination: &o.password, Usage: "`FILE` with the password of the private key, if it is encrypted"},
		&cli.IntFlag{Name: "max-line-bytes", Category: "Limits", Value: source.DefaultMaxLine, Destination: &o.maxLine, Usage: "longest line in `BYTES`"},
	}, slices.Concat(o.checkpoints.flags(), o.live.flags())...)
}

// recorded is the result of a run.
type recorded struct {
	Schema  string `json:"schema"`
	Status  string `json:"status"`
	Output  string `json:"output"`
	Session string `json:"session_id,omitempty"`
	Run     string `json:"run_id,omitempty"`
	Events  int64  `json:"events"`
	Bytes   int64  `json:"bytes"`
	Syncs   int64  `json:"syncs"`
	Rotated int64  `json:"rotated"`
	Ended   bool   `json:"ended"`

	Checkpoints int64 `json:"checkpoints,omitempty"` // written

	Sources *sourceCounts `json:"sources,omitempty"` // with --from
}

var recordForms = app.Forms[recorded]{{Name: "text", Write: recordText}, {Name: "json", Write: recordJSON}}

func recordText(w *bufio.Writer, r recorded) error {
	fmt.Fprintf(w, "%s: %s recorded", say.Visible(r.Output), say.Counted(r.Events, "event"))
	switch {
	case r.Run != "":
		fmt.Fprintf(w, " in run %s", say.Visible(r.Run))
	case r.Session == "":
	case r.Ended:
		fmt.Fprintf(w, ", session %s has ended", say.Visible(r.Session))
	default:
		fmt.Fprintf(w, ", session %s is open", say.Visible(r.Session))
	}
	if r.Checkpoints > 0 {
		fmt.Fprintf(w, ", %s", say.Counted(r.Checkpoints, "checkpoint"))
	}
	fmt.Fprintln(w)
	return r.Sources.write(w)
}

func recordJSON(w *bufio.Writer, r recorded) error { return app.WriteJSON(w, r) }

// lineError is a malformed line of the input.
type lineError struct {
	line int
	why  error
	hint string
}

func (e *lineError) Error() string {
	return fmt.Sprintf("standard input, line %d: %v; the events before it are recorded", e.line, e.why)
}

func (e *lineError) Unwrap() error { return e.why }

func run(ctx context.Context, r *app.Run, o options) (done recorded, err error) {
	if o.from != "" {
		return copySources(ctx, r, o)
	}
	listener, err := o.listen()
	if err != nil {
		return done, err
	}
	log, err := o.open(ctx, r)
	if err != nil {
		return done, err
	}
	if listener != nil {
		err = o.serveOTLP(r.Env, listener, log)
		return o.finish(log, err, "success", "")
	}
	if term.IsTerminal(r.Stdin) {
		cmdline.Hint(r.Env, "events are read from standard input, one JSON object per line; Ctrl-D ends it")
	}
	stopped, release := signal.NotifyContext(ctx, syscall.SIGTERM)
	defer release()
	err = newIntake(stopped, r.Stdin).eachLine(o.maxLine, func(number int, line []byte) error {
		return explained(number, log.Append(line))
	})
	if stopped.Err() != nil {
		done, err = o.finish(log, err, "error", "interrupted")
	} else {
		done, err = o.finish(log, err, "success", "")
	}
	if err == nil {
		err = ctx.Err() // of Ctrl-C; SIGTERM is a regular end
	}
	return done, err
}

// finish ends the session, if that was asked for, and closes the log.
func (o *options) finish(log *Log, err error, status, reason string) (recorded, error) {
	if o.end && err == nil {
		err = log.End(status, reason)
	}
	done := log.result()
	err = errors.Join(err, log.Close())
	log.count(&done)
	return done, err
}

// explained returns the error for a line, with a hint.
func explained(number int, err error) error {
	if err == nil {
		return nil
	}
	hint := ""
	switch {
	case errors.Is(err, record.ErrKind), errors.Is(err, evidencerecord.ErrKind):
		hint = "--type TOOL_CALL, or another type, records such objects as payloads"
	case errors.Is(err, record.ErrEvidence):
		hint = "--to evidence records it in an evidence stream"
	case errors.As(err, new(*writeError)):
		return err
	}
	return &cmdline.Hinted{Err: &lineError{line: number, why: err}, Hint: hint}
}

// encoder is that of a log's format.
type encoder interface {
	recorder.Encoder
	ID() string // of the session or run
}

// Log is a log that is being written.
type Log struct {
	*recorder.Recorder
	name    string
	encoder encoder
}

type writeError struct{ error }

func (e *writeError) Unwrap() error { return e.error }

// Append appends an event. The error of a malformed event leaves the log usable; others are a *writeError.
func (l *Log) Append(event []byte) error {
	err := l.Recorder.Append(event)
	if err != nil && l.Broken() != nil {
		return &writeError{err}
	}
	return err
}

// count adds the work that Close did.
func (l *Log) count(r *recorded) {
	t := l.Totals()
	r.Syncs, r.Checkpoints = t.Syncs, t.Seals
}

func (l *Log) result() recorded {
	t := l.Totals()
	r := recorded{
		Schema: recordSchema, Status: "ok", Output: l.name, Session: l.encoder.ID(),
		Events: t.Events, Bytes: t.Bytes, Syncs: t.Syncs, Rotated: t.Files, Ended: !l.encoder.Open(),
	}
	if _, ok := l.encoder.(*evidencerecord.Run); ok {
		r.Session, r.Run = "", r.Session
	}
	return r
}

// open opens the log that the flags describe.
func (o *options) open(ctx context.Context, r *app.Run) (*Log, error) {
	opt, err := o.check(r)
	if err != nil {
		return nil, err
	}
	var redact *eventRedactor
	if o.redact {
		redact = newEventRedactor()
	}
	encoder, err := o.encoder(ctx, redact)
	if err != nil {
		return nil, err
	}
	if err := o.apply(ctx, &opt, o.output, o.password); err != nil {
		return nil, err
	}
	return openLog(ctx, r.Env, o.output, encoder, opt)
}

// check returns the options of the recorder, or a usage error.
func (o *options) check(r *app.Run) (opt recorder.Options, err error) {
	if err := r.DistinctFiles(true); err != nil {
		return opt, err
	}
	if err := cmp.Or(o.live.mistake(r.Operands, o.from), o.checkpoints.mistake(o.to == toEvidence)); err != nil {
		return opt, err
	}
	policy := slices.Index(cmdline.WordNames(syncPolicies), o.sync)
	switch {
	case o.output == "" || o.output == "-":
		return opt, &cmdline.UsageError{Message: "no log is named to append to", Hint: "name a file with -o LOG"}
	case policy < 0:
		return opt, cmdline.BadValue("sync", o.sync, cmdline.WordNames(syncPolicies))
	case !slices.Contains(cmdline.WordNames(logFormats), o.to):
		return opt, cmdline.BadValue("to", o.to, cmdline.WordNames(logFormats))
	case o.maxLine < leastLine:
		return opt, &cmdline.UsageError{Message: fmt.Sprintf("--max-line-bytes is %d, expected at least %d", o.maxLine, leastLine)}
	case o.interval <= 0 || o.wait < 0 || o.rotateEvery < 0:
		return opt, &cmdline.UsageError{Message: "a time is below zero, or --sync-interval is zero", Hint: "for example 500ms, 30s or 24h"}
	case o.password != "" && o.sign == "" && o.key == "":
		return opt, &cmdline.UsageError{Message: "--sign-password-file is given, but --sign names no key", Hint: app.KeygenHint}
	case o.to == toEvidence && (o.sign != "" || o.end || o.agent != "" || o.mcp || o.otlp != ""):
		return opt, &cmdline.UsageError{Message: "--sign, --end, --agent, --mcp and --otlp are for session logs, but --to is evidence", Hint: streamHint}
	case o.to == toSession && o.eventType != "" && !record.IsType(o.eventType):
		return opt, cmdline.BadValue("type", o.eventType, record.Types())
	}
	opt = recorder.Options{Sync: recorder.Sync(policy), Interval: o.interval, Wait: o.wait, MaxLine: o.maxLine, RotateEvery: o.rotateEvery}
	if o.wait == 0 {
		opt.Wait = -1
	}
	if o.rotateSize != "" {
		opt.RotateSize, err = cmdline.SizeFlag("rotate-size", o.rotateSize)
	}
	return opt, err
}

// leastLine is the minimum of --max-line-bytes: an event without payload fits.
const leastLine = 1024

// encoder returns the encoder of the log's format.
func (o *options) encoder(ctx context.Context, redact *eventRedactor) (encoder, error) {
	if o.to == toEvidence {
		opt := evidencerecord.Options{Run: o.session, Type: o.eventType, Producer: "cupel", Version: buildinfo.Version, Git: "unknown"}
		if o.maxLine != source.DefaultMaxLine { // the default for events is lower
			opt.Limits.LineBytes = int64(o.maxLine)
		}
		if redact != nil {
			opt.Redact = redact.event
		}
		return evidencerecord.NewRun(opt), nil
	}
	opt := record.Options{Session: o.session, Agent: o.agent, Type: o.eventType, LineBytes: o.maxLine}
	if redact != nil {
		opt.Payload = redact.payload
	}
	if o.sign != "" {
		key, err := signingKey(ctx, "sign", o.sign, o.password)
		if err != nil {
			return nil, err
		}
		opt.Key = key
	}
	return record.NewChain(opt), nil
}

// openLog opens a log and prints what happened to it.
func openLog(ctx context.Context, env cmdline.Env, name string, e encoder, opt recorder.Options) (*Log, error) {
	l := &Log{name: name, encoder: e}
	opt.Encoder = e
	opt.Notify = func(n recorder.Note) {
		if text := noteText(name, n); text != "" {
			cmdline.Warn(env, text)
		}
	}
	log, err := recorder.Open(ctx, name, opt)
	if errors.Is(err, record.ErrKey) {
		return nil, &cmdline.Hinted{Err: err, Hint: "--sign FILE names the private key of the session"}
	}
	if errors.As(err, new(*door.LockedError)) {
		return nil, &cmdline.Hinted{Err: err, Hint: "one process writes a log at a time: wait for it with --wait-lock, or end it"}
	}
	if errors.As(err, new(*door.RefusedError)) {
		return nil, &cmdline.Hinted{Err: err, Hint: "-o names the file that events are appended to; cupel creates it if it is missing"}
	}
	if errors.As(err, new(*recorder.ForeignError)) {
		return nil, &cmdline.Hinted{Err: err, Hint: "name another log; this one was not changed"}
	}
	l.Recorder = log
	return l, err
}

func noteText(name string, n recorder.Note) string {
	switch n.Kind {
	case recorder.Torn:
		return fmt.Sprintf("%s ended in a partial event: its %s are in %s", name, say.Counted(n.Bytes, "byte"), n.Name)
	case recorder.Healed:
		return fmt.Sprintf("the last event of %s had no line end, which was added", name)
	case recorder.Stale:
		return fmt.Sprintf("the last writer of %s, process %d, ended without closing it", name, n.Owner.PID)
	}
	return ""
}
