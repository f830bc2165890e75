package oatfcmd

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"

	"github.com/cupel-dev/cupel/commands/internal/cmdline"
	"github.com/cupel-dev/cupel/finding"
	"github.com/cupel-dev/cupel/internal/door"
	"github.com/cupel-dev/cupel/internal/say"
	"github.com/cupel-dev/cupel/internal/unified"
	"github.com/cupel-dev/cupel/internal/walk"
	"github.com/cupel-dev/cupel/oatf"
)

// unshownError is a failed write to stdout. It ends the run.
type unshownError struct{ error }

func (e *unshownError) Unwrap() error { return e.error }

func unshown(err error) error {
	if err == nil {
		return nil
	}
	return &unshownError{err}
}

// endsRewriting reports whether an error ends the run, rather than concern one input.
func endsRewriting(err error) bool {
	_, mute := errors.AsType[*unshownError](err)
	return mute || errors.Is(err, context.Canceled)
}

// showDiff prints the changes of a file, with invisible characters escaped.
func showDiff(w io.Writer, name, becomes string, text []byte, edits []finding.Edit) error {
	name = say.Visible(name)
	if _, err := fmt.Fprintf(w, "diff %[1]s %[1]s (%[2]s)\n--- %[1]s\n+++ %[1]s (%[2]s)\n", name, becomes); err != nil {
		return err
	}
	return unified.Write(w, text, edits, say.Lines)
}

// replaceDocument atomically replaces a document. It keeps permissions and symbolic links. A file that changed
// since it was read is not replaced.
func replaceDocument(env cmdline.Env, in walk.Input, text []byte, edits []finding.Edit, limits oatf.Limits) error {
	if in.Path == "" {
		return errors.New("standard input cannot be replaced: name a file")
	}
	info, err := door.Stat(in.Path)
	if err != nil {
		return say.Plain(err)
	}
	if !info.Mode().IsRegular() {
		return fmt.Errorf("cannot replace %q: not a regular file", in.Name)
	}
	changed, err := finding.Apply(text, edits)
	if err != nil {
		return err
	}
	if now, err := readDocument(in, limits.Bytes); err != nil {
		return err
	} else if !bytes.Equal(now, text) {
		return &cmdline.Hinted{Err: fmt.Errorf("cannot replace %q: it has changed since it was read", in.Name), Hint: "run the command again"}
	}
	return say.Plain(door.ReplaceFile(env.Context, in.Path, changed, info.Mode().Perm()))
}
