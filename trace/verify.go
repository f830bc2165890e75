package trace

import (
	"context"
	"io"

	"github.com/cupel-dev/cupel/internal/transcript"
)

// Verify reads the input and reports on it. If ctx ends first, it returns ctx's error and a report on the part that
// was read, with Interrupted set and without final checks. Other errors come without a report: a read error, a
// *LimitError, a *DisagreementError, or contradictory options.
func Verify(ctx context.Context, input io.Reader, opt Options) (*Report, error) {
	return verify(ctx, input, opt, 0)
}

// verify is Verify with a block size, 0 for the default. The block size does not affect the report.
func verify(ctx context.Context, input io.Reader, opt Options, block int) (*Report, error) {
	if err := opt.check(); err != nil {
		return nil, err
	}
	v := newVerification(opt)
	v.block = block
	if opt.Resume != nil {
		if known, err := opt.Resume.recognises(input); err != nil || !known {
			return v.replaced(), err
		}
	}
	defer v.beside.close()
	if f := opt.Follow; f != nil && f.Earlier != nil {
		v.findings.Add(f.Earlier.finding())
		v.findings.EndBlock() // report before the first line arrives
	}
	if opt.Diagnose && !opt.growing() {
		v.source = newInput(input)
		input = v.source
	}
	if opt.Resume == nil {
		p, ok := peek(ctx, input, opt)
		if input = p.input; ok && p.kind.Format != transcript.None {
			v.source.forget()
			if opt.BySession {
				return nil, &TranscriptError{opt.Name, string(p.kind.Format), "by"}
			}
			report, err := v.transcript(ctx, p)
			return report, exported(err)
		}
		if ok && !opt.BySession && opt.Anchor != nil && opt.Anchor.Family == JSONLines {
			v.source.forget()
			return v.sealedLines(ctx, input)
		}
	}
	report, err := v.verify(ctx, input)
	return report, exported(err)
}
