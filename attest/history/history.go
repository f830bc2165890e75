// Package history keeps the scores of assertions in a file, over runs and processes. It is a
// file of lines to which every result adds one:
//
//	{"schema":"cupel.history/1"}
//	{"assertion_id":"helpful","score":0.91}
//	{"assertion_id":"helpful","score":0.88}
//
// Several processes may write to it at once. A line that a process could not write to its end
// is passed over, as is every other one that is no score; the next line begins anew.
package history

import (
	"context"
	"io/fs"
	"log/slog"

	"github.com/cupel-dev/cupel/attest"
	"github.com/cupel-dev/cupel/internal/journal"
)

// MaxBytes is how large a file grows by default: some 150,000 scores. Then the older half of
// it goes.
const MaxBytes = 8 << 20

// Options configure a Store. The zero value is the default.
type Options struct {
	MaxBytes int64        // how large the file grows; 0: MaxBytes
	Logger   *slog.Logger // is warned of lines that are no scores; nil: nobody
}

// Store is a history in a file. It is safe for concurrent use, and for that of other
// processes.
type Store struct {
	name    string
	file    *journal.File
	log     *slog.Logger
	reading chan struct{} // holds one while nobody uses view and frozen
	view    view
	frozen  bool // view stays as it is
}

var _ attest.History = (*Store)(nil)

// fresh are the permissions of a file that is not there yet, before the umask.
const fresh fs.FileMode = 0o666

// Open opens the history in a file, which is made when nothing is there. The error says that
// this cannot be done, or that the file is something else.
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

// Freeze keeps Scores from seeing what is recorded from now on: what a run finds does not
// depend on what it has found before.
func (s *Store) Freeze(ctx context.Context) error {
	if err := take(ctx, s.reading); err != nil {
		return err
	}
	defer give(s.reading)
	s.frozen = true
	return s.refresh()
}

// Scores implements attest.History.
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

// Record implements attest.History. What is recorded outlasts the process, however it ends,
// but not a loss of power.
func (s *Store) Record(ctx context.Context, scores []attest.Score) error {
	lines, err := encode(scores)
	if err != nil || len(lines) == 0 {
		return err
	}
	return s.file.Append(ctx, lines)
}

// Close gives the file up. Nobody may use the store afterwards.
func (s *Store) Close() { s.view.Close() }

// take and give are a lock that a context can end the wait for.
func take(ctx context.Context, free chan struct{}) error {
	select {
	case <-free:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

func give(free chan struct{}) { free <- struct{}{} }
