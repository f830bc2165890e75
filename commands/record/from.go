package recordcmd

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/urfave/cli/v2"

	"github.com/cupel-dev/cupel/attest/importer"
	"github.com/cupel-dev/cupel/commands/internal/app"
	"github.com/cupel-dev/cupel/commands/internal/cmdline"
	"github.com/cupel-dev/cupel/commands/internal/input"
	"github.com/cupel-dev/cupel/internal/cite"
	"github.com/cupel-dev/cupel/internal/digest"
	"github.com/cupel-dev/cupel/internal/door"
	"github.com/cupel-dev/cupel/internal/say"
	"github.com/cupel-dev/cupel/internal/transcript"
	"github.com/cupel-dev/cupel/internal/transcript/copying"
	"github.com/cupel-dev/cupel/internal/walk"
)

func fromFlag(to *string) cli.Flag {
	return cmdline.OneOf(&cli.StringFlag{
		Name: "from", Category: "Sources", Destination: to,
		Usage: "make events of transcripts and spans in `FORMAT` (auto: detect it); each cites the bytes that it was made of",
	}, input.ImportWords()...)
}

// sourceCounts say what became of the sources.
type sourceCounts struct {
	Files   []sourceFile     `json:"files"`
	Records int64            `json:"records"` // records or steps
	Without map[string]int64 `json:"without_events"`
	Skipped int64            `json:"repeated"`
	Undone  int64            `json:"undone"`
	Lost    int64            `json:"lost"`
	Passed  []string         `json:"passed_over,omitempty"`
}

// sourceFile describes a source in SESSION_START.
type sourceFile struct {
	Path    string `json:"content_path"`
	Format  string `json:"format"`
	SHA256  string `json:"sha256"`
	Bytes   int64  `json:"bytes"`
	Session string `json:"session_id,omitempty"` // in the source
}

func (n *sourceCounts) add(c *copying.Counts) {
	n.Records += c.Records
	n.Skipped += c.Skipped
	n.Undone += c.Undone
	n.Lost += c.Lost
	for name, k := range c.Without {
		n.Without[name] += k
	}
}

// write lists what was not copied.
func (n *sourceCounts) write(w *bufio.Writer) error {
	if n == nil {
		return nil
	}
	fmt.Fprintf(w, "sources: %s with %s\n", say.Counted(int64(len(n.Files)), "file"), say.Counted(n.Records, "record"))
	var list []string
	total := int64(0)
	for _, name := range slices.Sorted(maps.Keys(n.Without)) {
		list = append(list, fmt.Sprintf("%s %d", say.Visible(name), n.Without[name]))
		total += n.Without[name]
	}
	if total > 0 {
		fmt.Fprintf(w, "no events: %s without texts, calls and results (%s)\n",
			say.Counted(total, "record"), strings.Join(list, ", "))
	}
	if n.Skipped > 0 {
		fmt.Fprintf(w, "repeated: %s, recorded once\n", say.Counted(n.Skipped, "part"))
	}
	if n.Undone > 0 {
		fmt.Fprintf(w, "undone: %s take back earlier events, which stay\n", say.Counted(n.Undone, "record"))
	}
	for _, name := range n.Passed {
		fmt.Fprintf(w, "skipped: %s has none of the formats\n", say.Visible(name))
	}
	if n.Lost > 0 {
		fmt.Fprintf(w, "lost: %s of the conversation, each with a LOG_DROP\n", say.Counted(n.Lost, "part"))
	}
	return nil
}

// origin is a source between its two readings.
type origin struct {
	sourceFile
	in     walk.Input
	held   *input.HeldSource // of a stream, which cannot be opened again
	survey *copying.Survey   // of a transcript
	first  time.Time
}

// errNoRecords means that a source has none of the formats.
var errNoRecords = errors.New("it has none of the formats of transcripts and spans")

// copySources makes events of the operands.
func copySources(ctx context.Context, r *app.Run, o options) (done recorded, err error) {
	if known := input.ImportFormats(); !slices.Contains(known, o.from) {
		return done, cmdline.BadValue("from", o.from, known)
	}
	if o.eventType != "" {
		return done, &cmdline.UsageError{
			Message: "--from makes events of known types, but --type names another", Hint: cmdline.LeaveOneHint,
		}
	}
	if o.redact {
		return done, &cmdline.UsageError{
			Message: "--redact changes events, but those of --from must equal their source",
			Hint:    "leave --redact out: texts, arguments and results are not copied, only their hashes",
		}
	}
	if name := strings.ToLower(o.output); strings.HasSuffix(name, ".gz") || strings.HasSuffix(name, ".tgz") {
		return done, &cmdline.UsageError{
			Message: fmt.Sprintf("-o %q is the name of a bundle, but record writes lines", o.output),
			Hint:    "record with --to evidence -o run.ndjson, then `cupel evidence seal run.ndjson`",
		}
	}
	if _, err := o.check(r); err != nil { // before the sources are read
		return done, err
	}
	counts := &sourceCounts{Without: map[string]int64{}}
	origins, err := o.look(ctx, r, counts)
	defer func() {
		for i := range origins {
			if origins[i].held != nil {
				origins[i].held.Close()
			}
		}
	}()
	if err != nil {
		return done, err
	}
	if o.session == "" {
		o.session = sessionOf(origins)
	}
	log, err := o.open(ctx, r)
	if err != nil {
		return done, err
	}
	err = o.copyAll(ctx, log, origins, counts)
	done = log.result()
	done.Sources = counts
	err = errors.Join(err, log.Close())
	log.count(&done)
	if err == nil && counts.Lost > 0 {
		err = cmdline.ErrNo
	}
	return done, err
}

// look opens each operand and reads it for the first time.
func (o *options) look(ctx context.Context, r *app.Run, counts *sourceCounts) (list []origin, err error) {
	inputs, err := input.OpenInputs(r.Env, r.Line(), input.Reads{
		Patterns: slices.Concat(input.LogFiles, input.TraceFiles), Unpacks: true,
		PassedOver: func(name, _ string) { counts.Passed = append(counts.Passed, name) },
	})
	if err != nil {
		return nil, err
	}
	paths := map[string]string{}
	for _, in := range inputs {
		s, err := o.survey(ctx, in, r.Operands)
		switch {
		case errors.Is(err, errNoRecords) && !in.Explicit:
			counts.Passed = append(counts.Passed, in.Name)
			continue
		case err != nil:
			return list, sourceFailed(in.Name, err)
		}
		list = append(list, s)
		if before, twice := paths[s.Path]; twice {
			return list, &cmdline.UsageError{
				Message: fmt.Sprintf("two sources have the name %q: %q and %q", s.Path, before, in.Name),
				Hint:    "give the folder that holds both, so that their paths differ",
			}
		}
		paths[s.Path] = in.Name
		counts.Files = append(counts.Files, s.sourceFile)
	}
	if len(list) == 0 {
		return nil, &cmdline.UsageError{
			Message: "no operand has a transcript or spans", Hint: "cupel record --from auto -o LOG FILE",
		}
	}
	return list, nil
}

func sourceFailed(name string, err error) error {
	hint := cmdline.HintOf(err)
	switch {
	case errors.Is(err, copying.ErrChanged):
		hint = "record it again when its writer has ended; the log is incomplete"
	case errors.Is(err, errNoRecords):
		hint = "`cupel help record` lists the formats"
	}
	return &cmdline.Hinted{Err: cmdline.Unread(fmt.Sprintf("%q", name), err), Hint: hint}
}

// survey reads a source for the first time.
func (o *options) survey(ctx context.Context, in walk.Input, operands []string) (s origin, err error) {
	held, err := hold(in)
	if err != nil {
		return s, err
	}
	defer func() {
		if err == nil && in.Size < 0 { // a stream or a pipe cannot be read again
			s.held = held
			return
		}
		held.Close()
	}()
	s = origin{in: in, sourceFile: sourceFile{Path: pathOf(in, operands), SHA256: held.Sum.Hex(), Bytes: held.Size}}
	named := slices.Contains(transcript.Formats(), transcript.Format(o.from))
	if !named && o.from != string(importer.Auto) {
		s.Format, s.first, err = lookAtSpans(held, o.from)
		return s, err
	}
	s.survey, err = copying.Look(ctx, s.source(o, held))
	switch {
	case errors.Is(err, copying.ErrNone) && !named:
		s.Format, s.first, err = lookAtSpans(held, o.from)
		return s, err
	case errors.Is(err, copying.ErrNone):
		return s, errNoRecords
	case err != nil:
		return s, err
	}
	s.Format, s.Session, s.first = string(s.survey.Kind.Format), s.survey.Session, s.survey.First
	if named && o.from != s.Format {
		return s, fmt.Errorf("%w: --from is %s, but the records have the format %s", errNoRecords, o.from, s.Format)
	}
	return s, nil
}

func hold(in walk.Input) (*input.HeldSource, error) {
	r, err := in.Open()
	if err != nil {
		return nil, err
	}
	return input.HoldSource(r)
}

func (s *origin) source(o *options, held *input.HeldSource) copying.Source {
	return copying.Source{Text: held.Text, Size: held.Size, Sum: held.Sum, Path: s.Path, LineBytes: o.maxLine}
}

// pathOf returns the path that citations have: below the operand if that is a folder, otherwise the file's name.
func pathOf(in walk.Input, operands []string) string {
	if in.Path == "" {
		return cite.Stream
	}
	for _, operand := range operands {
		if info, err := door.Stat(operand); err != nil || !info.IsDir() {
			continue
		}
		if below, err := filepath.Rel(operand, in.Path); err == nil && filepath.IsLocal(below) {
			return filepath.ToSlash(below)
		}
	}
	return path.Base(filepath.ToSlash(in.Path))
}

// sessionOf returns an id that is the same for the same sources.
func sessionOf(list []origin) string {
	var all []byte
	for i := range list {
		all = append(append(all, list[i].Path...), list[i].SHA256...)
	}
	b := digest.Of(all)
	b[6], b[8] = b[6]&0x0f|0x80, b[8]&0x3f|0x80 // a UUID of version 8
	return fmt.Sprintf("%x-%x-%x-%x-%x", b[:4], b[4:6], b[6:8], b[8:10], b[10:16])
}

// copyAll appends the session of all sources.
func (o *options) copyAll(ctx context.Context, log *Log, list []origin, counts *sourceCounts) error {
	start := cite.Event{Type: "SESSION_START"}
	agent := list[0].Format
	for i := range list {
		if f := list[i].first; !f.IsZero() && (start.At.IsZero() || f.Before(start.At)) {
			start.At = f
		}
		if list[i].Format != agent {
			agent = cite.Unknown
		}
	}
	if o.agent != "" {
		agent = o.agent
	}
	start.PutText("agent_id", agent)
	files, err := json.Marshal(counts.Files)
	if err != nil {
		return err
	}
	start.Put(cite.List, string(files))
	if err := log.Append(start.JSON()); err != nil {
		return err
	}
	last := start.At
	for i := range list {
		s := &list[i]
		held := s.held
		if held == nil {
			if held, err = hold(s.in); err != nil {
				return sourceFailed(s.in.Name, err)
			}
		}
		err := s.copy(ctx, o, log, held, counts, &last)
		if s.held == nil {
			held.Close()
		}
		if err != nil {
			return err
		}
	}
	return log.Append(ending(counts, last).JSON())
}

// ending returns the SESSION_END, which counts what is not in the log.
func ending(counts *sourceCounts, at time.Time) *cite.Event {
	e := &cite.Event{Type: "SESSION_END", At: at}
	status := "success"
	if counts.Lost > 0 {
		status = "error"
	}
	e.PutText("status", status)
	without, _ := json.Marshal(counts.Without) // texts and numbers
	e.Put("records", fmt.Sprint(counts.Records))
	e.Put("without_events", string(without))
	e.Put("repeated", fmt.Sprint(counts.Skipped))
	e.Put("undone", fmt.Sprint(counts.Undone))
	e.Put("lost", fmt.Sprint(counts.Lost))
	return e
}

// copy appends the events of a source.
func (s *origin) copy(
	ctx context.Context, o *options, log *Log, held *input.HeldSource, counts *sourceCounts, last *time.Time,
) error {
	if held.Sum.Hex() != s.SHA256 {
		return sourceFailed(s.in.Name, copying.ErrChanged)
	}
	var own copying.Counts
	events := spanEvents(s, held, &own)
	if s.survey != nil {
		events = copying.Events(ctx, s.source(o, held), s.survey, &own)
	}
	for e, err := range events {
		if err != nil {
			return sourceFailed(s.in.Name, err)
		}
		if e.At.Before(*last) {
			e.At = *last
		}
		*last = e.At
		if e.Type == "LOG_DROP" { // no number is missing
			seq := fmt.Sprint(log.encoder.Events() + 1)
			e.Put("seq_range_start", seq)
			e.Put("seq_range_end", seq)
		}
		if err := log.Append(e.JSON()); err != nil {
			return err
		}
	}
	counts.add(&own)
	return nil
}
