package door

import (
	"errors"
	"io/fs"
	"os"
)

// Because returns an error of an operation on a file that the user named. It is nil if err is.
func Because(op, name string, err error) error { return named(op, name, err) }

// named sets the path in an error; nil stays nil.
func named(op, name string, err error) error {
	if err == nil {
		return nil
	}
	var at *fs.PathError
	var link *os.LinkError
	switch {
	case errors.As(err, &at):
		err = at.Err
	case errors.As(err, &link):
		err = link.Err
	}
	return &fs.PathError{Op: op, Path: name, Err: err}
}
