package lsp

import (
	"context"
	"fmt"
	"runtime/debug"
	"slices"
	"sync"
	"time"

	"github.com/cupel-dev/cupel/finding"
	"github.com/cupel-dev/cupel/internal/buildinfo"
)

const (
	// patience limits, in delays, how long edits can postpone a document's check.
	patience = 12

	// maxKept limits the cached results; others are recomputed.
	maxKept = 8

	// MaxDiagnostics limits the diagnostics published for a document.
	MaxDiagnostics = 1000
)

// checker checks documents one at a time, after a delay since their last edit, and publishes the
// result. An edit cancels the running check of its document, unless it was postponed for too long.
type checker struct {
	server *server
	delay  time.Duration
	wake   chan struct{} // signals that the next due time moved forward

	mu      sync.Mutex
	waiting map[string]due
	current string             // document being checked
	stop    context.CancelFunc // cancels the check of current
	kept    []result           // newest last
}

// due is the time of a document's next check.
type due struct{ at, latest time.Time }

type result struct {
	text *text
	list []Diagnostic
}

func newChecker(s *server, delay time.Duration) *checker {
	return &checker{server: s, delay: delay, wake: make(chan struct{}, 1), waiting: map[string]due{}, stop: func() {}}
}

// soon schedules an immediate check; later waits for a pause in editing.
func (c *checker) soon(uri string)  { c.schedule(uri, 0) }
func (c *checker) later(uri string) { c.schedule(uri, c.delay) }

func (c *checker) schedule(uri string, delay time.Duration) {
	c.mu.Lock()
	defer c.mu.Unlock()
	now := time.Now()
	d, waits := c.waiting[uri]
	if !waits {
		d.latest = now.Add(patience * c.delay)
	}
	if d.at = now.Add(delay); d.at.After(d.latest) {
		d.at = d.latest
	}
	c.waiting[uri] = d
	if c.current == uri {
		c.stop()
	}
	select {
	case c.wake <- struct{}{}:
	default:
	}
}

// run checks due documents until ctx ends.
func (c *checker) run(ctx context.Context) {
	timer := time.NewTimer(0)
	defer timer.Stop()
	for {
		uri, wait := c.next()
		if uri != "" && wait <= 0 {
			c.check(ctx, uri)
			if ctx.Err() != nil {
				return
			}
			continue
		}
		if uri != "" {
			timer.Reset(wait)
		}
		select {
		case <-timer.C:
		case <-c.wake:
		case <-ctx.Done():
			return
		}
	}
}

// next returns the document that is due first and its delay, or "".
func (c *checker) next() (first string, wait time.Duration) {
	c.mu.Lock()
	defer c.mu.Unlock()
	var at time.Time
	for uri, d := range c.waiting {
		if first == "" || d.at.Before(at) || d.at.Equal(at) && uri < first {
			first, at = uri, d.at
		}
	}
	return first, time.Until(at)
}

// begin starts the check of a due document.
func (c *checker) begin(ctx context.Context, uri string) (checking context.Context, end func()) {
	checking, stop := context.WithCancel(ctx)
	c.mu.Lock()
	defer c.mu.Unlock()
	if d := c.waiting[uri]; d.at.Before(d.latest) {
		c.current, c.stop = uri, stop
	}
	delete(c.waiting, uri)
	return checking, func() {
		c.mu.Lock()
		defer c.mu.Unlock()
		stop()
		c.current, c.stop = "", func() {}
	}
}

// check publishes a document's diagnostics unless it has changed meanwhile.
func (c *checker) check(ctx context.Context, uri string) {
	ctx, end := c.begin(ctx, uri)
	defer end()
	s := c.server
	s.mu.Lock()
	d := s.documents.open[uri]
	if d == nil {
		s.mu.Unlock()
		c.publish(publishDiagnosticsParams{URI: uri, Diagnostics: []diagnostic{}})
		return
	}
	known, problem, version, encoding := d.text, d.problem, d.version, s.encoding
	var doc Document
	if known != nil {
		doc = d.snapshot()
	}
	s.mu.Unlock()

	out := publishDiagnosticsParams{URI: uri, Version: &version}
	if known == nil {
		out.Diagnostics = []diagnostic{{Severity: severities[finding.Warning], Source: source, Message: problem}}
		c.publish(out)
		return
	}
	list, ok := c.find(ctx, known, doc)
	if !ok || ctx.Err() != nil {
		return // rescheduled by an edit
	}
	out.Diagnostics = converted(known, list, encoding)
	c.publish(out)
}

func (c *checker) publish(p publishDiagnosticsParams) {
	c.server.notifier.Send("textDocument/publishDiagnostics", encoded(p))
}

// find checks a text and caches the result. ok is false if ctx ended.
func (c *checker) find(ctx context.Context, t *text, doc Document) (list []Diagnostic, ok bool) {
	ok = c.server.alone(ctx, func() { list = c.checked(ctx, doc) })
	if !ok || ctx.Err() != nil {
		return nil, false
	}
	list = list[:min(len(list), MaxDiagnostics)]
	c.mu.Lock()
	defer c.mu.Unlock()
	c.kept = slices.DeleteFunc(c.kept, func(r result) bool { return r.text == t })
	if len(c.kept) == maxKept {
		c.kept = slices.Delete(c.kept, 0, 1)
	}
	c.kept = append(c.kept, result{t, list})
	return list, true
}

// checked returns the language's diagnostics. A panic becomes a diagnostic.
func (c *checker) checked(ctx context.Context, doc Document) (list []Diagnostic) {
	defer func() {
		if value := recover(); value != nil {
			c.server.opt.Log(fmt.Sprintf("the check of %s: %v\n%s", quoted(doc.URI), value, debug.Stack()))
			f := finding.Finding{Severity: finding.Error, Message: fmt.Sprintf("internal fault: the check failed with %v", value)}
			list = []Diagnostic{{Finding: f}}
		}
	}()
	return c.server.language.Check(ctx, doc)
}

// of returns the cached or newly computed diagnostics of a text.
func (c *checker) of(ctx context.Context, t *text, doc Document) []Diagnostic {
	c.mu.Lock()
	i := slices.IndexFunc(c.kept, func(r result) bool { return r.text == t })
	var list []Diagnostic
	if i >= 0 {
		list = c.kept[i].list
	}
	c.mu.Unlock()
	if i < 0 {
		list, _ = c.find(ctx, t, doc)
	}
	return list
}

// source names the producer of diagnostics.
const source = "cupel"

// severities maps severities to the protocol's numbers.
var severities = [...]int{finding.Error: 1, finding.Warning: 2, finding.Info: 3}

// converted returns diagnostics in the protocol's form.
func converted(t *text, list []Diagnostic, in Encoding) []diagnostic {
	out := make([]diagnostic, len(list))
	for i, d := range list {
		out[i] = diagnostic{
			Range: t.span(d.Start, d.End, in), Severity: severities[d.Severity],
			Code: d.Rule, Source: source, Message: said(d.Finding),
		}
		if d.Rule != "" {
			out[i].About = &link{buildinfo.RulePage(d.Rule)}
		}
	}
	return out
}

func said(f finding.Finding) string {
	text := f.Message
	if f.Expected != "" || f.Found != "" {
		text += fmt.Sprintf("\nexpected %s\nfound    %s", f.Expected, f.Found)
	}
	for _, note := range f.Notes {
		text += "\n" + note
	}
	if f.Help != "" {
		text += "\n" + f.Help
	}
	return text
}
