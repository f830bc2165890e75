package input

import (
	"context"
	"errors"
	"io"
	"os/signal"
	"syscall"
	"time"

	"github.com/urfave/cli/v2"

	"github.com/cupel-dev/cupel/commands/internal/cmdline"
	"github.com/cupel-dev/cupel/internal/door"
	"github.com/cupel-dev/cupel/internal/walk"
	"github.com/cupel-dev/cupel/trace"
)

const (
	// followEvery is the interval at which a followed log is polled.
	followEvery = 100 * time.Millisecond
	// followOn is how many bytes are still read after Ctrl-C, so that the report on a log that was almost caught up
	// with is complete.
	followOn = 16 << 20
)

// follower reads a log while it is written. It ends with its context or the log: when another nonempty file takes
// its name, or bytes already read are gone. Successor then follows the new file.
type follower struct {
	watch
	file    door.File
	Earlier *trace.Earlier // in whose place this log is; nil for the first

	Known  int64         // up to where an earlier run has read: none of that is waited for
	read   footprint     // of the bytes read
	paused bool          // the reader has waited since the last byte
	quiet  time.Duration // that the reader has waited since then
	name   whose
	next   door.File // the file that has the name now, once it has content
	End    trace.EndReason
	size   int64 // of a log that was rewritten
}

// watch is the state that a follower shares with its successors.
type watch struct {
	ctx   context.Context
	after func(time.Duration) <-chan time.Time
	path  string
	open  func() (door.File, error) // the regular file that has the path
	stops *Stops                    // what ends it before Ctrl-C
	tell  func(string)              // that the log has lost its name
	stop  func()                    // ends the verification in the middle of a log
	rest  int64                     // bytes that may still be read after Ctrl-C
}

// NewFollower follows a file from its current position. stop ends the verification.
func NewFollower(env cmdline.Env, in walk.Input, file door.File, stops *Stops, stop func()) (*follower, error) {
	place, err := file.Seek(0, io.SeekCurrent)
	if err != nil {
		return nil, err
	}
	log := &follower{file: file, read: footprint{from: place, to: place}, watch: watch{
		ctx: env.Context, after: env.After, path: in.Path, stops: stops, stop: stop, rest: followOn,
		open: func() (door.File, error) { return openAgain(env.Context, in) },
		tell: func(what string) { cmdline.Warn(env, what) },
	}}
	if log.after == nil {
		log.after = time.After
	}
	return log, nil
}

// openAgain opens the file that is now at the input's path. Only links that the user named are followed, and pipes
// rejected.
func openAgain(ctx context.Context, in walk.Input) (door.File, error) {
	if in.Explicit {
		return door.NamedFile(ctx, in.Path)
	}
	r, err := in.Open()
	if err != nil {
		return nil, err
	}
	file, ok := r.(door.File)
	if !ok {
		return nil, errors.Join(errIrregular, r.Close())
	}
	return file, nil
}

// Followable returns the input's file if --follow is given and it can be followed.
func Followable(c *cli.Context, r io.Reader) (door.File, bool) {
	file, ok := r.(door.File)
	if !ok || !c.Bool("follow") {
		return nil, false
	}
	info, err := file.Stat()
	return file, err == nil && info.Mode().IsRegular()
}

// HeedTermination makes SIGTERM end the run like Ctrl-C, so that services get a complete report and the verdict's
// exit code. A second SIGTERM ends the process. Call release to undo it.
func HeedTermination(env *cmdline.Env, c *cli.Context) (release func()) {
	ctx, stop := signal.NotifyContext(env.Context, syscall.SIGTERM)
	door.Heed(syscall.SIGTERM) // not before there is an answer to it
	context.AfterFunc(ctx, stop)
	env.Context, c.Context = ctx, ctx
	return stop
}

func (f *follower) Read(p []byte) (int, error) {
	for {
		if f.stops.Failed() {
			return 0, f.interrupted()
		}
		n, err := f.file.ReadAt(p, f.read.to)
		switch {
		case n > 0:
			return f.take(p[:n])
		case err != nil && !errors.Is(err, io.EOF):
			return 0, err
		case f.read.to < f.Known: // shorter than an earlier run has left it
			return 0, io.EOF
		case f.ctx.Err() != nil:
			return 0, f.interrupted()
		}
		again, err := f.look()
		if err != nil {
			return 0, err
		}
		switch {
		case again:
		case f.stops.idleFor(f.quiet):
			return 0, f.interrupted()
		default:
			f.wait()
		}
	}
}

// take returns bytes that were read, unless those before them have changed meanwhile.
func (f *follower) take(p []byte) (int, error) {
	if f.paused {
		if same, err := f.read.endsIn(f.file); err != nil || !same {
			return 0, f.rewritten(err)
		}
		f.paused = false
	}
	if f.ctx.Err() != nil {
		if f.rest -= int64(len(p)); f.rest < 0 {
			f.stop()
			return 0, f.ctx.Err()
		}
	}
	f.read.add(p)
	f.quiet = 0
	return len(p), nil
}

// wait waits for a while or until the context ends.
func (f *follower) wait() {
	f.paused = true
	pause := f.stops.pause(f.quiet)
	select {
	case <-f.ctx.Done():
	case <-f.after(pause):
		f.quiet += pause
	}
}

// interrupted ends the log in its current state.
func (f *follower) interrupted() error {
	switch {
	case f.stops.Failed(): // a part of the log can be unread
	case f.stops.finished() != "":
		f.End = trace.Finished
	case f.name == anothers:
		f.End = trace.Rotated
	case f.name == nobodys:
		f.End = trace.Removed
	}
	return io.EOF
}

// Following describes the followed log for the verification.
func (f *follower) Following() *trace.FollowedFile {
	return &trace.FollowedFile{Earlier: f.Earlier, Ended: func() trace.EndReason { return f.End }, OnEnd: f.stops.onEnd()}
}

func (f *follower) Close() {
	_ = f.file.Close() // opened for reading: nothing can be lost
	if f.next != nil {
		_ = f.next.Close()
	}
}
