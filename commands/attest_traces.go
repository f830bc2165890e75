package commands

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"slices"
	"strings"

	"github.com/urfave/cli/v2"

	"github.com/cupel-dev/cupel/attest"
	"github.com/cupel-dev/cupel/internal/ordered"
	"github.com/cupel-dev/cupel/internal/walk"
)

// traceFiles are the file names of traces of the attest protocol.
var traceFiles = []string{"*.json", "*.jsonl", "*.ndjson"}

// namedTrace is one trace of an input, or why an input could not be read.
type namedTrace struct {
	attest.TraceText
	file string // the input's display name
	name string // the same, with the line when the input holds several traces
	err  error
}

// refusal is the protocol's error in err, nil for none: what the engine says of a trace
// that it cannot evaluate.
func refusal(err error) *attest.Error {
	refused, _ := errors.AsType[*attest.Error](err)
	return refused
}

// traceWork is what to do with every trace of some inputs: work, on several traces at
// once, and deliver what it returns, in the order of the traces. What cannot be read
// goes to fail, and the run goes on.
type traceWork[Out any] struct {
	engine  *attest.Engine
	memory  int // bytes that the traces which are alive may take together, by estimate; 0: the default
	work    func(namedTrace) Out
	deliver func(namedTrace, Out) error
	fail    func(name string, err error) error
}

func (w traceWork[Out]) run(env Env, c *cli.Context, inputs []walk.Input) error {
	workers, err := jobs(c)
	if err != nil {
		return err
	}
	ctx, stop := context.WithCancel(env.Context)
	defer stop()
	traces := make(chan namedTrace)
	go func() {
		defer close(traces)
		w.read(ctx, inputs, traces)
	}()
	return ordered.Pipeline[namedTrace, Out]{
		Jobs:   workers,
		Weight: func(t namedTrace) int { return len(t.Raw) + int(w.engine.Weight(t.Raw)) },
		Budget: w.memory,
		Read: func(namedTrace) (namedTrace, error) {
			t, ok := <-traces
			if !ok {
				return t, io.EOF
			}
			return t, nil
		},
		NewWorker: func() func(namedTrace) Out {
			return func(t namedTrace) (out Out) {
				if t.err == nil {
					out = w.work(t)
				}
				return out
			}
		},
		Deliver: func(t namedTrace, out Out) error {
			if t.err != nil {
				return w.fail(t.name, t.err)
			}
			return w.deliver(t, out)
		},
	}.Run(ctx)
}

// read sends the traces of the inputs.
func (w traceWork[Out]) read(ctx context.Context, inputs []walk.Input, traces chan<- namedTrace) {
	send := func(t namedTrace) bool {
		select {
		case traces <- t:
			return true
		case <-ctx.Done():
			return false
		}
	}
	for _, in := range inputs {
		if !w.readInput(in, send) {
			return
		}
	}
}

// readInput sends the traces of one input until send returns false.
func (w traceWork[Out]) readInput(in walk.Input, send func(namedTrace) bool) bool {
	failed := func(err error) bool { return send(namedTrace{name: in.Name, err: err}) }
	file, err := in.Open()
	if err != nil {
		return failed(err)
	}
	defer func() { _ = file.Close() }()
	lines := slices.Contains([]string{".jsonl", ".ndjson"}, strings.ToLower(filepath.Ext(in.Name)))
	traces := 0
	for text, err := range w.engine.Traces(file, lines) {
		if err != nil {
			return failed(fmt.Errorf("cannot read %q: %w", in.Name, err))
		}
		text.Raw = bytes.Clone(text.Raw) // it outlives the next read
		t := namedTrace{TraceText: text, file: in.Name, name: in.Name}
		if traces++; lines || text.Line > 1 {
			t.name = fmt.Sprintf("%s:%d", in.Name, text.Line)
		}
		if !send(t) {
			return false
		}
	}
	if traces == 0 {
		return failed(fmt.Errorf("%q holds no trace", in.Name))
	}
	return true
}
