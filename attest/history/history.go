// Package history stores scores of assertions in a file, across runs and processes. Every result adds a line:
//
//	{"schema":"cupel.history/1"}
//	{"assertion_id":"helpful","score":0.91}
//	{"assertion_id":"helpful","score":0.88}
//
// Several processes can write concurrently. Incomplete and foreign lines are skipped.
package history

import (
	"context"
	"io/fs"
	"log/slog"

	"github.com/cupel-dev/cupel/attest"
	"github.com/cupel-dev/cupel/internal/journal"
)

// MaxBytes is the default size limit: about 150,000 scores. Beyond it the older half is dropped.
const MaxBytes = 8 << 20

// Options configures a Store. The zero value is the default.
type Options struct {
	MaxBytes int64        // size limit; 0: MaxBytes
	Logger   *slog.Logger // receives warnings about malformed lines; can be nil
}

// Store is a history file. It is safe for concurrent use, also by several processes.
type Store struct {
	name    string
	file    *journal.File
	log     *slog.Logger
	reading chan struct{} // guards view and frozen
	view    view
	frozen  bool // view does not change
}

var _ attest.History = (*Store)(nil)

// fresh is the permissions of a new file before umask.
const fresh fs.FileMode = 0o666

// Open opens or creates a history file. It returns an error for a file of another format.
func Open(ctx context.Context, name string, opt Options) (*Store, error) {
	limit := opt.MaxBytes
	if limit <= 0 {
		limit = MaxBytes
	}
	file, err := journal.Open(ctx, name, format, limit, fresh)
	if err != nil {
		return nil, err
	}
	s := &Store{name: name, file: file, log: opt.Logger, reading: make(chan struct{}, 1)}
	if s.log == nil {
		s.log = slog.New(slog.DiscardHandler)
	}
	s.view.Reset()
	s.reading <- struct{}{}
	return s, nil
}

// Freeze hides later scores from Scores, so that the results of a run do not depend on its earlier results.
func (s *Store) Freeze(ctx context.Context) error {
	if err := take(ctx, s.reading); err != nil {
		return err
	}
	defer give(s.reading)
	s.frozen = true
	return s.refresh()
}

func (s *Store) Scores(ctx context.Context, assertionID string, n int) ([]float64, error) {
	if err := take(ctx, s.reading); err != nil {
		return nil, err
	}
	defer give(s.reading)
	if !s.frozen {
		if err := s.refresh(); err != nil {
			return nil, err
		}
	}
	return s.view.last(keyOf(assertionID), n), nil
}

// Record implements attest.History. Records survive the end of the process, but not a power failure.
func (s *Store) Record(ctx context.Context, scores []attest.Score) error {
	lines, err := encode(scores)
	if err != nil || len(lines) == 0 {
		return err
	}
	return s.file.Append(ctx, lines)
}

// Close closes the file. The store must not be used afterwards.
func (s *Store) Close() { s.view.Close() }

// take acquires a lock, unless ctx ends first; give releases it.
func take(ctx context.Context, free chan struct{}) error {
	select {
	case <-free:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

func give(free chan struct{}) { free <- struct{}{} }
