package evidencecmd

import (
	"context"
	"errors"
	"io"

	"github.com/cupel-dev/cupel/commands/internal/input"
	"github.com/cupel-dev/cupel/evidence/bundle"
	"github.com/cupel-dev/cupel/internal/door"
	"github.com/cupel-dev/cupel/internal/say"
	"github.com/cupel-dev/cupel/internal/walk"
	"github.com/cupel-dev/cupel/trace"
)

// isBundle reports whether a file is a bundle, which cannot grow.
func isBundle(file io.ReaderAt, name string) bool {
	var head [2]byte
	n, _ := file.ReadAt(head[:], 0) // the reader reports errors
	return bundle.IsBundle(head[:n], name)
}

// follow verifies a growing stream and its successors until Ctrl-C or SIGTERM. If much is still unread then, it
// returns the context's error.
func (v *verifyRun) follow(in walk.Input, file door.File) error {
	ctx, stop := context.WithCancel(context.WithoutCancel(v.env.Context))
	defer stop()
	stops, err := input.NewStops(v.c)
	if err != nil {
		return err
	}
	log, err := input.NewFollower(v.env, in, file, stops, stop)
	if err != nil {
		return v.out.Fail(say.Plain(err))
	}
	opt := v.opt
	opt.Growing = true
	v.sight = &eventsViewer{refused: errStreamFollowed}
	for log != nil {
		if log.Earlier != nil {
			opt.Earlier = &bundle.Earlier{Rewritten: log.Earlier.Ending == trace.Rewritten, Bytes: log.Earlier.Bytes}
		}
		answer, err := v.verify(ctx, log, -1, in.Name, opt)
		if err != nil {
			log.Close()
			return v.out.Unread(v.env.Context, in.Name, err)
		}
		answer.Ended = string(log.End)
		if err := errors.Join(v.unwritten, v.answer(answer)); err != nil || answer.Ended == "" {
			log.Close()
			return errors.Join(err, ctx.Err())
		}
		log = log.Successor()
	}
	return ctx.Err()
}
