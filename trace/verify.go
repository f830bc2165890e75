package trace

import (
	"context"
	"io"

	"github.com/cupel-dev/cupel/internal/transcript"
)

// Verify reads the input to its end and reports on it. When the context ends before,
// the report of what was read comes with the context's error; Interrupted is set, and
// nothing that only the end can tell is in it. Other errors come without a report: of
// reading, a *LimitError, a *DisagreementError, or of options that contradict each
// other.
func Verify(ctx context.Context, input io.Reader, opt Options) (*Report, error) {
	return verify(ctx, input, opt, 0)
}

// verify verifies in blocks of about the given number of bytes, 0 for the default. The
// size changes nothing of the report, which tests hold with others.
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
		v.findings.EndBlock() // nobody waits for the log's first line to hear of it
	}
	if opt.Resume == nil && !opt.BySession {
		p, ok := peek(ctx, input, opt)
		if input = p.input; ok && p.kind.Format != transcript.None {
			report, err := v.transcript(ctx, p)
			return report, exported(err)
		}
		if ok && opt.Anchor != nil && opt.Anchor.Family == JSONLines {
			return v.sealedLines(ctx, input)
		}
	}
	report, err := v.verify(ctx, input)
	return report, exported(err)
}
