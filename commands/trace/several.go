package tracecmd

import (
	"bytes"
	"context"
	"errors"
	"io"
	"path"
	"slices"

	"github.com/cupel-dev/cupel/commands/internal/input"
	"github.com/cupel-dev/cupel/finding"
	"github.com/cupel-dev/cupel/internal/ordered"
	"github.com/cupel-dev/cupel/internal/strictjson"
	"github.com/cupel-dev/cupel/internal/transcript"
	"github.com/cupel-dev/cupel/internal/walk"
	"github.com/cupel-dev/cupel/trace"
)

// Small logs are verified concurrently, one goroutine each, and reported in operand order. Special
// ones (unreadable, grown, or reasoning traces with companions) are handled like other inputs in
// their turn.

// Limits of small logs. The memory of a log is bounded by its bytes, values and findings.
const (
	smallLog    = 64 << 10 // bytes of the largest
	smallOther  = 2 << 20  // bytes of the largest transcript, which one core reads best
	batchBytes  = 64 << 10 // bytes per worker's batch
	batchLogs   = 32       // … and how many they are
	weightOfLog = 128      // memory that is reckoned for each of their bytes
	weightOther = 16       // … for each byte beyond smallLog: a transcript's findings are few
	smallBudget = 64 << 20 // … and for all that are alive
	packedTo    = 10       // a compressed log of more than a tenth of smallLog is hardly small
)

// verified is a worker's result for a small log. Without a report it is verified again.
type verified struct {
	report *trace.Report
	live   []finding.Finding // as they came
}

// several verifies inputs in their order.
func (v *LogVerifier) several(inputs []walk.Input, opt trace.Options) error {
	for len(inputs) > 0 {
		n := v.leadingSmall(inputs, opt)
		var err error
		if n > 1 {
			err = v.small(inputs[:n], opt)
		} else {
			n, err = 1, v.input(inputs[0], opt)
		}
		if err != nil {
			return err
		}
		inputs = inputs[n:]
	}
	return nil
}

// leadingSmall counts the leading small logs. The second engine and single-input flags exclude
// this.
func (v *LogVerifier) leadingSmall(inputs []walk.Input, opt trace.Options) (n int) {
	if opt.Engine != trace.Fast {
		return 0
	}
	for n < len(inputs) && isSmall(inputs[n]) {
		n++
	}
	return n
}

func isSmall(in walk.Input) bool {
	most := int64(smallOther)
	if input.PackedName(in) {
		most = smallLog / packedTo
	}
	return 0 <= in.Size && in.Size <= most && path.Base(in.Name) != input.RunFile
}

// reckoned is how many bytes a small log is taken to have.
func reckoned(in walk.Input) int {
	if input.PackedName(in) {
		return smallLog
	}
	return int(in.Size)
}

// small verifies small logs.
func (v *LogVerifier) small(inputs []walk.Input, opt trace.Options) error {
	bar := v.out.ProgressOfMany("verifying", sizeOf(inputs))
	defer bar.End()
	return ordered.Pipeline[[]walk.Input, []verified]{
		Jobs:   opt.Jobs,
		Budget: smallBudget,
		Read:   ordered.Batches(inputs, batchLogs, batchBytes, reckoned),
		Weight: func(batch []walk.Input) (total int) {
			for _, in := range batch {
				n := reckoned(in)
				total += weightOfLog*min(n, smallLog) + weightOther*max(n-smallLog, 0)
			}
			return smallLog + total
		},
		NewWorker: func() func([]walk.Input) []verified {
			w := &smallWorker{ctx: v.env.Context, opt: opt, live: v.live}
			return w.verify
		},
		Deliver: func(batch []walk.Input, done []verified) error {
			for i, in := range batch {
				if done[i].report != nil { // otherwise it is read alone
					bar.FileDone(in.Size)
				}
				if err := v.verified(in, done[i], opt); err != nil {
					return err
				}
			}
			if v.live {
				return v.out.Flush()
			}
			return nil
		},
	}.Run(v.env.Context)
}

// verified reports on one small log, which is verified alone where it must be.
func (v *LogVerifier) verified(in walk.Input, done verified, opt trace.Options) error {
	if done.report == nil {
		return v.input(in, opt)
	}
	for _, f := range done.live {
		if err := v.out.Finding(f); err != nil {
			return err
		}
	}
	v.view(in, nil, opt)
	if err := v.conclude(done.report); err != nil {
		return err
	}
	return v.env.Context.Err()
}

// smallWorker verifies small logs one after the other.
type smallWorker struct {
	ctx  context.Context
	opt  trace.Options
	live bool
	text []byte // of the log
}

func (w *smallWorker) verify(batch []walk.Input) []verified {
	list := make([]verified, len(batch))
	for i, in := range batch {
		list[i] = w.one(in)
	}
	return list
}

// one verifies one log; the result is empty if the log cannot be verified here.
func (w *smallWorker) one(in walk.Input) (done verified) {
	text, ok := w.read(in)
	if !ok {
		return done
	}
	opt := w.opt
	opt.Name, opt.Inline = in.Name, true
	if w.live {
		opt.OnFinding = func(f finding.Finding) { done.live = append(done.live, f) }
	}
	answer, err := trace.Verify(w.ctx, bytes.NewReader(text), opt)
	if err != nil || answer.Family == trace.Reasoning {
		return verified{}
	}
	done.report = answer
	return done
}

// read reads a whole log. False: it cannot be read, or is better verified on all cores.
func (w *smallWorker) read(in walk.Input) (text []byte, ok bool) {
	r, err := in.Open()
	if err != nil {
		return nil, false
	}
	defer func() { _ = r.Close() }() // opened for reading: nothing can be lost
	if input.IsPacked(r) && !input.PackedName(in) {
		return nil, false // it may have more bytes than was reckoned
	}
	text, whole, err := w.fill(r, smallLog)
	if err == nil && !whole {
		if kind, _ := transcript.Detect(text, false, func(strictjson.Node) bool { return false }); kind.Format == transcript.None {
			return nil, false
		}
		text, whole, err = w.fill(r, smallOther)
	}
	return text, whole && err == nil
}

// fill reads on until there are more than most bytes; whole says that the log has no more.
func (w *smallWorker) fill(r io.Reader, most int) (text []byte, whole bool, err error) {
	have := len(w.text)
	if most == smallLog {
		have = 0
	}
	w.text = slices.Grow(w.text[:have], most+1-have)[:most+1]
	n, err := io.ReadFull(r, w.text[have:])
	w.text = w.text[:have+n]
	if whole = errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF); whole {
		err = nil
	}
	return w.text, whole, err
}
