package input

import (
	"archive/tar"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"path"
	"slices"
	"strings"

	"github.com/urfave/cli/v2"

	"github.com/cupel-dev/cupel/attest/importer"
	"github.com/cupel-dev/cupel/commands/internal/cmdline"
	"github.com/cupel-dev/cupel/evidence/bundle"
	"github.com/cupel-dev/cupel/internal/strictjson"
	"github.com/cupel-dev/cupel/internal/walk"
	"github.com/cupel-dev/cupel/trace"
)

// What a run refuses may be mistaken for something else: it is of another command, or JSON in a
// layout that the command does not read. Where the beginning of a file shows that for sure, a hint
// says what to do. It changes no finding and no exit code. A good answer has one where it rests on
// nothing that was read: such an input is hollow.

// sight is what the beginning of a file surely is.
type sight struct {
	what    string // with its article; "": nothing is sure
	Kind    kind   // kindNone: no command takes it as its operand
	command string // that reads it
	made    bool   // traces are made of it, whatever its layout
	spread  spread
}

// sights are what a file may be that a command reads, and the command.
func sights() map[kind]sight {
	return map[kind]sight{
		KindTrace:    {what: "a trace or a session log", command: "trace verify FILE"},
		KindEvidence: {what: "evidence", command: "evidence verify FILE"},
		KindDocument: {what: "an OATF document", command: "oatf lint FILE"},
		KindDialog:   {what: "a trace of the attest protocol", command: "attest validate FILE"},
		KindSuite:    {what: "a suite of assertions", command: "attest eval --assertions FILE TRACE"},
	}
}

// Hint says which command reads what was seen, or what lays it out on lines; "" where a command
// that takes what it reads for the kind has no better reason to refuse it.
func (s sight) Hint(name string, as kind) string {
	switch {
	case s.what != "" && s.Kind != as:
		return fmt.Sprintf("%q looks like %s: `cupel %s` reads it", name, s.what, s.command)
	case as == KindDocument || as == KindSuite: // YAML, which is read as a whole
		return ""
	case s.spread == inArray && as != KindTrace:
		return fmt.Sprintf("%q looks like an array: `jq -c \".[]\" FILE` makes lines of it", name)
	case s.spread == severalSpread, s.spread == oneSpread && (as == KindTrace || as == KindDialog && NamedLike(name, JSONLines)):
		return fmt.Sprintf("%q looks like JSON over several lines: `jq -c . FILE` makes one of each value", name)
	}
	return ""
}

// spread is how JSON lies over lines.
type spread int

const (
	onLines       spread = iota // each value on one, or nothing is sure
	oneSpread                   // it is one value
	severalSpread               // it is several values, of which the first takes several lines
	inArray                     // it is one array
)

// SightOf tells what a file is that begins so. What is no JSON from its first byte on may be
// YAML; JSON shows it by its first record, and counts only as far as it has no fault.
func SightOf(head beginning) (s sight) {
	if _, ok := trace.IsTranscript(head.text, !head.cut); ok {
		return sightOfKind(KindTrace) // read as it is, whatever its layout
	}
	if first, rest, is := head.value(); is {
		if s = sightOfRecord(first); !s.made {
			s.spread = head.spread(first, rest)
		}
		return s
	}
	if member, err := tar.NewReader(bytes.NewReader(head.text)).Next(); err == nil {
		if slices.Contains([]string{bundle.ManifestName, bundle.EventsName}, path.Clean(member.Name)) {
			s = sightOfKind(KindEvidence)
		}
		return s
	}
	rootKeys(bytes.NewReader(head.text), func(key string) bool {
		s = sightOfKey(key)
		return s.what == ""
	})
	return s
}

func sightOfKind(is kind) sight {
	s := sights()[is]
	s.Kind = is
	return s
}

// sightOfKey knows a document or a suite by a key at its root.
func sightOfKey(key string) sight {
	switch key {
	case RootKey:
		return sightOfKind(KindDocument)
	case "assertions":
		return sightOfKind(KindSuite)
	}
	return sight{}
}

// sightOfRecord knows what holds a record.
func sightOfRecord(text []byte) sight {
	doc, err := strictjson.NewScanner(strictjson.Limits{}).Scan(text)
	if err != nil {
		return sight{}
	}
	record := doc.Root()
	if is := kindOfRecord(record); is != KindNone {
		return sightOfKind(is)
	}
	for member := range record.Children() {
		if s := sightOfKey(member.Key()); s.what != "" {
			return s
		}
	}
	if record.Get("jsonrpc").Exists() {
		return sight{what: "JSON-RPC messages", command: "oatf eval DOCUMENT --trace FILE"}
	}
	if format := importer.Looks(text); format != "" {
		return sight{what: "the format " + string(format), Kind: KindDialog, made: true, command: "attest eval --assertions SUITE --from " + string(format) + " FILE"}
	}
	return sight{}
}

// taken is what a command has read, and for what it takes it.
type taken struct {
	as    kind
	list  []walk.Input
	heads []*streamHead // of those of the list that can be read only once; nil for a file
}

const (
	takenKey    = "inputs" // where a run keeps them
	takenLooked = 100      // … and so many are looked at
	hollowKey   = "hollow" // where a run keeps the names of those that are hollow
)

// Take notes inputs of a run; nil where nothing is to be said of them.
func Take(c *cli.Context, as kind, list []walk.Input) *taken {
	if as == KindNone {
		return nil
	}
	t := &taken{as: as, list: slices.Clone(list[:min(len(list), takenLooked)])}
	t.heads = make([]*streamHead, len(t.list))
	known, _ := c.App.Metadata[takenKey].([]*taken)
	c.App.Metadata[takenKey] = append(known, t)
	return t
}

// Keep lets the beginning of an input be known that can be read only once: the i-th that was
// taken. Of one that a run refuses for its compression no more is read than shows that.
func (t *taken) Keep(i int, in walk.Input) walk.Input {
	if t == nil || i >= len(t.list) || in.Size >= 0 || in.Empty() || in.Failed() != nil {
		return in
	}
	head := new(streamHead)
	t.heads[i] = head
	return in.WithOpen(func() (io.ReadCloser, error) {
		r, err := in.Open()
		if piped, is := r.(pipedInput); is {
			return headedStream{piped, head}, err
		}
		return r, err
	})
}

// NoteHollow notes that the good answer on an input rests on nothing that was read of it.
func NoteHollow(c *cli.Context, name string) {
	c.App.Metadata[hollowKey] = append(hollowInputs(c.App), name)
}

// hollowInputs are the names of those that were noted.
func hollowInputs(app *cli.App) []string {
	names, _ := app.Metadata[hollowKey].([]string)
	return names
}

// forgetTaken lets the next run of the same command line begin anew.
func forgetTaken(app *cli.App) {
	delete(app.Metadata, takenKey)
	delete(app.Metadata, hollowKey)
}

// WithHints adds to the failure of a run, to its no, and to its good answer on a hollow input, what
// its inputs may be mistaken for. A hint is said once, of the first input that it is about.
func WithHints(env cmdline.Env, app *cli.App, err error) error {
	if _, usage := errors.AsType[*cmdline.UsageError](err); usage || cmdline.Unheard(err) || env.Context.Err() != nil {
		return err
	}
	for _, advice := range takenHints(env.Context, app, err == nil) {
		if err != nil && !errors.Is(err, cmdline.ErrNo) && !errors.Is(err, cmdline.ErrSaid) {
			cmdline.SayError(env, err)
			err = cmdline.ErrSaid
		}
		cmdline.Hint(env, advice)
	}
	return err
}

// takenHints are the hints on the inputs of a run. Of a good answer those that are hollow are
// looked at, which lie as they should: they could be read.
func takenHints(ctx context.Context, app *cli.App, good bool) (hints []string) {
	all, _ := app.Metadata[takenKey].([]*taken)
	hollow := hollowInputs(app)
	known := map[string]bool{}
	for _, t := range all {
		for i, in := range t.list {
			if good && !slices.Contains(hollow, in.Name) {
				continue
			}
			seen := SightOf(t.head(ctx, i))
			if good {
				seen.spread = onLines
			}
			advice := seen.Hint(in.Name, t.as)
			about := strings.ReplaceAll(advice, in.Name, "")
			if advice != "" && !known[about] {
				hints = append(hints, advice)
			}
			known[about] = true
		}
	}
	return hints
}

// head is how the i-th input begins.
func (t *taken) head(ctx context.Context, i int) beginning {
	if kept := t.heads[i]; kept != nil {
		return kept.beginning(ctx)
	}
	return HeadOf(ctx, t.list[i])
}
