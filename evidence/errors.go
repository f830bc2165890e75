package evidence

import (
	"errors"
	"fmt"
	"io"
	"slices"

	"github.com/cupel-dev/cupel/finding"
)

// InvalidError reports an event that cannot be hashed. Findings has at least one error.
type InvalidError struct {
	Findings []Finding
}

func (e *InvalidError) Error() string {
	i := slices.IndexFunc(e.Findings, func(f Finding) bool { return f.Severity == finding.Error })
	f := e.Findings[max(i, 0)]
	return fmt.Sprintf("event has no content hash: line %d, column %d: %s [%s]", f.Line, f.Column, f.Message, f.Rule)
}

// ReadError is returned by HashStream if its reader fails.
type ReadError struct{ Err error }

func (e *ReadError) Error() string { return e.Err.Error() }

func (e *ReadError) Unwrap() error { return e.Err }

// readError converts the error that ended an input to an error of HashStream.
func readError(err error) error {
	if err == nil || errors.Is(err, io.EOF) {
		return nil
	}
	return &ReadError{err}
}
