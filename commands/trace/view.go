package tracecmd

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"path"
	"path/filepath"
	"strings"

	"github.com/urfave/cli/v2"

	"github.com/cupel-dev/cupel/commands/internal/input"
	"github.com/cupel-dev/cupel/internal/page"
	"github.com/cupel-dev/cupel/internal/say"
	"github.com/cupel-dev/cupel/internal/walk"
	"github.com/cupel-dev/cupel/trace"
)

var errFollowed = errors.New("the log was still being written; verify it again to check its content")

// traceViews creates the views of the reports on one log or its sessions.
type traceViews struct {
	whole   *trace.Report
	outline func(*trace.Report) (*trace.Outline, error)
	talk    func() (*trace.Conversation, error) // of a transcript
	bytes   int64                               // of the input; -1 if unknown

	read   bool
	made   *trace.Outline
	err    error
	chains map[sessionStart]*trace.Chain // of sessions
}

type sessionStart struct {
	file string
	line int
}

// indexed describes a transcript in the page's index of sessions. Its project is the folder where the agent
// worked, else that of the file below the operand.
func (v *traceViews) indexed(r *trace.Report, operands []string, errors, warnings int) *page.Transcript {
	if v == nil {
		return nil
	}
	name := r.Input
	for _, operand := range operands {
		if rest, below := strings.CutPrefix(name, path.Clean(filepath.ToSlash(operand))+"/"); below {
			name = rest
			break
		}
	}
	project := cmp.Or(r.Folder, path.Dir(name))
	return &page.Transcript{Project: project, Name: name, Start: r.Start, Bytes: v.bytes, Errors: errors, Warnings: warnings}
}

func (v *traceViews) look() (*trace.Outline, error) {
	if !v.read {
		v.read = true
		v.made, v.err = v.outline(v.whole)
		if v.err = say.Plain(v.err); v.err == nil {
			v.chains = map[sessionStart]*trace.Chain{}
			for i := range v.made.Chains {
				c := &v.made.Chains[i]
				v.chains[sessionStart{c.FirstFile, c.FirstLine}] = c
			}
		}
	}
	return v.made, v.err
}

// of creates the view of a report on the log, or on one of its sessions. It returns nil if there is nothing to
// show.
func (v *traceViews) of(r *trace.Report) func() (page.View, error) {
	if v == nil || r.Family == trace.Unknown || r.Family == trace.JSONLines || r.Sessions != nil {
		return nil
	}
	if r.Family == trace.Transcript {
		return func() (page.View, error) { return v.conversation(r) }
	}
	return func() (page.View, error) {
		outline, err := v.look()
		switch {
		case err != nil:
			return nil, err
		case outline.Run != nil:
			return runView(r, outline), nil
		}
		c := v.chains[sessionStart{r.FirstFile, r.FirstLine}]
		switch {
		case c != nil:
			return chainView(r, outline, c), nil
		case len(outline.Chains) == trace.MaxChains:
			return nil, fmt.Errorf("only the first %d sessions have a view", trace.MaxChains)
		}
		return nil, errors.New("the log was changed after it was verified")
	}
}

func (v *traceViews) conversation(r *trace.Report) (page.View, error) {
	if v.talk == nil {
		return nil, errFollowed
	}
	c, err := v.talk()
	if err != nil {
		return nil, say.Plain(err)
	}
	return conversationView(c, r.Findings), nil
}

// viewsOf prepares the views for an input and returns the reader to verify. The views read the input again.
func viewsOf(ctx context.Context, c *cli.Context, in walk.Input, r io.Reader, opt trace.Options) (*traceViews, io.Reader) {
	opt.Resume, opt.OnFinding = nil, nil
	again, r := input.Reread(in, r, r)
	v := &traceViews{bytes: in.Size}
	v.talk = func() (*trace.Conversation, error) {
		text, err := again.Open()
		if err != nil {
			return nil, err
		}
		defer func() { _ = text.Close() }() // opened for reading: nothing can be lost
		return trace.OutlineTranscript(ctx, text, opt)
	}
	v.outline = func(report *trace.Report) (*trace.Outline, error) {
		text, err := again.Open()
		if err != nil {
			return nil, err
		}
		defer func() { _ = text.Close() }() // opened for reading: nothing can be lost
		around, err := openAround(c, in, &opt.Reasoning)
		defer around.close()
		if err != nil {
			return nil, err
		}
		return trace.OutlineLog(ctx, text, report, opt)
	}
	return v, r
}
