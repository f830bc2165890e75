package attestcmd

import (
	"bytes"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"github.com/cupel-dev/cupel/attest"
	"github.com/cupel-dev/cupel/attest/importer"
	"github.com/cupel-dev/cupel/commands/internal/cmdline"
	"github.com/cupel-dev/cupel/internal/walk"
)

// reading is how a command reads traces.
type reading struct {
	engine *attest.Engine
	from   importer.Format
}

// isLines reports whether a file's name says that it has a value per line.
func isLines(name string) bool {
	return slices.Contains([]string{".jsonl", ".ndjson"}, strings.ToLower(filepath.Ext(name)))
}

// one returns the only trace of an input.
func (r reading) one(in walk.Input) (t namedTrace, err error) {
	file, err := in.Open()
	if err != nil {
		return t, err
	}
	defer func() { _ = file.Close() }() // opened for reading: nothing can be lost
	text, err := notBinary(in.Name, file)
	if err != nil {
		return t, err
	}
	count := 0
	for read, err := range importer.Traces(r.engine, text, importer.Options{From: r.from, Lines: isLines(in.Name)}) {
		if err != nil {
			return t, unreadTraces(in.Name, err)
		}
		if count++; count > 1 {
			err := fmt.Errorf("%q has several traces, expected one", in.Name)
			return t, &cmdline.Hinted{Err: err, Hint: "copy the line of one trace into a file of its own, or read that line from standard input"}
		}
		if read.Origin == nil {
			read.Raw = bytes.Clone(read.Raw) // it outlives the next read
		}
		t = namedTrace{Trace: read, file: in.Name, name: in.Name, first: true}
	}
	switch {
	case count == 0:
		return t, noTrace(in.Name)
	case t.Refused != nil:
		return t, unusableTrace(t, t.Refused)
	}
	return t, nil
}

func noTrace(name string) error {
	return &cmdline.Hinted{Err: fmt.Errorf("%q has no trace", name), Hint: importHint}
}

// unusableTrace returns the error for a trace that the engine rejects.
func unusableTrace(t namedTrace, err error) error {
	if refused := refusal(err); refused != nil {
		f := t.finding(refused)
		place := t.name
		if f.Line > 0 {
			place = fmt.Sprintf("%s:%d:%d", t.name, f.Line, f.Column)
		}
		return &cmdline.Hinted{Err: errors.New(place + ": " + f.Message), Hint: f.Help}
	}
	return cmdline.Unread(t.name, err)
}
