// Package recorder appends events to a log that survives crashes. One process at a time writes a log. Each event is
// in the file when Append returns, so that only a power failure can lose it, and [Options.Sync] limits that loss. The
// next Recorder continues at the last whole event.
//
// An Encoder turns events into lines. The log is a file and, after rotation, the numbered files before it:
//
//	log.000001.jsonl, log.000002.jsonl, log.jsonl
package recorder

import (
	"context"
	"errors"
	"io"
	"path/filepath"
	"strings"
	"sync"
	"time"

	"github.com/cupel-dev/cupel/internal/door"
)

// Encoder turns events into the lines of a log file. Its methods leave it unchanged if they return an error.
type Encoder interface {
	// Resume continues a file with these first and last lines. It returns ErrTorn if last is not a whole event.
	Resume(first, last []byte) error
	// Append appends the lines of an event to dst. It returns ErrNext if the event needs a new file.
	Append(dst, event []byte) ([]byte, error)
	// End appends the last line of a file to dst, if the format has one.
	End(dst []byte, status, reason string) ([]byte, error)
	// Next continues in a new file, which links to the current one, full.
	Next(full io.Reader) error
	// Open reports whether the file has events and can be ended.
	Open() bool
	// Events returns the number of events in the file.
	Events() int64
	// Began returns the time of the first event, zero without events.
	Began() time.Time
	// Prefix returns the text with which each first line starts.
	Prefix() string
}

// Errors of an Encoder.
var (
	ErrNext = errors.New("the event belongs in another file")
	ErrTorn = errors.New("the line is not a whole event")
)

// Sync says when written events are flushed to the disk.
type Sync uint8

// The policies: after each event, about once per Options.Interval, and when the log is closed or rotated.
const (
	SyncEach Sync = iota
	SyncInterval
	SyncEnd
)

// DefaultInterval is the interval of SyncInterval.
const DefaultInterval = time.Second

// DefaultWait is how long Open waits for another writer.
const DefaultWait = 5 * time.Second

// DefaultMaxLine is the longest line of a log that Open can continue.
const DefaultMaxLine = 16 << 20

// Options configures a Recorder.
type Options struct {
	Encoder  Encoder
	Sync     Sync
	Interval time.Duration // of SyncInterval; default DefaultInterval
	Wait     time.Duration // for another writer; default DefaultWait, negative: none
	MaxLine  int           // default DefaultMaxLine

	// A file is full when it has RotateSize bytes, or when its first event is RotateEvery old. The next event then
	// starts a new file. 0 means no limit.
	RotateSize  int64
	RotateEvery time.Duration

	// Sealer seals the log after SealEvents events (0: any number), after SealEvery (0: any time), and at Close.
	Sealer     Sealer // can be nil
	SealEvents int64
	SealEvery  time.Duration

	// Notify receives what a person should know, such as a torn write that was repaired. It can be nil.
	Notify func(Note)
}

// Note is an event in the life of a log.
type Note struct {
	Kind  NoteKind
	Name  string      // Torn: the side file; Rotated: the name that the full file got
	Bytes int64       // Torn: size of the side file
	Line  int64       // Resumed: events in the file
	Owner *door.Owner // Stale: owner of the lock
}

// NoteKind is the kind of a Note.
type NoteKind uint8

const (
	Torn    NoteKind = iota // a partial event was moved to a side file
	Healed                  // the last event had no line end, which was added
	Stale                   // the last writer ended without releasing its lock
	Resumed                 // the file continues
	Rotated                 // a file was completed and got another name
)

// Totals are the work of a Recorder.
type Totals struct {
	Events, Bytes, Syncs, Files, Seals int64
}

// Recorder appends events to a log. It is safe for concurrent use.
type Recorder struct {
	opt    Options
	name   string // as the caller named it
	ledger *door.Ledger
	lock   *door.Lock
	stop   chan struct{} // ends the goroutines
	done   sync.WaitGroup

	mu     sync.Mutex
	file   door.File
	size   int64
	dirty  bool
	fresh  int64 // events since the last seal
	broken error // first failure to write; nothing can be appended after it
	buf    []byte
	totals Totals
}

// Open opens or creates a log. It moves a partial event at the end of the file to a side file. Errors are
// *fs.PathError with the caller's name, a *door.LockedError, or those of the Encoder.
func Open(ctx context.Context, name string, opt Options) (*Recorder, error) {
	if opt.Interval <= 0 {
		opt.Interval = DefaultInterval
	}
	if opt.Wait == 0 {
		opt.Wait = DefaultWait
	}
	if opt.MaxLine <= 0 {
		opt.MaxLine = DefaultMaxLine
	}
	if opt.Notify == nil {
		opt.Notify = func(Note) {}
	}
	ledger, err := door.OpenLedger(name, 0o600)
	if err != nil {
		return nil, err
	}
	r := &Recorder{opt: opt, name: name, ledger: ledger, stop: make(chan struct{})}
	lock, stale, err := door.Acquire(ctx, ledger.Target()+".lock", opt.Wait)
	if err != nil {
		return nil, err
	}
	if r.lock = lock; stale != nil {
		opt.Notify(Note{Kind: Stale, Owner: stale})
	}
	if err := r.resume(); err != nil {
		return nil, errors.Join(err, r.release())
	}
	if err := r.sealed(); err != nil {
		return nil, errors.Join(err, r.release())
	}
	if opt.Sync == SyncInterval {
		r.regularly(opt.Interval, r.sync)
	}
	if opt.Sealer != nil && opt.SealEvery > 0 {
		r.regularly(opt.SealEvery, r.seal)
	}
	return r, nil
}

func (r *Recorder) release() error {
	err := r.lock.Release()
	if r.file != nil {
		err = errors.Join(door.Because("close", r.name, r.file.Close()), err)
	}
	return err
}

// Append appends one event. An error of the Encoder leaves the log as it is, and other events can follow. After any
// other error, the Recorder only returns that error.
func (r *Recorder) Append(event []byte) error {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.broken != nil {
		return r.broken
	}
	if r.full() {
		if err := r.rotate("success", "rotated"); err != nil {
			return err
		}
	}
	lines, err := r.opt.Encoder.Append(r.buf[:0], event)
	if errors.Is(err, ErrNext) {
		if err := r.rotate("error", "another session began"); err != nil {
			return err
		}
		lines, err = r.opt.Encoder.Append(r.buf[:0], event)
	}
	if err != nil {
		return err
	}
	r.totals.Events++
	r.buf = lines
	if err := r.write(lines); err != nil {
		return err
	}
	if r.opt.SealEvents > 0 && r.fresh >= r.opt.SealEvents {
		return r.seal()
	}
	return nil
}

// End ends the file, if the format has an end and the file is not ended yet.
func (r *Recorder) End(status, reason string) error {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.broken != nil {
		return r.broken
	}
	return r.end(status, reason)
}

func (r *Recorder) end(status, reason string) error {
	if !r.opt.Encoder.Open() {
		return nil
	}
	line, err := r.opt.Encoder.End(r.buf[:0], status, reason)
	if err != nil || len(line) == 0 {
		return err
	}
	r.buf = line
	return r.write(line)
}

// write writes whole lines. If that fails, it removes what was written of them.
func (r *Recorder) write(lines []byte) error {
	n, err := r.file.Write(lines)
	r.dirty = true
	if err == nil && n < len(lines) {
		err = io.ErrShortWrite
	}
	if err != nil {
		r.broken = door.Because("write", r.name, err)
		_ = r.file.Truncate(r.size) // the next Open does the same
		return r.broken
	}
	r.size += int64(n)
	r.totals.Bytes += int64(n)
	if r.opt.Sealer != nil {
		_, _ = r.opt.Sealer.Write(lines) // it never fails
		r.fresh++
	}
	if r.opt.Sync == SyncEach {
		return r.sync()
	}
	return nil
}

func (r *Recorder) sync() error {
	if !r.dirty || r.broken != nil {
		return r.broken
	}
	if err := r.file.Sync(); err != nil {
		r.broken = door.Because("sync", r.name, err) // the kernel can have dropped the events, so that trying again proves nothing
		return r.broken
	}
	r.dirty = false
	r.totals.Syncs++
	return nil
}

// regularly calls a method until Close, under the lock.
func (r *Recorder) regularly(every time.Duration, do func() error) {
	r.done.Go(func() {
		ticker := time.NewTicker(every)
		defer ticker.Stop()
		for {
			select {
			case <-ticker.C:
				r.mu.Lock()
				_ = do() // the next call returns it
				r.mu.Unlock()
			case <-r.stop:
				return
			}
		}
	})
}

// Broken returns the failure after which nothing can be appended, or nil.
func (r *Recorder) Broken() error {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.broken
}

// Totals returns what was recorded so far.
func (r *Recorder) Totals() Totals {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.totals
}

// Close flushes the log to the disk, seals it and releases it. Call it once.
func (r *Recorder) Close() error {
	close(r.stop)
	r.done.Wait()
	r.mu.Lock()
	defer r.mu.Unlock()
	err := r.sync()
	if err == nil {
		err = r.seal()
	}
	return errors.Join(err, r.release())
}

func (r *Recorder) full() bool {
	e := r.opt.Encoder
	if e.Events() == 0 {
		return false
	}
	return r.opt.RotateSize > 0 && r.size >= r.opt.RotateSize ||
		r.opt.RotateEvery > 0 && !e.Began().IsZero() && time.Since(e.Began()) >= r.opt.RotateEvery
}

// rotate ends the file, gives it a number and starts a new one.
func (r *Recorder) rotate(status, reason string) error {
	err := r.end(status, reason)
	if err == nil {
		err = r.sync()
	}
	if err == nil {
		err = r.turn()
	}
	if err != nil && r.broken == nil {
		r.broken = err
	}
	return err
}

// turn renames the complete file and opens a new one. A crash between the two leaves no file of that name, which
// resume handles.
func (r *Recorder) turn() error {
	names, err := numberedFiles(r.ledger.Target())
	if err != nil {
		return door.Because("rotate", r.name, err)
	}
	last := 0
	if len(names) > 0 {
		last = names[len(names)-1].number
	}
	target := r.ledger.Target()
	to := numberedName(target, last+1)
	if err := r.opt.Encoder.Next(io.NewSectionReader(r.file, 0, r.size)); err != nil {
		return door.Because("rotate", r.name, err)
	}
	if err := errors.Join(r.file.Close(), door.System().Rename(target, to)); err != nil {
		r.file = nil
		return door.Because("rotate", r.name, err)
	}
	r.totals.Files++
	r.opt.Notify(Note{Kind: Rotated, Name: filepath.Join(filepath.Dir(r.name), filepath.Base(to))})
	return r.create()
}

// create opens the new, empty file.
func (r *Recorder) create() (err error) {
	r.file, r.size, r.dirty = nil, 0, false
	f, err := r.ledger.Open()
	if err != nil {
		return err
	}
	r.file = f
	if err := door.System().SyncFolder(filepath.Dir(r.ledger.Target())); err != nil {
		return door.Because("sync the folder of", r.name, err)
	}
	return nil
}

// split returns the path of a log up to its extension, and the extension.
func split(path string) (stem, ext string) {
	ext = filepath.Ext(path)
	if stem = strings.TrimSuffix(path, ext); filepath.Base(stem) == "." || strings.HasSuffix(stem, string(filepath.Separator)) {
		return path, "" // a hidden file
	}
	return stem, ext
}
