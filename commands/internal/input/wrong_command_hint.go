package input

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"sync"

	"github.com/urfave/cli/v2"

	"github.com/cupel-dev/cupel/commands/internal/cmdline"
	"github.com/cupel-dev/cupel/commands/internal/recognize"
	"github.com/cupel-dev/cupel/internal/walk"
)

// A command can get the input of another command, or JSON in an unsupported layout. If the start of the input
// proves that, a hint says what to do. After a passed run, hints are only for inputs without any record.

// Foreign returns the error for a file of another family than f.
func Foreign(name string, a recognize.Answer, f recognize.Family) error {
	noun := f.Noun()
	if f == KindNone {
		noun = "a record that cupel checks"
	}
	err := fmt.Errorf("%q is not %s: %s", name, noun, reason(a))
	hint := "`cupel help formats` lists the formats that cupel reads"
	if a.Command != "" {
		hint = fmt.Sprintf("read it with `cupel %s`", a.Command)
	}
	return &cmdline.Hinted{Err: err, Hint: hint}
}

// Hint suggests the command for an input, or a conversion of its layout, or returns "".
func Hint(a recognize.Answer, name string, f recognize.Family) string {
	what := a.Format
	if a.State != recognize.Foreign {
		what = a.Family.Noun()
	}
	imported := a.State == recognize.Foreign && a.Family == KindDialog // read in any layout
	switch {
	case what != "" && a.Command != "" && (a.State == recognize.Foreign || a.Family != f):
		return fmt.Sprintf("%q looks like %s: read it with `cupel %s`", name, what, a.Command)
	case imported || f == KindDocument || f == KindSuite: // YAML is read as a whole
		return ""
	case a.Layout == recognize.InArray && f != KindTrace:
		return fmt.Sprintf("%q looks like an array: `jq -c \".[]\" FILE` writes one element per line", name)
	case a.Layout == recognize.SeveralValues, a.Layout == recognize.OneValue && (f == KindTrace && !strings.Contains(a.Format, "transcript") || f == KindDialog && NamedLike(name, JSONLines)):
		return fmt.Sprintf("%q looks like JSON values over several lines: `jq -c . FILE` writes one value per line", name)
	}
	return ""
}

// pipedInput is an input that can be read only once. It reports its compression format.
type pipedInput interface {
	io.ReadCloser
	Format() string
}

// streamHead keeps the first bytes of a stream while it is read.
type streamHead struct {
	mu    sync.Mutex // an interrupted run's reader can continue
	text  []byte
	ended bool
}

// head returns the first bytes, decompressed.
func (h *streamHead) head(ctx context.Context) recognize.Head {
	h.mu.Lock()
	defer h.mu.Unlock()
	head := readHead(ctx, bytes.NewReader(h.text))
	head.Cut = head.Cut || !h.ended
	return head
}

func (h *streamHead) note(text []byte, err error) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.text = append(h.text, text[:min(len(text), recognize.HeadBytes+1-len(h.text))]...)
	h.ended = h.ended || err == io.EOF
}

type headedStream struct {
	pipedInput
	head *streamHead
}

func (s headedStream) Read(p []byte) (int, error) {
	n, err := s.pipedInput.Read(p)
	s.head.note(p[:n], err)
	return n, err
}

// takenInputs lists the inputs of a command and the family that it reads them as.
type takenInputs struct {
	as    kind
	list  []walk.Input
	heads []*streamHead // of inputs that can be read only once; nil for a file
}

const (
	takenKey    = "inputs" // the inputs in the metadata of a run
	takenLooked = 100      // inputs that are looked at for hints
	hollowKey   = "hollow" // the names of hollow inputs in the metadata of a run
)

// Take records the inputs of a run. It returns nil for commands without a family.
func Take(c *cli.Context, as kind, list []walk.Input) *takenInputs {
	if as == KindNone {
		return nil
	}
	t := &takenInputs{as: as, list: slices.Clone(list[:min(len(list), takenLooked)])}
	t.heads = make([]*streamHead, len(t.list))
	known, _ := c.App.Metadata[takenKey].([]*takenInputs)
	c.App.Metadata[takenKey] = append(known, t)
	return t
}

// Keep keeps the first bytes of the i-th input if it can be read only once.
func (t *takenInputs) Keep(i int, in walk.Input) walk.Input {
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

// forget drops the i-th input, because its error already has the hint.
func (t *takenInputs) forget(i int) {
	if t != nil && i < len(t.list) {
		t.list[i] = walk.Input{Size: -1}
	}
}

// NoteHollow records that an input passed without any record.
func NoteHollow(c *cli.Context, name string) {
	c.App.Metadata[hollowKey] = append(hollowInputs(c.App), name)
}

// hollowInputs returns the names passed to NoteHollow.
func hollowInputs(app *cli.App) []string {
	names, _ := app.Metadata[hollowKey].([]string)
	return names
}

// forgetTaken clears everything before the next run of the same command line.
func forgetTaken(app *cli.App) {
	delete(app.Metadata, takenKey)
	delete(app.Metadata, hollowKey)
}

// WithHints prints hints after a failed run, and for inputs without any record, each once.
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

// takenHints returns hints on a run's inputs. After a passed run, only inputs without any record get one.
func takenHints(ctx context.Context, app *cli.App, good bool) (hints []string) {
	all, _ := app.Metadata[takenKey].([]*takenInputs)
	hollow := hollowInputs(app)
	known := map[string]bool{}
	for _, t := range all {
		for i, in := range t.list {
			if good && !slices.Contains(hollow, in.Name) {
				continue
			}
			seen := recognize.Text(t.head(ctx, i))
			if good {
				seen.Layout = recognize.OnLines
			}
			advice := Hint(seen, in.Name, t.as)
			about := strings.ReplaceAll(advice, in.Name, "")
			if advice != "" && !known[about] {
				hints = append(hints, advice)
			}
			known[about] = true
		}
	}
	return hints
}

func (t *takenInputs) head(ctx context.Context, i int) recognize.Head {
	if kept := t.heads[i]; kept != nil {
		return kept.head(ctx)
	}
	return headOf(ctx, t.list[i])
}
